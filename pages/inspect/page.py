"""Inspect: one image, its captions, every metric's score, and the evidence behind each."""

import streamlit as st

from pages.inspect import references, scores, toolbar, views
from pages.widgets import images
from pages.work import session

ws = session.workspace()
toolbar.show(ws)
about, work = st.container(key="inspect").columns([1, 3.1], gap="large")
# In the order a visitor wants them: what people mention and the evidence may take a moment on the very first visit.
beside = about.container(key="about")
with beside:
    images.show(ws.image, ws.credit)
with work:
    scores.show(ws)
with beside:
    references.show(ws)
with work:
    views.show(ws)
