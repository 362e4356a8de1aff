"""What a visitor of the Systems page looks at. Lives in `st.session_state["systems"]`; widgets only mirror it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from capeval_core import registry
from capeval_core.analysis import systems
from capeval_core.analysis.ellipses import SIZE
from capeval_core.io.dataset import DataSet
from pages.widgets import choice
from pages.work import costs, dataset, keeping, session

KEY = "systems"
VIEWS = ("Scatter", "Any two metrics", "Distributions", "Degradation")
BASES = ("mean of captions", "corpus score")
SCALES = ("reference captioner", "the paper's constants")
NEEDED = (*systems.AXES, systems.GRAMMAR)  # what the scatter and the grammar penalty need
QUICK = 1.0  # seconds per 1,000 captions; what takes longer is scored when it is asked for
SHOWN = 100  # as in the paper's figure
MANY = 1_000  # captions; above, only what is needed or quick is scored unless more is asked for


@dataclass
class Systems:
    data: DataSet
    reference: str = ""
    against: str = ""  # the captioner that significance is measured against
    keys: list[str] = field(default_factory=list)  # chosen metrics, in the registry's order
    options: dict[str, Any] = field(default_factory=dict)  # the workspace's, read on every run
    axes: tuple[str, str] = ("", "")  # of the second view
    view: str = VIEWS[0]
    basis: str = BASES[0]
    scale: str = SCALES[0]
    size: float = SIZE  # of the ellipses, in standard deviations
    shown: int = SHOWN  # images whose captions are drawn
    point: int | None = None  # the row that was clicked
    decaying: str = ""  # metric of the degradation study
    decayed: str = ""  # captioner of it
    stopped: bool = False

    def settle(self) -> None:
        """Point at things that exist."""
        names = list(self.data.systems)
        self.reference = self.reference if self.reference in names else first_reference(self.data)
        self.against = self.against if self.against in names else self.reference
        self.decayed = self.decayed if self.decayed in names else self.reference
        self.keys = [key for key in registry.keys() if key in self.keys]
        x, y = (key if key in self.keys else "" for key in self.axes)
        free = [key for key in self.keys if key not in (x, y)]
        x = x or (free.pop(0) if free else "")
        self.axes = x, y or (free.pop(0) if free else "")
        decaying = [key for key in (self.decaying, systems.GRAMMAR, *self.keys) if key in registry.keys()]
        self.decaying = decaying[0] if decaying else ""
        self.point = self.point if self.point is not None and self.point < len(self.data.items) else None

    @property
    def content(self) -> tuple[object, ...]:
        """Of everything a result can depend on."""
        return self.data.digest, tuple(sorted(self.options.items()))

    def main_axes(self) -> tuple[str, str]:
        """The paper's, whatever is chosen besides."""
        x, y = systems.AXES
        return x, y

    def load(self, data: DataSet) -> None:
        """Other captions: what was chosen stays where it can."""
        self.data, self.point, self.stopped, self.shown = data, None, False, SHOWN
        self.reference = self.against = self.decayed = ""
        self.keys = first_keys(data)
        self.settle()


def first_reference(data: DataSet) -> str:
    """The captioner to compare with: people, where a name says so."""
    named = [name for name in data.systems if "human" in name.lower() or "reference" in name.lower()]
    return (named or list(data.systems))[0]


def first_keys(data: DataSet) -> list[str]:
    if data.scores:
        return [key for key in registry.keys() if key in data.scores]
    if len(data.items) <= MANY:
        return list(registry.keys())
    return [key for key in registry.keys() if key in NEEDED or costs.cost(key) <= QUICK]


def current() -> Systems:
    """The visitor's, on the data set that is open."""
    data = dataset.current()
    if KEY not in st.session_state:
        keeping.held(KEY, lambda: _opened(data)).settle()
    found = keeping.held(KEY, lambda: _opened(data))
    if found.data.digest != data.digest:
        found.load(data)
    found.options = dict(session.workspace().options)
    return found


def _opened(data: DataSet) -> Systems:
    found = Systems(data)
    found.load(data)
    return found


def setter(name: str) -> Callable[[Any], None]:
    """What a widget does with a new value: the page's state is the one owner."""

    def write(value: Any) -> None:
        state: Systems = st.session_state[KEY]
        setattr(state, name, value)
        state.settle()

    return write


def pick(widget: Callable[..., Any], label: str, name: str, options: Sequence[Any], **more: Any) -> None:
    """One of the options for a field of the state."""
    current = getattr(st.session_state[KEY], name)
    choice.pick(widget, label, options, current, setter(name), name=f"systems {name}", **more)
