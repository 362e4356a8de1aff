"""Accuracy on pairs: how often a metric prefers the caption that people prefer, by group of pairs.

Papers:    Vedantam et al. 2015 (CIDEr; PASCAL-50S and ABSTRACT-50S), Kilickaya et al. 2017 section 3.2 (Table 4).
Ties:      a tie counts half, whether the metric is undecided or people are.
Interval:  images drawn again; where every pair of a group counts the same, the exact binomial one.
Test:      is one metric right more often than another? A paired t test over images: the pairs of an image are not
           independent of each other, so each image gives one difference.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats  # type: ignore[import-untyped]

from capeval_core.analysis import bootstrap
from capeval_core.analysis.correlations import number
from capeval_core.analysis.williams import Matrix, every_pair
from capeval_core.types import Array

WINNERS = {"first": 1.0, "second": -1.0, "tie": 0.0}


@dataclass(frozen=True, slots=True)
class Accuracy:
    accuracy: float
    low: float
    high: float
    count: int  # pairs with both scores
    ties: int  # of them, with equal scores


def accuracies(
    first: Mapping[str, Array],
    second: Mapping[str, Array],
    winners: Sequence[str],
    groups: Sequence[str],
    images: Sequence[str],
    *,
    samples: int = bootstrap.SAMPLES,
    seed: int = 0,
) -> dict[str, dict[str, Accuracy]]:
    """By group (in the order of their names) and metric: each pair's two scores by metric, higher being better."""
    preferred = np.array([WINNERS[winner] for winner in winners])
    found: dict[str, dict[str, Accuracy]] = {}
    for group in sorted(set(groups)):
        rows = np.array([place for place, name in enumerate(groups) if name == group])
        owners, count = number([images[row] for row in rows])
        differences = {key: first[key][rows] - second[key][rows] for key in first}
        counted = {key: credit(values, preferred[rows]) for key, values in differences.items()}
        sums = [
            np.bincount(owners, np.nan_to_num(values), minlength=count)
            for one in counted.values()
            for values in (one, np.isfinite(one).astype(np.float64))
        ]
        table = np.stack(sums, axis=1) if sums else np.empty((count, 0))
        drawn = np.concatenate([counts @ table for counts in bootstrap.draw(count, samples, seed)])
        found[group] = {
            key: _accuracy(values, differences[key], drawn[:, 2 * place : 2 * place + 2], count)
            for place, (key, values) in enumerate(counted.items())
        }
    return found


def overall(
    first: Mapping[str, Array],
    second: Mapping[str, Array],
    winners: Sequence[str],
    groups: Sequence[str],
    images: Sequence[str],
    *,
    samples: int = bootstrap.SAMPLES,
    seed: int = 0,
) -> dict[str, Accuracy]:
    """By metric: the mean of the groups' accuracies, each group counting the same, as papers print it."""
    preferred = np.array([WINNERS[winner] for winner in winners])
    owners, count = number(images)
    places, several = number(groups)
    cells = owners * several + places
    found = {}
    for key in first:
        apart = first[key] - second[key]
        counted = credit(apart, preferred)
        known = np.isfinite(counted)
        sums = [
            np.bincount(cells[known], weights, minlength=count * several).reshape(count, several)
            for weights in (counted[known], np.ones(int(known.sum())))
        ]
        drawn = np.concatenate(
            [_shares(counts @ sums[0], counts @ sums[1]) for counts in bootstrap.draw(count, samples, seed)]
        )
        low, high = bootstrap.interval(drawn) if count > 1 else (math.nan, math.nan)
        share = _shares(*(one.sum(axis=0, keepdims=True) for one in sums))[0]
        found[key] = Accuracy(float(share), low, high, int(known.sum()), int((apart == 0).sum()))
    return found


def _shares(sums: Array, counts: Array) -> Array:
    """(samples, groups) twice -> (samples,): the mean over groups; NaN where a group is missing."""
    shares = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    return np.asarray(shares.mean(axis=1))


def compare(
    first: Mapping[str, Array], second: Mapping[str, Array], winners: Sequence[str], images: Sequence[str]
) -> Matrix:
    """Every metric against every other one: the one-sided p value of "the row's metric is right more often"."""
    preferred = np.array([WINNERS[winner] for winner in winners])
    owners, count = number(images)
    credits = {key: credit(first[key] - second[key], preferred) for key in first}

    def test(own: Array, others: Array) -> float:
        known = np.isfinite(own) & np.isfinite(others)
        sums = np.bincount(owners[known], (own - others)[known], minlength=count)
        return _p_value(np.asarray(sums[np.unique(owners[known])], dtype=np.float64))

    return every_pair(credits, test)


def _p_value(differences: Array) -> float:
    """Of a mean above 0; NaN with fewer than two images."""
    if len(differences) < 2:
        return math.nan
    error = differences.std(ddof=1) / math.sqrt(len(differences))
    mean = float(differences.mean())
    if error == 0:
        return 0.5 if mean == 0 else float(mean < 0)
    return float(stats.t.sf(mean / error, len(differences) - 1))


def credit(differences: Array, preferred: Array) -> Array:
    """1 where the metric prefers what people prefer, 0 where the other, 0.5 for a tie, NaN where a score is missing."""
    return np.asarray((1 + np.sign(differences) * preferred) / 2)


def _accuracy(counted: Array, differences: Array, drawn: Array, images: int) -> Accuracy:
    known = counted[np.isfinite(counted)]
    ties = int((differences == 0).sum())
    if not len(known):
        return Accuracy(math.nan, math.nan, math.nan, 0, ties)
    share = float(known.mean())
    if np.ptp(known) == 0:  # drawn again it is always the same, which says nothing about the next pair
        low, high = _certain(share, len(known))
    elif images < 2:
        low, high = math.nan, math.nan
    else:
        sums, counts = drawn.T
        shares = np.divide(sums, counts, out=np.full(len(drawn), np.nan), where=counts > 0)
        low, high = bootstrap.interval(shares)
    return Accuracy(share, low, high, len(known), ties)


def _certain(share: float, count: int) -> tuple[float, float]:
    """Clopper and Pearson's interval of none or all out of `count`; nothing is known where all are ties."""
    reach = ((1 - bootstrap.LEVEL) / 2) ** (1 / count)
    return (reach, 1.0) if share == 1 else (0.0, 1 - reach) if share == 0 else (math.nan, math.nan)
