"""A candidate as the views and the report speak of it."""

from __future__ import annotations

from pages.work.cells import Cells
from pages.work.workspace import Candidate, Workspace

LONGEST = 90  # characters


def name(one: Candidate) -> str:
    caption = one.caption if len(one.caption) <= LONGEST else one.caption[: LONGEST - 1] + "…"
    return f"{one.system}: {caption}" if one.system else caption


def defined(ws: Workspace, one: Candidate, store: Cells) -> dict[str, float]:
    """Its scores by metric; what is undefined or not there yet is left out."""
    found = {key: store.get(ws.item(one), key, ws.options) for key in ws.metrics}
    return {key: cell.value for key, cell in found.items() if cell and cell.defined}
