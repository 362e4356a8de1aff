"""The Table-2 grid: what the browser draws (web/grid.js), made from rows, cells and the registry."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from capeval_core import registry
from capeval_core.figures import numbers
from capeval_core.figures.charts import tint
from capeval_core.figures.palette import Palette
from capeval_core.perturb import KINDS, Variants
from capeval_core.registry import MetricSpec
from pages.perturb.lab import CANDIDATE, ORIGINAL, Lab, Row
from pages.shell import theme
from pages.widgets import columns, stand_ins
from pages.work.cells import Cell, Options, cells

DEEPEST = 0.5  # opacity of a change as large as the score itself: the number on it stays easy to read


def grid_data(
    lab: Lab, made: Variants | None, options: Options, palette: Palette, published: Mapping[tuple[str, str], float]
) -> dict[str, Any]:
    """All the browser needs; `made`: the changed captions, None while they are not made."""
    rows, specs = lab.rows(made), registry.select(lab.metrics)
    if made is not None:
        lab.settle(rows)
    store = cells()
    found = {row.id: {spec.key: store.get(lab.item(row.text), spec.key, options) for spec in specs} for row in rows}
    by_metric = {spec.key: [found[row.id][spec.key] for row in rows] for spec in specs}
    return {
        "groups": columns.groups(specs, palette),
        "columns": [columns.column(spec, by_metric[spec.key], options, palette) for spec in specs],
        "rows": [_row(row, specs, found, published, palette) for row in rows],
        "missing": reasons(lab, made),
        "open": [lab.open_row, lab.open_key],
        "pending": made is None or any(cell is None for row in found.values() for cell in row.values()),
        "status": "",
        "palette": theme.css_colours(palette) | {"changed": tint(palette.accent, 0.16)},
        "ack": lab.seen,
    }


def reasons(lab: Lab, made: Variants | None) -> list[dict[str, str]]:
    """Kinds without a row: still being made, or why they cannot be made."""
    if made is None:
        return [{"label": KINDS[kind].label, "reason": "…"} for kind in lab.kinds]
    return [{"label": KINDS[kind].label, "reason": reason} for (_, kind), reason in made.missing.items()]


def _row(
    row: Row,
    specs: Sequence[MetricSpec],
    cells: Mapping[str, Mapping[str, Cell | None]],
    published: Mapping[tuple[str, str], float],
    palette: Palette,
) -> dict[str, Any]:
    ceiling = cells.get(ORIGINAL, {})
    return {
        "id": row.id,
        "label": row.label,
        "text": row.text,
        "pieces": [list(piece) for piece in row.pieces],
        "note": row.note,
        "variant": row.is_variant,
        "cells": [
            _cell(
                spec,
                cells[row.id][spec.key],
                cells[CANDIDATE][spec.key] if row.id != CANDIDATE else None,
                ceiling.get(spec.key),
                published.get((row.id, spec.key)),
                row,
                palette,
            )
            for spec in specs
        ],
    }


def _cell(
    spec: MetricSpec,
    cell: Cell | None,
    candidate: Cell | None,
    ceiling: Cell | None,
    paper: float | None,
    row: Row,
    palette: Palette,
) -> dict[str, Any]:
    if cell is None:
        return {"t": "", "state": "wait"}
    drawn: dict[str, Any] = {"t": numbers.score(cell.value), "state": "ok" if cell.defined else "nan", "tip": cell.note}
    if paper is not None:
        drawn["paper"] = f"{paper:g}" if paper >= 1 and paper == int(paper) else f"{paper:.2f}"
    if not cell.defined:
        return drawn
    tip, shaded = [f"{spec.label} {cell.value:.6g}"], row.is_variant
    drawn["doubt"] = bool(cell.note)
    if stand_ins.unfit(cell.stand_in, row.id):  # a made row's id is its kind of change
        drawn["unfit"] = True
        tip.append(stand_ins.UNFIT)
    if shaded and candidate and candidate.defined:
        change = cell.value - candidate.value
        drawn["c"] = "=" if abs(change) < 5e-10 else "≈ 0" if abs(change) < 5e-4 else numbers.change(change)
        share = relative(candidate.value, cell.value, ceiling.value if ceiling else math.nan)
        drawn["shade"] = shade(spec, share, palette) if counts(candidate.value, cell.value) else ""
        tip.append(f"{change:+.6g} against the candidate's {candidate.value:.6g} ({share:+.0%})")
    elif not shaded and ceiling and ceiling is cell:
        tip.append("what a reference reaches among the references")
    if paper is not None:
        tip.append(f"published: {drawn['paper']}")
    drawn["tip"] = "\n".join([*tip, *([cell.note] if cell.note else [])])
    return drawn


def relative(before: float, after: float, ceiling: float = math.nan) -> float:
    """The change as a share of the candidate's score; of a score next to nothing, a tenth of the ceiling counts."""
    least = 0.0 if math.isnan(ceiling) else 0.1 * abs(ceiling)
    whole = max(abs(before), least)
    return (after - before) / whole if whole else math.copysign(1.0, after - before) * (after != before)


def counts(before: float, after: float) -> bool:
    """Is it a gain or a loss at all? Ties are neither, nor are two scores that both read 0.000."""
    return abs(after - before) >= 5e-10 and max(abs(before), abs(after)) >= 5e-4


def shade(spec: MetricSpec, share: float, palette: Palette) -> str:
    """Loss or gain, deeper the larger the share; nothing for no change."""
    gain = share if spec.direction == "higher" else -share
    depth = DEEPEST * min(abs(gain), 1.0) ** 0.7
    return tint(palette.diverging[2 if gain > 0 else 0][1], depth) if depth > 0.005 else ""
