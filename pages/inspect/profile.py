"""The profile: candidates across all metrics, against what people reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from capeval_core.figures import profile
from capeval_core.figures.html import line_html
from capeval_core.figures.palette import Palette
from capeval_core.figures.scales import Band
from pages.widgets.evidence import QUIET


def reached(chosen: Mapping[str, float], bands: Mapping[str, Band]) -> str:
    """How often the chosen caption does as well as people; nothing where people's range is not known."""
    return profile.sentence(chosen, bands)


def show(
    scores: Sequence[tuple[str, Mapping[str, float]]],
    chosen: Mapping[str, float],
    bands: Mapping[str, Band],
    palette: Palette,
) -> None:
    """`scores`: each candidate's name and scores; `chosen`: those of the chosen one."""
    if said := reached(chosen, bands):
        st.html(line_html(said, palette, large=True))
    drawn = profile.draw([name for name, _ in scores], [found for _, found in scores], bands, palette)
    st.plotly_chart(drawn, key="profile chart", config=QUIET, theme=None)
