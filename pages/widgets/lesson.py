"""A lesson on the page it opened: its question, its answer on demand, and the way back."""

from __future__ import annotations

import streamlit as st

from pages.widgets import progress
from pages.work import cells, lessons, session
from pages.work.lessons import Asked, Lesson

KEY, BEFORE, BEGUN, OPEN = "lesson", "before the lesson", "begun lesson", "open answers"
WITHIN = 1.5  # seconds an answer waits for scores
GUIDE = "pages/guide/page.py"
VIEW = {"view": "Lessons"}  # of the Guide, in its address


def start(lesson: Lesson) -> None:
    """The lesson's captions take the place of the visitor's, which come back when it is closed."""
    st.session_state.setdefault(BEFORE, session.workspace())
    ws = lesson.workspace()
    session.replace(ws)
    ids = dict(zip(lesson.captions, (one.id for one in ws.candidates), strict=True))
    ws.chosen, ws.other = ids[lesson.chosen], ids[lesson.other]
    ws.view, ws.metric = lesson.view or ws.view, lesson.metric
    ws.settle()
    st.session_state[KEY] = st.session_state[BEGUN] = lesson.id


def stop() -> None:
    st.session_state.pop(KEY, None)
    before = st.session_state.pop(BEFORE, None)
    if before is not None:
        session.replace(before)


def begun(page: str) -> Lesson | None:
    """The lesson that has just been opened on this page, once."""
    lesson = lessons.find(st.session_state.get(BEGUN, ""))
    if lesson is None or lesson.page != page:
        return None
    del st.session_state[BEGUN]
    return lesson


def show(page: str) -> None:
    """On the page that a lesson opened; nothing elsewhere."""
    lesson = lessons.find(st.session_state.get(KEY, ""))
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
    opened: set[str] = st.session_state.setdefault(OPEN, set())
    shown = lesson.id in opened
    label, icon = ("Hide the answer", "expand_less") if shown else ("Show the answer", "expand_more")
    if st.button(label, icon=f":material/{icon}:", key=f"answer {lesson.id}", type="tertiary"):
        opened ^= {lesson.id}
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
