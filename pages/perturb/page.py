"""Perturb: change a caption's words and watch every metric's score move; then do it over a whole data set."""

import streamlit as st

from pages.perturb import data as perturb_data
from pages.perturb import one as perturb_one

VIEWS = {"One image": perturb_one.show, "A whole data set": perturb_data.show}
title, choice = st.columns([1, 3.1], gap="large", vertical_alignment="center")
with title:
    st.title("Perturb", anchor=False)
with choice:
    chosen = st.segmented_control(
        "View", list(VIEWS), default="One image", required=True, label_visibility="collapsed", key="perturb_view"
    )
VIEWS[chosen or "One image"]()
