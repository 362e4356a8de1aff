"""CapEval's browser app: page config and navigation, nothing else."""

import streamlit as st

st.set_page_config(page_title="CapEval", layout="wide")
st.navigation([st.Page("pages/score.py", title="Score", default=True)]).run()
