"""Where a metric and people differ most: captions that one puts high and the other low, pairs that it turns round.

Captions are compared by their place among all rated ones, from 0 (lowest) to 1 (highest), so that any two scales can be
laid side by side; equal values share the middle of their places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats  # type: ignore[import-untyped]

from capeval_core.analysis.pairs import WINNERS
from capeval_core.types import Array


@dataclass(frozen=True, slots=True)
class Difference:
    row: int
    rating: float  # the mean of the caption's ratings
    score: float
    people: float  # place among the captions by the ratings, 0 to 1
    metric: float  # place by the scores

    @property
    def apart(self) -> float:
        """Above 0: the metric puts it higher than people do."""
        return self.metric - self.people


@dataclass(frozen=True, slots=True)
class Turned:
    """A pair that the metric decides the other way; `apart` in standard deviations of all pairs' differences."""

    better: int  # row of the caption that people prefer
    worse: int
    apart: float


def differences(scores: Array, ratings: Array, most: int, *, lower: bool = False) -> list[Difference]:
    """(captions,) and (captions, raters): the largest first. `lower`: lower scores are better."""
    rated = np.flatnonzero(np.isfinite(scores) & np.isfinite(ratings).any(axis=1))
    if len(rated) < 2:
        return []
    given, values = np.nanmean(ratings[rated], axis=1), scores[rated]
    people, metric = places(given), places(-values if lower else values)
    order = np.argsort(-np.abs(metric - people), kind="stable")[:most]
    return [
        Difference(int(rated[at]), float(given[at]), float(values[at]), float(people[at]), float(metric[at]))
        for at in order
    ]


def turned(
    scores: Array,
    first: Sequence[int],
    second: Sequence[int],
    winners: Sequence[str],
    most: int,
    *,
    lower: bool = False,
) -> list[Turned]:
    """The pairs that the metric decides against people, the clearest first."""
    values = -scores if lower else scores
    apart = values[list(first)] - values[list(second)]
    wrong = apart * np.array([WINNERS[winner] for winner in winners])
    spread = float(np.nanstd(apart)) or 1.0
    order = [at for at in np.argsort(wrong, kind="stable").tolist() if wrong[at] < 0][:most]
    found = []
    for at in order:
        better, worse = (first[at], second[at]) if winners[at] == "first" else (second[at], first[at])
        found.append(Turned(better, worse, float(-wrong[at] / spread)))
    return found


def places(values: Array) -> Array:
    """From 0 (lowest) to 1; equal values share the middle of their places."""
    return np.asarray((stats.rankdata(values) - 1) / max(len(values) - 1, 1))
