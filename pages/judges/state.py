"""What a visitor of the Judges page looks at. Lives in `st.session_state["judges"]`; widgets only mirror it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from capeval_core import registry
from capeval_core.io.dataset import DataSet
from pages.judges.rating import Rating
from pages.widgets import choice
from pages.work import dataset, keeping, plain, session

KEY = "judges"
MEASURED, OWN, RATE = "Metrics against people", "Your ratings", "Rate here"
TABS = (MEASURED, OWN, RATE)
TABLE = "Table"
MANY = 1_000  # captions; above, only metrics that need no model are scored unless more are asked for


@dataclass
class Judges:
    data: DataSet
    tab: str = MEASURED
    shipped: str = "flickr8k-expert"  # which of the measured data sets
    shipped_view: str = TABLE
    view: str = ""  # of the visitor's own ratings
    keys: list[str] = field(default_factory=list)  # chosen metrics, in the registry's order
    columns: list[str] = field(default_factory=list)  # columns of the file that count as metrics
    options: dict[str, Any] = field(default_factory=dict)  # the workspace's, read on every run
    way: str = "flatten"  # how several ratings of a caption are taken
    headline: str = "kendall_c"
    metric: str = ""  # the one whose differences with people are listed
    files: dict[str, bytes] = field(default_factory=dict)  # raters' files, by name
    message: str = ""  # why the last file was not taken
    stopped: bool = False
    rating: Rating = field(default_factory=Rating, metadata={plain.WAYS: (Rating.kept, Rating.found)})
    seen: dict[str, int] = field(default_factory=dict)  # events of our components

    def load(self, data: DataSet) -> None:
        """Other captions: ratings of the old ones go with them."""
        self.data, self.files, self.message, self.stopped = data, {}, "", False
        self.keys, self.columns = first_keys(data), []
        self.rating = Rating(data, rater=self.rating.rater)
        self.view = self.metric = ""

    def settle(self) -> None:
        self.keys = [key for key in registry.keys() if key in self.keys]
        self.columns = [name for name in numeric(self.data) if name in self.columns]
        metrics = [*self.keys, *self.columns]
        self.metric = self.metric if self.metric in metrics else (metrics or [""])[0]


def first_keys(data: DataSet) -> list[str]:
    if data.scores:
        return [key for key in registry.keys() if key in data.scores]
    return [spec.key for spec in registry.select(None) if len(data.items) <= MANY or not spec.resources]


def numeric(data: DataSet) -> list[str]:
    """Columns of the file that could be a metric's scores."""

    def fits(values: Sequence[Any]) -> bool:
        known = {value for value in values if value is not None}
        return len(known) > 1 and all(isinstance(value, int | float) and not isinstance(value, bool) for value in known)

    return [name for name, values in data.columns.items() if name not in registry.keys() and fits(values)]


def current() -> Judges:
    """The visitor's, on the data set that is open."""
    data = dataset.current()
    found = keeping.held(KEY, lambda: _opened(data))
    if found.data.digest != data.digest:
        found.load(data)
    found.rating.data = found.data  # a session that was kept has none yet
    found.options = dict(session.workspace().options)
    found.settle()
    return found


def _opened(data: DataSet) -> Judges:
    found = Judges(data)
    found.load(data)
    return found


def setter(name: str) -> Callable[[Any], None]:
    """What a widget does with a new value: the page's state is the one owner."""

    def write(value: Any) -> None:
        held: Judges = st.session_state[KEY]
        setattr(held, name, value)
        held.settle()

    return write


def pick(widget: Callable[..., Any], label: str, name: str, options: Sequence[Any], **more: Any) -> None:
    """One of the options for a field of the state."""
    held = getattr(st.session_state[KEY], name)
    choice.pick(widget, label, options, held, setter(name), name=f"judges {name}", **more)
