"""The changed captions of a measurement: found by words and kind, ordered by a metric's change, a page at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from capeval_core import registry
from capeval_core.figures import numbers
from capeval_core.figures.charts import tint
from capeval_core.figures.differences import changed, cut
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import clean
from capeval_core.io.dataset import DataSet
from capeval_core.perturb import KINDS
from capeval_core.perturb.study import Study
from capeval_core.registry import MetricSpec
from pages.perturb.grid import counts, relative, shade
from pages.shell import theme
from pages.web import component
from pages.widgets import choice, columns, stand_ins
from pages.work import dataset, session
from pages.work.events import new_events
from pages.work.workspace import Workspace

PAGE = 20  # rows at a time
AS_MADE = "as they were made"
LONGEST = 100  # letters to search for


@dataclass
class Looking:
    """What the visitor looks for among the changed captions."""

    search: str = ""
    kind: str = ""  # none: all of them
    order: str = ""  # the metric whose losses come first; none: as they were made
    page: int = 0
    seen: int = 0  # number of the browser's last event
    opened: int = -1  # the row that was clicked, until it is opened


def show(study: Study, looking: Looking) -> None:
    rows = found(study, looking)
    looking.page = min(looking.page, max(0, (len(rows) - 1) // PAGE))
    _controls(study, looking)
    _pager(looking, len(rows))
    if not rows:
        st.info("No changed caption has these words: search for others, or choose another kind.")
        return
    part = rows[looking.page * PAGE : (looking.page + 1) * PAGE]
    component.mount("changed", table(study, looking, part, theme.palette()), lambda sent: act(looking, sent))
    if 0 <= looking.opened < len(study.variants):
        number, looking.opened = looking.opened, -1
        session.attempt(lambda: to_inspect(study, number, dataset.current()))
        st.switch_page("pages/inspect/page.py")


def found(study: Study, looking: Looking) -> list[int]:
    """The numbers of the variants that are looked for, in order; what is undefined comes last."""
    words = looking.search.lower().split()
    rows = []
    for number, variant in enumerate(study.variants):
        item = study.items[variant.item]
        text = f"{variant.text}\n{item.candidate}\n{variant.change}\n{item.image_id}\n{item.system}".lower()
        if (not looking.kind or variant.kind == looking.kind) and all(word in text for word in words):
            rows.append(number)
    if looking.order in study.scores:
        sign = 1 if registry.get(looking.order).direction == "higher" else -1
        changes = {number: sign * study.change(looking.order, number) for number in rows}
        rows.sort(key=lambda number: (math.isnan(changes[number]), changes[number]))
    return rows


def act(looking: Looking, sent: Any) -> None:
    for event in new_events(sent, looking.seen):
        looking.seen = event["n"]
        if event.get("op") == "open" and type(event.get("id")) is int:
            looking.opened = event["id"]


def to_inspect(study: Study, number: int, data: DataSet) -> None:
    """The image with everybody's captions and the changed one, which is chosen; Compare has what it was made of."""
    variant = study.variants[number]
    item = study.items[variant.item]
    if variant.item < len(data.items) and data.items[variant.item] == item:
        session.open_row(data, variant.item)
    else:  # another data set is open by now
        ws = Workspace(title=f"image {clean(item.image_id)[:60]}")
        ws.set_references(item.references)
        ws.add([item.candidate], clean(item.system))
        session.replace(ws)
    ws = session.workspace()
    before = ws.chosen
    ws.add([variant.text], KINDS[variant.kind].label)
    ws.chosen, ws.other = ws.candidates[-1].id, before
    ws.settle()


def _controls(study: Study, looking: Looking) -> None:
    kinds = [kind for kind in KINDS if any(variant.kind == kind for variant in study.variants)]
    search, kind, order = st.columns([2, 1.2, 1.2], vertical_alignment="bottom")
    with search:
        key = "changed search"
        choice.hold(key, looking.search)
        st.text_input(
            "Search", key=key, max_chars=LONGEST, placeholder="words of a caption, of a change, or an image's name",
            on_change=lambda: _look(looking, "search")(st.session_state[key]),
        )  # fmt: skip
    with kind:
        choice.pick(
            st.selectbox, "Kind of change", ["", *kinds], looking.kind if looking.kind in kinds else "",
            _look(looking, "kind"), name="changed kind", show=lambda one: KINDS[one].label if one else "all kinds",
        )  # fmt: skip
    with order:
        keys = list(study.scores)
        choice.pick(
            st.selectbox, "Largest loss first", ["", *keys], looking.order if looking.order in keys else "",
            _look(looking, "order"), name="changed order",
            show=lambda one: registry.get(one).label if one else AS_MADE,
        )  # fmt: skip


def _look(looking: Looking, name: str) -> Callable[[Any], None]:
    def write(value: Any) -> None:
        setattr(looking, name, value)
        looking.page = 0

    return write


def _pager(looking: Looking, count: int) -> None:
    pages = max(1, math.ceil(count / PAGE))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for name, icon, step in (("Previous page", "chevron_left", -1), ("Next page", "chevron_right", 1)):
            there = 0 <= looking.page + step < pages
            st.button(
                name, icon=f":material/{icon}:", disabled=not there, key=f"changed {name}",
                on_click=_turn, args=(looking, step),
            )  # fmt: skip
        first = looking.page * PAGE
        st.text(f"{first + 1:,} to {min(first + PAGE, count):,} of {count:,} changed captions" if count else "none")


def _turn(looking: Looking, step: int) -> None:
    looking.page += step


def table(study: Study, looking: Looking, rows: Sequence[int], palette: Palette) -> dict[str, Any]:
    """What web/changed.js draws."""
    specs = [spec for spec in registry.select(None) if spec.key in study.scores]
    return {
        "groups": columns.groups(specs, palette),
        "columns": [columns.column(spec, [], {}, palette) for spec in specs],
        "rows": [_row(study, number, specs, palette) for number in rows],
        "palette": theme.css_colours(palette) | {"changed": tint(palette.accent, 0.16)},
        "ack": looking.seen,
    }


def _row(study: Study, number: int, specs: Sequence[MetricSpec], palette: Palette) -> dict[str, Any]:
    variant = study.variants[number]
    item = study.items[variant.item]
    about = [clean(part)[:60] for part in (item.image_id, item.system) if part]
    return {
        "id": number,
        "label": KINDS[variant.kind].label,
        "about": ", ".join(about),
        "note": variant.change,
        "text": variant.text,
        "pieces": [list(piece) for piece in cut(variant.text, changed(item.candidate, variant.text))],
        "was": item.candidate,
        "cells": [_cell(study, number, spec, palette) for spec in specs],
    }


def _cell(study: Study, number: int, spec: MetricSpec, palette: Palette) -> dict[str, str | bool]:
    values = study.scores[spec.key]
    after = float(values[len(study.items) + number])
    change = study.change(spec.key, number)
    if math.isnan(change):
        return {"t": numbers.score(after), "c": "", "shade": "", "tip": f"{spec.label}: undefined for one of the two"}
    before = float(values[study.variants[number].item])
    unfit = stand_ins.unfit(study.stand_ins.get(spec.key), study.variants[number].kind)
    return {
        "t": numbers.score(after),
        "c": "=" if abs(change) < 5e-10 else "≈ 0" if abs(change) < 5e-4 else numbers.change(change),
        "shade": shade(spec, relative(before, after), palette) if counts(before, after) else "",
        "tip": f"{spec.label} {after:.6g}; the caption it was made of has {before:.6g}"
        + (f"\n{stand_ins.UNFIT}" if unfit else ""),
        "unfit": unfit,
    }
