"""Inspect: one image, its captions, every metric's score, and the evidence behind each."""

import streamlit as st

from pages.inspect import references as left
from pages.inspect import scores, toolbar, views
from pages.work import session as state

ws = state.workspace()
toolbar.show(ws)
about, work = st.container(key="inspect").columns([1, 3.1], gap="large")
# In the order a visitor wants them: what people mention and the evidence may take a moment on the very first visit.
beside = about.container(key="about")
with beside:
    left.show_image(ws)
with work:
    scores.show(ws)
with beside:
    left.show_references(ws)
with work:
    views.show(ws)
