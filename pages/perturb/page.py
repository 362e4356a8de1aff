"""Perturb: change a caption's words and watch every metric's score move; then do it over a whole data set."""

import streamlit as st

from pages.perturb import data, one
from pages.widgets import choice
from pages.work import session

VIEWS = {"One image": one.show, "A whole data set": data.show}
session.workspace()
chosen = st.session_state.setdefault("perturb view", "One image")
title, tabs = st.columns([1, 3.1], gap="large", vertical_alignment="center")
with title:
    st.title("Perturb", anchor=False)
with tabs:
    choice.pick(
        st.segmented_control, "View", list(VIEWS), chosen, lambda view: st.session_state.update({"perturb view": view}),
        name="perturb views", label_visibility="collapsed",
    )  # fmt: skip
VIEWS[chosen]()
