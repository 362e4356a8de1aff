"""Scores of different metrics on one scale: from the worst value a metric has to the best one on show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from capeval_core import registry


@dataclass(frozen=True, slots=True)
class Band:
    """What people's own captions score with one metric."""

    low: float
    middle: float
    high: float


class Scale:
    """The metric's worst value is 0, the best one on show is 1. What has no worst value starts at the worst on show."""

    def __init__(self, key: str, values: Sequence[float], band: Band | None) -> None:
        spec = registry.get(key)
        known = [*values, *((band.low, band.high) if band else ())]
        higher = spec.direction == "higher"
        worst = spec.bounds[0 if higher else 1]
        finite = abs(worst) != float("inf")
        self.worst = worst if finite else (min(known) if higher else max(known))
        best = max(known) if higher else min(known)
        self.width = best - self.worst or 1.0

    def at(self, value: float) -> float:
        return (value - self.worst) / self.width
