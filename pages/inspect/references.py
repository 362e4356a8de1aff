"""The left side of Inspect: the image, its references, what people mention."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from capeval_core import CapEvalError
from pages.inspect.concepts import mentions
from pages.inspect.table import component
from pages.shell import theme
from pages.work import cells as cache
from pages.work import workspace
from pages.work.workspace import Workspace

KEY = "references"
NO_IMAGE = (
    '<p style="border:1px dashed;border-radius:8px;padding:2.5em 1em;text-align:center;opacity:.6">'
    "No image yet: upload one above. Scores need only captions.</p>"
)


def show_image(ws: Workspace) -> None:
    if ws.image is not None:
        st.image(ws.image, width="stretch")
        if ws.credit:
            st.caption(plain(ws.credit))
    else:
        st.html(NO_IMAGE)


def show_references(ws: Workspace) -> None:
    component(KEY)(key=KEY, data={"packed": json.dumps(references_data(ws))}, on_events_change=_changed)


def plain(text: str) -> str:
    """Text for a widget that reads markdown: its signs are made ordinary."""
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]()#+-.!|~$<>:" else sign for sign in text)


def references_data(ws: Workspace) -> dict[str, Any]:
    # Loading SPARCS takes a second. On the very first visit the scorer does that; the words come with the last score.
    wait = "sparcs" in ws.metrics and not cache.scorer().loaded(["sparcs"])
    try:
        found = [] if wait else mentions(ws.references)
    except CapEvalError:
        found = []  # SPARCS' column says why
    hint = "Paste what people wrote of this image; metrics that compare with references wait for it."
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


def _changed() -> None:
    workspace.apply(st.session_state["ws"], KEY, st.session_state[KEY].get("events"))
