"""Williams' test: does one metric agree with the ratings better than another, given how much the two agree?

Papers:    Williams 1959, "Regression Analysis"; Eq. 1 and 2 of Kilickaya et al. 2017 ("Re-evaluating Automatic Metrics
           for Image Captioning"), after Graham and Baldwin 2014. Holm 1979 for many tests at once.
Reference: tests/analysis/test_williams.py: Eq. 1-2 as plain arithmetic, and a simulation of the error rate.
P value:   one-sided, that of "the row's metric agrees better than the column's", as Figure 4b shows it: small is a win
           of the row; the two p values of a pair add up to 1.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from scipy import stats  # type: ignore[import-untyped]

from capeval_core.types import Array

Matrix = dict[str, dict[str, float]]  # of each metric against each other one; never against itself


def p_value(first: float, second: float, between: float, count: int) -> float:
    """That the first correlates better with the ratings than the second. The correlations are those of the first with
    the ratings (r13), of the second with them (r23), and of the two (r12), over `count` captions."""
    if count < 4 or not all(map(math.isfinite, (first, second, between))):
        return math.nan
    if first == second:
        return 0.5
    k = max(1 - between**2 - first**2 - second**2 + 2 * between * first * second, 0.0)
    below = 2 * k * (count - 1) / (count - 3) + (first + second) ** 2 / 4 * (1 - between) ** 3
    above = (first - second) * math.sqrt((count - 1) * (1 + between))
    t = above / math.sqrt(below) if below > 0 else math.copysign(math.inf, above)
    return float(stats.t.sf(t, count - 3))


def compare(scores: Mapping[str, Array], ratings: Array, captions: int | None = None) -> Matrix:
    """Every metric against every other one, by Pearson's correlations over the rows both have.

    Flattened ratings are several rows of one caption and no more captions: `captions` says how many there are."""
    share = 1.0 if captions is None else captions / max(len(ratings), 1)

    def test(values: Array, others: Array) -> float:
        known = np.isfinite(values) & np.isfinite(others) & np.isfinite(ratings)
        return p_value(*_correlations(values[known], others[known], ratings[known]), round(int(known.sum()) * share))

    return every_pair(scores, test)


def every_pair(columns: Mapping[str, Array], test: Callable[[Array, Array], float]) -> Matrix:
    """A one-sided p value for each metric against each other one, tested once: the two of a pair add up to 1."""
    found: Matrix = {key: {} for key in columns}
    for key, own in columns.items():
        for other, others in columns.items():
            if other != key:
                found[key][other] = 1 - found[other][key] if key in found[other] else test(own, others)
    return found


def _correlations(values: Array, others: Array, ratings: Array) -> tuple[float, float, float]:
    """r13, r23, r12; NaN where something is constant."""
    if len(values) < 2 or any(np.ptp(column) == 0 for column in (values, others, ratings)):
        return math.nan, math.nan, math.nan
    found = np.corrcoef([values, others, ratings])
    return float(found[0, 2]), float(found[1, 2]), float(found[0, 1])


def holm(found: Matrix) -> Matrix:
    """The p values corrected for how many tests there are: all of the table, both directions of each pair."""
    places = [(key, other) for key, row in found.items() for other, p in row.items() if math.isfinite(p)]
    order = sorted(places, key=lambda place: found[place[0]][place[1]])
    corrected: Matrix = {key: dict(row) for key, row in found.items()}
    least = 0.0
    for rank, (key, other) in enumerate(order):
        least = max(least, min(1.0, (len(order) - rank) * found[key][other]))
        corrected[key][other] = least
    return corrected


def wins(found: Matrix, level: float = 0.05) -> dict[str, tuple[str, ...]]:
    """The metrics that each metric beats."""
    return {key: tuple(other for other, p in row.items() if p < level) for key, row in found.items()}


def letters(found: Matrix, order: Sequence[str], level: float = 0.05) -> dict[str, str]:
    """Metrics from best to worst -> letters: two metrics share a letter just when neither beats the other.

    After Piepho 2004, "An Algorithm for a Letter-Based Representation of All-Pairwise Comparisons": all begin in one
    set; each difference that is real splits every set with both in it; sets inside others go."""
    sets = [frozenset(order)]
    for one, other in itertools.combinations(order, 2):
        if min(found[one].get(other, 1.0), found[other].get(one, 1.0)) < level:
            split = {part for whole in sets for part in _apart(whole, one, other)}
            sets = [part for part in split if not any(part < larger for larger in split)]
    places = {key: place for place, key in enumerate(order)}
    sets.sort(key=lambda part: sorted(places[key] for key in part))
    return {key: "".join(_letter(at) for at, part in enumerate(sets) if key in part) for key in order}


def _apart(whole: frozenset[str], one: str, other: str) -> list[frozenset[str]]:
    return [whole - {one}, whole - {other}] if {one, other} <= whole else [whole]


def _letter(number: int) -> str:
    return chr(ord("a") + number) if number < 26 else f"({number + 1})"
