"""Guide: each metric with an example to play with; lessons; which metric sees what; the state of every resource."""

import streamlit as st

from pages.guide import lessons, state
from pages.guide import views as guide_views

st.title("Guide")
shown = state.current()
state.enter(shown, list(guide_views.names()))
state.pick_view(shown)
parts = (guide_views.metric_card, lessons.show, guide_views.sensitivities, guide_views.resources)
dict(zip(state.VIEWS, parts, strict=True))[shown.view]()
