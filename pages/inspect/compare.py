"""Two candidates side by side: what their words share, and how far their scores lie apart."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher

from capeval_core import registry
from capeval_core.figures.charts import tint
from capeval_core.figures.evidence import Caption, Word
from capeval_core.figures.palette import Palette
from pages.widgets import formats


def word_diff(left: str, right: str) -> tuple[Caption, Caption]:
    """Both captions with what they share and what only one says; case and punctuation at the edges do not count."""
    words = (left.split(), right.split())
    plain = [[word.lower().strip(".,;:!?\"'()") for word in side] for side in words]
    kinds = [["extra"] * len(words[0]), ["missed"] * len(words[1])]
    for block in SequenceMatcher(None, plain[0], plain[1], autojunk=False).get_matching_blocks():
        for side, start in ((0, block.a), (1, block.b)):
            kinds[side][start : start + block.size] = ["matched"] * block.size
    first, second = (
        tuple(Word(word, kind) for word, kind in zip(words[side], kinds[side], strict=True)) for side in (0, 1)
    )
    return Caption("A", first), Caption("B", second)


def differences_html(left: Mapping[str, float], right: Mapping[str, float], palette: Palette) -> str:
    """A row a metric: both values and a bar towards the better one, as wide as the larger of the two makes it."""
    rows = []
    for key in registry.keys():
        if key in left and key in right:
            rows.append(_row(key, left[key], right[key], palette))
    head = "".join(
        f'<th scope="col" style="text-align:{side};font-weight:600;padding:2px 12px">{name}</th>'
        for name, side in (
            ("metric", "left"),
            ("A", "right"),
            ("A better · B better", "center"),
            ("B", "right"),
            ("B - A", "right"),
        )
    )
    return (
        f'<table style="border-collapse:collapse;color:{palette.text};font-variant-numeric:tabular-nums;width:100%">'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _row(key: str, left: float, right: float, palette: Palette) -> str:
    spec = registry.get(key)
    gain = (right - left) if spec.direction == "higher" else (left - right)
    share = 50 * min(abs(gain) / (max(abs(left), abs(right)) or 1.0), 1.0)
    side = f"left:50%;width:{share:.1f}%" if gain > 0 else f"right:50%;width:{share:.1f}%"
    colour = palette.systems[0] if gain > 0 else palette.systems[1]
    bar = (
        f'<div style="position:relative;height:9px;background:{tint(palette.faint, 0.14)};min-width:140px">'
        f'<div style="position:absolute;top:0;bottom:0;{side};background:{colour}"></div>'
        f'<div style="position:absolute;top:-2px;bottom:-2px;left:50%;width:1px;background:{palette.faint}"></div>'
        "</div>"
    )
    style = f"padding:3px 12px;border-bottom:1px solid {tint(palette.faint, 0.25)}"
    weights = ("700", "400") if gain < 0 else ("400", "700") if gain > 0 else ("400", "400")
    return (
        f'<tr><td style="{style}">{formats.escape(spec.label)}</td>'
        f'<td style="{style};text-align:right;font-weight:{weights[0]}">{formats.score(left)}</td>'
        f'<td style="{style};width:45%">{bar}</td>'
        f'<td style="{style};text-align:right;font-weight:{weights[1]}">{formats.score(right)}</td>'
        f'<td style="{style};text-align:right">{formats.change(right - left)}</td></tr>'
    )
