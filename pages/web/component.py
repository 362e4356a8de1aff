"""Our Streamlit components, and the one way in which they ask for news.

A component stands in a fragment of its own. While something is pending the browser asks again (`follow` in shared.js);
the answer waits a moment for news, and only the fragment runs. What a visitor does there arrives as numbered events; an
act that changes what stands outside the fragment, and the last answer, run the whole page.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from pages.work import session
from pages.work.jobs import jobs

FOLDER = Path(__file__).parent
Data = dict[str, Any]


@cache
def component(name: str) -> Callable[..., Any]:
    def read(*names: str) -> str:
        return "\n".join((FOLDER / one).read_text(encoding="utf-8") for one in names if (FOLDER / one).exists())

    mount: Callable[..., Any] = st.components.v2.component(
        f"capeval_{name}",
        html='<div class="root"></div>',
        css=read("style.css", f"{name}.css"),
        js=read("shared.js", f"{name}.js"),
    )
    return mount


@dataclass
class Flags:
    """Of one component in one session."""

    asked: bool = False  # by a run of the whole page
    acted: bool = False  # the visitor changed what stands outside the fragment
    pending: bool = False  # the last answer was not the whole
    tick: int = 0  # answers that were not the whole; a new number makes the browser look


def mount(name: str, data: Data, act: Callable[[Any], object]) -> None:
    """Drawn once a run; `act` gets the events."""
    component(name)(key=name, data=_packed(data), on_events_change=lambda: act(_events(name)))


def live(
    kind: str,
    answer: Callable[[bool], Data],
    act: Callable[[Any], bool],
    below: Callable[[Data], None] | None = None,
    key: str = "",
) -> None:
    """A component that fills while jobs run; several of one kind have a key each.

    `answer(polled)` waits a moment and gives the data, `pending` among it. `act(events)` does what the visitor asked
    for and says whether the whole page must follow. `below` draws what changes with it, in the same fragment: then
    the last answer needs no run of the whole page.
    """
    _flags(key or kind).asked = True
    _live(kind, key or kind, answer, act, below)


@st.fragment
def _live(
    kind: str,
    key: str,
    answer: Callable[[bool], Data],
    act: Callable[[Any], bool],
    below: Callable[[Data], None] | None,
) -> None:
    # In a run of its own: what the visitor did there is done by now.
    if not _flags(key).asked and session.save():
        st.rerun()
    with jobs().drawing():
        _draw(kind, key, answer, act, below)


def _draw(
    kind: str,
    key: str,
    answer: Callable[[bool], Data],
    act: Callable[[Any], bool],
    below: Callable[[Data], None] | None,
) -> None:
    flags = _flags(key)
    polled, flags.asked = not flags.asked, False
    acted, flags.acted = flags.acted, False
    if acted and polled:
        st.rerun()
    data = answer(polled)

    def changed() -> None:
        flags.acted = act(_events(key)) or flags.acted

    flags.tick = data["tick"] = flags.tick + 1 if data["pending"] else 0
    component(kind)(key=key, data=_packed(data), on_events_change=changed, on_poll_change=lambda: None)
    finished, flags.pending = flags.pending and not data["pending"], data["pending"]
    if below is not None:
        below(data)
    elif polled and finished:
        st.rerun()


def _flags(name: str) -> Flags:
    found: Flags = st.session_state.setdefault(f"flags of {name}", Flags())
    return found


def _events(name: str) -> Any:
    return st.session_state[name].get("events")


def _packed(data: Data) -> Data:
    # As text: Streamlit would load pandas to see whether a list is a data frame.
    return {"packed": json.dumps(data)}
