"""The blame map: each word of the candidate is deleted in turn, and what is left is scored."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from capeval_core import CaptionItem, InvalidInput
from capeval_core.figures import blame
from capeval_core.figures.blame import Blame
from capeval_core.figures.html import line_html
from capeval_core.figures.palette import Palette
from capeval_core.figures.scales import Band
from pages.widgets.evidence import QUIET
from pages.work.cells import Cells, Options

MOST_WORDS = 60  # of one caption: each costs a scored caption
ABOUT = (
    "Each cell: how the score changes when the word is deleted. "
    "Colour: the change beside the whole caption's score or the best person's, whichever is larger."
)


def variants(item: CaptionItem) -> list[CaptionItem]:
    """The caption itself, then the caption without each of its words."""
    words = item.candidate.split()
    if len(words) > MOST_WORDS:
        raise InvalidInput("too long for a blame map", expected=f"at most {MOST_WORDS} words", found=str(len(words)))
    return [item, *(replace(item, candidate=" ".join(words[:at] + words[at + 1 :])) for at in range(len(words)))]


def collect(items: Sequence[CaptionItem], keys: Sequence[str], options: Options, store: Cells) -> Blame:
    """The scored variants as a map; a metric that cannot score the whole caption is left out."""
    rows = {}
    for key in keys:
        cells = [store.get(item, key, options) for item in items]
        rows[key] = [cell.value if cell else math.nan for cell in cells]
    found = [key for key in keys if not math.isnan(rows[key][0])]
    grid = np.array([rows[key] for key in found]).reshape(len(found), len(items))
    return Blame(tuple(items[0].candidate.split()), tuple(found), grid[:, 0], grid[:, 1:] - grid[:, :1])


def show(found: Blame, bands: Mapping[str, Band], palette: Palette) -> None:
    st.html(line_html(blame.sentence(found, bands), palette, large=True))
    st.caption(ABOUT)
    if found.keys and found.words:
        st.plotly_chart(blame.draw(found, bands, palette), key="blame chart", config=QUIET, theme=None)
