"""The captioner's error profile as bars beside people's, or another captioner's; a click on one filters."""

from __future__ import annotations

from typing import Any

from capeval_core.explore.kinds import KINDS
from capeval_core.explore.profile import Rate, SystemProfile
from capeval_core.figures.words import clean, short
from pages.explore.found import Found
from pages.explore.state import PEOPLE, held, shown_name
from pages.shell import theme
from pages.web import component
from pages.work.events import new_events

KIND = "bars"
GROUPS = {"content": "against what people say", "form": "of the caption itself"}


def show(found: Found) -> None:
    assert found.explored
    state = found.state
    own, other = profiles(found)
    component.mount(KIND, data(own, other, against_name(found), state.kind, state.seen.get(KIND, 0)), act)


def profiles(found: Found) -> tuple[SystemProfile, SystemProfile | None]:
    """The chosen captioner's, and that of who it is held against."""
    assert found.explored
    against = found.state.against
    other = found.explored.people if against == PEOPLE else found.explored.profiles.get(against)
    return found.explored.profiles[found.state.system], other


def against_name(found: Found) -> str:
    return "people" if found.state.against == PEOPLE else shown_name(short(found.state.against, 20))


def data(own: SystemProfile, other: SystemProfile | None, name: str, chosen: str, ack: int) -> dict[str, Any]:
    """What web/bars.js draws."""
    rates = [*own.rates.values(), *(other.rates.values() if other else ())]
    most = max([one.high for one in rates] + [1.0])
    rows = []
    for kind in KINDS.values():
        rate, their = own.rates[kind.key], other.rates[kind.key] if other else None
        beside = f"\n{name}: {_said(their)}" if their else ""
        rows.append({
            "id": kind.key,
            "label": kind.label,
            "group": GROUPS[kind.group],
            "tip": f"{kind.description}\nper 100 captions: {_said(rate)}{beside}",
            "rate": rate.rate / most,
            "span": [rate.low / most, rate.high / most],
            "value": _number(rate.rate),
            "captions": rate.captions,
            "other": their.rate / most if their else None,
            "beside": f"{clean(name)} {_number(their.rate)}" if their else "",
            "worse": bool(their and rate.low > their.high),
            "better": bool(their and rate.high < their.low),
            "on": kind.key == chosen,
        })  # fmt: skip
    return {"bars": rows, "palette": theme.css_colours(theme.palette()), "ack": ack}


def _number(rate: float) -> str:
    return f"{rate:.0f}" if rate >= 10 or rate == 0 else f"{rate:.1f}"


def _said(rate: Rate) -> str:
    return f"{rate.rate:.1f} (95 % interval {rate.low:.1f} to {rate.high:.1f})"


def act(sent: Any) -> None:
    state = held()
    for event in new_events(sent, state.seen.get(KIND, 0)):
        state.seen[KIND] = event["n"]
        if event.get("op") == "kind" and event.get("id") in KINDS:
            state.kind = "" if state.kind == event["id"] else str(event["id"])
            state.page, state.at = 0, -1
