"""Above the grid: the image, the caption to disturb, kinds of change, strength, seed, metrics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from capeval_core import registry
from capeval_core.perturb import FAMILIES, KINDS
from pages.inspect.references import NO_IMAGE, plain
from pages.perturb import sources as perturb_sources
from pages.perturb.lab import Lab, kinds_of
from pages.perturb.sources import INSPECT, PAPER, Source
from pages.work import session as state

LABELS = {"order": "word order"}
STRENGTHS = {1: "1 little", 2: "2 more", 3: "3 most"}
TYPED = "as typed in the grid"


def lab() -> Lab:
    """The visitor's, opened on what Inspect shows; opened anew when that has changed there."""
    ws = state.workspace()
    if "lab" not in st.session_state:
        st.session_state["lab"] = Lab(metrics=list(ws.metrics), source=INSPECT)
    found: Lab = st.session_state["lab"]
    if found.source == INSPECT:
        source = perturb_sources.find(INSPECT, ws)
        if found.opened != source.content:
            perturb_sources.open_source(found, source)
    return found


def show(found: Lab) -> None:
    source = perturb_sources.find(found.source, state.workspace())
    picture, controls = st.columns([1, 3.1], gap="large")
    with picture:
        if source.image is not None:
            st.image(source.image, width="stretch")
            if source.credit:
                st.caption(plain(source.credit))
        else:
            st.html(NO_IMAGE)
    with controls:
        _sources(found)
        _captions(found, source)
        _kinds(found)
        _amounts(found)


def _sources(found: Lab) -> None:
    titles = perturb_sources.titles(state.workspace())
    pick, paper = st.columns([2.6, 1], vertical_alignment="bottom")
    with pick:
        hold("lab source", found.source if found.source in titles else PAPER)
        st.selectbox("Image", list(titles), key="lab source", format_func=titles.__getitem__, on_change=_source_picked)
    with paper:
        st.button(
            "The paper's example",
            icon=":material/menu_book:",
            help="Table 2 of Kilickaya et al. 2017, its sentences word for word and its numbers beside ours",
            on_click=_open,
            args=(PAPER,),
            width="stretch",
            disabled=found.source == PAPER,
        )


def hold(key: str, value: Any) -> None:
    """A widget whose truth is elsewhere shows that. Untouched where it does already: a click meanwhile is not lost."""
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value


def _source_picked() -> None:
    _open(st.session_state["lab source"])


def _open(identity: str) -> None:
    perturb_sources.open_source(st.session_state["lab"], perturb_sources.find(identity, state.workspace()))


def _captions(found: Lab, source: Source) -> None:
    left, right = st.columns(2)
    names = {caption: f"{who}: {_short(caption)}" if who else _short(caption) for who, caption in source.captions}
    if found.caption not in names:
        names = {found.caption: f"{TYPED}: {_short(found.caption)}"} | names
    with left:
        hold("lab caption", found.caption)
        st.selectbox(
            "Caption to disturb",
            list(names),
            key="lab caption",
            format_func=names.__getitem__,
            on_change=_caption_picked,
        )
    with right:
        places = list(range(len(found.references)))
        if not places:
            st.text("No references: only metrics that need none can score.")
            return
        hold("lab original", min(found.original, places[-1]))
        st.selectbox(
            "Original: the reference in the first row",
            places,
            key="lab original",
            format_func=lambda place: _short(found.references[place]),
            on_change=_original_picked,
        )


def _caption_picked() -> None:
    st.session_state["lab"].caption = st.session_state["lab caption"]


def _original_picked() -> None:
    st.session_state["lab"].original = st.session_state["lab original"]


def _short(text: str) -> str:
    return text if len(text) <= 90 else text[:89] + "…"


def _kinds(found: Lab) -> None:
    families, single = st.columns([3.4, 1], vertical_alignment="bottom")
    with families:
        hold("lab families", [one for one in FAMILIES if set(kinds_of([one])) & set(found.kinds)])
        st.pills(
            "Kinds of change",
            FAMILIES,
            selection_mode="multi",
            key="lab families",
            format_func=lambda one: LABELS.get(one, one),
            on_change=_families_picked,
        )
    with single, st.popover(f"{len(found.kinds)} of {len(KINDS)} kinds", icon=":material/checklist:", width="stretch"):
        for family in FAMILIES:
            key = f"lab kinds {family}"
            hold(key, [kind for kind in kinds_of([family]) if kind in found.kinds])
            st.pills(
                LABELS.get(family, family),
                kinds_of([family]),
                selection_mode="multi",
                key=key,
                format_func=lambda kind: KINDS[kind].label,
                on_change=_kinds_picked,
            )


def _families_picked() -> None:
    """A family that was switched on brings all its kinds; one that stayed on keeps those it had."""
    found: Lab = st.session_state["lab"]
    kept = []
    for family in FAMILIES:
        if family in st.session_state["lab families"]:
            kinds = kinds_of([family])
            kept += [kind for kind in kinds if kind in found.kinds] or kinds
    found.kinds = kept


def _kinds_picked() -> None:
    chosen = {kind for family in FAMILIES for kind in st.session_state.get(f"lab kinds {family}", ())}
    st.session_state["lab"].kinds = [kind for kind in KINDS if kind in chosen]


def _amounts(found: Lab) -> None:
    strength, seed, metrics = st.columns([2.2, 1.2, 1], vertical_alignment="bottom")
    with strength:
        hold("lab strength", found.strength)
        st.segmented_control(
            "Strength",
            list(STRENGTHS),
            key="lab strength",
            format_func=STRENGTHS.__getitem__,
            on_change=_amount,
            args=("strength",),
            required=True,
        )
    with seed:
        hold("lab seed", found.seed)
        st.number_input(
            "Seed",
            0,
            9_999,
            key="lab seed",
            on_change=_amount,
            args=("seed",),
            help="Another seed gives other words; the same one gives the same.",
        )
    with metrics, st.popover("Metrics", icon=":material/tune:", width="stretch"):
        metric_pills("lab metrics", found.metrics, _metrics_picked)


def _amount(name: str) -> None:
    picked = st.session_state[f"lab {name}"]
    if picked is not None:
        setattr(st.session_state["lab"], name, int(picked))


def metric_pills(prefix: str, chosen: list[str], on_change: Callable[[], None]) -> None:
    """The metrics by group; `picked_metrics` reads them."""
    for group in registry.GROUPS:
        keys = [spec.key for spec in registry.select(None) if spec.group == group]
        if keys:
            hold(f"{prefix} {group}", [key for key in keys if key in chosen])
            st.pills(
                group,
                keys,
                selection_mode="multi",
                key=f"{prefix} {group}",
                format_func=lambda key: registry.get(key).label,
                on_change=on_change,
            )


def picked_metrics(prefix: str) -> list[str]:
    chosen = {key for group in registry.GROUPS for key in st.session_state.get(f"{prefix} {group}", ())}
    return [key for key in registry.keys() if key in chosen]


def _metrics_picked() -> None:
    st.session_state["lab"].metrics = picked_metrics("lab metrics")
