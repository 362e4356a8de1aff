"""A lesson on the page it opened: its question, its answer on demand, and the way back."""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from pages.widgets import progress
from pages.work import cells, keeping, lessons, session
from pages.work.lessons import Asked, Lesson
from pages.work.workspace import Workspace

KEY, BEFORE = "lesson", "before the lesson"
WITHIN = 1.5  # seconds an answer waits for scores
GUIDE = "pages/guide/page.py"
VIEW = {"view": "Lessons"}  # of the Guide, in its address


@dataclass
class Progress:
    """`st.session_state["lesson"]`; what the visitor worked on before is `st.session_state["before the lesson"]`."""

    open: str = ""  # the lesson's id
    begun: str = ""  # the same, until its page has taken over its captions
    answers: list[str] = field(default_factory=list)  # lessons whose answer is shown


def current() -> Progress:
    keeping.held(BEFORE, Workspace, lasting=True, ready=True)
    return keeping.held(KEY, Progress, lasting=True, ready=True)


def start(lesson: Lesson) -> None:
    """The lesson's captions take the place of the visitor's, which come back when it is closed."""
    held = current()
    if not held.open:
        st.session_state[BEFORE] = session.workspace()
    ws = lesson.workspace()
    session.replace(ws)
    ids = dict(zip(lesson.captions, (one.id for one in ws.candidates), strict=True))
    ws.chosen, ws.other = ids[lesson.chosen], ids[lesson.other]
    ws.view, ws.metric = lesson.view or ws.view, lesson.metric
    ws.settle()
    held.open = held.begun = lesson.id


def stop() -> None:
    held = current()
    if held.open:
        session.replace(st.session_state[BEFORE])
    held.open = held.begun = ""
    st.session_state[BEFORE] = Workspace()


def begun(page: str) -> Lesson | None:
    """The lesson that has just been opened on this page, once."""
    held = current()
    lesson = lessons.find(held.begun)
    if lesson is None or lesson.page != page:
        return None
    held.begun = ""
    return lesson


def show(page: str) -> None:
    """On the page that a lesson opened; nothing elsewhere."""
    lesson = lessons.find(current().open)
    if lesson is None or lesson.page != page:
        return
    with st.container(border=True, key="lesson"):
        said, back = st.columns([4, 1], vertical_alignment="center")
        said.markdown(f"**{lesson.title}** {lesson.question}")
        if back.button("Back to the lessons", icon=":material/arrow_back:", width="stretch", key="lesson back"):
            stop()
            st.switch_page(GUIDE, query_params=VIEW)
        answer(lesson)


def answer(lesson: Lesson) -> None:
    """Closed at first; its numbers are scored when it is opened."""
    held = current()
    shown = lesson.id in held.answers
    label, icon = ("Hide the answer", "expand_less") if shown else ("Show the answer", "expand_more")
    if st.button(label, icon=f":material/{icon}:", key=f"answer {lesson.id}", type="tertiary"):
        held.answers = [one for one in held.answers if one != lesson.id] + [lesson.id] * (not shown)
        st.rerun()
    if not shown:
        return
    store, owner = cells.cells(), session.owner(f"lesson {lesson.id}")
    asked = lesson.asked()
    wanted = [job for one in asked for job in store.missing([lesson.item(one.letter)], [one.key], dict(one.options))]
    if store.jobs.want(owner, wanted):
        store.jobs.finish(owner, WITHIN)
    if any(_cell(lesson, one) is None for one in asked):
        progress.show(owner)
        return
    st.markdown(lesson.answered(lambda one: _value(lesson, one)))


def _cell(lesson: Lesson, one: Asked) -> cells.Cell | None:
    return cells.cells().get(lesson.item(one.letter), one.key, dict(one.options))


def _value(lesson: Lesson, one: Asked) -> float:
    found = _cell(lesson, one)
    return found.value if found else float("nan")
