"""How pages look: colours for what they draw themselves, by the visitor's theme, and layout.css for wide and narrow."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st

from capeval_core import registry
from capeval_core.figures.charts import tint
from capeval_core.figures.palette import DARK, LIGHT, Palette


def layout() -> str:
    """For every page; Streamlit has no rules of its own for narrow screens."""
    colours = "".join(f"--capeval-{name}:{colour};" for name, colour in css_colours(palette()).items())
    return f":root{{{colours}}}{_layout()}"


@cache
def _layout() -> str:
    return (Path(__file__).parent / "layout.css").read_text(encoding="utf-8")


def palette() -> Palette:
    return DARK if st.context.theme.type == "dark" else LIGHT


def group_colour(palette: Palette, group: str) -> str:
    return palette.groups[registry.GROUPS.index(group)]


def css_colours(palette: Palette) -> dict[str, str]:
    """The custom properties that style.css uses."""
    names = ("background", "text", "faint", "accent", "matched", "missed", "extra")
    own = {name: str(getattr(palette, name)) for name in names}
    return own | {
        "soft": tint(palette.text, 0.82),
        "rule": tint(palette.faint, 0.28),
        "wash": tint(palette.faint, 0.14),
        "bandwash": tint(palette.text, 0.13),
        "mark": tint(palette.matched, 0.2),
    }
