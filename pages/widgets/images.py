"""An image with its credit, or a place that says there is none."""

from __future__ import annotations

import streamlit as st

from capeval_core.figures.html import line_html
from capeval_core.figures.words import clean
from pages.shell import theme

NO_IMAGE = (
    '<p style="border:1px dashed;border-radius:8px;padding:2.5em 1em;text-align:center;opacity:.8">'
    "No image. Scores need only captions.</p>"
)


def show(image: bytes | None, credit: str, name: str = "") -> None:
    """`name` is what those who cannot see it are told."""
    if image is None:
        st.html(NO_IMAGE)
        return
    st.image(image, width="stretch", alt=clean(name) or "the image that the captions are about")
    if credit:
        st.html(line_html(credit, theme.palette(), quiet=True))  # may be the visitor's: never markdown
