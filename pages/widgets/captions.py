"""Captions in rows with a few values beside each; a click opens one in Inspect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from capeval_core.figures.words import clean, short
from capeval_core.io.dataset import DataSet
from pages.shell import theme
from pages.web import component
from pages.work import session
from pages.work.events import new_events

KIND, SEEN, OPENED = "captions", "captions seen", "caption to open"
LONGEST = 400  # characters of a caption


@dataclass(frozen=True, slots=True)
class Line:
    row: int  # of the data set
    values: tuple[str, ...]
    note: str = ""  # below the caption, small


def show(data: DataSet, columns: Sequence[str], lines: Sequence[Line]) -> None:
    """The rest of the page is not drawn once a caption is to be opened."""
    opened = st.session_state.pop(OPENED, None)
    if opened is not None and opened < len(data.items):
        session.attempt(lambda: session.open_row(data, opened))
        st.switch_page("pages/inspect/page.py")
    shown = {line.row for line in lines}
    rows = [
        {
            "id": line.row,
            "caption": short(data.items[line.row].candidate, LONGEST) or "(empty)",
            "note": clean(line.note),
            "values": list(line.values),
        }
        for line in lines
    ]
    packed: dict[str, Any] = {
        "heads": list(columns),
        "rows": rows,
        "ack": st.session_state.get(SEEN, 0),
        "palette": theme.css_colours(theme.palette()),
    }
    component.mount(KIND, packed, lambda events: _act(events, shown))


def _act(sent: Any, shown: set[int]) -> None:
    for event in new_events(sent, st.session_state.get(SEEN, 0)):
        st.session_state[SEEN] = event["n"]
        if event.get("op") == "open" and event.get("id") in shown:
            st.session_state[OPENED] = event["id"]
