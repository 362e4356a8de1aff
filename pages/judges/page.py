"""Judges: which metric agrees with people, on the papers' data, on your data, and on ratings given here."""

import streamlit as st

from pages.judges import measured, own, rate, state
from pages.judges.state import MEASURED, OWN, RATE, TABS

current = state.current()
title, tabs = st.columns([1, 3.1], gap="large", vertical_alignment="center")
with title:
    st.title("Judges", anchor=False)
with tabs:
    state.pick(st.segmented_control, "What to look at", "tab", TABS, label_visibility="collapsed")
{MEASURED: measured.show, OWN: own.show, RATE: rate.show}[current.tab](current)
