"""Slices: parts of the data set, the significantly worst first; a click shows the captions of one."""

from __future__ import annotations

from typing import Any

import streamlit as st

from capeval_core import registry
from capeval_core.explore.slices import Slice
from capeval_core.figures import numbers
from capeval_core.figures.html import line_html
from capeval_core.figures.words import listing, short
from pages.explore.found import Found
from pages.explore.state import ERRORS, held, shown_name
from pages.shell import theme
from pages.web import component
from pages.work.events import new_events

KIND = "captions"
HELP = (
    "A slice has at least 20 captions. More captions with an error, less support or lower "
    "scores than the rest, p after Holm's correction below .05: significantly worse. Click one to see its captions."
)
MOST = 60  # slices in the table
MOST_SCORES = 3  # metrics beside them


def show(found: Found) -> None:
    palette, listed = theme.palette(), found.slices()
    if listed is None:
        said = found.error or "The slices are being looked for."
        st.html(line_html(said, palette, large=True))
        return
    if not listed:
        st.info("No part of these captions has 20 captions or more: slices need a larger data set.")
        return
    st.html(line_html(sentence(found, listed), palette, large=True))
    st.html(line_html(HELP, palette, quiet=True))
    shown = listed[:MOST]
    keys = [key for key in found.scores if any(key in one.means for one in shown)][:MOST_SCORES]
    state = held()
    packed: dict[str, Any] = {
        "heads": ["captions", "with an error, of 100", "noun support", *(registry.get(key).label for key in keys), "p"],
        "rows": [row(place, one, keys) for place, one in enumerate(shown)],
        "lead": "slice",
        "hint": "show its captions",
        "ack": state.seen.get("slices", 0),
        "palette": theme.css_colours(palette),
    }
    names = [one.name for one in shown]
    component.mount(KIND, packed, lambda sent: act(sent, names))
    if len(listed) > MOST:
        st.text(f"{MOST} of {len(listed)} slices are shown; the filter on the tab Errors has all of them.")


def row(place: int, one: Slice, keys: list[str]) -> dict[str, Any]:
    rate = one.rates["any"]
    worse = listing([measure(key) for key in one.worse])
    return {
        "id": place,
        "caption": short(one.name, 80),
        "note": f"significantly worse: {worse}" if worse else "",
        "values": [
            f"{one.captions:,}",
            f"{rate.value:.0f} ({rate.low:.0f} to {rate.high:.0f})",
            *(numbers.score(one.means[key].value) for key in ("noun_support", *keys)),
            numbers.score(min(one.worse.values())) if one.worse else "–",
        ],
    }


def measure(key: str) -> str:
    return {"any": "errors", "noun_support": "noun support"}.get(key) or registry.get(key).label


def sentence(found: Found, listed: list[Slice]) -> str:
    worst = [short(one.name, 60) for one in listed if one.worst]
    name = shown_name(short(found.state.system, 40))
    if not worst:
        return f"No slice of {name} is significantly worse than the rest of its captions."
    more = f"; and {len(worst) - 3} more" if len(worst) > 3 else ""
    return f"Where {name} is significantly worse than elsewhere: {'; '.join(worst[:3])}{more}."


def act(sent: Any, names: list[str]) -> None:
    state = held()
    for event in new_events(sent, state.seen.get("slices", 0)):
        state.seen["slices"] = event["n"]
        number = event.get("id")
        if event.get("op") == "open" and type(number) is int and 0 <= number < len(names):
            state.slice, state.tab, state.page, state.at = names[number], ERRORS, 0, -1
