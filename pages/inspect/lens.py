"""Lens: one caption under several settings of one metric: why two papers print different numbers for it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import streamlit as st

from capeval_core import CapEvalError, CaptionItem, figures, registry
from capeval_core import options as metric_options
from capeval_core.figures import tables
from capeval_core.figures.html import shown_value
from capeval_core.figures.numbers import change
from capeval_core.figures.palette import Palette
from capeval_core.figures.tables import Column, Grid, Row
from capeval_core.options import OptionField
from capeval_core.registry import MetricSpec
from pages.widgets import choice, progress
from pages.work import keeping, session
from pages.work.cells import Cell, Options, cells, explain

WITHIN = 1.0  # seconds an answer waits for scores
MOST_STEPS = 13  # of a whole number: layers of a transformer
FIRST = 4  # settings shown at first, the default among them


@dataclasses.dataclass
class Picked:
    """Which settings the visitor looks at; `st.session_state["lens"]`."""

    settings: dict[str, list[str]] = dataclasses.field(default_factory=dict)  # by metric name, in words


def settings(spec: MetricSpec, own: Mapping[str, Any]) -> dict[str, Options]:
    """In words -> options by metric name: the default, the visitor's own, and each option changed alone."""
    found: dict[str, Options] = {"default": {}}
    mine = {name: own[name] for name in spec.behind if name in own}
    if mine:
        said = ", ".join(metric_options.describe(name, options) for name, options in mine.items())
        found[f"yours: {said}"] = mine
    for name in spec.behind:
        for field in metric_options.fields(name):
            for value in alternatives(name, field):
                try:
                    made = metric_options.make(name, {field.name: value})
                except CapEvalError:  # goes only together with another option
                    continue
                said = metric_options.describe(name, made)
                if said:
                    found[said if name == spec.metric else f"{registry.title(name)}: {said}"] = {name: made}
    return found


def alternatives(metric: str, field: OptionField) -> list[Any]:
    if field.kind in metric_options.FROM_A_LIST:
        return [offer.value for offer in metric_options.offers(metric, field.name)]
    if field.kind == "flag":
        return [True, False]
    if field.kind == "whole" and field.high is not None:
        steps = range(int(field.low), int(field.high) + 1)
        return list(steps) if len(steps) <= MOST_STEPS else []
    return []


def show(item: CaptionItem, key: str, own: Mapping[str, Any], palette: Palette) -> None:
    spec = registry.get(key)
    known = settings(spec, own)
    if len(known) == 1:
        st.info(f"{spec.label} has no options to change.")
        return
    st.caption("The same caption and references under other settings of the same metric. Each row is one setting.")
    held = keeping.held("lens", Picked, ready=True)
    picked = held.settings.get(spec.metric, list(known)[:FIRST])

    def write(names: list[str]) -> None:
        held.settings[spec.metric] = names

    choice.pick_several("Settings", list(known), picked, write, name=f"lens {spec.metric}")
    chosen = {name: known[name] for name in known if name in picked}
    store, owner = cells(), session.owner("lens")
    store.jobs.want(owner, [job for options in chosen.values() for job in store.missing([item], [key], options)])
    store.jobs.finish(owner, WITHIN)
    found = {name: store.get(item, key, options) for name, options in chosen.items()}
    _draw(item, key, chosen, {name: cell for name, cell in found.items() if cell}, palette)
    if not all(found.values()):
        progress.show(owner)


def _draw(
    item: CaptionItem, key: str, asked: Mapping[str, Options], found: Mapping[str, Cell], palette: Palette
) -> None:
    if not found:
        return
    first = found["default"].value if "default" in found else float("nan")
    rows = [
        Row(tuple(map(tables.Cell, (name, shown_value(cell.value), change(cell.value - first), said))))
        for name, cell in found.items()
        for said in [_sentence(item, key, asked[name], cell, palette)]
    ]
    heads = ("setting", registry.get(key).label, "against the default", "what it says")
    left, right = Column(align="left", wraps=True), Column(wraps=True)
    columns = [
        dataclasses.replace(column, head=tables.Cell(head))
        for head, column in zip(heads, (left, right, right, dataclasses.replace(left, wide=True)), strict=True)
    ]
    st.html(tables.render(Grid(tuple(columns), tuple(rows), full=True, stacks=True), palette))
    made = [cell.signature for cell in found.values() if cell.signature]
    st.code("\n".join(made), language=None, wrap_lines=True)


def _sentence(item: CaptionItem, key: str, options: Options, cell: Cell, palette: Palette) -> str:
    if not cell.defined:
        return cell.note
    return figures.draw(explain(item, key, options), palette).sentence
