"""How each number was made: what stands in for a paper's resource, what could not score, and the signatures."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from capeval_core import registry
from pages.widgets import stand_ins
from pages.widgets.expander import expander
from pages.work.cells import Cell, cells


def show(found: Mapping[str, Cell], place: str) -> None:
    """By metric key a cell that tells; stand-ins and failures in one line each, the rest on demand.

    `place` is the page."""
    standing = {registry.get(key).label: cell.stand_in for key, cell in found.items() if cell.stand_in}
    with st.container(gap="xsmall"):  # always there: what stands below keeps its place
        summary = stand_ins.summary(standing)
        if summary:
            st.caption(summary)
        _failed({registry.get(key).label: cell.note for key, cell in found.items() if cell.failed})
    more = " · how to use the papers' resources" if summary else ""
    with expander(f"How each number was made{more}", f"{place} provenance"):
        for line in stand_ins.lines(standing):
            st.text(f"≈ {line}")
        made = [cell.signature for cell in found.values() if cell.signature]
        st.code("\n".join(made) or "nothing scored yet", language=None, wrap_lines=True)


def _failed(reasons: Mapping[str, str]) -> None:
    if not reasons:
        return
    said, again = st.columns([5, 1], vertical_alignment="center")
    with said:
        for label, reason in reasons.items():
            st.text(f"{label} could not score: {reason}")
    with again:
        st.button("Try again", icon=":material/refresh:", on_click=cells().forget_failures, width="stretch")
