"""Your ratings: the same views for the open data set and whoever rated its captions."""

from __future__ import annotations

import streamlit as st

from capeval_core import InvalidInput, registry
from capeval_core.analysis.coefficients import NAMES
from capeval_core.analysis.judging import Judging
from capeval_core.figures.html import line_html
from capeval_core.figures.judge_tables import COEFFICIENTS, name
from capeval_core.figures.words import clean
from capeval_core.io.limits import APP
from capeval_core.io.presets import WAYS
from pages.judges import differ, exports, people, views
from pages.judges.people import People
from pages.judges.state import KEY, MANY, RATE, Judges, numeric, pick, setter
from pages.shell import theme
from pages.widgets import choice, data_bar, metrics, options
from pages.widgets import progress as bar
from pages.widgets.expander import expander
from pages.work import session, uploads
from pages.work.jobs import Job, jobs
from pages.work.scoring import Known

FILES, TRIES = "judges files", "judges tries"
EXAMPLE = (
    '{"image_id": "1", "system": "m2", "candidate": "a man in a boat", "rating": 4}\n'
    '{"image_id": "1", "first": "a man in a boat", "second": "a dog", "winner": "first"}'
)
TEACH = (
    "Nobody has rated these captions yet. Open a file whose rows have a rating (a number), ratings (a list, null where "
    "a rater did not answer), or pairs with first, second and winner; add raters' files to the captions that are open; "
    "or rate some here yourself."
)


def show(state: Judges) -> None:
    data_bar.show()
    try:
        found = people.loaded(state)
    except InvalidInput as error:  # a rater's file and the answers given here do not go together
        st.error("These ratings cannot be laid side by side.", icon=":material/block:")
        st.text(clean(str(error)))
        state.files = {}
        return
    missing = found.missing()
    _toolbar(state, found)
    _message(state)
    if missing:
        _teach(state, found, missing)
        jobs().want(session.owner("judges"), [])
        return
    st.html(line_html(found.words() + ".", theme.palette(), quiet=True))
    result(state, found)


def result(state: Judges, found: People, who: str = "people") -> Judging | None:
    """Progress, then the views of what came out."""
    known = people.scores(state)
    made, error = people.judged(state, found, known)
    progress(state, known)
    if error:
        st.warning("The agreement could not be computed.")
        st.text(clean(error))
    if made is None:
        if not known.scores and not known.pending:
            st.info("Choose a metric to compare with the ratings.")
        return None
    offered = [*views.names(made), differ.VIEW]
    state.view = state.view if state.view in offered else offered[0]
    line, out = st.columns([5, 1], vertical_alignment="center")
    with line:
        pick(st.segmented_control, "View", "view", offered, label_visibility="collapsed")
    with out, st.popover("Export", icon=":material/download:", width="stretch"):
        exports.show(made)
    if state.view == differ.VIEW:
        differ.show(state, found, known, who)
    else:
        views.show(state.view, made, f"own {hash((found.address, made.protocol, tuple(known.scores)))}")
    _made(made, known)
    return made


def _toolbar(state: Judges, found: People) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        several = found.found.pairs is None and not found.found.captioners
        if several and found.ratings.shape[1] > 1:
            pick(
                st.segmented_control, "Several ratings of a caption", "way", list(WAYS),
                show=lambda way: {"flatten": "each by itself", "mean": "their mean", "mode": "most frequent"}[way],
            )  # fmt: skip
        if several:
            pick(st.selectbox, "Sorted by", "headline", NAMES, show=COEFFICIENTS.__getitem__, width=190)
        st.space("stretch")
        with st.popover(
            "Raters' files", icon=":material/group_add:", key=f"judges raters {st.session_state.get(TRIES, 0)}"
        ):
            _files(state)
        with st.popover("Metrics", icon=":material/tune:"):
            choose_metrics(state)
        with st.popover("Options", icon=":material/settings:"):
            options.form(state.keys, session.workspace().options, "judges options")


def choose_metrics(state: Judges) -> None:
    if len(state.data.items) > MANY:
        st.caption(f"With more than {MANY:,} captions those that need no model are chosen first.")
    metrics.picker("judges metrics", state.keys, _choose)
    others = numeric(state.data)
    if others:
        chosen = [name for name in others if name in state.columns]
        key = choice.another(f"judges columns {state.data.digest[:12]}", chosen)
        # A list that shows names as they are; pills would read them as markdown.
        st.multiselect(
            "Columns of the file", others, chosen, key=key, format_func=clean, on_change=_columns, args=(key,)
        )  # fmt: skip


def _choose(keys: list[str]) -> None:
    held: Judges = st.session_state[KEY]
    held.keys, held.stopped = keys, False
    held.settle()


def _columns(key: str) -> None:
    setter("columns")(list(st.session_state[key]))


def _files(state: Judges) -> None:
    st.caption("Ratings of the open captions, one file per rater; several show how far people agree. Rows such as")
    st.code(EXAMPLE, language=None, wrap_lines=True)
    with st.form("judges raters", border=False, clear_on_submit=True):
        st.file_uploader(
            "Files of ratings", accept_multiple_files=True, max_upload_size=APP.upload // 1_000_000, key=FILES
        )
        st.form_submit_button("Add them", type="primary", on_click=_add)
    for given in state.files:
        st.text(clean(given))
    st.button("Forget these files", disabled=not state.files, on_click=_forget, key="judges forget")


def _add() -> None:
    st.session_state[TRIES] = st.session_state.get(TRIES, 0) + 1
    held: Judges = st.session_state[KEY]
    given = {one.name: one.getvalue() for one in st.session_state.get(FILES) or []}
    try:
        uploads.read_ratings([*(held.files | given).items()], held.data)
    except InvalidInput as error:
        held.message = str(error)
        return
    held.files, held.message = held.files | given, ""


def _forget() -> None:
    st.session_state[KEY].files = {}


def _message(state: Judges) -> None:
    with st.container():  # always there: what comes and goes inside it does not move the rest of the page
        if state.message:
            st.error("These ratings were not taken. What was there still is.", icon=":material/block:")
            st.text(clean(state.message))  # may quote the visitor: never markdown
            state.message = ""


def _teach(state: Judges, found: People, missing: str) -> None:
    rated = bool(found.found.data.ratings or found.found.pairs or found.found.captioners)
    if rated and "missing" not in missing:
        st.info("There is too little to compare with yet.")
        st.text(clean(missing))
    else:
        st.info(TEACH)
    st.button("Rate them here", icon=":material/star:", type="primary", on_click=setter("tab"), args=(RATE,))


def progress(state: Judges, known: Known) -> None:
    owner, wanted = session.owner("judges"), [] if state.stopped else known.tasks
    jobs().want(owner, wanted)
    if wanted:
        total = len(state.keys)
        done = total - len(known.pending)

        def describe(left: list[Job]) -> tuple[float, str]:
            share = (done + left[0].share) / max(total, 1) if known.pending else left[0].share
            return min(share, 1.0), f"{done} of {total} metrics scored; now {left[0].said}"

        bar.show(owner, describe, lambda: setter("stopped")(True))
    elif state.stopped and known.tasks:
        text, button = st.columns([5, 1], vertical_alignment="center")
        left = ", ".join(registry.get(key).label for key in known.pending) or "the agreement"
        text.text(f"Stopped before {left}.")
        button.button("Go on", width="stretch", on_click=setter("stopped"), args=(False,), key="judges go on")


def _made(made: Judging, known: Known) -> None:
    for key, reason in known.failed.items():
        st.text(f"{name(key)} could not score: {clean(reason)}")
    with expander("How the numbers were made", "judges own"):
        st.text(clean(made.protocol))
        for key, badge in made.stand_ins.items():
            st.text(f"{name(key)}: {badge}")
        st.code("\n".join(map(clean, made.signatures.values())), language=None, wrap_lines=True)
