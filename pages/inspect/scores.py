"""The score table on the page: asks the scorer for what is missing and shows each metric as it finishes."""

from __future__ import annotations

import json

import streamlit as st

from capeval_core import registry
from pages.inspect.concepts import said_by
from pages.inspect.table import component, table_data
from pages.shell import theme
from pages.widgets import formats, stand_ins
from pages.work import cells as cache
from pages.work import session as state
from pages.work import workspace
from pages.work.workspace import Workspace

KEY = "table"
# Seconds an answer waits for scores. With models loaded an edit needs less than the longer time: all its scores then
# come in one go, before the evidence is drawn, which takes as long again.
ANSWER_WITHIN, LOADED = 0.12, 1.0


def show(ws: Workspace) -> None:
    first = cache.scorer().cold
    if not first:
        _want(ws)
    with st.container():  # always there, so that the table below keeps its place on the page
        if not ws.candidates:
            st.info("No candidates yet. Type one below, paste several lines, or pick a sample above.")
        if not ws.references:
            st.info("No references: only metrics that need none can score. Type or paste what people wrote.")
    st.session_state["asked"] = True  # this run shows what there is; polls wait for more
    _table()
    if first:
        _want(ws)  # loading models takes the page's time: the very first visitor sees the captions before that begins
    _notes(ws)


def _want(ws: Workspace) -> None:
    cache.scorer().want(state.owner(), [*ws.items(), *ws.human_items()], ws.metrics)


@st.fragment
def _table() -> None:
    """Runs alone when the browser polls; an edit or a click starts the whole page."""
    ws: Workspace = st.session_state["ws"]
    scorer = cache.scorer()
    polled = not st.session_state.pop("asked", False)
    if st.session_state.pop("acted", False) and polled:
        st.rerun()
    patience = 0.0 if scorer.cold and not polled else LOADED if scorer.loaded(ws.metrics) else ANSWER_WITHIN
    scorer.wait([*ws.items(), *ws.human_items()], ws.metrics, patience)
    data = table_data(ws, scorer, theme.palette(), said_by(ws))
    st.session_state["tick"] = data["tick"] = st.session_state.get("tick", 0) + 1 if data["pending"] else 0
    # As text: Streamlit would load pandas to see whether a list is a data frame.
    component(KEY)(key=KEY, data={"packed": json.dumps(data)}, on_events_change=_changed, on_poll_change=lambda: None)
    incomplete, st.session_state["incomplete"] = st.session_state.get("incomplete"), data["pending"]
    if polled and incomplete and not data["pending"]:
        st.rerun()  # signatures, views and exports know the last scores too


def _changed() -> None:
    ws: Workspace = st.session_state["ws"]
    st.session_state["acted"] = workspace.apply(ws, KEY, st.session_state[KEY].get("events"))


def _notes(ws: Workspace) -> None:
    """What stands in for a paper's resource and what could not score, in a line each; the rest on demand."""
    found, skipped = signatures(ws), reasons(ws)
    labels = {spec.key: spec.label for spec in registry.select(ws.metrics)}
    with st.container(gap="xsmall"):  # always there: the views below keep their place
        summary = stand_ins.summary(found, labels)
        if summary:
            st.caption(summary)
        if skipped:
            _skipped(skipped, labels)
    with st.expander("How each number was made" + (" · how to use the papers' resources" if summary else "")):
        for line in stand_ins.warnings(found, labels):
            st.text(f"≈ {line}")
        st.code("\n".join(found.values()) or "nothing scored yet", language=None, wrap_lines=True)


def _skipped(skipped: dict[str, str], labels: dict[str, str]) -> None:
    said, again = st.columns([5, 1], vertical_alignment="center")
    with said:
        for key, reason in skipped.items():
            st.text(f"{labels[key]} could not score: {reason}")
    with again:
        st.button("Try again", icon=":material/refresh:", on_click=cache.scorer().forget_failures, width="stretch")


def signatures(ws: Workspace) -> dict[str, str]:
    scorer, items, found = cache.scorer(), ws.items(), {}
    for key in ws.metrics:
        cells = (scorer.get(item, key) for item in items)
        signature = next((cell.signature for cell in cells if cell and cell.signature), "")
        if signature:
            found[key] = formats.signature(signature)
    return found


def reasons(ws: Workspace) -> dict[str, str]:
    """Metrics that were skipped, and why."""
    scorer, items, found = cache.scorer(), ws.items(), {}
    for key in ws.metrics:
        cells = (scorer.get(item, key) for item in items)
        note = next((cell.note for cell in cells if cell and cell.failed), "")
        if note:
            found[key] = note
    return found
