"""The grid of one image to take away: every row with its scores and how far they moved from the candidate's."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from capeval_core.io.writers import csv_text
from pages.perturb.lab import CANDIDATE, Lab, Row
from pages.work.cells import Cells, Options


def rows_csv(lab: Lab, rows: Sequence[Row], title: str, store: Cells, options: Options) -> str:
    """One row per caption and nothing else, so that any program reads it; what is the same for all stands in columns
    of its own, references and signatures as JSON. Empty: not scored, or undefined."""
    telling = store.telling([lab.item(row.text) for row in rows], lab.metrics, options)
    same = {
        "image": title,
        "references": json.dumps(lab.references, ensure_ascii=False),
        "signatures": json.dumps({key: cell.signature for key, cell in telling.items() if cell.signature}),
    }
    found: list[dict[str, Any]] = []
    for row in rows:
        line: dict[str, Any] = {"row": row.label, "caption": row.text, "change": row.note}
        for key in lab.metrics:
            value, before = (_value(lab, text, key, store, options) for text in (row.text, lab.caption))
            line |= {key: value, f"{key} change": value - before if row.id != CANDIDATE else None}
        found.append(line | same)
    names = [name for key in lab.metrics for name in (key, f"{key} change")]
    return csv_text(["image", "row", "caption", "change", *names, "references", "signatures"], found)


def _value(lab: Lab, text: str, key: str, store: Cells, options: Options) -> float:
    cell = store.get(lab.item(text), key, options)
    return cell.value if cell else math.nan
