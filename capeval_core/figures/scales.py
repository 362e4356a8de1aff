"""Scores of different metrics on one scale: from 0 to the best one on show, people's included."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from capeval_core import registry
from capeval_core.figures.numbers import tie


@dataclass(frozen=True, slots=True)
class Band:
    """What people's own captions score with one metric."""

    low: float
    middle: float
    high: float


def worst(key: str, value: float) -> bool:
    """Does it read as the worst value the metric has? Such a score is no win, whoever has less."""
    spec = registry.get(key)
    end = spec.bounds[0 if spec.direction == "higher" else 1]
    return not math.isinf(end) and tie(value, end)


class Scale:
    """0 and the best score on show, people's included, become 0 and 1. What is below 0 starts at the worst on show."""

    def __init__(self, key: str, values: Sequence[float], band: Band | None) -> None:
        spec = registry.get(key)
        known = [*values, *((band.low, band.high) if band else ())]
        higher = spec.direction == "higher"
        self.worst: float = min([0.0, *known]) if higher else max(known)
        best = max(known) if higher else min(known)
        self.width: float = best - self.worst or 1.0

    def at(self, value: float) -> float:
        return (value - self.worst) / self.width


def ends(key: str, values: Sequence[float], band: Band | None) -> tuple[float, float]:
    """Where a bar in a table starts and is full: 0 and what people reach, or more where a candidate does.

    Where people's scores are not known, or all 0, the metric's own end: the scores at hand do not say what is much.
    """
    known = [value for value in values if math.isfinite(value)]
    low = min([0.0, *known, *((band.low,) if band else ())])
    high = max((band.high, *known)) if band else registry.get(key).bounds[1]
    if high - low < 5e-4 or math.isinf(high):
        high = max([*known, 1.0])
    return low, high
