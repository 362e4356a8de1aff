"""The clicked caption: its image where there is one, all captions of it, and the way to Inspect."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from capeval_core import InvalidInput, registry
from capeval_core.figures.numbers import score
from capeval_core.figures.palette import Palette
from capeval_core.figures.systems import colours
from capeval_core.figures.tables import Cell, Column, Grid, Row, render
from capeval_core.figures.words import short
from pages.systems.scores import Scored
from pages.widgets import images
from pages.work import samples, session

MOST_ROWS = 40  # captions of one image
MOST_REFERENCES = 12


def show(scored: Scored, axes: tuple[str, str], palette: Palette) -> None:
    row = scored.state.point
    if row is None:
        st.caption("Click a point to see its image and all captions of it.")
        return
    left, right = st.columns([1, 3.2], gap="medium")
    with left:
        images.show(*_image(scored, row))
        if st.button("Open in Inspect", icon=":material/search_insights:", type="primary", key="to inspect"):
            session.attempt(lambda: session.open_row(scored.data, row))
            st.switch_page("pages/inspect/page.py")
    with right:
        st.html(render(captions(scored, row, axes, palette), palette))
        people = scored.data.items[row].references
        if people:
            st.html(render(references(people), palette))


def _image(scored: Scored, row: int) -> tuple[bytes | None, str]:
    """With its credit."""
    name = scored.data.items[row].image_id
    if scored.data.samples:
        return next((one.image.read_bytes(), one.credit) for one in samples.samples() if one.id == name)
    try:
        return scored.data.image(name), ""
    except InvalidInput:  # damaged; Inspect says so
        return None, ""


def captions(scored: Scored, chosen: int, axes: tuple[str, str], palette: Palette) -> Grid:
    """One row per caption of the image, with its scores; the clicked one in bold."""
    data = scored.data
    colour = colours(data.systems, scored.state.reference, palette)
    keys = [key for key in axes if key in scored.scores]
    rows = []
    for row in data.images_rows[data.items[chosen].image_id][:MOST_ROWS]:
        item = data.items[row]
        name = Cell(short(item.system, 24), colour=colour[item.system])
        scores = (Cell(score(float(scored.scores[key][row]))) for key in keys)
        rows.append(Row((name, Cell(short(item.candidate, 400)), *scores), bold=row == chosen))
    heads = (Column(Cell(registry.get(key).label)) for key in keys)
    columns = (Column(Cell("captioner"), "left", names=True), Column(Cell("caption"), "left", wide=True), *heads)
    return Grid(columns, tuple(rows), f"Captions of {short(data.items[chosen].image_id, 60)}", full=True)


def references(texts: Sequence[str]) -> Grid:
    rows = tuple(Row((Cell(short(text, 400)),)) for text in texts[:MOST_REFERENCES])
    return Grid((Column(align="left", wide=True),), rows, "References", full=True)
