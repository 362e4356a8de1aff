"""What was done can be taken back: undo and redo; and what is kept can be forgotten."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.work import keeping, session
from pages.work.history import Step, difference
from pages.work.store import DAYS

KEYS = {"undo": "Ctrl+Z", "redo": "Ctrl+Shift+Z"}  # keeper.js presses the button


def show() -> None:
    """Two buttons, always in their places."""
    past = session.history()
    now = session.step()
    _button("Undo", past.past, now, session.undo, back=True)
    _button("Redo", past.future, now, session.redo, back=False)


def _button(name: str, steps: list[Step], now: Step, act: Callable[[], None], *, back: bool) -> None:
    key = name.lower()
    said = ""
    if steps:
        said = difference(steps[-1], now) if back else difference(now, steps[-1])
    st.button(
        name,
        icon=f":material/{key}:",
        key=key,
        type="tertiary",
        disabled=not steps,
        on_click=act,
        help=f"{name}: {said} ({KEYS[key]})" if said else f"Nothing to {key}",
    )


def forget(done: Callable[[], None]) -> None:
    """The last part of the menu `Open`; `done` closes it."""

    def act() -> None:
        keeping.forget()
        done()

    if keeping.folder() is None:
        st.caption("Nothing is kept on this server: a reload of the page starts afresh.")
        return
    st.button("Forget this session", icon=":material/delete_forever:", width="stretch", on_click=act)
    st.caption(
        f"Your captions, image and data set are kept on this machine, for {DAYS} days after you last used them; the "
        "address of this page leads back to them. Forgetting deletes them at once, and cannot be undone."
    )
