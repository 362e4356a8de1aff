"""The table of metrics against people over several data sets: one row per metric, ours beside what was published."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from capeval_core import registry
from capeval_core.figures.judge_tables import colour, name
from capeval_core.figures.palette import Palette
from capeval_core.figures.tables import Badge, Bar, Cell, Column, Grid, Row

PUBLISHED_ONLY = "published by others; CapEval does not compute these"


@dataclass(frozen=True, slots=True)
class Standing:
    value: float
    low: float
    high: float
    letters: str = ""  # metrics that share one cannot be told apart


@dataclass(frozen=True, slots=True)
class Measured:
    """One data set."""

    title: str
    unit: str  # what the numbers are, and of how many captions or pairs
    standings: Mapping[str, Standing]
    published: Mapping[str, float] = field(default_factory=dict)  # by metric key, or by name where we have none
    chance: float = 0.0  # what guessing reaches: where bars begin
    scale: float = 1.0  # 100: shown in per cent
    tip: str = ""


def grid(data: Sequence[Measured], order: Sequence[str], marks: Mapping[str, Badge], palette: Palette) -> Grid:
    """`order`: the metrics' keys from the top; `marks`: what stands in for an original, by key."""
    columns = (
        Column(Cell("metric"), "left", names=True),
        *(Column(Cell(one.title, under=one.unit, tip=one.tip), "left") for one in data),
    )
    most = [_most(one) for one in data]
    best = [_best(one) for one in data]
    rows = [
        Row((
            Cell(name(key), badge=marks.get(key)),
            *(_cell(one, key, most[place], best[place], palette) for place, one in enumerate(data)),
        ))
        for key in order
    ]  # fmt: skip
    others = [key for key in dict.fromkeys(key for one in data for key in one.published) if key not in registry.keys()]
    for place, key in enumerate(others):
        cells = (_published(one, key, most[at]) for at, one in enumerate(data))
        rows.append(Row((Cell(key, faint=True), *cells), heading="" if place else PUBLISHED_ONLY))
    return Grid(columns, tuple(rows), full=True)


def _most(one: Measured) -> float:
    """The end of all bars of the column."""
    ends = [*(standing.high for standing in one.standings.values()), *one.published.values()]
    return max((end for end in ends if math.isfinite(end)), default=1.0)


def _best(one: Measured) -> float:
    return max((found.value for found in one.standings.values() if math.isfinite(found.value)), default=math.nan)


def _cell(one: Measured, key: str, most: float, best: float, palette: Palette) -> Cell:
    found = one.standings.get(key)
    if found is None:
        return Cell()
    published = one.published.get(key, math.nan)
    beside = f"({_number(one, published)})" if math.isfinite(published) else ""
    tip = f"{name(key)} on {one.title}: {_number(one, found.value)}"
    if math.isfinite(found.low):
        tip += f", 95 % between {_number(one, found.low)} and {_number(one, found.high)}"
    if beside:
        tip += f"; published {_number(one, published)}"
    return Cell(
        _number(one, found.value),
        beside=beside,
        tip=tip,
        bold=found.value == best,
        bar=_bar(one, found, published, most, colour(key, palette)),
        badge=Badge(found.letters, "metrics that share a letter cannot be told apart") if found.letters else None,
    )


def _published(one: Measured, key: str, most: float) -> Cell:
    if key not in one.published:
        return Cell()
    share = _share(one, one.published[key], most)
    return Cell(beside=f"({_number(one, one.published[key])})", bar=Bar(0.0, 0.0, "none", hollow=share))


def _bar(one: Measured, found: Standing, published: float, most: float, colour: str) -> Bar | None:
    if not math.isfinite(found.value):
        return None
    known = math.isfinite(found.low) and math.isfinite(found.high)
    return Bar(
        0.0,
        _share(one, found.value, most),
        colour,
        span=(_share(one, found.low, most), _share(one, found.high, most)) if known else None,
        hollow=_share(one, published, most) if math.isfinite(published) else None,
    )


def _share(one: Measured, value: float, most: float) -> float:
    """Of the bar's width; what is below chance has none."""
    return min(max((value - one.chance) / max(most - one.chance, 1e-9), 0.0), 1.0)


def _number(one: Measured, value: float) -> str:
    if math.isnan(value):
        return "–"
    return f"{one.scale * value:.1f}" if one.scale > 1 else f"{value:.3f}"
