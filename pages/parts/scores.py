"""The score table on the page: asks the scorer for what is missing and shows each metric as it finishes."""

from __future__ import annotations

import streamlit as st

from capeval_core import registry
from pages.parts import cache, formats, stand_ins, state, theme, workspace
from pages.parts.concepts import said_by
from pages.parts.table import component, table_data
from pages.parts.workspace import Workspace

KEY = "table"
# Seconds an answer waits for scores. With models loaded an edit needs less than the longer time: all its scores then
# come in one go, before the evidence is drawn, which takes as long again.
ANSWER_WITHIN, LOADED = 0.12, 1.0


def show(ws: Workspace) -> None:
    items = [*ws.items(), *ws.human_items()]
    cache.scorer().want(state.owner(), items, ws.metrics)
    with st.container():  # always there, so that the table below keeps its place on the page
        if not ws.candidates:
            st.info("No candidates yet. Type one below, paste several lines, or pick a sample above.")
        if not ws.references:
            st.info("No references: only metrics that need none can score. Type or paste what people wrote.")
    st.session_state["asked"] = True  # this run shows what there is; polls wait for more
    _table()
    _notes(ws)


@st.fragment
def _table() -> None:
    """Runs alone when the browser polls; an edit or a click starts the whole page."""
    ws: Workspace = st.session_state["ws"]
    scorer = cache.scorer()
    polled = not st.session_state.pop("asked", False)
    if st.session_state.pop("acted", False) and polled:
        st.rerun()
    patience = LOADED if scorer.loaded(ws.metrics) else ANSWER_WITHIN
    scorer.wait([*ws.items(), *ws.human_items()], ws.metrics, patience)
    data = table_data(ws, scorer, theme.palette(), said_by(ws))
    st.session_state["tick"] = data["tick"] = st.session_state.get("tick", 0) + 1 if data["pending"] else 0
    component(KEY)(key=KEY, data=data, on_events_change=_changed, on_poll_change=lambda: None)
    incomplete, st.session_state["incomplete"] = st.session_state.get("incomplete"), data["pending"]
    if polled and incomplete and not data["pending"]:
        st.rerun()  # signatures, views and exports know the last scores too


def _changed() -> None:
    ws: Workspace = st.session_state["ws"]
    st.session_state["acted"] = workspace.apply(ws, KEY, st.session_state[KEY].get("events"))


def _notes(ws: Workspace) -> None:
    """How the numbers were made, on demand; what stands in for a paper's resource, and what could not score."""
    found = signatures(ws)
    labels = {spec.key: spec.label for spec in registry.select(ws.metrics)}
    standing = list(stand_ins.warnings(found, labels))
    skipped = reasons(ws)
    title = "Signatures: how each number was made"
    if standing:
        title += f" · {len(standing)} stand-in{'s' if len(standing) > 1 else ''} (≈)"
    if skipped:
        title += f" · {len(skipped)} could not score"
    with st.expander(title):
        for line in standing:
            st.text(f"≈ {line}")
        for key, reason in skipped.items():
            st.text(f"{labels[key]} could not score: {reason}")
        st.code("\n".join(found.values()) or "nothing scored yet", language=None, wrap_lines=True)


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
