"""What a visitor of the Explore page looks at. Lives in `st.session_state["explore"]`; widgets only mirror it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from capeval_core import registry
from capeval_core.explore.kinds import KINDS
from capeval_core.io.dataset import DataSet
from pages.explore import link
from pages.explore.rows import APART, STRENGTH, sides
from pages.widgets import choice
from pages.work import costs, dataset, keeping, session

KEY = "explore"
ERRORS, SLICES, DISAGREE, WORDING, COMPARE = (
    "Errors",
    "Slices",
    "Where metrics disagree",
    "Wording",
    "Compare two captioners",
)
TABS = (ERRORS, SLICES, DISAGREE, WORDING, COMPARE)
FIXED, BROKEN = "Fixed", "Broken"
PEOPLE = ""  # what a captioner is held against, unless it is another captioner
QUICK = 1.0  # seconds per 1,000 captions; what takes longer is scored when it is asked for
MANY = 1_000  # captions; above, only quick metrics are scored unless more is asked for
LONGEST = 100  # letters to search for


@dataclass
class Explore:
    data: DataSet
    tab: str = ERRORS
    system: str = ""
    against: str = PEOPLE
    kind: str = ""  # of error; none: all captions
    slice: str = ""
    ranges: dict[str, tuple[float, float]] = field(default_factory=dict)  # by metric
    ranged: str = ""  # the metric whose range is shown
    words: str = ""
    sort: str = STRENGTH
    page: int = 0
    at: int = -1  # the row of the marked card
    between: tuple[str, str] = ("", "")  # the two metrics, or groups of them, that may disagree
    newer: str = ""  # the captioner that `system` is compared with
    changes: str = FIXED
    keys: list[str] = field(default_factory=list)  # chosen metrics, in the registry's order
    options: dict[str, Any] = field(default_factory=dict)  # the workspace's, read on every run
    stopped: bool = False
    linked: dict[str, str] = field(default_factory=dict)  # what a link asks for, until its data set is open
    followed: str = ""  # the link that was followed last
    seen: dict[str, int] = field(default_factory=dict)  # by component: the number of its last event

    def load(self, data: DataSet) -> None:
        """Other captions: what was chosen for the old ones goes with them."""
        fresh = Explore(data, tab=self.tab, keys=first_keys(data), linked=self.linked, followed=self.followed)
        fresh.seen = self.seen
        self.__dict__.update(fresh.__dict__)
        self.settle()

    def settle(self) -> None:
        """Point at things that exist."""
        names = list(self.data.systems)
        self.system = self.system if self.system in names else first_system(names)
        self.against = self.against if self.against in names and self.against != self.system else PEOPLE
        others = [name for name in names if name != self.system]
        self.newer = self.newer if self.newer in others else (others or [""])[-1]
        self.keys = [key for key in registry.keys() if key in self.keys]
        self.kind = self.kind if self.kind in KINDS else ""
        self.ranges = {key: ends for key, ends in self.ranges.items() if key in self.keys}
        self.ranged = self.ranged if self.ranged in self.keys else ""
        self.sort = self.sort if self.sort in (STRENGTH, APART, *self.keys) else STRENGTH
        first, second = (side if side in sides(self.keys) else "" for side in self.between)
        first = first or next((key for key in self.keys if key != second), "")
        usual = [key for key in ("spice", "bertscore", *self.keys) if key in self.keys and key != first]
        second = second if second and second != first else (usual or [""])[0]
        self.between = first, second
        self.tab = self.tab if self.tab in TABS else ERRORS
        self.changes = self.changes if self.changes in (FIXED, BROKEN) else FIXED


def first_system(names: Sequence[str]) -> str:
    """A machine, where a name tells people from machines."""
    machines = [name for name in names if "human" not in name.lower() and "reference" not in name.lower()]
    return (machines or list(names) or [""])[0]


def first_keys(data: DataSet) -> list[str]:
    if data.scores:
        return [key for key in registry.keys() if key in data.scores]
    if len(data.items) <= MANY:
        return list(registry.keys())
    return [key for key in registry.keys() if costs.cost(key) <= QUICK]


def current() -> Explore:
    """The visitor's, on the data set that is open; a link is followed once."""
    data = dataset.current()
    found = keeping.held(KEY, lambda: _opened(data))
    asked = link.read(st.query_params)
    if asked and link.text(asked) != found.followed:
        found.linked, found.followed = asked, link.text(asked)
    if found.data.digest != data.digest:
        found.load(data)
    if found.linked and link.is_for(found.linked, data.title):
        follow(found)
    found.options = dict(session.workspace().options)
    found.settle()
    return found


def follow(found: Explore) -> None:
    """What the link asks for takes the place of what was chosen."""
    fields = link.fields(found.linked)
    fresh = Explore(found.data, keys=[*found.keys, *fields.get("ranges", {}), fields.get("sort", "")])
    for name in link.FIELDS:
        setattr(found, name, fields.get(name, getattr(fresh, name)))
    found.keys, found.linked, found.page, found.at = fresh.keys, {}, 0, -1
    found.settle()


def _opened(data: DataSet) -> Explore:
    found = Explore(data)
    found.load(data)
    return found


def held() -> Explore:
    found: Explore = st.session_state[KEY]
    return found


def setter(name: str, *, stay: bool = False) -> Callable[[Any], None]:
    """What a widget does with a new value: the page's state is the one owner. Another filter begins at the first card,
    unless it is told to `stay`."""

    def write(value: Any) -> None:
        found = held()
        setattr(found, name, value)
        if not stay:
            found.page, found.at = 0, -1
        found.settle()

    return write


def pick(widget: Callable[..., Any], label: str, name: str, options: Sequence[Any], **more: Any) -> None:
    """One of the options for a field of the state."""
    choice.pick(widget, label, options, getattr(held(), name), setter(name), name=f"explore {name}", **more)


def shown_name(system: str) -> str:
    return system or "(no name)"
