"""Below the table: evidence, blame map, comparison, profile. Only the one that is open computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import streamlit as st

from capeval_core import CapEvalError, registry
from capeval_core.figures.html import caption_html
from pages.inspect import blame, compare, profile
from pages.shell import theme
from pages.widgets import evidence, formats
from pages.work import cells as cache
from pages.work.bands import bands
from pages.work.workspace import VIEWS, Candidate, Workspace

MOST_SHOWN = 8  # candidates in a profile: as many as there are colours


def show(ws: Workspace) -> None:
    if ws.candidates and ws.metrics:
        _views()


@st.fragment
def _views() -> None:
    ws: Workspace = st.session_state["ws"]
    chosen = ws.find(ws.chosen)
    if chosen is None:
        return
    tabs, about = st.columns([1.1, 1.6], vertical_alignment="center")
    with tabs:
        _choice("view", VIEWS, ws.view, "View", st.segmented_control)
    with about:
        _pick("chosen", ws, ws.chosen, "Candidate")
    {"Evidence": _evidence, "Blame map": _blame, "Compare two": _compare, "Profile": _profile}[ws.view](ws, chosen)


def _choice(name: str, options: tuple[str, ...], current: str, label: str, widget: Callable[..., object]) -> None:
    """A widget whose truth is in the workspace: it survives a change of page, and a click on the table moves it."""
    st.session_state[name] = current
    show = (lambda key: registry.get(key).label) if name == "metric" else str
    widget(label, options, key=name, format_func=show, on_change=_chose, args=(name,), label_visibility="collapsed")


def _chose(name: str) -> None:
    picked = st.session_state[name]
    if picked is not None:  # a second click on the open one lets go of it: it stays open
        setattr(st.session_state["ws"], name, picked)


def _pick(
    name: str, ws: Workspace, current: int, label: str, label_visibility: Literal["visible", "collapsed"] = "collapsed"
) -> None:
    captions = {one.id: _name(one) for one in ws.candidates}
    st.session_state[name] = current
    st.selectbox(
        label,
        list(captions),
        key=name,
        format_func=captions.__getitem__,
        on_change=_picked,
        args=(name,),
        label_visibility=label_visibility,
    )


def _picked(name: str) -> None:
    ws: Workspace = st.session_state["ws"]
    setattr(ws, name, st.session_state[name])
    ws.settle()


def _name(one: Candidate) -> str:
    caption = one.caption if len(one.caption) <= 90 else one.caption[:89] + "…"
    return f"{one.system}: {caption}" if one.system else caption


def _metric_pills(ws: Workspace) -> None:
    _choice("metric", tuple(ws.metrics), ws.metric, "Metric", st.pills)


def _evidence(ws: Workspace, chosen: Candidate) -> None:
    _metric_pills(ws)
    with st.spinner("Looking for the evidence", show_time=False):
        evidence.show(ws.item(chosen), ws.metric, theme.palette())


def _blame(ws: Workspace, chosen: Candidate) -> None:
    palette, known = theme.palette(), bands(ws, cache.scorer(), ws.metrics)
    try:
        with st.spinner("Deleting each word in turn and scoring what is left"):
            found = blame.blame(ws.item(chosen), ws.metrics)
    except CapEvalError as error:
        st.text(f"No blame map: {error}")
        return
    st.html(f'<p style="font-size:1.1em;margin:0">{formats.escape(blame.sentence(found, known))}</p>')
    st.caption(
        "Each cell: what deleting the word does to the score. "
        "Shade: against the whole caption's score, or the best person's."
    )
    if found.keys and found.words:
        st.plotly_chart(blame.draw(found, known, palette), key="blame chart", config=evidence.QUIET, theme=None)


def _compare(ws: Workspace, chosen: Candidate) -> None:
    other = ws.find(ws.other)
    if other is None:
        st.info("Add a second candidate to compare with.")
        return
    palette = theme.palette()
    _pick("other", ws, ws.other, "B: compared with", "visible")
    for caption in compare.word_diff(chosen.caption, other.caption):
        st.html(caption_html(caption, palette))
    st.caption("Underlined: in both. Wavy or dashed: in one only.")
    st.html(compare.differences_html(_defined(ws, chosen), _defined(ws, other), palette))
    _metric_pills(ws)
    for column, one, place in zip(st.columns(2, gap="medium"), (chosen, other), ("A", "B"), strict=True):
        with column:
            st.html(f"<b>{place}</b>")
            evidence.show(ws.item(one), ws.metric, palette, place)


def _profile(ws: Workspace, chosen: Candidate) -> None:
    palette = theme.palette()
    shown = ws.candidates[:MOST_SHOWN]
    shown = shown if chosen in shown else [chosen, *shown[: MOST_SHOWN - 1]]
    known = bands(ws, cache.scorer(), ws.metrics)
    figure = profile.draw([_name(one) for one in shown], [_defined(ws, one) for one in shown], known, palette)
    above = sum(key in known and value >= known[key].low for key, value in _defined(ws, chosen).items())
    if known:
        text = f"The chosen caption is within or above people's range (grey) in {above} of {len(known)} metrics."
        st.html(f'<p style="font-size:1.1em;margin:0">{text}</p>')
    st.plotly_chart(figure, key="profile chart", config=evidence.QUIET, theme=None)
    if len(ws.candidates) > MOST_SHOWN:
        st.text(f"{MOST_SHOWN} of {len(ws.candidates)} candidates are drawn.")


def _defined(ws: Workspace, one: Candidate) -> dict[str, float]:
    cells = {key: cache.scorer().get(ws.item(one), key) for key in ws.metrics}
    return {key: cell.value for key, cell in cells.items() if cell and cell.defined}
