"""The line above Systems: which captions, the reference captioner, metrics, export; and below it how far scoring is."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from capeval_core import InvalidInput, registry
from capeval_core.analysis.systems import Analysis
from capeval_core.figures.words import plural
from pages.systems import data as systems_data
from pages.systems import exports as systems_exports
from pages.systems.scores import Scored
from pages.systems.state import KEY, MANY, SCALES, VIEWS, Systems, choice
from pages.widgets import formats
from pages.work import session as state
from pages.work.jobs import Runner, Task

POLL = 0.5  # seconds
MOST_DOTS = 4_000
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
HELP = (
    "COCO results files with their annotation file, rows of image_id, caption, references, system as JSONL or CSV, or "
    "what `score --out` wrote; .gz too. Drop all of them at once."
)


def show(scored: Scored, analysis: Analysis | None) -> None:
    current = scored.state
    names = list(scored.data.systems)
    st.html(STYLE)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        # Another popover after each load: the old one closes.
        with st.popover("Load captions", icon=":material/folder_open:", key=f"systems load {current.loads}"):
            _load(current)
        choice(st.selectbox, "Reference captioner", "reference", names, width=200)
        choice(st.selectbox, "Significance against", "against", names, width=200)
        st.space("stretch")
        with st.popover("Drawing", icon=":material/lens_blur:"):
            _drawing(scored)
        with st.popover("Metrics", icon=":material/tune:"):
            _metrics(current)
        with st.popover("Export", icon=":material/download:"):
            systems_exports.show(scored, analysis)
    if current.message:
        st.error("That could not be done. What was here is still here.", icon=":material/block:")
        st.text(current.message)  # may quote the visitor: never markdown
        current.message = ""


def _load(current: Systems) -> None:
    with st.form("load systems", border=False, clear_on_submit=True):
        st.file_uploader(
            "Captions of several captioners",
            type=["json", "jsonl", "csv", "tsv", "gz"],
            accept_multiple_files=True,
            key="systems files",
            help=HELP,
        )
        st.form_submit_button("Load them", type="primary", on_click=_loaded)
    st.caption(f"Up to 25 MB a file and {systems_data.MAX_CAPTIONS:,} captions. They stay on this machine.")
    if not current.data.samples and st.button("Back to the samples", width="stretch"):
        current.load(systems_data.from_samples())
        st.rerun()


def _loaded() -> None:
    current: Systems = st.session_state[KEY]
    current.loads += 1
    files = st.session_state.get("systems files") or []
    try:
        current.load(systems_data.read_files([(file.name, file) for file in files]))
    except InvalidInput as error:
        current.message = str(error)


def _drawing(scored: Scored) -> None:
    current, data = scored.state, scored.data
    most = max(min(len(data.images), MOST_DOTS // len(data.systems)), 2)
    current.shown = min(current.shown, most)
    choice(st.slider, "Ellipse size", "size", min_value=0.5, max_value=3.0, step=0.05, help=SIZE_HELP)
    about = "Drawn by lot, the same for every captioner; the ellipses are of all captions."
    choice(st.slider, "Images shown", "shown", min_value=1, max_value=most, help=about)
    about = "Overlaps stay the same; the grammar penalty does not."
    choice(st.selectbox, "Standardised by", "scale", SCALES, help=about)


def _metrics(current: Systems) -> None:
    if len(current.data.items) > MANY:
        st.caption(f"With more than {MANY:,} captions the quick ones are chosen first; SPICE and METEOR take minutes.")
    for group in registry.GROUPS:
        keys = [spec.key for spec in registry.select(None) if spec.group == group]
        if keys:
            name = f"systems metrics {group}"
            st.session_state[name] = [key for key in keys if key in current.keys]
            st.pills(
                group, keys, selection_mode="multi", key=name, on_change=_chosen,
                format_func=lambda key: registry.get(key).label,
            )  # fmt: skip


def _chosen() -> None:
    current: Systems = st.session_state[KEY]
    current.keys = [key for group in registry.GROUPS for key in st.session_state.get(f"systems metrics {group}", ())]
    current.stopped = False
    current.settle()


def pick_axes(current: Systems) -> tuple[str, str]:
    """The two metrics of the second view."""
    for slot, name in zip(st.columns([1, 1, 4]), ("right", "up"), strict=False):
        key = f"systems axis {name}"
        st.session_state[key] = current.axes[name == "up"] or None
        slot.selectbox(
            f"To the {name}" if name == "right" else "Upwards",
            current.keys,
            key=key,
            format_func=lambda one: registry.get(one).label,
            on_change=_axes_picked,
        )
    return current.axes


def _axes_picked() -> None:
    current: Systems = st.session_state[KEY]
    x, y = (st.session_state[f"systems axis {name}"] or "" for name in ("right", "up"))
    # The metric of the other axis was picked: they change places.
    current.axes = current.axes[::-1] if x == y else (x, y)
    current.settle()


def views() -> DeltaGenerator:
    """The tabs, and beside them the place where `progress` goes: it never pushes the page about."""
    tabs, line = st.columns([1, 1.7], gap="large", vertical_alignment="center")
    with tabs:
        choice(st.segmented_control, "View", "view", VIEWS, label_visibility="collapsed")
    return line


def progress(scored: Scored, runner: Runner) -> None:
    current = scored.state
    left = runner.want(state.owner(), [] if current.stopped else scored.tasks)
    if left:
        _running(left, runner, len(scored.pending), len(current.keys))
        return
    text, button = st.columns([5, 1], vertical_alignment="center")
    data = scored.data
    facts = f"{plural(len(data.items), 'caption')} of {plural(len(data.images), 'image')}"
    facts += f" by {plural(len(data.systems), 'captioner')}"
    if current.stopped and scored.tasks:
        labels = ", ".join(registry.get(key).label for key in scored.pending) or "significance"
        text.text(f"Stopped before {labels}.")
        if button.button("Go on", width="stretch"):
            current.stopped = False
            st.rerun()
    else:
        done = "all scores are in" if scored.scores else "choose a metric to score them"
        said = f"{formats.escape(data.title)}: {facts}; {done}"
        text.html(f'<p class="root" data-pending="no" style="margin:0;opacity:.7">{said}</p>')


@st.fragment(run_every=POLL)
def _running(tasks: list[Task], runner: Runner, pending: int, metrics: int) -> None:
    if any(runner.find(task.address) for task in tasks):
        st.rerun()
    task = tasks[0]
    share = task.done / task.total if task.total > 1 else 0.0
    stage = f" ({task.stage} {share:.0%})" if task.total > 1 and task.stage else ""
    bar, button = st.columns([5, 1], vertical_alignment="center")
    whole = (metrics - pending + (share if pending else 0)) / max(metrics, 1)
    st.html('<span class="root" data-pending="yes"></span>')
    bar.progress(min(whole, 1.0), f"{metrics - pending} of {metrics} metrics scored; now {task.label}{stage}")
    if button.button("Cancel", width="stretch", key="systems cancel"):
        st.session_state[KEY].stopped = True
        st.rerun()
