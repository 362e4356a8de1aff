"""Pearson, Spearman, Kendall tau-b and tau-c of a metric's values with ratings: of the rows, and of many samples.

References: scipy.stats for the rows themselves; tau-c is Stuart's. The samples draw images, so a row counts as often as
its image was drawn: `Table` works on those counts and gives what scipy would say of the rows written out.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy import sparse, stats  # type: ignore[import-untyped]

from capeval_core.analysis.bootstrap import Ints
from capeval_core.analysis.concordance import Concordance, adder, running_sums
from capeval_core.types import Array

NAMES = ("pearson", "spearman", "kendall_b", "kendall_c")
CELLS_AT_ONCE = 1_500_000  # of the table rows x samples; larger ones cost more in memory than they save in steps


def coefficients(values: Array, ratings: Array) -> Array:
    """(4,) in the order of NAMES; NaN where either is constant or there are fewer than two rows."""
    if len(values) < 2 or np.ptp(values) == 0 or np.ptp(ratings) == 0:
        return np.full(len(NAMES), np.nan)
    return np.array(
        [
            stats.pearsonr(values, ratings).statistic,
            stats.spearmanr(values, ratings).statistic,
            stats.kendalltau(values, ratings, variant="b").statistic,
            stats.kendalltau(values, ratings, variant="c").statistic,
        ]
    )


class Table:
    """A metric's values beside ratings (no NaN), each row with the number of its image."""

    def __init__(self, values: Array, ratings: Array, owners: Ints, images: int) -> None:
        first, second = dense_ranks(values), dense_ranks(ratings)
        width = int(second.max(initial=0)) + 1
        cells, cell_of = np.unique(first * width + second, return_inverse=True)
        self._first, self._second = cells // width, cells % width
        self._counts = sparse.csr_array((np.ones(len(values)), (cell_of, owners)), shape=(len(cells), images))
        self._by_value = adder(self._first, int(self._first.max(initial=-1)) + 1)
        self._by_rating = adder(self._second, width)
        self._moments = _moments(values, ratings, owners, images)

    @cached_property
    def _concordance(self) -> Concordance:
        return Concordance(self._first, self._second)

    def coefficients(self, drawn: Array) -> Array:
        """(samples, images), how often each image counts -> (samples, 4); NaN where a sample is constant."""
        step = max(1, CELLS_AT_ONCE // max(len(self._first), 1))
        parts = [self._few(drawn[start : start + step]) for start in range(0, len(drawn), step)]
        return np.concatenate([np.empty((0, len(NAMES))), *parts])

    def _few(self, drawn: Array) -> Array:
        weights: Array = self._counts @ drawn.T  # (cells, samples)
        total = weights.sum(axis=0)
        groups = (self._by_value @ weights, self._by_rating @ weights)
        agreed = self._concordance.score(weights)
        classes = np.minimum(*((found > 0).sum(axis=0) for found in groups))
        with np.errstate(divide="ignore", invalid="ignore"):
            free = [(total**2 - np.einsum("gs,gs->s", found, found)) / 2 for found in groups]  # pairs not tied
            kendall_b = agreed / np.sqrt(free[0] * free[1])
            kendall_c = 2 * agreed / (total**2 * (classes - 1) / classes)
            spearman = self._spearman(weights, groups, total)
            pearson = _pearson(drawn @ self._moments)
        found = np.stack([pearson, spearman, kendall_b, kendall_c], axis=1)
        found[classes < 2] = np.nan
        return np.asarray(np.clip(found, -1.0, 1.0))

    def _spearman(self, weights: Array, groups: tuple[Array, Array], total: Array) -> Array:
        """Pearson of the ranks that each sample gives anew, counted from the middle of all."""
        by_value, by_rating = (running_sums(found) - found / 2 - total / 2 for found in groups)
        ranked = by_value if len(by_value) == len(weights) else by_value[self._first]
        products = ((self._by_rating @ (weights * ranked)) * by_rating).sum(axis=0)
        spread = [(total**3 - np.einsum("gs,gs,gs->s", found, found, found)) / 12 for found in groups]
        return np.asarray(products / np.sqrt(spread[0] * spread[1]))


def dense_ranks(values: Array) -> Ints:
    """0, 1, 2, ... in the order of the values; equal values share one."""
    return np.asarray(np.unique(values, return_inverse=True)[1], dtype=np.int64)


def _moments(values: Array, ratings: Array, owners: Ints, images: int) -> Array:
    """(images, 6): number, sums, squares and products; of standardised values, so that nothing is lost by rounding."""
    x, y = (_standardised(column) for column in (values, ratings))
    columns = (np.ones(len(x)), x, y, x * x, y * y, x * y)
    return np.stack([np.bincount(owners, column, minlength=images) for column in columns], axis=1)


def _standardised(values: Array) -> Array:
    if not len(values):
        return values
    centred = values - values.mean()
    return np.asarray(centred / (np.abs(centred).max() or 1.0))


def _pearson(sums: Array) -> Array:
    """(samples, 6) as of `_moments` -> (samples,)"""
    number, x, y, xx, yy, xy = sums.T
    spread = (number * xx - x * x) * (number * yy - y * y)
    return np.asarray((number * xy - x * y) / np.sqrt(spread))
