"""Inspect: one image, its captions, every metric's score, and the evidence behind each."""

import streamlit as st

from pages.parts import left, scores, shell, state, toolbar, views

shell.guard()
ws = state.workspace()
toolbar.show(ws)
about, work = st.columns([1, 3.1], gap="large")
with about:
    left.show(ws)
with work:
    scores.show(ws)
    views.show(ws)
