"""What a visitor of the Guide looks at and typed there: `st.session_state["guide"]`; widgets only mirror it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import streamlit as st

from pages.widgets import choice
from pages.work import keeping

KEY, VIEW, METRIC = "guide", "guide_view", "guide_metric"
VIEWS = ("Metrics", "Lessons", "Which metric sees what", "Resources")


@dataclass
class Reading:
    view: str = VIEWS[0]
    metric: str = "bleu"
    typed: dict[str, dict[str, str]] = field(default_factory=dict)  # by metric: by box, where it is not the example's


def current() -> Reading:
    return keeping.held(KEY, Reading)


def enter(found: Reading, metrics: Sequence[str]) -> None:
    """Who comes by a link sees what the link is for. To be called before the widgets are drawn."""
    if VIEW not in st.session_state:  # was not here in the last run
        view, metric = (st.query_params.get(name, "") for name in ("view", "metric"))
        if metric in metrics:
            found.metric, found.view = metric, VIEWS[0]
        found.view = view or found.view
    found.view = found.view if found.view in VIEWS else VIEWS[0]
    found.metric = found.metric if found.metric in metrics else metrics[0]


def pick_view(found: Reading) -> None:
    choice.hold(VIEW, found.view)
    st.segmented_control(
        "View", VIEWS, required=True, wrap=True, label_visibility="collapsed", key=VIEW, on_change=_picked
    )  # fmt: skip


def pick_metric(found: Reading, labels: dict[str, str]) -> None:
    choice.hold(METRIC, found.metric)
    st.pills(
        "Metric",
        list(labels),
        format_func=labels.__getitem__,
        required=True,
        wrap=True,
        label_visibility="collapsed",
        key=METRIC,
        on_change=_picked,
    )


def _picked() -> None:
    """The address follows the visitor's choice only: whatever else wrote it would catch the browser's Back."""
    found = current()
    found.view = st.session_state.get(VIEW) or found.view
    found.metric = st.session_state.get(METRIC) or found.metric
    st.query_params["metric"] = found.metric
    if found.view != VIEWS[0]:
        st.query_params["view"] = found.view
    elif "view" in st.query_params:
        del st.query_params["view"]


def text(metric: str, box: str, example: str) -> str:
    """What stands in a box of a metric's example."""
    return current().typed.get(metric, {}).get(box, example)


def write(metric: str, box: str, typed: str, example: str) -> None:
    held = current().typed
    boxes = {name: said for name, said in held.get(metric, {}).items() if name != box}
    boxes |= {box: typed} if typed != example else {}
    if boxes:
        held[metric] = boxes
    else:
        held.pop(metric, None)


def reset(metric: str) -> None:
    current().typed.pop(metric, None)
