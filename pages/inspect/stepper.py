"""Steps through the images of the open data set, and the way back to the list that one was opened from."""

from __future__ import annotations

import streamlit as st

from pages.widgets import choice
from pages.work import dataset, session
from pages.work.workspace import Workspace

LISTS = {"explore": ("pages/explore/page.py", "Back to Explore")}


def show(ws: Workspace) -> None:
    if ws.origin in LISTS:
        page, label = LISTS[ws.origin]
        st.page_link(page, label=label, icon=":material/arrow_back:")
    _images(ws)


def _images(ws: Workspace) -> None:
    """Nothing while the samples are open: the sample picker steps through these."""
    data = dataset.current()
    if data.samples:
        return
    images = list(data.images_rows)
    place = images.index(ws.image_id) if ws.image_id in data.images_rows else -1
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for name, icon, step in (("Previous image", "chevron_left", -1), ("Next image", "chevron_right", 1)):
            there = 0 <= place + step < len(images)
            st.button(name, icon=f":material/{icon}:", disabled=not there, on_click=_open, args=(place + step,))
        choice.set_number(
            st.number_input, "Image", 1, len(images), place + 1, lambda number: _open(number - 1),
            name="image number", width=130, label_visibility="collapsed",
        )  # fmt: skip
        where = f"image {place + 1:,}" if place >= 0 else "none yet"
        st.text(f"{where} of {len(images):,} in {data.title}")


def _open(place: int) -> None:
    data = dataset.current()
    rows = list(data.images_rows.values())
    if 0 <= place < len(rows):
        session.attempt(lambda: session.open_row(data, rows[place][0]))
