"""Evidence on the page: the sentence, then marked captions, charts and tables, then details on demand."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from capeval_core import CapEvalError, CaptionItem, figures, registry
from capeval_core.figures.evidence import Caption, Chart, Evidence, Part, used_kinds
from capeval_core.figures.html import arithmetic_html, caption_html, legend_html, line_html, table_html
from capeval_core.figures.numbers import score
from capeval_core.figures.palette import Palette
from pages.widgets.expander import expander
from pages.work import keeping, session
from pages.work.cells import Options, explain
from pages.work.memory import recall

QUIET = {"displayModeBar": False}
CLICKS = "clicks"


@dataclass
class Clicks:
    """What was last read in each chart; `st.session_state["clicks"]`."""

    last: dict[str, str] = field(default_factory=dict)


def find(item: CaptionItem, key: str, options: Options, palette: Palette) -> Evidence:
    """Drawn evidence, remembered by content and theme."""
    chosen = options.get(registry.get(key).metric)
    address = ("evidence", key, item.candidate, item.references, chosen, palette.dark)
    return recall(address, lambda: figures.draw(explain(item, key, options), palette))


def show(item: CaptionItem, key: str, options: Options, palette: Palette, place: str = "") -> None:
    """The evidence of one number; a metric that cannot say says why. `place` tells two of one page apart."""
    try:
        found = find(item, key, options, palette)
        explanation = explain(item, key, options)
    except CapEvalError as error:
        st.text(f"No evidence: {error}")
        return
    except Exception as error:  # a drawing's fault must not take the scores off the page
        st.text(f"{registry.get(key).label}'s evidence could not be drawn: {type(error).__name__}")
        return
    st.html(line_html(found.sentence, palette, bold=score(explanation.value), large=True))
    prefix = anchor(place, key)
    st.html(arithmetic_html(found.arithmetic, palette, prefix))
    guide_link(key)
    legend = legend_html(palette, used_kinds(found.parts))
    if legend:
        st.html(legend)
    linked = {term.part for term in found.arithmetic}
    parts(found.parts, palette, f"{place} {key}", prefix, linked)
    if found.details:
        with expander("Details", f"{place} {key} details"):
            parts(found.details, palette, f"{place} {key} details")


def guide_link(key: str) -> None:
    """To the metric's card: how it works, what it is good at, what fools it."""
    spec = registry.get(key)
    st.page_link(
        "pages/guide/page.py",
        label=f"How {registry.title(spec.metric)} works",
        icon=":material/menu_book:",
        query_params={"metric": spec.metric},
    )


def anchor(*names: str) -> str:
    """The beginning of the ids of one evidence's parts."""
    return "-".join(["capeval", *re.findall("[a-z0-9]+", " ".join(names).lower()), ""])


def parts(found: Sequence[Part], palette: Palette, place: str, prefix: str = "", linked: Collection[str] = ()) -> None:
    """The parts whose names are `linked` get an id: the prefix and the name."""
    for number, part in enumerate(found):
        name = f"{prefix}{part.name}" if part.name in linked else ""
        if isinstance(part, Caption):
            st.html(caption_html(part, palette, name))
        elif isinstance(part, Chart):
            chart(part, palette, f"chart {place} {number}", name)
        else:
            st.html(table_html(part, palette, name))


def chart(part: Chart, palette: Palette, key: str, name: str = "") -> None:
    if part.title:
        st.html(line_html(part.title, palette, quiet=True, anchor=name))
    if not part.clicks:
        st.plotly_chart(part.figure, key=key, config=QUIET, theme=None)
        return
    picked = st.plotly_chart(part.figure, key=key, config=QUIET, theme=None, on_select="rerun", selection_mode="points")
    st.text(part.clicks.get(_last(key, clicked(picked)), "Click a point or a cell to read it."))


def _last(key: str, names: Sequence[str]) -> str:
    """The point of this chart that was clicked last, in this session of the browser or before."""
    held = keeping.held(CLICKS, Clicks, ready=True).last
    if names and held.get(key) != names[0]:
        held[key] = names[0]
        if session.save():
            st.rerun()
    return held.get(key, "")


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
