"""The line above Explore: whose captions, beside whom, link, export; below it the tabs and how far the work is."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from capeval_core.figures.explore import NOTE, PEOPLE_NOTE
from capeval_core.figures.html import line_html
from capeval_core.figures.words import clean, short
from pages.explore import exports, link
from pages.explore.found import Found
from pages.explore.state import COMPARE, KEY, MANY, PEOPLE, QUICK, TABS, Explore, held, pick, setter, shown_name
from pages.shell import theme
from pages.widgets import metrics, options
from pages.widgets import progress as bar
from pages.work import costs, session, share
from pages.work.jobs import Job, jobs

PICKER = 150  # pixels: with the buttons beside it in one line at 900


def show(found: Found) -> None:
    state, names = found.state, list(found.data.systems)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pick(st.selectbox, "Captioner", "system", names, show=shown_name, width=PICKER)
        others = [name for name in names if name != state.system]
        if state.tab == COMPARE:
            pick(st.selectbox, "The newer one", "newer", others, show=shown_name, width=PICKER)
        else:
            pick(
                st.selectbox, "Beside", "against", [PEOPLE, *filter(None, others)], width=PICKER,
                show=lambda name: shown_name(name) if name != PEOPLE else "people",
                help=PEOPLE_NOTE,
            )  # fmt: skip
        st.space("stretch")
        with st.popover("Metrics", icon=":material/tune:"):
            _metrics(state)
        with st.popover("Options", icon=":material/settings:"):
            options.form(state.keys, session.workspace().options, "explore options")
        with st.popover("Link", icon=":material/link:"):
            _link(state)
        with st.popover("Export", icon=":material/download:"):
            exports.show(found)
    if state.linked:
        st.info("The link that led here is about another data set. Open it above, and its filters are applied.")
        st.text(f"It is called {short(clean(state.linked.get(link.DATA, '')), 80)}.")


def _metrics(state: Explore) -> None:
    count = len(state.data.items)
    if count > MANY and not state.data.scores:
        st.caption(
            f"Of more than {MANY:,} captions, at first only what takes at most {QUICK:g} s per 1,000 captions is "
            f"scored. About, on one core, for these {count:,}: {costs.listing(costs.cheapest_first(_all()), count)}."
        )
    metrics.picker("explore metrics", state.keys, _choose)


def _all() -> list[str]:
    from capeval_core import registry

    return list(registry.keys())


def _choose(keys: list[str]) -> None:
    state: Explore = st.session_state[KEY]
    state.keys, state.stopped = keys, False
    state.settle()


def _link(state: Explore) -> None:
    st.text("The data set's name, the filters and the order are in the link; captions and images are not.")
    if not state.data.samples:
        st.text("Whoever opens it opens the file of this name too, and sees the same captions.")
    fresh = Explore(state.data, keys=state.keys)
    fresh.settle()
    address = (st.context.url or "").split("?")[0]
    if share.is_local(address):
        st.text("It works on this machine only: others do not know its address.")
    st.code(f"{address}?{link.write(state.data.title, state, fresh)}", language=None, wrap_lines=True)


def tabs() -> DeltaGenerator:
    """And beside them the place where `progress` goes: it never pushes the page about."""
    with st.container(horizontal=True, vertical_alignment="center", gap="large"):
        pick(st.segmented_control, "View", "tab", TABS, label_visibility="collapsed", width="content")
        return st.container()


def caution(state: Explore) -> None:
    said = f"{NOTE} {PEOPLE_NOTE}" if state.against == PEOPLE else NOTE
    st.html(line_html(said, theme.palette(), quiet=True))


def progress(found: Found) -> None:
    state, owner = found.state, session.owner("explore")
    wanted = [] if state.stopped else found.tasks
    jobs().want(owner, wanted)
    if wanted:

        def describe(left: list[Job]) -> tuple[float, str]:
            return left[0].share, f"now {left[0].said}"

        bar.show(owner, describe, _stop)
    elif state.stopped and found.tasks:
        text, button = st.columns([5, 1], vertical_alignment="center")
        text.text("Stopped: what was not looked for yet is missing.")
        button.button("Go on", width="stretch", on_click=setter("stopped", stay=True), args=(False,))
    else:
        st.html('<p class="root" data-pending="no" style="margin:0"></p>')


def _stop() -> None:
    held().stopped = True
