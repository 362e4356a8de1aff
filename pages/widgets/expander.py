"""A part of the page that opens and shuts, and is found again as it was left."""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.widgets import choice
from pages.work import keeping

KEY = "expanders"


@dataclass
class Expanders:
    """Those that the visitor opened or shut; `st.session_state["expanders"]`."""

    open: dict[str, bool] = field(default_factory=dict)


def expander(label: str, name: str, *, expanded: bool = False) -> DeltaGenerator:
    """`expanded`: until the visitor says otherwise."""
    held = keeping.held(KEY, Expanders, ready=True)
    key = f"{name} expander"
    choice.hold(key, held.open.get(name, expanded))

    def turned() -> None:
        held.open[name] = bool(st.session_state[key])

    return st.expander(label, key=key, on_change=turned)
