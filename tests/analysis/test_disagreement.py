"""Where a metric and people differ: places counted one by one, the largest first."""

from __future__ import annotations

import numpy as np
import pytest

from capeval_core.analysis.disagreement import differences, turned


def test_places_are_counted_and_the_largest_comes_first() -> None:
    generator = np.random.default_rng(0)
    scores, ratings = generator.normal(size=40), generator.integers(1, 6, (40, 2)).astype(np.float64)
    scores[3], ratings[5], ratings[7, 0] = np.nan, np.nan, np.nan
    found = differences(scores, ratings, 100)
    assert len(found) == 38
    assert {3, 5}.isdisjoint(one.row for one in found)
    means = {row: np.nanmean(ratings[row]) for row in range(40) if row not in (3, 5)}
    for one in found:
        below = sum(value < means[one.row] for value in means.values())
        equal = sum(value == means[one.row] for value in means.values())
        assert one.people == pytest.approx((below + (equal - 1) / 2) / 37)
        assert one.metric == pytest.approx(sum(scores[row] < scores[one.row] for row in means) / 37)
        assert (one.rating, one.score) == (means[one.row], scores[one.row])
    sizes = [abs(one.apart) for one in found]
    assert sizes == sorted(sizes, reverse=True)
    assert differences(scores, ratings, 5) == found[:5]


def test_lower_can_be_better() -> None:
    scores, ratings = np.array([1.0, 2.0, 3.0]), np.array([[3.0], [2.0], [1.0]])
    assert [one.apart for one in differences(scores, ratings, 3)] == [-1, 1, 0]
    assert [one.apart for one in differences(scores, ratings, 3, lower=True)] == [0, 0, 0]
    assert differences(scores[:1], ratings[:1], 3) == []


def test_pairs_that_the_metric_turns_round() -> None:
    scores = np.array([0.1, 0.9, 0.4, 0.6, 0.5, np.nan])
    first, second, winners = (0, 1, 2, 4, 5), (1, 0, 3, 4, 0), ("first", "first", "first", "second", "first")
    found = turned(scores, first, second, winners, 10)
    assert [(one.better, one.worse) for one in found] == [(0, 1), (2, 3)]
    spread = np.nanstd([-0.8, 0.8, -0.2, 0, np.nan])
    assert [one.apart for one in found] == pytest.approx([0.8 / spread, 0.2 / spread])
    lower = turned(scores, first, second, winners, 10, lower=True)
    assert [(one.better, one.worse) for one in lower] == [(1, 0)]
    assert turned(scores, (0,), (1,), ("tie",), 10) == []
