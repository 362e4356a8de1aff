"""Perturb: change a caption's words and watch every metric's score move; then do it over a whole data set."""

import streamlit as st

from pages.perturb import controls, data, one
from pages.perturb.lab import Shown
from pages.widgets import choice, lesson
from pages.work import keeping, session

VIEWS = {"One image": one.show, "A whole data set": data.show}
session.workspace()
begun = lesson.begun("perturb")
if begun:
    controls.open_lesson(begun)
lesson.show("perturb")
shown = keeping.held("perturb", Shown)
shown.view = shown.view if shown.view in VIEWS else next(iter(VIEWS))
title, tabs = st.columns([1, 3.1], gap="large", vertical_alignment="center")
with title:
    st.title("Perturb", anchor=False)
with tabs:
    choice.pick(
        st.segmented_control, "View", list(VIEWS), shown.view, lambda view: setattr(shown, "view", view),
        name="perturb views", label_visibility="collapsed",
    )  # fmt: skip
VIEWS[shown.view]()
