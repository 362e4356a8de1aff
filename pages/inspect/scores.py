"""The score table on the page: asks for what is missing and shows each metric as it finishes."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.inspect.concepts import said_by
from pages.inspect.table import table_data
from pages.shell import theme
from pages.web import component
from pages.widgets import provenance
from pages.work import session, workspace
from pages.work.cells import cells
from pages.work.workspace import Workspace

KEY = "table"
# Seconds an answer waits for scores. With models loaded an edit needs less than the longer time: all its scores then
# come in one go, before the evidence is drawn, which takes as long again.
ANSWER_WITHIN, LOADED = 0.12, 1.0


def show(ws: Workspace) -> None:
    first = cells().cold
    if not first:
        _want(ws)
    with st.container():  # always there, so that the table below keeps its place on the page
        if not ws.candidates:
            st.info("No candidates yet. Type one below, paste several lines, or pick a sample above.")
        if not ws.references:
            st.info("No references: only metrics that need none can score. Type or paste what people wrote.")
    component.live(KEY, _answer, lambda events: workspace.apply(session.workspace(), KEY, events))
    if first:
        _want(ws)  # loading models takes the page's time: the very first visitor sees the captions before that begins
    provenance.show(cells().telling(ws.items(), ws.metrics, ws.options), "inspect")


def _want(ws: Workspace) -> None:
    cells().want(session.owner("inspect"), [*ws.items(), *ws.human_items()], ws.metrics, ws.options)


def _answer(polled: bool) -> dict[str, Any]:
    ws, store = session.workspace(), cells()
    patience = 0.0 if store.cold and not polled else LOADED if store.loaded(ws.metrics) else ANSWER_WITHIN
    store.wait([*ws.items(), *ws.human_items()], ws.metrics, ws.options, patience)
    data = table_data(ws, store, theme.palette(), said_by(ws))
    running = store.jobs.of(session.owner("inspect"))
    if data["pending"] and running:
        data["status"] = f"scoring {running[0].said}: {data['status']}"
    return data
