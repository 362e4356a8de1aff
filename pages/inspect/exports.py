"""Scores, report and workspace to take away. Nothing is made before it is asked for."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import Any

import streamlit as st

from capeval_core import registry
from capeval_core.io.workspace import write_zip
from capeval_core.version import VERSION
from pages.inspect import report
from pages.inspect.scores import reasons, signatures
from pages.shell import theme
from pages.work import cells as cache
from pages.work.bands import bands
from pages.work.cells import Cell, Scorer
from pages.work.workspace import Workspace

RISKY = ("=", "+", "-", "@", "\t")  # a spreadsheet would run what starts so


def show(ws: Workspace) -> None:
    scorer, palette = cache.scorer(), theme.palette()
    buttons: list[tuple[str, Any, str, str]] = [
        ("Report (HTML, with evidence)", lambda: report.build(ws, scorer, palette), "capeval-report.html", "text/html"),
        ("Scores (CSV)", lambda: scores_csv(ws, scorer), "capeval-scores.csv", "text/csv"),
        ("Scores (JSON)", lambda: scores_json(ws, scorer), "capeval-scores.json", "application/json"),
        ("Workspace (ZIP)", lambda: write_zip(ws.stored()), "capeval-workspace.zip", "application/zip"),
    ]
    for label, make, name, kind in buttons:
        st.download_button(label, make, name, kind, on_click="ignore", width="stretch", key=f"export {name}")


def scores_csv(ws: Workspace, scorer: Scorer) -> str:
    """A row a candidate, then a row with each metric's signature."""
    target = io.StringIO()
    writer = csv.writer(target)
    writer.writerow(["system", "candidate", *ws.metrics])
    for one, item in zip(ws.candidates, ws.items(), strict=True):
        values = [_value(scorer.get(item, key)) for key in ws.metrics]
        writer.writerow([_tame(one.system), _tame(one.caption), *("" if v is None else v for v in values)])
    found = signatures(ws)
    writer.writerow(["signature", "", *(found.get(key, "") for key in ws.metrics)])
    return target.getvalue()


def scores_json(ws: Workspace, scorer: Scorer) -> str:
    known = bands(ws, scorer, ws.metrics)
    rows = [
        {
            "system": one.system,
            "candidate": one.caption,
            "scores": {key: _value(scorer.get(item, key)) for key in ws.metrics},
            "notes": {key: cell.note for key in ws.metrics if (cell := scorer.get(item, key)) and cell.note},
        }
        for one, item in zip(ws.candidates, ws.items(), strict=True)
    ]
    content = {
        "capeval": VERSION,
        "references": ws.references,
        "candidates": rows,
        "people": {key: {"low": one.low, "middle": one.middle, "high": one.high} for key, one in known.items()},
        "ranges": {spec.key: list(spec.bounds) for spec in registry.select(ws.metrics)},
        "signatures": signatures(ws),
        "skipped": reasons(ws),
    }
    return json.dumps(content, ensure_ascii=False, indent=1)


def _value(cell: Cell | None) -> float | None:
    return None if cell is None or math.isnan(cell.value) else cell.value


def _tame(text: str) -> str:
    return f"'{text}" if text.startswith(RISKY) else text
