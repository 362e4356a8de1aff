"""How far background work is, with a way to stop it. Asks for news the way all our components do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.shell import theme
from pages.web import component
from pages.work.jobs import Job, Owner, jobs

ANSWER_WITHIN = 0.5  # seconds an answer waits for news
Describe = Callable[[list[Job]], tuple[float, str]]  # what is left -> the share that is done, and words


def first_job(left: list[Job]) -> tuple[float, str]:
    return left[0].share, left[0].said


def show(
    owner: Owner,
    describe: Describe = first_job,
    cancel: Callable[[], None] | None = None,
    below: Callable[[Job], None] | None = None,
) -> None:
    """A bar for what the owner waits for, in place of something that is missing. The page runs again whenever a job is
    done. `below` draws what the first job has told so far, anew with every answer."""
    drawn = len(jobs().of(owner))

    def answer(polled: bool) -> dict[str, Any]:
        if polled:
            jobs().wait(lambda: len(jobs().of(owner)) < drawn, ANSWER_WITHIN)
        left = jobs().of(owner)
        if not polled and (not left or len(left) < drawn):  # done since the page looked for it
            st.rerun()
        share, words = describe(left) if left else (1.0, "done")
        return {
            "pending": len(left) >= drawn,
            "share": share,
            "status": words,
            "cancel": cancel is not None,
            "palette": theme.css_colours(theme.palette()),
            "ack": 0,
        }

    def act(events: Any) -> bool:
        if cancel is not None and events:
            cancel()
        return True

    def follow(data: dict[str, Any]) -> None:
        left = jobs().of(owner)
        if below is None or not data["pending"] or not left:
            st.rerun()
        below(left[0])

    component.live("progress", answer, act, follow if below else None, key=f"progress of {owner[1]}")
