"""Wording: how varied a captioner's captions are, and the words it uses more or less than people."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from capeval_core.explore.wording import Wording
from capeval_core.figures import explore
from capeval_core.figures.html import line_html
from capeval_core.figures.tables import Cell, Column, Grid, Row, render
from capeval_core.figures.words import short
from pages.explore.found import Found
from pages.shell import theme

MOST = 20  # words of a table
HELP = (
    "z: log odds with an informative prior (all words of captioner and people), in standard errors; beyond 2 on either "
    "side it is hardly chance."
)


def show(found: Found) -> None:
    palette, told = theme.palette(), found.wording()
    if told is None:
        st.html(line_html(found.error or "The words are being counted.", palette, large=True))
        return
    st.html(line_html(explore.diversity(told), palette, large=True))
    st.html(line_html(HELP, palette, quiet=True))
    with st.container(key="explore-words", horizontal=True, gap="large"):
        more, less = replace(told, more=told.more[:MOST], less=()), replace(told, more=(), less=told.less[:MOST])
        for part, alone in (("more", more), ("less", less)):
            with st.container(width=330):
                if alone.more or alone.less:
                    st.html(render(explore.words_grid(alone), palette))
                else:
                    st.html(line_html(f"No word is surely used {part} than people do.", palette, quiet=True))
        with st.container(width=560):
            if told.templates:
                st.html(render(explore.templates_grid(told), palette))
            else:
                st.html(line_html("No template comes twice.", palette, quiet=True))
            if told.repeated:
                st.html(render(repeated_grid(told), palette))


def repeated_grid(told: Wording) -> Grid:
    rows = tuple(Row((Cell(short(text, 90)), Cell(f"{count:,}"))) for text, count in told.repeated[:MOST])
    heads = (Column(Cell("the same caption for several images"), "left", wide=True), Column(Cell("images")))
    return Grid(heads, rows, full=True)
