"""The Lessons of the Guide: a question each, a page prepared for it, and the answer on demand."""

from __future__ import annotations

import streamlit as st

from pages.widgets import lesson as widget
from pages.work.lessons import Lesson, lessons

PAGES = {"inspect": "Inspect", "perturb": "Perturb"}


def show() -> None:
    st.caption(
        "Six short lessons. Each opens a page with its own captions; what you had there comes back when you return."
    )
    for column, part in zip(st.columns(2, gap="large"), (lessons()[::2], lessons()[1::2]), strict=True):
        with column:
            for one in part:
                _card(one)


def _card(one: Lesson) -> None:
    with st.container(border=True):
        st.markdown(f"**{one.title}**\n\n{one.question}")
        where = PAGES[one.page] + (f", {one.view}" if one.view else "")
        if st.button(f"Open in {where}", icon=":material/open_in_new:", key=f"open {one.id}"):
            widget.start(one)
            st.switch_page(f"pages/{one.page}/page.py")
        widget.answer(one)
