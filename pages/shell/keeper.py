"""What watches over every page: the address that leads back to the visitor's work, whether the server is there, and
what a visitor should know about what is kept."""

from __future__ import annotations

import streamlit as st

from pages.web import component
from pages.work import keeping

KEY = "keeper"
GONE = "The CapEval server does not answer. This page goes on by itself as soon as the server is back."
SAFE = " What you have entered so far is kept."


def show() -> None:
    found = keeping.kept()
    _lead(found)
    st.html("<style>.st-key-watch { display: none; }</style>")
    with st.container(key="watch"):  # shows nothing itself
        gone = GONE + (SAFE if found.id and not found.failed else "")
        data = {"parameter": keeping.PARAMETER, "session": found.told, "gone": gone}
        component.mount(KEY, data, lambda events: None)
    with st.container():  # always there: what comes and goes inside it does not move the rest of the page's elements
        if found.failed:
            st.warning("A reload of this page will lose your work.", icon=":material/warning:")
            st.text(found.failed)
        if found.notice:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.info(found.notice)
                st.button("OK", key="notice read", on_click=_read)


def _lead(found: keeping.Kept) -> None:
    """The address says where the work is kept; written once, as each write would be a step for the browser's Back.
    keeper.js makes it none, and carries the id along from page to page, where Streamlit drops it."""
    if found.told == found.id or found.failed:  # what cannot be read now may be readable later
        return
    found.told = found.id
    if found.id:
        st.query_params[keeping.PARAMETER] = found.id
    elif keeping.PARAMETER in st.query_params:
        del st.query_params[keeping.PARAMETER]


def _read() -> None:
    keeping.kept().notice = ""
