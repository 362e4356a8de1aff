"""Guide: each metric with an example to play with; lessons; which metric sees what; the state of every resource."""

import streamlit as st

from pages.guide import lessons
from pages.guide import views as guide_views

st.title("Guide")
VIEWS = {
    "Metrics": guide_views.metric_card,
    "Lessons": lessons.show,
    "Which metric sees what": guide_views.sensitivities,
    "Resources": guide_views.resources,
}
asked = st.query_params.get("view", "")
chosen = st.segmented_control(
    "View",
    list(VIEWS),
    default=asked if asked in VIEWS else "Metrics",
    required=True,
    label_visibility="collapsed",
    key="guide_view",
)
VIEWS[chosen or "Metrics"]()
