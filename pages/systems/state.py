"""What a visitor of the Systems page looks at. Lives in `st.session_state["systems"]`; widgets only mirror it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from capeval_core import registry
from capeval_core.analysis import systems
from capeval_core.analysis.ellipses import SIZE
from pages.systems import data as systems_data
from pages.systems.data import Loaded

KEY = "systems"
VIEWS = ("Scatter", "Any two metrics", "Distributions", "Degradation")
BASES = ("mean of captions", "corpus score")
SCALES = ("reference captioner", "the paper's constants")
CHEAP = ("sparcs", "spurts", "mima")  # what the scatter and the grammar penalty need
SHOWN = 100  # as in the paper's figure
MANY = 1_000  # captions; above, only these are scored unless more are asked for


@dataclass
class Systems:
    data: Loaded
    reference: str = ""
    against: str = ""  # the captioner that significance is measured against
    keys: list[str] = field(default_factory=list)  # chosen metrics, in the registry's order
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
    loads: int = 0
    message: str = ""  # what could not be loaded, shown once

    def settle(self) -> None:
        """Point at things that exist."""
        names = list(self.data.systems)
        self.reference = self.reference if self.reference in names else self.data.first_reference()
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

    def main_axes(self) -> tuple[str, str]:
        """The paper's, whatever is chosen besides."""
        x, y = systems.AXES
        return x, y

    def load(self, data: Loaded) -> None:
        """Other captions: what was chosen stays where it can."""
        self.data, self.point, self.stopped, self.shown = data, None, False, SHOWN
        self.reference = self.against = self.decayed = ""
        self.keys = first_keys(data)
        self.settle()


def first_keys(data: Loaded) -> list[str]:
    if data.given:
        return [key for key in registry.keys() if key in data.given]
    wanted = CHEAP if len(data.items) > MANY else registry.keys()
    return [key for key in registry.keys() if key in wanted]


def current() -> Systems:
    if KEY not in st.session_state:
        data = systems_data.from_samples()
        made = Systems(data, keys=first_keys(data))
        made.settle()
        st.session_state[KEY] = made
    found: Systems = st.session_state[KEY]
    return found


def choice(widget: Callable[..., Any], label: str, name: str, options: Sequence[Any] = (), **more: Any) -> None:
    """A widget for one field: it survives a change of page, for its truth is in the state."""
    key = f"systems {name}"
    st.session_state[key] = getattr(st.session_state[KEY], name)
    given = (label, options) if options else (label,)
    widget(*given, key=key, on_change=_chose, args=(name,), **more)


def _chose(name: str) -> None:
    picked = st.session_state[f"systems {name}"]
    if picked is not None:  # a second click on the open one lets go of it: it stays open
        state: Systems = st.session_state[KEY]
        setattr(state, name, picked)
        state.settle()
