"""The run: what it is about, then curves while it trains, then what it learned."""

from __future__ import annotations

import streamlit as st

from capeval_core.figures import learning
from capeval_core.figures.html import line_html
from capeval_core.figures.words import clean
from capeval_core.training.watched import Watched
from pages.learn import choose, views
from pages.learn.state import KEY, MADE, Asked, Learn, setter
from pages.learn.training import job
from pages.shell import theme
from pages.widgets import progress
from pages.work import dataset, session
from pages.work.jobs import Job, jobs

TEACH = {
    "i2ce": (
        "I2CE reads a caption into one vector and learns to write the caption again from it. Two captions are alike "
        "when their vectors are. Press Train and watch: first it learns frequent words, then who does what, and soon "
        "captions of one image find each other. With the made captions this takes about half a minute."
    ),
    "nneval": (
        "NNEval learns to tell people's captions from wrong ones by the scores of other metrics: SPICE, CIDEr, BLEU, "
        "METEOR and WMD. Press Train: some captions are spoiled or taken from other images, all are scored, and a "
        "small network learns which scores people's captions have. With the made captions it takes half a minute."
    ),
}
WAITS = "Getting ready, or waiting for its turn: two models are trained at a time"


def show(held: Learn) -> None:
    owner = session.owner(choose.PAGE)
    if held.asked is None:
        st.info(TEACH[held.metric], icon=":material/school:")
        jobs().want(owner, [])
        return
    if held.learned is not None:
        views.show(held, held.asked, held.learned)
        jobs().want(owner, [])
        return
    if held.stopped:
        jobs().want(owner, [])
        st.warning("Stopped. Nothing was kept of this run.")
        return
    outcome = jobs().find(held.asked.address)
    jobs().want(owner, [job(held.asked, dataset.current())] if outcome is None else [])
    if outcome is None:
        _under_way(held.asked)
    elif outcome.error:
        _failed(outcome.error, held)
    else:
        held.learned = outcome.result
        views.show(held, held.asked, outcome.result)


def _under_way(asked: Asked) -> None:
    def describe(left: list[Job]) -> tuple[float, str]:
        first = left[0]
        return first.share, first.said if first.stage else WAITS

    def draw(running: Job) -> None:
        watched: Watched = running.told
        last = next((point for point in reversed(watched.points) if point.figures), None)
        figures, at = (last.figures, last.at) if last else ({}, 0.0)
        metric, epochs = asked.plan.metric, asked.plan.epochs
        text = "It prepares the captions." if not watched.points else ""
        text = text or learning.under_way(metric, at, epochs, figures, watched.chance)
        st.html(line_html(text, theme.palette(), large=True))
        views.curves(asked.plan, list(watched.points), dict(watched.shipped))

    progress.show(session.owner(choose.PAGE), describe, stop, draw)


def stop() -> None:
    st.session_state[KEY].stopped = True
    jobs().want(session.owner(choose.PAGE), [])


def _failed(error: str, held: Learn) -> None:
    st.warning("No model came of this run.")
    st.text(clean(error))
    if held.asked and held.asked.source != MADE:
        st.text(
            "Open files with more captions above, several of each image (every fifth image is held back to validate "
            "on), or learn from the made captions."
        )
        st.button("Take the made captions", on_click=setter("source"), args=(MADE,), key="learn made")
