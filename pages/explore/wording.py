"""Wording: how varied a captioner's captions are, and the words it uses more or less than people."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from capeval_core.explore.wording import Usage, Wording
from capeval_core.figures.html import line_html
from capeval_core.figures.tables import Bar, Cell, Column, Grid, Row, render
from capeval_core.figures.words import plural, short
from pages.explore.found import Found
from pages.explore.state import shown_name
from pages.shell import theme

MOST = 25  # rows of a table
HELP = (
    "Log odds with an informative prior (all words of captioner and people): how surely the captioner uses the word "
    "more or less than people, in standard deviations; beyond 2 it is hardly chance."
)


def show(found: Found) -> None:
    palette, told = theme.palette(), found.wording()
    if told is None:
        st.html(line_html(found.error or "The words are being counted.", palette, large=True))
        return
    st.html(line_html(sentence(told), palette, large=True))
    st.html(line_html(HELP, palette, quiet=True))
    with st.container(key="explore-words", horizontal=True, gap="large"):
        for title, words, colour in (
            ("used more than people do", told.more, palette.extra),
            ("used less than people do", told.less, palette.missed),
        ):
            with st.container(width=380):
                st.html(render(usage_grid(title, words, colour), palette))
        with st.container(width=420):
            st.html(render(template_grid(told), palette))
            if told.repeated:
                st.html(render(repeated_grid(told), palette))


def sentence(told: Wording) -> str:
    name = shown_name(short(told.system, 40))
    return (
        f"{name} wrote {told.distinct:,} different captions in {plural(told.captions, 'caption')} "
        f"({told.distinct / max(told.captions, 1):.0%}; people "
        f"{told.people_distinct / max(told.people_captions, 1):.0%}), "
        f"with {told.vocabulary:,} different words (people in as many words: {told.people_vocabulary:,}) and "
        f"{told.length:.1f} words a caption (people: {told.people_length:.1f})."
    )


def usage_grid(title: str, words: Sequence[Usage], colour: str) -> Grid:
    most = max([abs(one.z) for one in words] + [1.0])
    rows = tuple(
        Row((
            Cell(short(one.word, 30)), Cell(f"{one.captioner:.1f}"), Cell(f"{one.people:.1f}"),
            Cell(f"{one.z:+.1f}", bar=Bar(0.0, abs(one.z) / most, colour)),
        ))
        for one in words[:MOST]
    )  # fmt: skip
    heads = (Column(Cell("word"), "left", names=True), Column(Cell("here")), Column(Cell("people")), Column(Cell("z")))
    return Grid(heads, rows or (Row((Cell("none"), Cell(), Cell(), Cell())),), f"{title}, per 1,000 words", full=True)


def template_grid(told: Wording) -> Grid:
    rows = tuple(
        Row(
            (
                Cell(short(one.pattern, 70), tip=one.example),
                Cell(f"{one.captions:,}"),
                Cell(f"{one.share:.0%}"),
                Cell(f"{one.people:.0%}"),
            )
        )
        for one in told.templates[:MOST]
    )
    heads = (
        Column(Cell("template"), "left", wide=True),
        Column(Cell("captions")),
        Column(Cell("here")),
        Column(Cell("people")),
    )
    return Grid(
        heads, rows or (Row((Cell("none comes twice"), Cell(), Cell(), Cell())),), "repeated templates", full=True
    )


def repeated_grid(told: Wording) -> Grid:
    rows = tuple(Row((Cell(short(text, 90)), Cell(f"{count:,}"))) for text, count in told.repeated[:MOST])
    heads = (Column(Cell("caption"), "left", wide=True), Column(Cell("images")))
    return Grid(heads, rows, "the same caption for several images", full=True)
