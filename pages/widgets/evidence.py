"""Evidence on the page: the sentence, then marked captions, charts and tables, then details on demand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from capeval_core import CapEvalError, CaptionItem, figures, registry
from capeval_core.figures.evidence import Caption, Chart, Evidence, Part, Table
from capeval_core.figures.html import caption_html, legend_html, table_html
from capeval_core.figures.palette import KINDS, Palette
from pages.widgets import formats
from pages.work import cells as cache

QUIET = {"displayModeBar": False}


def find(item: CaptionItem, key: str, palette: Palette) -> Evidence:
    """Drawn evidence, remembered by content and theme."""
    address = ("evidence", key, item.candidate, item.references, palette.dark)
    return cache.memory().recall(address, lambda: figures.draw(cache.explain(item, key), palette))


def show(item: CaptionItem, key: str, palette: Palette, place: str = "") -> None:
    """The evidence of one number; a metric that cannot say says why. `place` tells two of one page apart."""
    try:
        found = find(item, key, palette)
        explanation = cache.explain(item, key)
    except CapEvalError as error:
        st.text(f"No evidence: {error}")
        return
    except Exception as error:  # a drawing's fault must not take the scores off the page
        st.text(f"{registry.get(key).label}'s evidence could not be drawn: {type(error).__name__}")
        return
    st.html(
        f'<p style="font-size:1.1em;margin:0;line-height:1.5"><b>{formats.score(explanation.value)}</b>&ensp;'
        f"{formats.escape(found.sentence)}</p>"
    )
    if explanation.note:
        st.text(explanation.note)
    legend = legend_html(palette, used_kinds(found.parts))
    if legend:
        st.html(legend)
    parts(found.parts, palette, f"{place} {key}")
    if found.details:
        with st.expander("Details"):
            parts(found.details, palette, f"{place} {key} details")


def used_kinds(found: Sequence[Part]) -> list[str]:
    said = {word.kind for part in found if isinstance(part, Caption) for word in part.words}
    return [kind for kind in KINDS if kind in said]


def parts(found: Sequence[Part], palette: Palette, place: str) -> None:
    for number, part in enumerate(found):
        if isinstance(part, Caption):
            st.html(caption_html(part, palette))
        elif isinstance(part, Chart):
            chart(part, f"chart {place} {number}")
        elif isinstance(part, Table):
            st.html(f'<div style="overflow-x:auto">{table_html(part, palette)}</div>')


def chart(part: Chart, key: str) -> None:
    if part.title:
        st.html(f'<p style="margin:0.6em 0 0;opacity:.7">{formats.escape(part.title)}</p>')
    if not part.clicks:
        st.plotly_chart(part.figure, key=key, config=QUIET, theme=None)
        return
    picked = st.plotly_chart(part.figure, key=key, config=QUIET, theme=None, on_select="rerun", selection_mode="points")
    said = [text for name in clicked(picked) if (text := part.clicks.get(name))]
    st.text(said[0] if said else "Click a point or a cell to read it.")


def clicked(picked: Any) -> list[str]:
    """The names (customdata[0]) of the points a visitor clicked."""
    names = []
    for point in picked.get("selection", {}).get("points", []) if picked else []:
        data = point.get("customdata")
        first = (
            data[0] if isinstance(data, list | tuple) and data else data.get("0") if isinstance(data, dict) else data
        )
        names += [first] if isinstance(first, str) else []
    return names
