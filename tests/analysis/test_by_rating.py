"""Score by rating: the same as choosing the rows of each rating."""

from __future__ import annotations

import numpy as np
import pytest

from capeval_core.analysis.by_rating import by_rating
from tests.analysis.rated import made


def test_one_level_per_rating() -> None:
    values, ratings, _ = made(1, levels=4)
    values[0] = np.nan
    found = by_rating(values, ratings)
    assert [level.low for level in found] == [1, 2, 3, 4]
    for level in found:
        chosen = [v for v, r in zip(values, ratings, strict=True) if r == level.low and np.isfinite(v)]
        assert level.high == level.low
        assert level.count == len(chosen)
        assert level.mean == pytest.approx(np.mean(chosen))
        assert level.quantiles == pytest.approx([np.percentile(chosen, share) for share in (5, 25, 50, 75, 95)])


def test_many_ratings_are_put_into_ranges() -> None:
    values, ratings, _ = made(2)
    found = by_rating(values, ratings)
    assert len(found) == 5
    assert (found[0].low, found[-1].high) == pytest.approx((ratings.min(), ratings.max()))
    assert sum(level.count for level in found) == len(values)
    for level in found[:-1]:
        inside = (ratings >= level.low) & (ratings < level.high)
        assert level.count == inside.sum()
        assert level.mean == pytest.approx(values[inside].mean())


def test_without_scores_there_is_nothing() -> None:
    assert by_rating(np.full(3, np.nan), np.arange(3.0)) == ()
