"""The four coefficients: of the rows as scipy has them, of samples as scipy has the rows written out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats  # type: ignore[import-untyped]

from capeval_core.analysis import bootstrap
from capeval_core.analysis.coefficients import NAMES, Table, coefficients
from capeval_core.types import Array
from tests.analysis.rated import made

KINDS = [
    pytest.param({}, id="no ties"),
    pytest.param({"levels": 4}, id="four ratings"),
    pytest.param({"levels": 4, "decimals": 0}, id="ties everywhere"),
    pytest.param({"decimals": 0}, id="tied scores"),
]


def tau_by_hand(values: Array, ratings: Array) -> tuple[float, float]:
    """tau-b and Stuart's tau-c, pair by pair."""
    count, agreed, tied_values, tied_ratings = len(values), 0.0, 0, 0
    for i in range(count):
        for j in range(i):
            agreed += np.sign(values[i] - values[j]) * np.sign(ratings[i] - ratings[j])
            tied_values += values[i] == values[j]
            tied_ratings += ratings[i] == ratings[j]
    pairs = count * (count - 1) / 2
    classes = min(len(set(values.tolist())), len(set(ratings.tolist())))
    b = agreed / math.sqrt((pairs - tied_values) * (pairs - tied_ratings))
    return b, 2 * agreed / (count**2 * (classes - 1) / classes)


@pytest.mark.parametrize("kind", KINDS)
def test_rows(kind: dict[str, int]) -> None:
    values, ratings, _ = made(1, **kind)
    found = dict(zip(NAMES, coefficients(values, ratings), strict=True))
    assert found["pearson"] == pytest.approx(np.corrcoef(values, ratings)[0, 1])
    ranks = [stats.rankdata(column) for column in (values, ratings)]
    assert found["spearman"] == pytest.approx(np.corrcoef(*ranks)[0, 1])
    assert (found["kendall_b"], found["kendall_c"]) == pytest.approx(tau_by_hand(values, ratings))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("images", "each"), [(30, 4), (90, 1), (2, 40)])
def test_samples_are_the_rows_written_out(kind: dict[str, int], images: int, each: int) -> None:
    values, ratings, owners = made(2, images, each, **kind)
    (drawn,) = bootstrap.draw(images, 12, 3)
    found = Table(values, ratings, owners, images).coefficients(drawn)
    for counts, row in zip(drawn, found, strict=True):
        rows = np.repeat(np.arange(len(values)), counts[owners].astype(int))
        assert_allclose(row, coefficients(values[rows], ratings[rows]), atol=1e-12)


def test_what_is_constant_is_undefined() -> None:
    values, ratings, owners = made(3, 10, 2)
    assert np.isnan(coefficients(values, np.ones(20))).all()
    assert np.isnan(coefficients(np.ones(20), ratings)).all()
    assert np.isnan(coefficients(values[:1], ratings[:1])).all()
    one_image = np.zeros((1, 10))
    one_image[0, 4] = 2
    constant = np.where(owners == 4, 1.0, ratings)
    assert np.isnan(Table(values, constant, owners, 10).coefficients(one_image)).all()


def test_scores_far_from_zero_lose_no_digits() -> None:
    values, ratings, owners = made(4, 30, 4)
    (drawn,) = bootstrap.draw(30, 5, 0)
    near = Table(values, ratings, owners, 30).coefficients(drawn)
    far = Table(1e6 + 1e-3 * values, ratings - 1e7, owners, 30).coefficients(drawn)
    assert_allclose(far, near, atol=1e-6)
