"""Inspect: one image, its captions, every metric's score, and the evidence behind each."""

import streamlit as st

from pages.inspect import references, scores, start, toolbar, views
from pages.widgets import images, lesson
from pages.work import session

ws = session.workspace()
start.show()
lesson.show("inspect")
toolbar.show(ws)
about, work = st.container(key="inspect").columns([1, 3.1], gap="large")
# In the order a visitor wants them: what people mention and the evidence may take a moment on the very first visit.
# Each part has a name: on a phone layout.css puts them one below the other, the scores before the references.
with about.container(key="inspect-image"):
    images.show(ws.image, ws.credit, ws.title)
with work.container(key="inspect-scores"):
    scores.show(ws)
with about.container(key="inspect-references"):
    references.show(ws)
with work.container(key="inspect-views"):
    views.show(ws)
