"""Learn: train a learned metric on captions, watch it learn, and score with it."""

import streamlit as st

from pages.learn import choose, run, state
from pages.widgets import data_bar

current = state.current()
st.title("Learn", anchor=False)
data_bar.show()
chosen, result = st.columns([1, 3.1], gap="large")
with chosen:
    choose.show(current)
with result:
    run.show(current)
