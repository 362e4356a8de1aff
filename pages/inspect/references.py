"""The left side of Inspect: the image, its references, what people mention."""

from __future__ import annotations

from typing import Any

from capeval_core import CapEvalError
from pages.inspect.concepts import mentions
from pages.shell import theme
from pages.web import component
from pages.work import session, workspace
from pages.work.cells import cells
from pages.work.workspace import Workspace

KEY = "references"


def show(ws: Workspace) -> None:
    component.mount(KEY, references_data(ws), lambda events: workspace.apply(session.workspace(), KEY, events))


def references_data(ws: Workspace) -> dict[str, Any]:
    # Loading SPARCS takes a second. On the very first visit a job does that; the words come with the last score.
    wait = "sparcs" in ws.metrics and not cells().loaded(["sparcs"])
    try:
        found = [] if wait else mentions(ws.references)
    except CapEvalError:
        found = []  # SPARCS' column says why
    hint = "Paste what people wrote about this image; metrics that compare with references wait for it."
    if ws.references:
        hint = "Click a word to see which candidates have it." if found else ""
    return {
        "references": ws.references,
        "people": len(ws.references),
        "concepts": [
            {"stem": one.stem, "word": one.words[0], "words": ", ".join(one.words), "count": one.count} for one in found
        ],
        "concept": ws.concept,
        "hint": hint,
        "palette": theme.css_colours(theme.palette()),
        "ack": ws.seen.get(KEY, 0),
    }
