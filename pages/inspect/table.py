"""The score table: what the browser draws (web/table.js), made from cells, bands and the registry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from capeval_core import registry
from capeval_core.figures.numbers import score, tie
from capeval_core.figures.palette import Palette
from capeval_core.figures.scales import Band, ends, worst
from capeval_core.registry import MetricSpec
from pages.shell import theme
from pages.widgets import columns, formats
from pages.work.bands import bands
from pages.work.cells import Cell, Cells
from pages.work.workspace import Workspace

NO_BAND = "needs two references or more: each is scored against the others"
PEOPLE = "people reach: each reference scored against the others; a full bar is the best of people and candidates"


def best_rows(spec: MetricSpec, cells: Sequence[Cell | None]) -> set[int]:
    """The rows with the best value, when there is a choice; what reads the same is a tie and shares it. The worst value
    a metric has is nobody's best."""
    values = {row: cell.value for row, cell in enumerate(cells) if cell and cell.defined}
    if len(set(map(score, values.values()))) < 2:
        return set()
    best = max(values.values()) if spec.direction == "higher" else min(values.values())
    return set() if worst(spec.key, best) else {row for row, value in values.items() if tie(value, best)}


def table_data(
    ws: Workspace, store: Cells, palette: Palette, said: Mapping[int, Sequence[str]] | None
) -> dict[str, Any]:
    """All the browser needs. `said`: for each candidate its words of the clicked concept; None: no concept clicked."""
    items, keys = ws.items(), ws.metrics
    specs = registry.select(keys)
    grid = {key: [store.get(item, key, ws.options) for item in items] for key in keys}
    known = bands(ws, store, keys)
    best = {spec.key: best_rows(spec, grid[spec.key]) for spec in specs}
    pending = store.pending([*items, *ws.human_items()], keys, ws.options)
    rows = [
        {
            "id": one.id,
            "number": place + 1,
            "system": one.system,
            "caption": one.caption,
            "chosen": one.id == ws.chosen,
            "has": None if said is None else bool(said.get(one.id)),
            "words": list((said or {}).get(one.id, ())),
            "cells": [_cell(spec, grid[spec.key][place], place in best[spec.key]) for spec in specs],
        }
        for place, one in enumerate(ws.candidates)
    ]
    return {
        "groups": columns.groups(specs, palette),
        "columns": [_column(spec, grid[spec.key], known.get(spec.key), ws, palette) for spec in specs],
        "rows": rows,
        "metric": ws.metric,
        "sort": list(ws.sort),
        "people": PEOPLE if len(ws.references) > 1 else f"people reach: {NO_BAND}",
        "pending": bool(pending),
        "status": _status(len(keys), len(pending)) if rows else "",
        "palette": theme.css_colours(palette),
        "ack": ws.seen.get("table", 0),
        "references": ws.seen.get("references", 0),
    }


def _status(metrics: int, pending: int) -> str:
    return f"{metrics - pending} of {metrics} metrics scored" if pending else "all scores are in"


def _column(
    spec: MetricSpec, cells: Sequence[Cell | None], band: Band | None, ws: Workspace, palette: Palette
) -> dict[str, Any]:
    values = [cell.value for cell in cells if cell and cell.defined]
    low, high = ends(spec.key, values, band)
    no_band = "still scoring, or not defined for these references" if ws.references else NO_BAND
    return columns.column(spec, cells, ws.options, palette) | {
        "tip": f"{formats.tooltip(spec)}\nClick to sort.",
        "low": low,
        "high": high,
        "lower": spec.direction == "lower",
        "compares": spec.needs_references,
        "band": [band.low, band.high] if band else None,
        "people": formats.spread(band) if band else "–",
        "peopleTip": f"people reach {band.low:.4g} to {band.high:.4g}, half of them {band.middle:.4g} or more"
        if band
        else no_band,
    }


def _cell(spec: MetricSpec, cell: Cell | None, best: bool) -> dict[str, Any]:
    if cell is None:
        return {"v": None, "t": "", "tip": "", "state": "wait", "best": False}
    state = "ok" if cell.defined else "skip" if cell.failed else "nan"
    tip = f"{spec.label} {cell.value:.6g}\n{cell.note}".strip() if cell.defined else cell.note
    value = cell.value if cell.defined else None
    doubt = cell.defined and bool(cell.note)  # marked: the note says why the number is odd
    return {"v": value, "t": score(cell.value), "tip": tip, "state": state, "best": best, "doubt": doubt}
