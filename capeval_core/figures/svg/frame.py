"""Where things stand in a chart: from the figure's numbers and names to pixels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from capeval_core.figures.svg import text

Layout = Mapping[str, Any]
TICK = 13.0  # size of the letters beside an axis, where the figure says nothing


@dataclass(frozen=True, slots=True)
class Axis:
    layout: Layout
    names: tuple[str, ...] = ()  # of a category axis
    low: float = 0.0
    high: float = 1.0
    ticks: tuple[tuple[float, str], ...] = ()

    @property
    def size(self) -> float:
        return float((self.layout.get("tickfont") or {}).get("size", TICK))

    @property
    def title(self) -> str:
        return str((self.layout.get("title") or {}).get("text", ""))

    @property
    def widest(self) -> float:
        return max((text.width(name, self.size) for _, name in self.ticks), default=0.0)

    def number(self, value: Any) -> float:
        return float(self.names.index(value)) if isinstance(value, str) else float(value)


def axis(layout: Layout, values: Sequence[Any], bars: bool) -> Axis:
    """`bars`: what it holds has width, half a step at each end."""
    names = tuple(dict.fromkeys(one for one in values if isinstance(one, str)))
    numbers = [names.index(one) if isinstance(one, str) else float(one) for one in values]
    finite = [one for one in numbers if math.isfinite(one)] or [0.0]
    edge = 0.5 if bars or names else 0.05 * (max(finite) - min(finite)) or 0.5
    low, high = layout.get("range") or (min(finite) - edge, max(finite) + edge)
    if layout.get("autorange") == "reversed":
        low, high = high, low
    return Axis(layout, names, float(low), float(high), tuple(_ticks(layout, names, float(low), float(high))))


def _ticks(layout: Layout, names: Sequence[str], low: float, high: float) -> Iterable[tuple[float, str]]:
    if layout.get("visible") is False or layout.get("showticklabels") is False:
        return []
    given = layout.get("tickvals")
    if given is not None:
        said = layout.get("ticktext")
        shown = [str(one) for one in said] if said is not None else [f"{one:g}" for one in given]
        return zip(
            (float(one) for one in given), (one + (layout.get("ticksuffix") or "") for one in shown), strict=True
        )
    if names:
        return [(float(place), name + (layout.get("ticksuffix") or "")) for place, name in enumerate(names)]
    bottom, top = sorted((low, high))
    step = 10.0 ** math.floor(math.log10((top - bottom) / 4 or 1.0))
    step *= next(times for times in (1, 2, 5, 10) if (top - bottom) / (step * times) <= 8)
    return [(n * step, f"{n * step:g}") for n in range(math.ceil(bottom / step), math.floor(top / step) + 1)]


@dataclass(frozen=True, slots=True)
class Frame:
    """The part of the drawing between the axes."""

    width: float
    height: float
    x: Axis
    y: Axis
    left: float
    right: float
    top: float
    bottom: float
    colour: str  # of the letters
    size: float

    def across(self, value: Any) -> float:
        share = (self.x.number(value) - self.x.low) / (self.x.high - self.x.low)
        return self.left + share * (self.width - self.left - self.right)

    def down(self, value: Any) -> float:
        share = (self.y.number(value) - self.y.low) / (self.y.high - self.y.low)
        return self.height - self.bottom - share * (self.height - self.top - self.bottom)

    @property
    def step(self) -> tuple[float, float]:
        """Pixels of one unit of each axis."""
        return abs(self.across(1) - self.across(0)), abs(self.down(1) - self.down(0))


def frame(layout: Layout, x: Axis, y: Axis, width: float, above: float) -> Frame:
    """`above`: pixels that a legend takes."""
    margin = {"l": 10.0, "r": 10.0, "t": 10.0, "b": 10.0} | dict(layout.get("margin") or {})
    names = text.LINE * x.size * max((text.lines(name) for _, name in x.ticks), default=0)
    turned = abs(math.sin(math.radians(x.layout.get("tickangle") or 0))) * x.widest
    beside = (max(names, turned) + 8) if x.ticks else 0.0
    at_top = x.layout.get("side") == "top"
    font = layout.get("font") or {}
    return Frame(
        width,
        float(layout["height"]) + above,
        x,
        y,
        left=margin["l"] + (y.widest + 6 if y.ticks else 0) + (22 if y.title else 0),
        right=margin["r"],
        top=margin["t"] + above + (beside if at_top else 0),
        bottom=margin["b"] + (0 if at_top else beside) + (22 if x.title else 0),
        colour=str(font.get("color", "#000000")),
        size=float(font.get("size", TICK)),
    )
