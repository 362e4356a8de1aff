"""A part that opens over the page, and closes when what it is for is done: result and errors then stand in sight."""

from __future__ import annotations

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def popover(label: str, *, name: str, icon: str | None = None, **more: Any) -> DeltaGenerator:
    """Opening it runs nothing. Closed by `close`: another popover takes its place, and that one is shut."""
    return st.popover(label, icon=icon, key=f"{name} popover {st.session_state.get(_counter(name), 0)}", **more)


def close(name: str) -> None:
    """To be called by whatever does the popover's work, also where that failed."""
    st.session_state[_counter(name)] = st.session_state.get(_counter(name), 0) + 1


def _counter(name: str) -> str:
    return f"{name} popover closed"
