"""What a visitor of the Learn page trains. Lives in `st.session_state["learn"]`; widgets only mirror it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from capeval_core.training.watched import EPOCHS, SIZES, VARIANTS, Learned, Plan
from pages.widgets import choice
from pages.work import keeping

KEY = "learn"
MADE, OPEN = "Made captions", "The open data set"
SOURCES = (MADE, OPEN)
METRICS = tuple(VARIANTS)


@dataclass(frozen=True)
class Asked:
    """What a model depends on."""

    plan: Plan
    source: str
    digest: str = ""  # of the open data set
    title: str = ""

    @property
    def address(self) -> tuple[object, ...]:
        return "training", self.plan, self.digest


@dataclass
class Learn:
    source: str = MADE
    metric: str = METRICS[0]
    variants: dict[str, str] = field(default_factory=lambda: {name: next(iter(VARIANTS[name])) for name in METRICS})
    epochs: dict[str, int] = field(default_factory=lambda: {name: EPOCHS[name][1] for name in METRICS})
    size: str = next(iter(SIZES))
    seed: int = 1  # counts how often the same was trained
    asked: Asked | None = None  # what was started
    learned: Learned | None = None  # what came of it
    stopped: bool = False

    def settle(self) -> None:
        """What was kept may be of another time: only what can be chosen is held."""
        self.source = self.source if self.source in SOURCES else MADE
        self.metric = self.metric if self.metric in METRICS else METRICS[0]
        self.size = self.size if self.size in SIZES else next(iter(SIZES))
        for name, (least, usual, most) in EPOCHS.items():
            self.epochs[name] = min(max(self.epochs.get(name, usual), least), most)
            known = VARIANTS[name]
            self.variants[name] = self.variants.get(name, "") if self.variants.get(name) in known else next(iter(known))

    @property
    def plan(self) -> Plan:
        return Plan(self.metric, self.variants[self.metric], self.size, self.epochs[self.metric], self.seed)


def current() -> Learn:
    found = keeping.held(KEY, Learn)
    found.settle()
    return found


def setter(name: str) -> Callable[[Any], None]:
    """What a widget does with a new value: the page's state is the one owner. Each metric has settings of its own."""

    def write(value: Any) -> None:
        held: Learn = st.session_state[KEY]
        if isinstance(getattr(held, name), dict):
            getattr(held, name)[held.metric] = value
        else:
            setattr(held, name, value)
        held.settle()

    return write


def pick(widget: Callable[..., Any], label: str, name: str, options: Sequence[str], **more: Any) -> None:
    """One of the options for a field of the state."""
    held: Learn = st.session_state[KEY]
    value = getattr(held, name)
    value = value[held.metric] if isinstance(value, dict) else value
    choice.pick(widget, label, options, value, setter(name), name=f"learn {name}", **more)
