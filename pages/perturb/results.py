"""A finished study as sentences, tables in the papers' shapes, and files to take away."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence
from typing import Any

from capeval_core import registry
from capeval_core.figures.charts import tint
from capeval_core.figures.palette import Palette
from capeval_core.figures.perturb import Move, percent
from capeval_core.perturb import KINDS
from capeval_core.perturb.study import Cell, Study
from capeval_core.version import VERSION
from pages.widgets import formats

# Kilickaya et al. 2017, Table 5, in its order of rows; Sharif et al. 2018, Table 3, has all six, in the order of KINDS.
TABLE_5 = ("replace_scene", "replace_person", "share_scene", "share_person")
FIELDS = ("pairs", "candidate", "variant", "change", "low", "high", "accuracy", "ties")


def moves(study: Study) -> list[Move]:
    """Everything but the distractors: these are right or wrong, not more or less."""
    found = [cell for cell in study.cells if KINDS[cell.kind].family != "distractors" and cell.pairs]
    return [
        Move(
            KINDS[cell.kind].label,
            cell.metric,
            cell.change,
            cell.low,
            cell.high,
            f"mean {formats.score(cell.candidate)} to {formats.score(cell.variant)}, {cell.pairs:,} captions",
        )
        for cell in found
    ]


def sentence(study: Study) -> str:
    """The kind that moves metrics most, who minds most and who least."""
    cells = [c for c in study.cells if KINDS[c.kind].family != "distractors" and not math.isnan(c.change)]
    kinds = dict.fromkeys(cell.kind for cell in cells)
    if not cells:
        return ""
    mean = {kind: _mean([cell.change for cell in cells if cell.kind == kind]) for kind in kinds}
    hardest = min(mean, key=lambda kind: mean[kind])
    ordered = sorted((cell for cell in cells if cell.kind == hardest), key=lambda cell: cell.change)
    first, last = ordered[0], ordered[-1]
    return (
        f"{KINDS[hardest].label} moves the scores most: {registry.get(first.metric).label} goes "
        f"{percent(first.change)}, {registry.get(last.metric).label} {percent(last.change)}."
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def tasks(study: Study) -> list[str]:
    made = {cell.kind for cell in study.cells if cell.pairs}
    return [kind for kind in KINDS if kind in made and KINDS[kind].family == "distractors"]


def table_3(study: Study, palette: Palette) -> str:
    """A row a metric, a column a task, then the mean and the worst; per cent, best of a column in bold."""
    chosen, cells = tasks(study), _by_place(study)
    keys = [key for key in study.scores if all((task, key) in cells for task in chosen)]
    body = {key: [100 * cells[task, key].accuracy for task in chosen] for key in keys}
    body = {key: [*values, _mean(values), min(values)] for key, values in body.items()}
    names = [*(KINDS[task].label for task in chosen), "average", "worst"]
    rows = [(registry.get(key).label, values) for key, values in body.items()]
    counts = [max(cells[task, key].pairs for key in keys) for task in chosen] if keys else []
    return _table("Metric", names, rows, ["instances", *(f"{n:,}" for n in counts), "", ""], "{:.1f}", palette)


def table_5(study: Study, palette: Palette) -> str:
    """A row a task with its instances, a column a metric, shares; overall: all pairs together."""
    cells = _by_place(study)
    chosen = [task for task in (*TABLE_5, *tasks(study)) if task in tasks(study)]
    chosen = list(dict.fromkeys(chosen))
    keys = [key for key in study.scores if all((task, key) in cells for task in chosen)]
    rows, total, right = [], 0, dict.fromkeys(keys, 0.0)
    for task in chosen:
        count = max((cells[task, key].pairs for key in keys), default=0)
        rows.append((f"{KINDS[task].label} ({count:,})", [cells[task, key].accuracy for key in keys]))
        total += count
        for key in keys:
            right[key] += cells[task, key].accuracy * cells[task, key].pairs
    pairs = {key: sum(cells[task, key].pairs for task in chosen) for key in keys}
    rows.append((f"Overall ({total:,})", [right[key] / max(pairs[key], 1) for key in keys]))
    return _table(
        "Case (instances)", [registry.get(key).label for key in keys], rows, [], "{:.2f}", palette, across=True
    )


def _by_place(study: Study) -> dict[tuple[str, str], Cell]:
    return {(cell.kind, cell.metric): cell for cell in study.cells if cell.pairs}


def _table(
    corner: str,
    names: Sequence[str],
    rows: Sequence[tuple[str, Sequence[float]]],
    foot: Sequence[str],
    form: str,
    palette: Palette,
    across: bool = False,
) -> str:
    """Best of each column in bold, or of each row where metrics stand side by side."""
    rule = f"border-bottom:1px solid {tint(palette.faint, 0.3)};padding:3px 14px 3px 0;white-space:nowrap"
    head = "".join(
        f'<th scope="col" style="{rule};text-align:{"left" if not place else "right"};font-weight:600">'
        f"{formats.escape(name)}</th>"
        for place, name in enumerate((corner, *names))
    )
    best = [max((values[place] for _, values in rows), default=math.nan) for place in range(len(names))]
    lines = []
    for name, values in rows:
        tops = [form.format(one) for one in ([max(values)] * len(values) if across and values else best)]
        cells = "".join(
            f'<td style="{rule};text-align:right;font-weight:{700 if text == tops[place] else 400}">{text}</td>'
            for place, text in enumerate(map(form.format, values))
        )
        lines.append(f'<tr><th scope="row" style="{rule};text-align:left;font-weight:400">{name}</th>{cells}</tr>')
    if foot:
        cells = "".join(
            f'<td style="{rule};text-align:{"right" if place else "left"};color:{palette.faint}">{text}</td>'
            for place, text in enumerate(foot)
        )
        lines.append(f"<tr>{cells}</tr>")
    return (
        '<div style="overflow-x:auto"><table style="border-collapse:collapse;font-variant-numeric:tabular-nums;'
        f'font-size:.95em;color:{palette.text}"><thead><tr>{head}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'
    )


def to_csv(study: Study) -> str:
    """A row a kind and metric, with the metric's signature."""
    target = io.StringIO()
    writer = csv.writer(target)
    writer.writerow(["kind", "metric", *FIELDS, "signature"])
    for cell in study.cells:
        values = ["" if isinstance(value, float) and math.isnan(value) else value for value in _values(cell)]
        writer.writerow([cell.kind, cell.metric, *values, study.signatures.get(cell.metric, "")])
    return target.getvalue()


def to_json(study: Study, settings: dict[str, Any]) -> str:
    rows = [
        {"kind": cell.kind, "metric": cell.metric}
        | {name: _plain(value) for name, value in zip(FIELDS, _values(cell), strict=True)}
        for cell in study.cells
    ]
    variants = [
        {
            "image_id": study.items[one.item].image_id,
            "system": study.items[one.item].system,
            "candidate": study.items[one.item].candidate,
            "kind": one.kind,
            "variant": one.text,
            "change": one.change,
            "scores": {key: _plain(float(values[len(study.items) + number])) for key, values in study.scores.items()},
        }
        for number, one in enumerate(study.variants)
    ]
    content = {
        "capeval": VERSION,
        **settings,
        "captions": len(study.items),
        "made": study.rates,
        "cells": rows,
        "signatures": study.signatures,
        "skipped": {key: str(error) for key, error in study.skipped.items()},
        "variants": variants,
    }
    return json.dumps(content, ensure_ascii=False, indent=1)


def _values(cell: Cell) -> list[float]:
    return [getattr(cell, name) for name in FIELDS]


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value
