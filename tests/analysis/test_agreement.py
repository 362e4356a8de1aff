"""Krippendorff's alpha against his worked examples and against a plain loop; one rater against the others."""

from __future__ import annotations

import math

import numpy as np
import pytest

from capeval_core import InvalidInput
from capeval_core.analysis import bootstrap
from capeval_core.analysis.agreement import agree, alpha
from capeval_core.analysis.coefficients import NAMES, coefficients
from capeval_core.types import Array

N = math.nan
# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability": example A (two observers, yes or no), B (two
# observers, five categories a-e) and C (four observers, twelve units, gaps).
BINARY = [[0, 1], [1, 1], [0, 1], [0, 0], [0, 0], [0, 1], [0, 0], [0, 0], [1, 0], [0, 0]]
NOMINAL = ["ab", "aa", "bb", "bb", "db", "cc", "cc", "cc", "ee", "dd", "dd", "ad"]
GAPS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]


def by_definition(table: Array, level: str) -> float:
    """Observed over expected disagreement, every two ratings compared; the ordinal distance counts what is between."""
    units = [[value for value in row if not math.isnan(value)] for row in table.tolist()]
    units = [unit for unit in units if len(unit) > 1]
    every = sorted(value for unit in units for value in unit)

    def distance(a: float, b: float) -> float:
        low, high = min(a, b), max(a, b)
        if level == "nominal":
            return float(a != b)
        if level == "interval":
            return (a - b) ** 2
        between = sum(low <= value <= high for value in every)
        return (between - (every.count(low) + every.count(high)) / 2) ** 2 if a != b else 0.0

    observed = sum(distance(a, b) / (len(unit) - 1) for unit in units for a in unit for b in unit) / len(every)
    expected = sum(distance(a, b) for a in every for b in every) / (len(every) * (len(every) - 1))
    return 1 - observed / expected


@pytest.mark.parametrize(
    ("table", "level", "published"),
    [
        (np.array(BINARY, dtype=float), "nominal", 0.095),
        (np.array([[ord(one) for one in unit] for unit in NOMINAL], dtype=float), "nominal", 0.692),
        (np.array(GAPS).T, "nominal", 0.743),
        (np.array(GAPS).T, "ordinal", 0.815),
        (np.array(GAPS).T, "interval", 0.849),
    ],
)
def test_krippendorffs_examples(table: Array, level: str, published: float) -> None:
    assert alpha(table, level) == pytest.approx(published, abs=0.0006)
    assert alpha(table, level) == pytest.approx(by_definition(table, level))


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("seed", range(4))
def test_equal_to_the_definition(level: str, seed: int) -> None:
    generator = np.random.default_rng(seed)
    table = np.round(generator.normal(3, 1, (25, 1)) + generator.normal(0, 1, (25, 4)), 1 if seed == 3 else 0)
    table[generator.random(table.shape) < 0.3] = np.nan
    assert alpha(table, level) == pytest.approx(by_definition(table, level))


def test_no_ratings_or_one_rating_only() -> None:
    assert math.isnan(alpha(np.full((5, 3), 2.0)))
    assert math.isnan(alpha(np.array([[1, N], [2, N], [N, 3]])))
    assert alpha(np.array([[1.0, 1.0], [2.0, 2.0]])) == 1.0
    assert agree(np.array([[1.0], [2.0]]), ["a", "b"]) is None
    with pytest.raises(InvalidInput, match="no level 'ratio'"):
        alpha(np.ones((2, 2)), "ratio")


def test_each_rater_against_the_others() -> None:
    generator = np.random.default_rng(5)
    around = generator.normal(3, 1, (40, 1)) + generator.normal(0, 0.7, (40, 3))
    table: Array = np.clip(np.round(around), 1, 5).astype(np.float64)
    table[generator.random(table.shape) < 0.15] = np.nan
    images = [str(place // 2) for place in range(40)]
    found = agree(table, images, ["Ann", "Bo", "Cy"], samples=100)
    assert found is not None
    pooled: list[tuple[float, float]] = []
    for place, name in enumerate(found.raters):
        own: list[tuple[float, float]] = []
        for row in table:
            others = [value for rater, value in enumerate(row) if rater != place and not math.isnan(value)]
            if others and not math.isnan(row[place]):
                own.append((sum(others) / len(others), row[place]))
        pooled += own
        expected = coefficients(*np.array(own).T)
        assert [found.raters[name].of(one).value for one in NAMES] == pytest.approx(expected.tolist())
        assert found.raters[name].count == len(own)
    assert found.one.spearman.value == pytest.approx(coefficients(*np.array(pooled).T)[1])
    assert found.captions == (np.isfinite(table).sum(axis=1) > 1).sum()
    assert found.alpha.low < found.alpha.value < found.alpha.high
    assert agree(table, images, samples=10).raters == {}  # type: ignore[union-attr]


def test_alphas_interval_draws_images() -> None:
    generator = np.random.default_rng(6)
    table: Array = np.round(generator.normal(3, 1, (30, 1)) + generator.normal(0, 1, (30, 3)))
    images = [str(place // 3) for place in range(30)]
    found = agree(table, images, samples=50, seed=3)
    assert found is not None
    (drawn,) = bootstrap.draw(10, 50, 3)
    values = [alpha(np.repeat(table, counts[np.arange(30) // 3].astype(int), axis=0)) for counts in drawn]
    assert (found.alpha.low, found.alpha.high) == pytest.approx(np.quantile(values, [0.025, 0.975]))


def test_alphas_interval_covers_the_truth() -> None:
    """300 tries: 95 % means 0.91 to 0.99 (3 sigma)."""
    generator = np.random.default_rng(7)

    def draw(units: int) -> Array:
        return np.clip(np.round(generator.normal(3, 1, (units, 1)) + generator.normal(0, 0.8, (units, 3))), 1, 5)

    truth = alpha(draw(100_000))
    inside = 0
    for seed in range(300):
        found = agree(draw(80), [str(place) for place in range(80)], samples=150, seed=seed)
        assert found is not None
        inside += found.alpha.low <= truth <= found.alpha.high
    assert 0.91 <= inside / 300 <= 0.985
