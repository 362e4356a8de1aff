"""A judging as a LaTeX table: for a paper, to be pasted as it is (it needs the package booktabs)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from capeval_core.analysis.judging import Judging
from capeval_core.figures.judge_tables import COEFFICIENTS, name
from capeval_core.figures.words import clean

SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip


def build(found: Judging, order: Sequence[str], letters: Mapping[str, str]) -> str:
    """One row per metric, best values in bold; the protocol is the caption, signatures are comments."""
    heads, rows = _pairs(found, order) if found.pairs else _coefficients(found, order)
    heads += ["letters"] if letters else []
    best = [max((row[place] for row in rows.values() if math.isfinite(row[place])), default=math.nan)
            for place in range(len(next(iter(rows.values()), ())))]  # fmt: skip
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escape(found.protocol)}}}",
        rf"\begin{{tabular}}{{l{'r' * len(heads)}}}",
        r"\toprule",
        " & ".join(["metric", *map(escape, heads)]) + r" \\",
        r"\midrule",
    ]
    digits = 1 if found.pairs else 3
    for key, row in rows.items():
        cells = [_cell(value, value == best[place], digits) for place, value in enumerate(row)]
        cells += [letters.get(key, "")] if letters else []
        lines.append(" & ".join([escape(name(key)), *cells]) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join([*lines, *(f"% {escape(one)}" for one in found.signatures.values())]) + "\n"


def _coefficients(found: Judging, order: Sequence[str]) -> tuple[list[str], dict[str, list[float]]]:
    rows = {key: [found.metrics[key].of(one).value for one in COEFFICIENTS] for key in order}
    return list(COEFFICIENTS.values()), rows


def _pairs(found: Judging, order: Sequence[str]) -> tuple[list[str], dict[str, list[float]]]:
    """In per cent."""
    several = len(found.pairs) > 1
    rows = {}
    for key in order:
        shares = [row[key].accuracy for row in found.pairs.values()]
        rows[key] = [100 * share for share in [*shares, *([found.overall[key].accuracy] if several else [])]]
    return [*found.pairs, *(["mean"] if several else [])], rows


def _cell(value: float, best: bool, digits: int) -> str:
    text = "--" if math.isnan(value) else f"{value:.{digits}f}"
    return rf"\textbf{{{text}}}" if best else text


def escape(text: str) -> str:
    return "".join(SPECIAL.get(character, character) for character in clean(text))
