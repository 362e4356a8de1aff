"""Metrics against people: the figures measured on the four public data sets, published ones beside them."""

from __future__ import annotations

import streamlit as st

from capeval_core.figures import people_table
from capeval_core.figures.html import line_html
from capeval_core.figures.judge_tables import name
from capeval_core.figures.tables import render
from capeval_core.figures.words import clean
from pages.judges import exports, views, why
from pages.judges.shipped import FOUR, TITLES, marks, measured, order, published_pairs, shipped
from pages.judges.state import TABLE, Judges, pick
from pages.shell import theme
from pages.widgets.expander import expander


def show(state: Judges) -> None:
    held = shipped()
    offered = [TABLE, *_views()]
    state.shipped_view = state.shipped_view if state.shipped_view in offered else TABLE
    fitting = [key for key, one in held.judgings.items() if state.shipped_view in (TABLE, *views.names(one))]
    state.shipped = state.shipped if state.shipped in fitting else fitting[0]
    chosen = held.judgings[state.shipped]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pick(st.segmented_control, "View", "shipped_view", offered, label_visibility="collapsed")
        st.space("stretch")
        label = "Sorted by" if state.shipped_view == TABLE else "Data set"
        pick(st.selectbox, label, "shipped", fitting, show=TITLES.__getitem__, width=240)
        with st.popover("Export", icon=":material/download:"):
            st.caption(TITLES[state.shipped])
            exports.show(chosen)
    if state.shipped_view == TABLE:
        _table(state.shipped)
    else:
        st.html(line_html(chosen.protocol, theme.palette(), quiet=True))
        views.show(state.shipped_view, chosen, f"shipped {state.shipped}", published_pairs(state.shipped))
    _made(state)


def _views() -> list[str]:
    """Those that any of the data sets has."""
    found = {view for one in shipped().judgings.values() for view in views.names(one)}
    return [view for view in views.SHOWN if view in found]


def _table(chosen: str) -> None:
    palette = theme.palette()
    views.ask(
        "Which metric agrees best with people?",
        why.sentence(chosen),
        "Bar: our value; the line on it: its 95 % interval; hollow mark and brackets: the published value. Bold: the "
        "best of a column. Metrics that share a letter cannot be told apart there.",
    )
    grid = people_table.grid([measured(key) for key in FOUR], order(chosen), marks(), palette)
    st.html(render(grid, palette))
    st.html(line_html(f"Published: {shipped().source}.", palette, quiet=True))
    for bold, text in why.notes():
        st.html(line_html(text, palette, bold=bold))


def _made(state: Judges) -> None:
    found = shipped().judgings[state.shipped]
    with expander("How the numbers were made", "judges measured"):
        for key in TITLES:
            st.text(shipped().judgings[key].protocol)
        st.text("Made by `make judges` from the data sets' files; nothing in the table is typed in.")
        for key, badge in marks().items():
            st.text(f"{name(key)}: {badge.tip}")
        st.code("\n".join(map(clean, found.signatures.values())), language=None, wrap_lines=True)
