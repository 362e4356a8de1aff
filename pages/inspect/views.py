"""Below the table: evidence, blame map, comparison, profile, lens. Only the one that is open computes."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from capeval_core import CapEvalError, registry
from capeval_core.figures import compare
from capeval_core.figures.html import caption_html, line_html
from capeval_core.figures.tables import render
from pages.inspect import blame, lens, profile
from pages.shell import theme
from pages.widgets import choice, evidence, progress
from pages.work import session
from pages.work.bands import bands
from pages.work.cells import cells
from pages.work.workspace import VIEWS, Candidate, Workspace

MOST_SHOWN = 8  # candidates in a profile: as many as there are colours
BLAME_WITHIN = 1.5  # seconds: with models loaded a blame map needs less


def show(ws: Workspace) -> None:
    if ws.candidates and ws.metrics:
        _views()


@st.fragment
def _views() -> None:
    ws = session.workspace()
    chosen = ws.find(ws.chosen)
    if chosen is None:
        return
    tabs, about = st.columns([1.3, 1.4], vertical_alignment="center")
    with tabs:
        choice.pick(
            st.segmented_control, "View", VIEWS, ws.view, _set_view, name="view", label_visibility="collapsed"
        )  # fmt: skip
    with about:
        _pick_candidate("chosen", ws, ws.chosen, "Candidate")
    shown = {"Evidence": _evidence, "Blame map": _blame, "Compare two": _compare, "Profile": _profile, "Lens": _lens}
    shown[ws.view](ws, chosen)


def _set_view(view: str) -> None:
    session.workspace().view = view


def _pick_candidate(
    name: str, ws: Workspace, current: int, label: str, label_visibility: Literal["visible", "collapsed"] = "collapsed"
) -> None:
    captions = {one.id: _name(one) for one in ws.candidates}
    choice.pick(
        st.selectbox,
        label,
        list(captions),
        current,
        lambda picked: _set_candidate(name, picked),
        name=name,
        show=captions.__getitem__,
        label_visibility=label_visibility,
    )


def _set_candidate(name: str, picked: int) -> None:
    ws = session.workspace()
    setattr(ws, name, picked)
    ws.settle()


def _name(one: Candidate) -> str:
    caption = one.caption if len(one.caption) <= 90 else one.caption[:89] + "…"
    return f"{one.system}: {caption}" if one.system else caption


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
    for caption in compare.word_diff(chosen.caption, other.caption):
        st.html(caption_html(caption, palette))
    st.caption("Underlined: in both. Wavy or dashed: in one only.")
    st.html(render(compare.differences(_defined(ws, chosen), _defined(ws, other), palette), palette))
    _metric_pills(ws)
    for column, one, place in zip(st.columns(2, gap="medium"), (chosen, other), ("A", "B"), strict=True):
        with column:
            st.html(line_html("", palette, bold=place))
            evidence.show(ws.item(one), ws.metric, ws.options, palette, place)


def _profile(ws: Workspace, chosen: Candidate) -> None:
    shown = ws.candidates[:MOST_SHOWN]
    shown = shown if chosen in shown else [chosen, *shown[: MOST_SHOWN - 1]]
    known = bands(ws, cells(), ws.metrics)
    scores = [(_name(one), _defined(ws, one)) for one in shown]
    profile.show(scores, _defined(ws, chosen), known, theme.palette())
    if len(ws.candidates) > MOST_SHOWN:
        st.text(f"{MOST_SHOWN} of {len(ws.candidates)} candidates are drawn.")


def _lens(ws: Workspace, chosen: Candidate) -> None:
    _metric_pills(ws)
    lens.show(ws.item(chosen), ws.metric, ws.options, theme.palette())


def _defined(ws: Workspace, one: Candidate) -> dict[str, float]:
    found = {key: cells().get(ws.item(one), key, ws.options) for key in ws.metrics}
    return {key: cell.value for key, cell in found.items() if cell and cell.defined}
