"""What to train: captions, metric, variant, how large and how long."""

from __future__ import annotations

import streamlit as st

from capeval_core import registry
from capeval_core.figures.words import clean, plural, short
from capeval_core.io.dataset import DataSet
from capeval_core.training.made_captions import CAPTIONS, SCENES
from capeval_core.training.watched import EPOCHS, READ, SIZES, VARIANTS
from pages.learn.state import KEY, METRICS, OPEN, SOURCES, Asked, Learn, pick, setter
from pages.learn.training import job
from pages.widgets import choice
from pages.work import dataset, session
from pages.work.jobs import jobs

TITLES = {"i2ce": "I2CE", "nneval": "NNEval"}  # they are trained also where no shipped model is on the list
PAGE = "learn"


def show(held: Learn) -> None:
    data = dataset.current()
    pick(st.segmented_control, "Captions to learn from", "source", SOURCES)
    st.text(about(held, data))
    pick(st.segmented_control, "Metric", "metric", METRICS, show=title)
    pick(st.segmented_control, "Variant", "variants", list(VARIANTS[held.metric]))
    st.caption(f"{VARIANTS[held.metric][held.variants[held.metric]]}.".capitalize())
    pick(st.segmented_control, "Size", "size", list(SIZES), help="; ".join(f"{n}: {w}" for n, w in SIZES.items()))
    least, _, most = EPOCHS[held.metric]
    choice.set_number(
        st.slider, "Epochs", least, most, held.epochs[held.metric], setter("epochs"),
        name=f"learn epochs {held.metric}",
        help=f"How often all captions are read. A run reads at most {READ:,} captions in all.",
    )  # fmt: skip
    busy = bool(jobs().of(session.owner(PAGE)))
    st.button("Train", type="primary", width="stretch", disabled=busy, on_click=start, key="learn train")


def title(metric: str) -> str:
    return registry.title(metric) if metric in registry.metrics() else TITLES[metric]


def about(held: Learn, data: DataSet) -> str:
    if held.source == OPEN:
        return f"The references in {short(clean(data.title), 60)}: {plural(len(data.images_rows), 'image')}."
    return f"{SCENES} scenes with {CAPTIONS} captions each, made by a small grammar. Good to watch, too simple for use."


def start() -> None:
    held: Learn = st.session_state[KEY]
    data = dataset.current()
    own = held.source == OPEN
    held.asked = Asked(held.plan, held.source, data.digest if own else "", data.title if own else "")
    held.learned, held.stopped = None, False
    jobs().forget_failures()
    jobs().want(session.owner(PAGE), [job(held.asked, data)])


def again() -> None:
    """The same once more, from other random numbers."""
    held: Learn = st.session_state[KEY]
    held.seed += 1
    start()
