"""The three ways to take several ratings of a caption."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from capeval_core import InvalidInput
from capeval_core.analysis.ratings import as_table, gather

TABLE = as_table([(1, 2, 2), (4,), (), (1, math.nan, 5), (1, 1, 4, 4)])


def test_a_table_has_a_column_per_rater() -> None:
    nan = math.nan
    expected = [[1, 2, 2, nan], [4, nan, nan, nan], [nan] * 4, [1, nan, 5, nan], [1, 1, 4, 4]]
    assert_array_equal(TABLE, expected)
    assert as_table([]).shape == (0, 0)


def test_flatten_mean_and_mode() -> None:
    flat = gather(TABLE, "flatten")
    assert_array_equal(flat.rows, [0, 0, 0, 1, 3, 3, 4, 4, 4, 4])
    assert_array_equal(flat.values, [1, 2, 2, 4, 1, 5, 1, 1, 4, 4])
    mean = gather(TABLE, "mean")
    assert_array_equal(mean.rows, [0, 1, 3, 4])
    assert mean.values == pytest.approx([5 / 3, 4, 3, 2.5])
    mode = gather(TABLE, "mode")
    assert_array_equal(mode.rows, [0, 1, 3, 4])
    assert_array_equal(mode.values, [2, 4, 1, 1])  # of two as frequent and as near to the mean: the lower


def test_the_mode_one_by_one() -> None:
    table = np.random.default_rng(0).integers(1, 5, (300, 5)).astype(float)
    table[np.random.default_rng(1).random(table.shape) < 0.2] = np.nan
    found = gather(table, "mode")
    for row, value in zip(found.rows, found.values, strict=True):
        given = table[row][np.isfinite(table[row])]
        most = max(Counter(given.tolist()).values())
        frequent = [rating for rating, often in Counter(given.tolist()).items() if often == most]
        assert value == min(frequent, key=lambda rating: (round(abs(rating - given.mean()), 9), rating))


def test_another_way_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no way 'median'"):
        gather(TABLE, "median")
