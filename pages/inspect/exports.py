"""Scores, report and workspace to take away. Nothing is made before it is asked for."""

from __future__ import annotations

import json
from typing import Any

from capeval_core import registry
from capeval_core.io.workspace import write_zip
from capeval_core.io.writers import csv_text, plain
from capeval_core.version import VERSION
from pages.inspect import report
from pages.shell import theme
from pages.widgets import downloads
from pages.work import session
from pages.work.bands import bands
from pages.work.cells import Cell, Cells, cells
from pages.work.workspace import IMAGE_ID, Workspace


def show(ws: Workspace) -> None:
    store, palette, owner = cells(), theme.palette(), session.owner("report")
    downloads.show(
        {
            "Report (HTML, with evidence)": ("report.html", lambda: report.build(ws, store, owner, palette)),
            "Scores (CSV)": ("scores.csv", lambda: scores_csv(ws, store)),
            "Scores (JSON)": ("scores.json", lambda: scores_json(ws, store)),
            "Workspace (ZIP)": ("workspace.zip", lambda: write_zip(ws.stored())),
        }
    )


def scores_csv(ws: Workspace, store: Cells) -> str:
    """One row per candidate and nothing else, so that any program reads it, this one too. Image, references and
    signatures, which are the same for all, stand in columns of their own; the last two as JSON."""
    found = store.telling(ws.items(), ws.metrics, ws.options)
    same = {
        "image_id": image_name(ws),
        "references": json.dumps(ws.references, ensure_ascii=False),
        "signatures": json.dumps({key: cell.signature for key, cell in found.items() if cell.signature}),
    }
    rows: list[dict[str, Any]] = []
    for one, item in zip(ws.candidates, ws.items(), strict=True):
        values = {key: _value(store.get(item, key, ws.options)) for key in ws.metrics}
        rows.append({"system": one.system, "candidate": one.caption} | values | same)
    return csv_text(["image_id", "system", "candidate", *ws.metrics, "references", "signatures"], rows)


def image_name(ws: Workspace) -> str:
    """As the visitor, the sample or the data set calls it."""
    return ws.image_id or ws.title or IMAGE_ID


def scores_json(ws: Workspace, store: Cells) -> str:
    known, telling = bands(ws, store, ws.metrics), store.telling(ws.items(), ws.metrics, ws.options)
    rows = [
        {
            "system": one.system,
            "candidate": one.caption,
            "scores": {key: _value(store.get(item, key, ws.options)) for key in ws.metrics},
            "notes": {key: cell.note for key in ws.metrics if (cell := store.get(item, key, ws.options)) and cell.note},
        }
        for one, item in zip(ws.candidates, ws.items(), strict=True)
    ]
    content = {
        "capeval": VERSION,
        "image": image_name(ws),
        "references": ws.references,
        "candidates": rows,
        "people": {key: {"low": one.low, "middle": one.middle, "high": one.high} for key, one in known.items()},
        "ranges": {spec.key: list(spec.bounds) for spec in registry.select(ws.metrics)},
        "signatures": {key: cell.signature for key, cell in telling.items() if cell.signature},
        "skipped": {key: cell.note for key, cell in telling.items() if cell.failed},
    }
    return json.dumps(plain(content), ensure_ascii=False, indent=1)


def _value(cell: Cell | None) -> float | None:
    return None if cell is None else cell.value
