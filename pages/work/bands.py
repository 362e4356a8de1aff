"""What people reach: each reference scored against the others, per metric."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

from capeval_core.figures.scales import Band
from pages.work.cells import Cells
from pages.work.workspace import Workspace


def bands(ws: Workspace, store: Cells, keys: Iterable[str]) -> dict[str, Band]:
    """By metric; a metric is absent while its band is not known, or when people's captions cannot be compared."""
    items, found = ws.human_items(), {}
    for key in keys:
        cells = [store.get(item, key, ws.options) for item in items]
        values = [cell.value for cell in cells if cell and cell.defined]
        if items and len(values) == len(items):
            found[key] = Band(min(values), median(values), max(values))
    return found
