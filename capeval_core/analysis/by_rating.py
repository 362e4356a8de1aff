"""Score by rating: how a metric's scores lie for each rating people gave.

Paper:     Kilickaya et al. 2017, "Re-evaluating Automatic Metrics for Image Captioning", Figure 3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from capeval_core.types import Array

MOST = 10  # different ratings that are shown one by one; more are put into ranges
RANGES = 5
SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, slots=True)
class Level:
    """The scores of the captions with one rating, or with ratings from `low` to `high`."""

    low: float
    high: float
    count: int
    mean: float
    quantiles: tuple[float, float, float, float, float]  # 5, 25, 50, 75 and 95 per cent of the scores lie below


def by_rating(values: Array, ratings: Array) -> tuple[Level, ...]:
    """One level per rating from the lowest up; ranges of equal width where there are many; none without scores."""
    known = np.isfinite(values) & np.isfinite(ratings)
    values, ratings = values[known], ratings[known]
    different = np.unique(ratings)
    if len(different) <= MOST:
        chosen = [(rating, rating, ratings == rating) for rating in different.tolist()]
    else:
        edges = np.linspace(different[0], different[-1], RANGES + 1)
        place = np.clip(np.searchsorted(edges, ratings, side="right") - 1, 0, RANGES - 1)
        chosen = [(float(edges[at]), float(edges[at + 1]), place == at) for at in range(RANGES)]
    return tuple(_level(low, high, values[rows]) for low, high, rows in chosen if rows.any())


def _level(low: float, high: float, values: Array) -> Level:
    a, b, c, d, e = np.quantile(values, SHARES).tolist()
    return Level(low, high, len(values), float(values.mean()), (a, b, c, d, e))
