"""Widgets whose truth is elsewhere: in the page's own state, which is their one owner.

The browser sends the label it showed. Where the options have changed meanwhile Streamlit finds no option of that label
and hands out the label itself; so a widget with other options is another widget (its key says so), and what is not
among the options is never written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import streamlit as st

T = TypeVar("T")


def pick(
    widget: Callable[..., Any],
    label: str,
    options: Sequence[T],
    current: T | None,
    write: Callable[[T], object],
    *,
    name: str,
    show: Callable[[T], str] = str,
    **more: Any,
) -> None:
    """One of the options: selectbox, segmented control, pills. A second click on the chosen one leaves it chosen."""
    key = _key(name, options, show)
    hold(key, current if current in options else None)

    def changed() -> None:
        found = st.session_state[key]
        if found is not None and found in options:
            write(found)

    if widget in (st.segmented_control, st.pills):
        more = {"wrap": True} | more  # all options in sight on a narrow screen
    widget(label, options, key=key, format_func=show, on_change=changed, **more)


def pick_several(
    label: str,
    options: Sequence[T],
    current: Sequence[T],
    write: Callable[[list[T]], object],
    *,
    name: str,
    show: Callable[[T], str] = str,
    **more: Any,
) -> None:
    """Any of the options, as pills; in the options' order."""
    key = _key(name, options, show)
    hold(key, [one for one in options if one in current])

    def changed() -> None:
        write([one for one in options if one in st.session_state[key]])

    st.pills(label, options, selection_mode="multi", wrap=True, key=key, format_func=show, on_change=changed, **more)


def set_number(
    widget: Callable[..., Any],
    label: str,
    low: float,
    high: float,
    current: float,
    write: Callable[[Any], object],
    *,
    name: str,
    **more: Any,
) -> None:
    """A number within bounds: slider, number input."""
    key = f"{name} {low} {high}"
    hold(key, min(max(current, low), high))

    def changed() -> None:
        if st.session_state[key] is not None:
            write(st.session_state[key])

    widget(label, low, high, key=key, on_change=changed, **more)


def hold(key: str, value: Any) -> None:
    """The widget shows this. Untouched where it does already: a click meanwhile is not lost."""
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value


def _key(name: str, options: Sequence[T], show: Callable[[T], str]) -> str:
    shown = "\0".join(show(option) for option in options)
    return f"{name} {hashlib.sha256(shown.encode(errors='replace')).hexdigest()[:8]}"
