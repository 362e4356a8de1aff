"""Below the table: evidence, errors, blame map, comparison, profile, style and meaning, lens; only the open one."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from capeval_core import CapEvalError, registry
from capeval_core.figures.evidence import used_kinds
from capeval_core.figures.html import caption_html, legend_html, line_html
from capeval_core.figures.tables import render
from pages.inspect import blame, comparison, errors, lens, meaning, profile
from pages.inspect.candidates import defined, name
from pages.shell import theme
from pages.widgets import choice, evidence, progress
from pages.work import session
from pages.work.bands import bands
from pages.work.cells import cells
from pages.work.workspace import VIEWS, Candidate, Workspace

MOST_SHOWN = 8  # candidates in a profile: as many as there are colours
BLAME_WITHIN = 1.5  # seconds: with models loaded a blame map needs less
MARKED = "marked in the table"


def show(ws: Workspace) -> None:
    if ws.candidates and ws.metrics:
        st.session_state[MARKED] = (ws.metric, ws.chosen)
        _views()


@st.fragment
def _views() -> None:
    ws = session.workspace()
    if session.save() or st.session_state[MARKED] != (ws.metric, ws.chosen):  # the table above follows
        st.rerun()
    chosen = ws.find(ws.chosen)
    if chosen is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):  # the tabs in one line, if they fit
        choice.pick(
            st.segmented_control, "View", VIEWS, ws.view, _set_view, name="view", label_visibility="collapsed",
            width="content",
        )  # fmt: skip
        _pick_candidate("chosen", ws, ws.chosen, "Candidate")
    shown = (_evidence, _errors, _blame, _compare, _profile, _meaning, _lens)
    dict(zip(VIEWS, shown, strict=True))[ws.view](ws, chosen)


def _set_view(view: str) -> None:
    session.workspace().view = view


def _pick_candidate(
    field: str, ws: Workspace, current: int, label: str, label_visibility: Literal["visible", "collapsed"] = "collapsed"
) -> None:
    captions = {one.id: name(one) for one in ws.candidates}
    choice.pick(
        st.selectbox,
        label,
        list(captions),
        current,
        lambda picked: _set_candidate(field, picked),
        name=field,
        show=captions.__getitem__,
        label_visibility=label_visibility,
    )


def _set_candidate(field: str, picked: int) -> None:
    ws = session.workspace()
    setattr(ws, field, picked)
    ws.settle()


def _metric_pills(ws: Workspace) -> None:
    choice.pick(
        st.pills,
        "Metric",
        tuple(ws.metrics),
        ws.metric,
        _set_metric,
        name="metric",
        show=lambda key: registry.get(key).label,
        label_visibility="collapsed",
    )


def _set_metric(key: str) -> None:
    session.workspace().metric = key


def _evidence(ws: Workspace, chosen: Candidate) -> None:
    _metric_pills(ws)
    with st.spinner("Looking for the evidence", show_time=False):
        evidence.show(ws.item(chosen), ws.metric, ws.options, theme.palette())


def _errors(ws: Workspace, chosen: Candidate) -> None:
    errors.show(ws, chosen, theme.palette())


def _blame(ws: Workspace, chosen: Candidate) -> None:
    palette, store, owner = theme.palette(), cells(), session.owner("blame")
    try:
        items = blame.variants(ws.item(chosen))
    except CapEvalError as error:
        st.text(f"No blame map: {error}")
        return
    store.want(owner, items, ws.metrics, ws.options)
    if store.wait(items, ws.metrics, ws.options, BLAME_WITHIN):
        st.text("Each word is deleted in turn and what is left is scored.")
        progress.show(owner)
        return
    blame.show(blame.collect(items, ws.metrics, ws.options, store), bands(ws, store, ws.metrics), palette)


def _compare(ws: Workspace, chosen: Candidate) -> None:
    other = ws.find(ws.other)
    if other is None:
        st.info("Add a second candidate to compare with.")
        return
    palette = theme.palette()
    _pick_candidate("other", ws, ws.other, "B: compared with", "visible")
    with st.spinner("Comparing", show_time=False):
        found = comparison.collect(ws, chosen, other, cells(), palette)
    st.html(line_html(found.sentence, palette, large=True))
    for caption in found.captions:
        st.html(caption_html(caption, palette))
    st.html(legend_html(palette, used_kinds(found.captions)))
    st.caption(comparison.ABOUT)
    st.html(render(found.table, palette))
    _metric_pills(ws)
    sides = st.container(key="inspect-sides").columns(2, gap="medium")  # one below the other on a narrow screen
    for column, one, place in zip(sides, (chosen, other), ("A", "B"), strict=True):
        with column:
            st.html(line_html("", palette, bold=place))
            evidence.show(ws.item(one), ws.metric, ws.options, palette, place)


def _profile(ws: Workspace, chosen: Candidate) -> None:
    shown = ws.candidates[:MOST_SHOWN]
    shown = shown if chosen in shown else [chosen, *shown[: MOST_SHOWN - 1]]
    known = bands(ws, cells(), ws.metrics)
    scores = [(name(one), defined(ws, one, cells())) for one in shown]
    profile.show(scores, defined(ws, chosen, cells()), known, theme.palette())
    if len(ws.candidates) > MOST_SHOWN:
        st.text(f"{MOST_SHOWN} of {len(ws.candidates)} candidates are drawn.")


def _meaning(ws: Workspace, chosen: Candidate) -> None:
    meaning.show(ws, theme.palette())


def _lens(ws: Workspace, chosen: Candidate) -> None:
    _metric_pills(ws)
    lens.show(ws.item(chosen), ws.metric, ws.options, theme.palette())
