"""Kendall's S under weights: equal to going through all pairs, however the table is cut."""

from __future__ import annotations

import numpy as np
import pytest

from capeval_core.analysis.bootstrap import Ints
from capeval_core.analysis.coefficients import dense_ranks
from capeval_core.analysis.concordance import Concordance, cut, running_sums
from capeval_core.types import Array


def pair_by_pair(first: Ints, second: Ints, weights: Array) -> float:
    total = 0.0
    for i in range(len(first)):
        for j in range(i):
            signs = np.sign(int(first[i]) - int(first[j])) * np.sign(int(second[i]) - int(second[j]))
            total += float(weights[i] * weights[j] * signs)
    return total


@pytest.mark.parametrize("side", [2, 5, 48])
@pytest.mark.parametrize(
    ("rows", "values", "ratings"),
    [(0, 1, 1), (1, 1, 1), (60, 60, 60), (60, 3, 60), (60, 60, 3), (60, 4, 4), (60, 1, 9), (120, 120, 2)],
)
def test_equal_to_all_pairs(rows: int, values: int, ratings: int, side: int) -> None:
    generator = np.random.default_rng(rows + values)
    first = dense_ranks(np.sort(generator.integers(0, values, rows)).astype(float))
    second = dense_ranks(generator.integers(0, ratings, rows).astype(float))
    weights = generator.integers(0, 4, (rows, 130)).astype(float)  # more samples than go at once
    found = Concordance(first, second, side).score(weights)
    for sample in (0, 64, 129):
        assert found[sample] == pair_by_pair(first, second, weights[:, sample])


def test_blocks_are_small_or_one_rank() -> None:
    ranks = np.repeat(np.arange(50), np.random.default_rng(0).integers(1, 30, 50))
    blocks = cut(ranks, 16)
    assert (np.diff(blocks) >= 0).all()
    for block in np.unique(blocks):
        inside = ranks[blocks == block]
        assert len(inside) <= 16 or len(np.unique(inside)) == 1


@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (15, 2), (16, 2), (17, 5), (100, 7)])
def test_running_sums_are_numpys(shape: tuple[int, int]) -> None:
    values = np.random.default_rng(0).integers(0, 9, shape).astype(np.float64)
    np.testing.assert_array_equal(running_sums(values), np.cumsum(values, axis=0))
