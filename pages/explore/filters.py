"""The filters beside the cards: error, slice, words, score ranges with histograms; and the order of the cards."""

from __future__ import annotations

import math
from typing import Any

import streamlit as st

from capeval_core import registry
from capeval_core.explore.kinds import KINDS
from capeval_core.figures import numbers
from capeval_core.figures.words import plural, short
from pages.explore import rows
from pages.explore.found import Found
from pages.explore.rows import APART, STRENGTH
from pages.explore.state import LONGEST, Explore, held, pick, setter
from pages.widgets import choice

STEPS = 100  # of a range's slider
SORTS = {STRENGTH: "strongest error first", APART: "where metrics disagree most"}
HIGH = 44  # pixels of a histogram


def show(found: Found) -> None:
    state = found.state
    pick(st.selectbox, "Error", "kind", ["", *KINDS], show=lambda kind: KINDS[kind].label if kind else "all captions")
    _slice(found)
    key = "explore words"
    choice.hold(key, state.words)
    told = choice.told(state.words, lambda: st.session_state[key], setter("words"))
    st.text_input("Words", key=key, max_chars=LONGEST, placeholder="of a caption, an error, an image", on_change=told)
    if found.scores:
        _ranges(found)
    if filtered(state):
        st.button("Show all", icon=":material/filter_alt_off:", on_click=clear, width="stretch")


def _slice(found: Found) -> None:
    state, listed = found.state, found.slices()
    labels = {one.name: f"{short(one.name, 50)} ({one.captions:,})" for one in listed or ()}
    if state.slice and state.slice not in labels:
        labels = {
            state.slice: short(state.slice, 50),
            **labels,
        }  # its captions are still being looked for, or it is gone
    pick(st.selectbox, "Slice", "slice", ["", *labels], show=lambda name: labels[name] if name else "all captions")
    if state.slice and listed is not None and state.slice not in {one.name for one in listed}:
        st.text("This captioner has no such slice: all captions are shown.")


def _ranges(found: Found) -> None:
    state, keys = found.state, list(found.scores)
    pick(
        st.selectbox, "Score range", "ranged", ["", *keys],
        show=lambda key: registry.get(key).label if key else "any score",
    )  # fmt: skip
    if state.ranged in found.scores:
        _range(found, state.ranged)
    for key in [key for key in state.ranges if key != state.ranged]:
        low, high = state.ranges[key]
        label = f"{registry.get(key).label} {numbers.score(low)} to {numbers.score(high)}"
        st.button(label, icon=":material/close:", key=f"explore range {key}", on_click=_forget, args=(key,))


def _range(found: Found, key: str) -> None:
    counts, low, high = rows.histogram(found.scores[key][found.data.systems[found.state.system]])
    if not counts:
        st.text("All captions have the same score.")
        return
    chosen = found.state.ranges.get(key, (low, high))
    st.html(histogram_html(counts, [(end - low) / (high - low) for end in chosen]))
    step = (high - low) / STEPS
    # Steps from 0 to 100: the ends of the scores themselves are no round numbers.
    first = min(max(math.floor((chosen[0] - low) / step + 1e-6), 0), STEPS)
    last = min(max(math.ceil((chosen[1] - low) / step - 1e-6), 0), STEPS)
    widget = f"explore range of {key} {low} {high}"
    choice.hold(widget, (first, max(first, last)))

    def write(ends: Any) -> None:
        if isinstance(ends, tuple) and len(ends) == 2:
            _set_range(key, ends, low, high)

    st.slider(
        "Range", 0, STEPS, key=widget, label_visibility="collapsed", format=" ",
        on_change=choice.told((first, last), lambda: st.session_state[widget], write),
    )  # fmt: skip
    st.caption(
        f"{numbers.score(chosen[0])} to {numbers.score(chosen[1])}; all: {numbers.score(low)} to {numbers.score(high)}"
    )


def _set_range(key: str, ends: tuple[int, int], low: float, high: float) -> None:
    state = held()
    first, last = (high if end == STEPS else low + end * (high - low) / STEPS for end in ends)
    ranges = {name: one for name, one in state.ranges.items() if name != key}
    setter("ranges")(ranges if tuple(ends) == (0, STEPS) else ranges | {key: (first, last)})


def _forget(key: str) -> None:
    setter("ranges")({name: one for name, one in held().ranges.items() if name != key})


def histogram_html(counts: list[int], chosen: list[float]) -> str:
    """Bars of equal steps; those outside the chosen range are faint."""
    most, bars = max(counts), []
    for place, count in enumerate(counts):
        middle = (place + 0.5) / len(counts)
        faint = "" if chosen[0] - 1e-9 <= middle <= chosen[1] + 1e-9 else ";opacity:.3"
        height = max(round(HIGH * count / most), 1 if count else 0)
        bars.append(f'<i style="flex:1;height:{height}px;background:var(--capeval-accent){faint}"></i>')
    style = f"display:flex;gap:1px;align-items:flex-end;height:{HIGH}px;margin:0 8px -14px"
    return f'<div role="img" aria-label="histogram of the scores" style="{style}">{"".join(bars)}</div>'


def filtered(state: Explore) -> bool:
    return bool(state.kind or state.slice or state.words or state.ranges)


def clear() -> None:
    state = held()
    state.kind = state.slice = state.words = ""
    setter("ranges")({})


def order(found: Found) -> None:
    """What the cards are sorted by."""
    keys = list(found.scores)
    sorts = [STRENGTH, *([APART] if len(keys) > 1 else []), *keys]
    state = found.state
    sorts += [state.sort] if state.sort not in sorts else []  # its scores are on their way
    pick(st.selectbox, "Sort by", "sort", sorts, show=sort_name, width=270)
    if state.sort == APART:
        between(found, narrow=True)


def sort_name(sort: str) -> str:
    return SORTS[sort] if sort in SORTS else f"worst {registry.get(sort).label} first"


def between(found: Found, *, narrow: bool = False) -> None:
    """The two metrics, or groups of them, that may disagree."""
    state = found.state
    for place, label in enumerate(("One metric", "The other")):

        def write(key: str, place: int = place) -> None:
            one, two = held().between
            # The metric of the other side was picked: they change places.
            both = (two, one) if key == (two, one)[place] else (key, two) if place == 0 else (one, key)
            setter("between")(both)

        choice.pick(
            st.selectbox, label, rows.sides(state.keys), state.between[place], write,
            name=f"explore between {place}", show=rows.side_name, width=150 if narrow else 190,
        )  # fmt: skip


def said(found: Found) -> str:
    """The filters in words, for exports."""
    state = found.state
    parts = [f"captions of {state.system or 'the captioner'}"]
    parts += [f"with the error: {KINDS[state.kind].label}"] if state.kind else []
    parts += [f"slice: {state.slice}"] if state.slice else []
    parts += [f"with the words: {state.words}"] if state.words else []
    for key, (low, high) in state.ranges.items():
        parts.append(f"{registry.get(key).label} {numbers.score(low)} to {numbers.score(high)}")
    return f"{'; '.join(parts)}; {sort_name(state.sort)}"


def counted(found: Found, shown: int) -> str:
    total = len(found.data.systems[found.state.system])
    return f"{plural(shown, 'caption')} of {total:,}" if shown != total else f"all {plural(total, 'caption')}"
