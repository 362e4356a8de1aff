"""Widgets whose truth is elsewhere: in the page's own state, which is their one owner.

The browser sends the label it showed. Where the options have changed meanwhile Streamlit finds no option of that label
and hands out the label itself; so a widget with other options is another widget (its key says so), and what is not
among the options is never written.

What stands in a popover is not in the browser before that is opened, and gone again when it is closed. A value that is
set meanwhile is not heard: the browser would show the widget's first value, or the last one it knew, and send that back
as if the visitor had chosen it. So such a widget (`hidden`) begins with the value it is to show, and is another widget
when that was changed elsewhere.
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
    hidden: bool = False,
    **more: Any,
) -> None:
    """One of the options: selectbox, segmented control, pills. A second click on the chosen one leaves it chosen."""
    key, value = _key(name, options, show), current if current in options else None
    if hidden:
        key = another(key, value)
        more["index"] = None if value is None else list(options).index(value)
    else:
        hold(key, value)

    changed = told(value, lambda: st.session_state[key], lambda found: found in options and write(found))
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
    hidden: bool = False,
    **more: Any,
) -> None:
    """Any of the options, as pills; in the options' order."""
    key, value = _key(name, options, show), [one for one in options if one in current]
    if hidden:
        key, more["default"] = another(key, value), value
    else:
        hold(key, value)

    changed = told(value, lambda: [one for one in options if one in st.session_state[key]], write)
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
    hidden: bool = False,
    **more: Any,
) -> None:
    """A number within bounds: slider, number input."""
    key, value = f"{name} {low} {high}", min(max(current, low), high)
    if hidden:
        key, more["value"] = another(key, value), value
    else:
        hold(key, value)

    changed = told(value, lambda: st.session_state[key], write)
    widget(label, low, high, key=key, on_change=changed, **more)


def told(shown: Any, read: Callable[[], Any], write: Callable[[Any], object]) -> Callable[[], None]:
    """What a widget does when it was changed: it writes what is new.

    Streamlit calls it at times though the value is the one that was shown: where runs were broken off it has forgotten
    what it had. That is no act of the visitor's, and by then the owner may rightly hold something else.
    """
    last = [shown]

    def changed() -> None:
        found = read()
        if found is not None and found != last[0]:
            last[0] = found
            write(found)

    return changed


def hold(key: str, value: Any) -> None:
    """The widget shows this. Untouched where it does already: a click meanwhile is not lost."""
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value


def another(name: str, value: Any) -> str:
    """The key of a hidden widget that shows this value: a new one unless the old one does."""
    counter = f"{name} number"
    key = f"{name} {st.session_state.get(counter, 0)}"
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[counter] = st.session_state.get(counter, 0) + 1
        key = f"{name} {st.session_state[counter]}"
    return key


def _key(name: str, options: Sequence[T], show: Callable[[T], str]) -> str:
    shown = "\0".join(show(option) for option in options)
    return f"{name} {hashlib.sha256(shown.encode(errors='replace')).hexdigest()[:8]}"
