"""Above the grid: the image, the caption to change, kinds of change, strength, seed, metrics."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from capeval_core.perturb import FAMILIES, KINDS
from pages.perturb import sources
from pages.perturb.lab import Lab, add, kinds_of
from pages.perturb.sources import INSPECT, PAPER, Source
from pages.widgets import choice, images, metrics, options
from pages.work import keeping, session
from pages.work.lessons import Lesson

LABELS = {"order": "word order"}
STRENGTHS = {1: "1 little", 2: "2 more", 3: "3 most"}
TYPED = "as typed in the grid"


def lab() -> Lab:
    """The visitor's, opened on what Inspect shows; opened anew when that has changed there."""
    ws = session.workspace()
    found = keeping.held("lab", lambda: Lab(metrics=list(ws.metrics), source=INSPECT))
    if found.source == INSPECT:
        source = sources.find(INSPECT, ws)
        if found.opened != source.content:
            sources.open_source(found, source)
    return found


def open_lesson(lesson: Lesson) -> None:
    """Its first caption is changed; the others are rows of one's own."""
    found = lab()
    session.save()  # as it was opened: what the lesson brings is a change
    sources.open_source(found, sources.find(INSPECT, session.workspace()))
    add(found, [text for text in lesson.captions.values() if text != found.caption])
    found.open_key = lesson.metric


def setter(name: str) -> Callable[[Any], None]:
    """What a widget does with a new value: the lab is the one owner."""
    return lambda value: setattr(st.session_state["lab"], name, value)


def show(found: Lab) -> None:
    source = sources.find(found.source, session.workspace())
    picture, controls = st.columns([1, 3.1], gap="large")
    with picture:
        images.show(source.image, source.credit)
    with controls:
        _sources(found)
        _captions(found, source)
        _kinds(found)
        _amounts(found)


def _sources(found: Lab) -> None:
    titles = sources.titles(session.workspace())
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):  # the button as wide as its words
        current = found.source if found.source in titles else PAPER
        choice.pick(
            st.selectbox, "Image", list(titles), current, _open, name="lab source", show=titles.__getitem__
        )  # fmt: skip
        st.button(
            "The paper's example",
            icon=":material/menu_book:",
            help="Table 2 of Kilickaya et al. 2017, its sentences word for word and its numbers beside ours",
            on_click=_open,
            args=(PAPER,),
            disabled=found.source == PAPER,
        )


def _open(identity: str) -> None:
    sources.open_source(st.session_state["lab"], sources.find(identity, session.workspace()))


def _captions(found: Lab, source: Source) -> None:
    left, right = st.columns(2)
    names = {caption: f"{who}: {_short(caption)}" if who else _short(caption) for who, caption in source.captions}
    if found.caption not in names:
        names = {found.caption: f"{TYPED}: {_short(found.caption)}"} | names
    with left:
        choice.pick(
            st.selectbox, "Caption to change", list(names), found.caption, setter("caption"), name="lab caption",
            show=names.__getitem__,
        )  # fmt: skip
    with right:
        places = list(range(len(found.references)))
        if not places:
            st.text("No references: only metrics that need none can score.")
            return
        choice.pick(
            st.selectbox,
            "Original: the reference in the first row",
            places,
            min(found.original, places[-1]),
            setter("original"),
            name="lab original",
            show=lambda place: f"{place + 1}: {_short(found.references[place])}",
        )


def _short(text: str) -> str:
    return text if len(text) <= 90 else text[:89] + "…"


def _kinds(found: Lab) -> None:
    families, single = st.columns([3.4, 1], vertical_alignment="bottom")
    with families:
        on = [one for one in FAMILIES if set(kinds_of([one])) & set(found.kinds)]
        choice.pick_several("Kinds of change", FAMILIES, on, _set_families, name="lab families", show=family_label)
    with single, st.popover(f"{len(found.kinds)} of {len(KINDS)} kinds", icon=":material/checklist:", width="stretch"):
        for family in FAMILIES:
            kinds = kinds_of([family])
            choice.pick_several(
                family_label(family),
                kinds,
                found.kinds,
                partial(_set_kinds, kinds),
                name=f"lab kinds {family}",
                hidden=True,
                show=lambda kind: KINDS[kind].label,
            )


def family_label(family: str) -> str:
    return LABELS.get(family, family)


def _set_families(families: list[str]) -> None:
    """A family that was switched on brings all its kinds; one that stayed on keeps those it had."""
    found: Lab = st.session_state["lab"]
    kept = []
    for family in families:
        kinds = kinds_of([family])
        kept += [kind for kind in kinds if kind in found.kinds] or kinds
    found.kinds = kept


def _set_kinds(kinds: list[str], picked: list[str]) -> None:
    found: Lab = st.session_state["lab"]
    chosen = {*(kind for kind in found.kinds if kind not in kinds), *picked}
    found.kinds = [kind for kind in KINDS if kind in chosen]


def _amounts(found: Lab) -> None:
    strength, seed, chosen, settings = st.columns([2, 1.1, 1, 1], vertical_alignment="bottom")
    with strength:
        choice.pick(
            st.segmented_control, "Strength", list(STRENGTHS), found.strength, setter("strength"), name="lab strength",
            show=STRENGTHS.__getitem__,
        )  # fmt: skip
    with seed:
        choice.set_number(
            st.number_input,
            "Seed",
            0,
            9_999,
            found.seed,
            setter("seed"),
            name="lab seed",
            help="Another seed gives other words; the same one gives the same.",
        )
    with chosen, st.popover("Metrics", icon=":material/tune:", width="stretch"):
        metrics.picker("lab metrics", found.metrics, setter("metrics"))
    with settings, st.popover("Options", icon=":material/settings:", width="stretch"):
        options.form(found.metrics, session.workspace().options, "lab options")
