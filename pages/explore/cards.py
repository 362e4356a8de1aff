"""Cards: a caption with its picture, its errors marked, the most telling reference, the scores that stand out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from capeval_core import registry
from capeval_core.explore.findings import CaptionFindings
from capeval_core.explore.kinds import KINDS
from capeval_core.figures import explore_caption as told
from capeval_core.figures import numbers
from capeval_core.figures.charts import tint
from capeval_core.figures.words import clean, short
from pages.explore import thumbs
from pages.explore.found import Found
from pages.explore.rows import APART, STRENGTH, members
from pages.explore.state import ERRORS, held, shown_name
from pages.shell import theme
from pages.web import component
from pages.work import session
from pages.work.events import new_events

KIND, OPENED = "cards", "explore to open"
PAGE = 20  # cards at a time
LONGEST = 400  # characters of a caption
OUTER = 0.1  # the share of all captions at either end whose score stands out
MOST_SCORES, MOST_CHIPS = 3, 6
NOTHING: Mapping[int, str] = {}


def show(
    found: Found,
    rows: Sequence[int],
    *,
    notes: Mapping[int, str] = NOTHING,
    more: Mapping[int, str] = NOTHING,
    beside: Mapping[int, int] | None = None,
    place: str = ERRORS,
) -> None:
    """A page of the rows. `notes`: a line above a card, `more`: below it; `beside`: the row of another caption on the
    same card."""
    opened = st.session_state.pop(OPENED, None)
    if opened is not None and 0 <= opened < len(found.data.items):
        _to_inspect(found, opened)
    key = f"cards {place}"

    def answer(polled: bool) -> dict[str, Any]:
        state = held()
        state.page = min(state.page, max(0, (len(rows) - 1) // PAGE))
        part = rows[state.page * PAGE : (state.page + 1) * PAGE]
        return {
            "rows": [
                card(found, row, (beside or {}).get(row))
                | {"note": clean(notes.get(row, "")), "more": clean(more.get(row, ""))}
                for row in part
            ],
            "first": state.page * PAGE + 1,
            "count": len(rows),
            "size": PAGE,
            "at": state.at,
            "pending": False,
            "status": "",
            "palette": colours(),
            "ack": state.seen.get(key, 0),
        }

    component.live(KIND, answer, lambda sent: act(sent, key, len(rows), len(found.data.items)), key=key)


def colours() -> dict[str, str]:
    palette = theme.palette()
    marks = {f"{name}-wash": tint(palette.of(name), 0.18) for name in ("extra", "missed")}
    return theme.css_colours(palette) | marks


def act(sent: Any, key: str, count: int, items: int) -> bool:
    """True where the rest of the page must follow."""
    state, all_of_it = held(), False
    for event in new_events(sent, state.seen.get(key, 0)):
        state.seen[key] = event["n"]
        number = event.get("id")
        if event.get("op") == "page" and type(number) is int:
            state.page = min(max(number, 0), max(0, (count - 1) // PAGE))
            state.at = -1
        elif event.get("op") == "open" and type(number) is int and 0 <= number < items:
            state.at = st.session_state[OPENED] = number
            all_of_it = True
        elif event.get("op") == "kind" and number in KINDS:
            state.kind, state.tab, state.page, state.at = str(number), ERRORS, 0, -1
            all_of_it = True
    return all_of_it


def _to_inspect(found: Found, row: int) -> None:
    def change() -> None:
        session.open_row(found.data, row)
        session.workspace().origin = "explore"

    session.attempt(change)
    st.switch_page("pages/inspect/page.py")


def card(found: Found, row: int, other: int | None = None) -> dict[str, Any]:
    item = found.data.items[row]
    own = found.findings[row]
    content = side(found, row) | {
        "thumb": thumbs.thumbnail(found.data, item.image_id),
        "image": short(item.image_id, 60),
        "scores": standing_out(found, row),
    }
    if own.telling is not None and own.telling < len(item.references):
        pieces = told.reference_pieces(short(item.references[own.telling], LONGEST), own)
        content |= {"reference": [list(piece) for piece in pieces]}
    return content | ({"beside": side(found, other)} if other is not None else {})


def side(found: Found, row: int) -> dict[str, Any]:
    """One caption of a card."""
    own = found.findings[row]
    pieces = told.error_pieces(own) or ((("(empty)"), "neutral", ""),)
    return {
        "id": row,
        "system": shown_name(short(found.data.items[row].system, 40)),
        "pieces": [list(piece) for piece in shortened(pieces)],
        "chips": chips(own),
    }


def shortened(pieces: Sequence[told.Piece]) -> list[told.Piece]:
    kept, left = [], LONGEST
    for text, kind, hint in pieces:
        kept.append((short(text, left), kind, hint))
        left -= len(text)
        if left <= 1:
            break
    return kept


def chips(own: CaptionFindings) -> list[dict[str, str]]:
    return [
        {"kind": one.kind, "label": told.chip(one), "tip": f"{clean(one.evidence)}\nstrength {one.strength:.2f}"}
        for one in own.errors[:MOST_CHIPS]
    ]


def standing_out(found: Found, row: int) -> list[dict[str, str]]:
    """The scores that are among the lowest or highest of all captions, and those the list is sorted by."""
    state = found.state
    apart = state.between if state.sort == APART or state.tab != ERRORS else ()
    wanted = {state.sort, *(key for side in apart for key in members(side, state.keys))} - {STRENGTH, APART}
    extremes = []
    for key, values in found.scores.items():
        place = float(found.places(key)[row])
        if key in wanted or place <= OUTER or place >= 1 - OUTER:
            extremes.append((key not in wanted, min(place, 1 - place), key, place, float(values[row])))
    extremes.sort()
    return [
        {"label": registry.get(key).label, "value": numbers.score(value), **_ended(place)}
        for _, _, key, place, value in extremes[:MOST_SCORES]
    ]


def _ended(place: float) -> dict[str, str]:
    if place != place:
        return {"end": "", "tip": "undefined"}
    end = "low" if place <= OUTER else "high" if place >= 1 - OUTER else ""
    return {"end": end, "tip": f"better than {place:.0%} of the other captions of this data set"}
