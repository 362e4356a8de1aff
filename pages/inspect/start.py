"""What CapEval is for, in one line, and three ways to start: a sample, one's own captions, a data set."""

from __future__ import annotations

import streamlit as st

from pages.widgets import data_bar
from pages.widgets.popover import popover
from pages.work import dataset, samples, session
from pages.work.workspace import Workspace

TAGLINE = "See why an image caption got its score, from every metric at once."
OWN_HINT = (
    "Empties this page: then upload your image (or go without one), and paste what people wrote about it and the "
    "captions to score, one per line."
)


def show() -> None:
    with st.container(key="start", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f"<p>{TAGLINE} <span>Start with</span></p>", width="content")
        st.button("a sample", type="tertiary", on_click=_next_sample, help="The next of the samples that come along.")
        st.button("your own image and captions", type="tertiary", on_click=_own, help=OWN_HINT)
        with popover("a data set", name=data_bar.OPEN, type="tertiary"):
            data_bar.choose(_opened)


def _next_sample() -> None:
    order = [one.id for one in samples.samples()]
    ws = session.workspace()
    place = order.index(ws.sample) + 1 if ws.sample in order else 0
    found = session.from_sample(order[place % len(order)])
    found.metrics, found.options = list(ws.metrics), dict(ws.options)
    session.replace(found)


def _own() -> None:
    ws = session.workspace()
    session.replace(Workspace(metrics=list(ws.metrics), options=dict(ws.options)))


def _opened() -> None:
    """Its first image; or why the files could not be opened."""
    message = dataset.take_message()
    if message:
        session.workspace().message = message
    else:
        session.attempt(lambda: session.open_row(dataset.current(), 0))
