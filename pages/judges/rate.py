"""Rate here: the captions of the open data set, one image at a time, nobody's name and no metric in sight."""

from __future__ import annotations

from typing import Any

import streamlit as st

from capeval_core import InvalidInput
from capeval_core.figures.html import line_html
from capeval_core.figures.words import clean, plural, short
from capeval_core.io.judgements import LEAST
from capeval_core.io.limits import APP
from pages.judges import own, people
from pages.judges.rating import BETTER, LONGEST_NAME, MODES, RATINGS, SCALE, Rating, Task
from pages.judges.state import KEY, Judges
from pages.shell import theme
from pages.web import component
from pages.widgets import choice, data_bar, downloads, images
from pages.work import samples, session, uploads
from pages.work.events import new_events
from pages.work.jobs import jobs

KIND = "rate"
FILE, TRIES, NAME = "judges ratings file", "judges ratings tries", "judges rater"
MEANINGS = "1 has nothing to do with the image, 3 is right in part, 5 says all that matters and nothing wrong"
KEYS = {
    SCALE: {str(one): str(one) for one in RATINGS},
    BETTER: {"1": "first", "2": "second", "0": "tie", "arrowleft": "first", "arrowright": "second"},
}
HELP = {
    SCALE: "Keys: 1 to 5 rate the marked caption, S skips it, U takes the last one back.",
    BETTER: "Keys: 1 or 2 is better, 0 is equally good, S skips, U takes the last one back.",
}


def show(state: Judges) -> None:
    data_bar.show()
    rating = state.rating
    _toolbar(rating)
    _message(state)
    if rating.revealed:
        _reveal(state)
        return
    jobs().want(session.owner("judges"), [])
    if not rating.screens:
        st.info("Two different captions of one image are needed to choose the better one.")
        return
    st.html(line_html(_progress(rating), theme.palette(), large=True))
    if rating.task is None:
        st.success("Every caption has been seen. Reveal what the metrics say, or save your ratings.")
    picture, captions = st.columns([1, 1.4], gap="large")
    with picture:
        _picture(rating)
    with captions:
        if rating.mode == SCALE:
            st.html(line_html(MEANINGS, theme.palette(), quiet=True))
        component.mount(KIND, shown(rating, state.seen.get(KIND, 0)), _act)


def _progress(rating: Rating) -> str:
    noun = "caption" if rating.mode == SCALE else "pair"
    total = sum(map(len, rating.screens))
    return f"{len(rating.answered):,} of {plural(total, noun)} done, {plural(rating.images, 'image')} so far"


def _toolbar(rating: Rating) -> None:
    enough = len(rating.answered) >= LEAST
    with st.container(horizontal=True, vertical_alignment="bottom"):
        choice.pick(
            st.segmented_control, "How", MODES, rating.mode, _set_mode, name="judges mode", label_visibility="collapsed"
        )
        choice.hold(NAME, rating.rater)
        st.text_input("Your name, for the file", key=NAME, max_chars=LONGEST_NAME, on_change=_set_name, width=190)
        st.space("stretch")
        with st.popover("Save or go on later", icon=":material/save:", key=f"judges save {_tries()}"):
            _files(rating)
        st.button(
            "Rate on" if rating.revealed else "Reveal",
            icon=":material/edit:" if rating.revealed else ":material/visibility:",
            type="secondary" if rating.revealed else "primary",
            disabled=not enough and not rating.revealed,
            help="" if enough else f"After {LEAST} answers: {len(rating.answered)} so far.",
            on_click=_turn,
            key="judges reveal",
        )


def _files(rating: Rating) -> None:
    st.caption("Save your ratings as a file; open it here on any machine to go on, or give it to others.")
    downloads.show({"Save my ratings (JSONL)": ("ratings.jsonl", rating.to_jsonl)})
    with st.form("judges ratings", border=False, clear_on_submit=True):
        st.file_uploader("A file saved before", key=FILE, max_upload_size=APP.upload // 1_000_000)
        st.form_submit_button("Go on with it", on_click=_take)


def _message(state: Judges) -> None:
    with st.container():
        if state.message:
            st.error("These ratings were not taken. What was there still is.", icon=":material/block:")
            st.text(clean(state.message))
            state.message = ""


def _picture(rating: Rating) -> None:
    """Of the captions on the screen, with its credit; without one, what people wrote of it."""
    place = min(rating.place, len(rating.screens) - 1)
    item = rating.data.items[rating.screens[place][0][0]]
    if rating.data.samples:
        sample = next(one for one in samples.samples() if one.id == item.image_id)
        images.show(sample.image.read_bytes(), sample.credit)
    elif (image := rating.data.image(item.image_id)) is not None:
        images.show(image, "")
    else:
        st.text("This data set has no image here. What people wrote of it:")
        st.text("\n".join(clean(reference) for reference in item.references))


def shown(rating: Rating, ack: int) -> dict[str, Any]:
    """What the component draws: captions without a name, which one the keys are for, what was answered."""
    place = min(rating.place, len(rating.screens) - 1)
    screen, task = rating.screens[place], rating.task
    if rating.mode == SCALE:
        captions = [_caption(rating, one, one == task) for one in screen]
    else:
        captions = [_side(rating, screen[0], side, task is not None) for side in (0, 1)]
    return {
        "captions": captions,
        "task": list(task) if task else None,
        "keys": KEYS[rating.mode],
        "two": rating.mode == BETTER,
        "undo": rating.can_undo,
        "help": HELP[rating.mode],
        "ack": ack,
        "palette": theme.css_colours(theme.palette()),
    }


def _caption(rating: Rating, task: Task, now: bool) -> dict[str, Any]:
    answer = rating.answers.get(task, "")
    choices = [{"label": str(one), "value": str(one), "chosen": answer == str(one)} for one in RATINGS]
    return {
        "caption": short(rating.data.items[task[0]].candidate, 1_000) or "(empty)",
        "task": list(task),
        "now": now,
        "skipped": task in rating.skipped,
        "choices": choices,
    }


def _side(rating: Rating, task: Task, side: int, now: bool) -> dict[str, Any]:
    value = ("first", "second")[side]
    choice = {"label": f"{side + 1}  better", "value": value, "chosen": rating.answers.get(task) == value}
    return {
        "caption": short(rating.data.items[task[side]].candidate, 1_000) or "(empty)",
        "task": list(task),
        "now": now,
        "skipped": task in rating.skipped,
        "choices": [choice],
    }


def _reveal(state: Judges) -> None:
    found = people.mine(state)
    missing = found.missing()
    if missing:
        st.info("Not enough to compare with yet: rate at least 10 captions, not all the same.")
        st.text(clean(missing))
        return
    noun = "caption" if state.rating.mode == SCALE else "pair"
    said = f"You judged {plural(len(state.rating.answered), noun)} of {plural(state.rating.images, 'image')}."
    st.html(line_html(f"{said} This is how the metrics agree with you.", theme.palette(), large=True))
    own.result(state, found, "you")


# What a visitor does


def _rating() -> Rating:
    held: Judges = st.session_state[KEY]
    return held.rating


def _set_mode(mode: str) -> None:
    _rating().mode = mode
    _rating().revealed = False


def _set_name() -> None:
    _rating().rater = " ".join(clean(st.session_state[NAME] or "").split())[:LONGEST_NAME] or "you"


def _turn() -> None:
    _rating().revealed = not _rating().revealed


def _tries() -> int:
    return int(st.session_state.get(TRIES, 0))


def _take() -> None:
    st.session_state[TRIES] = _tries() + 1
    held: Judges = st.session_state[KEY]
    file = st.session_state.get(FILE)
    if file is None:
        held.message = "no file was chosen"
        return
    try:
        held.rating.take(uploads.read_ratings([file], uploads.bare(held.data)))
    except InvalidInput as error:
        held.message = str(error)


def _act(sent: Any) -> None:
    held: Judges = st.session_state[KEY]
    for event in new_events(sent, held.seen.get(KIND, 0)):
        held.seen[KIND] = event["n"]
        given = event.get("task")
        task = tuple(given) if isinstance(given, list) and all(isinstance(one, int) for one in given) else ()
        match event.get("op"):
            case "answer":
                held.rating.answer(task, str(event.get("value")))
            case "skip":
                held.rating.skip(task)
            case "undo":
                held.rating.undo()
