"""The options of the chosen metrics as a form in a popover, made from what the metrics say of their options.

The truth is the caller's: by metric name the Options that differ from the default. The widgets show it, and every
change is written to it by one function; what this machine does not offer is never written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import streamlit as st

from capeval_core import options, registry
from capeval_core.option_fields import OptionField
from capeval_core.resources.available import Available
from pages.widgets import choice

WIDTH = 560  # pixels: a choice is read in one line
DEEPEST = 99  # layer that can be typed where a model does not say how many it has


def form(keys: Iterable[str], current: dict[str, Any], key: str) -> dict[str, Any]:
    """The options of these metric keys and of the metrics they are made of; `current` as it is now."""
    with st.container(width=WIDTH):
        _form(list(keys), current, key)
    return dict(current)


def _form(keys: list[str], current: dict[str, Any], key: str) -> None:
    said = {name: options.describe(name, made) for name, made in current.items()}
    st.text("\n".join(f"{registry.title(name)}: {words}" for name, words in said.items()) or "All as in the default.")
    st.button(
        "Reset to defaults",
        icon=":material/restart_alt:",
        key=f"{key} reset",
        on_click=current.clear,
        disabled=not current,
    )
    for metric in options.with_parts(keys):
        with st.expander(registry.title(metric), key=f"{key} {metric}"):
            _fields(metric, current, key)
    for metric in dict.fromkeys(registry.get(one).metric for one in keys):
        if followed := options.follows(metric):
            others = " and ".join(map(registry.title, followed))
            st.caption(f"{registry.title(metric)} follows the options of {others}.")


def _fields(metric: str, current: dict[str, Any], key: str) -> None:
    chosen = current.get(metric) or options.default(metric)
    for field in options.fields(metric, chosen):
        name, value = f"{key} {metric} {field.name}", getattr(chosen, field.name)

        def write(found: Any, field: OptionField = field) -> None:
            _set(current, metric, field.name, found)

        more: dict[str, Any] = {"name": name, "hidden": True, "help": field.help}
        if field.kind in options.FROM_A_LIST:
            _from_list(metric, field, value, write, more)
        elif field.kind == "flag":
            choice.pick(st.radio, field.label, [False, True], value, write, show=_yes, **more)
        elif field.kind == "whole":
            low, high = int(field.low), DEEPEST if field.high is None else int(field.high)
            choice.set_number(st.number_input, field.label, low, high, value, write, step=1, **more)
        else:
            low_high = float(field.low), float(field.high or 0.0)
            more |= {"step": field.step, "format": "%.2f"}
            choice.set_number(st.number_input, field.label, *low_high, value, write, **more)


def _from_list(metric: str, field: OptionField, value: Any, write: Any, more: dict[str, Any]) -> None:
    offers = {one.name: one for one in options.offers(metric, field.name)}
    shown = options.name_of(metric, field.name, value)
    if shown not in offers and options.allowed(metric, field.name, value):  # trained by this visitor: on no list
        offers[shown] = Available(shown, value, "trained here")
    choice.pick(
        st.selectbox,
        field.label,
        list(offers),
        shown,
        lambda picked: write(offers[picked].value),
        show=lambda one: f"{one} · {offers[one].words}",
        **more,
    )


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _set(current: dict[str, Any], metric: str, name: str, value: Any) -> None:
    """The one place that writes: only what is on offer, and only what differs from the default is kept."""
    if not options.allowed(metric, name, value):
        return
    made = options.changed(metric, current.get(metric) or options.default(metric), name, value)
    if options.differing(metric, made):
        current[metric] = made
    else:
        current.pop(metric, None)
