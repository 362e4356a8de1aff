"""The line above Systems: the reference captioner, metrics, export; and below it how far scoring is."""

from __future__ import annotations

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from capeval_core import registry
from capeval_core.analysis.systems import Analysis
from capeval_core.figures.words import listing
from pages.systems import exports
from pages.systems.scores import Scored
from pages.systems.state import KEY, MANY, NEEDED, QUICK, SCALES, VIEWS, Systems, pick, setter
from pages.widgets import choice, metrics, options
from pages.widgets import progress as bar
from pages.work import costs, session
from pages.work.jobs import Job, jobs

MOST_DOTS = 4_000
PICKER = 165  # pixels: with the buttons beside it in one line at 900
NONE_CHOSEN = "Choose a metric to score the captions."
SIZE_HELP = (
    "In standard deviations from the mean. The paper's 1.15 holds 75 % of a normal cloud along one axis; in two "
    "dimensions about 48 % lies inside."
)
# On a narrow screen the table goes under the clouds.
STYLE = """<style>
@media (max-width: 1150px) {
  .st-key-systems-split [data-testid=stHorizontalBlock]:not([data-testid=stColumn] *) { flex-wrap: wrap; }
  .st-key-systems-split [data-testid=stColumn]:not([data-testid=stColumn] *) { min-width: 100%; }
}
</style>"""


def show(scored: Scored, analysis: Analysis | None) -> None:
    names = list(scored.data.systems)
    st.html(STYLE)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pick(st.selectbox, "Reference captioner", "reference", names, width=PICKER)
        pick(st.selectbox, "Significance against", "against", names, width=PICKER)
        st.space("stretch")
        with st.popover("Drawing", icon=":material/lens_blur:"):
            _drawing(scored)
        with st.popover("Metrics", icon=":material/tune:"):
            _metrics(scored.state)
        with st.popover("Options", icon=":material/settings:"):
            options.form(scored.state.keys, session.workspace().options, "systems options")
        with st.popover("Export", icon=":material/download:"):
            exports.show(scored, analysis)


def _drawing(scored: Scored) -> None:
    current, data = scored.state, scored.data
    most = max(min(len(data.images_rows), MOST_DOTS // len(data.systems)), 2)
    choice.set_number(
        st.slider, "Ellipse size", 0.5, 3.0, current.size, setter("size"), name="systems size", hidden=True,
        step=0.05, help=SIZE_HELP,
    )  # fmt: skip
    choice.set_number(
        st.slider,
        "Images shown",
        1,
        most,
        current.shown,
        setter("shown"),
        name="systems shown",
        hidden=True,
        help="A random sample, the same images for every captioner; the ellipses are of all captions.",
    )
    about = "Overlaps stay the same; the grammar penalty does not."
    pick(st.selectbox, "Standardised by", "scale", SCALES, hidden=True, help=about)


def _metrics(current: Systems) -> None:
    count = len(current.data.items)
    if count > MANY:
        needed = listing([registry.get(key).label for key in NEEDED])
        st.caption(
            f"Of more than {MANY:,} captions, at first only what the scatter needs ({needed}) and what takes at most "
            f"{QUICK:g} s per 1,000 captions is scored. About, on one core, for these {count:,}, in the order of "
            f"scoring: {costs.listing(registry.keys(), count)}."
        )
    metrics.picker("systems metrics", current.keys, _choose)


def _choose(keys: list[str]) -> None:
    current: Systems = st.session_state[KEY]
    current.keys, current.stopped = keys, False
    current.settle()


def pick_axes(current: Systems) -> tuple[str, str]:
    """The two metrics of the second view."""
    for place, (slot, name) in enumerate(zip(st.columns([1, 1, 4]), ("X axis", "Y axis"), strict=False)):
        with slot:
            choice.pick(
                st.selectbox,
                name,
                current.keys,
                current.axes[place],
                partial(_set_axis, place),
                name=f"systems {name}",
                show=lambda key: registry.get(key).label,
            )
    return current.axes


def _set_axis(place: int, key: str) -> None:
    current: Systems = st.session_state[KEY]
    x, y = current.axes
    # The metric of the other axis was picked: they change places.
    current.axes = (y, x) if key == current.axes[1 - place] else (key, y) if place == 0 else (x, key)
    current.settle()


def views() -> DeltaGenerator:
    """The tabs, and beside them the place where `progress` goes: it never pushes the page about."""
    with st.container(horizontal=True, vertical_alignment="center", gap="large"):
        pick(st.segmented_control, "View", "view", VIEWS, label_visibility="collapsed", width="content")
        return st.container()


def progress(scored: Scored) -> None:
    current, owner = scored.state, session.owner("systems")
    wanted = [] if current.stopped else scored.tasks
    jobs().want(owner, wanted)
    if wanted:
        done, total = len(current.keys) - len(scored.pending), len(current.keys)

        def describe(left: list[Job]) -> tuple[float, str]:
            part = left[0].share if scored.pending else 0.0
            return min((done + part) / max(total, 1), 1.0), f"{done} of {total} metrics scored; now {left[0].said}"

        bar.show(owner, describe, _stop)
        return
    text, button = st.columns([5, 1], vertical_alignment="center")
    if current.stopped and scored.tasks:
        labels = ", ".join(registry.get(key).label for key in scored.pending) or "significance"
        text.text(f"Stopped before {labels}.")
        button.button("Go on", width="stretch", on_click=setter("stopped"), args=(False,))
    else:
        said = state_of_scores(len(scored.scores), len(current.keys)) if current.keys else NONE_CHOSEN
        text.html(f'<p class="root" data-pending="no" style="margin:0;opacity:.7">{said}</p>')


def state_of_scores(scored: int, chosen: int) -> str:
    every = len(registry.keys())
    more = f"; {every - chosen} more can be chosen" if chosen < every else ""
    part = f"All {chosen}" if scored == chosen else f"{scored} of {chosen}"
    return f"{part} chosen metrics are scored{more}"


def _stop() -> None:
    setter("stopped")(True)
