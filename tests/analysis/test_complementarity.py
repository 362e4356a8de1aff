"""Combinations of metrics: equal to a plain cross-validation, and truthful where it is known what helps."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize  # type: ignore[import-untyped]

from capeval_core.analysis.complementarity import complement
from capeval_core.analysis.correlations import number
from capeval_core.types import Array


def data(seed: int = 0, images: int = 60) -> tuple[dict[str, Array], Array, list[str]]:
    """Two metrics that each see one half of what people see, one that repeats the first, one that sees nothing."""
    generator = np.random.default_rng(seed)
    one, two, noise, error = generator.normal(size=(4, images * 4))
    scores = {"one": one, "two": 5 + 10 * two, "again": one + 0.1 * generator.normal(size=images * 4), "noise": noise}
    return scores, np.round(one + two + error), [str(place // 4) for place in range(images * 4)]


def plainly(scores: dict[str, Array], ratings: Array, images: list[str], keys: list[str]) -> Array:
    """The combined score of each row, by scipy's NNLS on the rows of the other folds (the folds as documented)."""
    table = np.stack([(scores[key] - scores[key].mean()) / scores[key].std() for key in keys], axis=1)
    owners, count = number(images)
    folds = np.random.default_rng(0).permutation(np.arange(count) % 10)[owners]
    found = np.empty(len(ratings))
    for fold in range(10):
        train = folds != fold
        centred = table[train] - table[train].mean(axis=0)
        weights, _ = optimize.nnls(centred, ratings[train] - ratings[train].mean())
        weights = weights if weights.sum() > 0 else np.ones(len(keys))
        found[~train] = table[~train] @ (weights / weights.sum())
    return found


def pearson(values: Array, ratings: Array) -> float:
    return float(np.corrcoef(values, ratings)[0, 1])


def test_equal_to_a_plain_cross_validation() -> None:
    scores, ratings, images = data()
    found = complement(scores, ratings, images, samples=100)
    assert found is not None
    every = list(scores)
    best = pearson(plainly(scores, ratings, images, every), ratings)
    assert found.best.pearson.value == pytest.approx(best)
    for key in every:
        assert found.alone[key] == pytest.approx(pearson(scores[key], ratings))
        rest = [other for other in every if other != key]
        assert found.lost[key] == pytest.approx(best - pearson(plainly(scores, ratings, images, rest), ratings))
        assert list(found.gains[key]) == rest
        for other in rest:
            together = pearson(plainly(scores, ratings, images, [key, other]), ratings)
            gain = found.gains[key][other]
            assert gain.together == pytest.approx(together)
            assert gain.gain.value == pytest.approx(together - found.alone[key])
            assert gain.gain.low <= gain.gain.value <= gain.gain.high


def test_what_helps_is_found() -> None:
    found = complement(*data(1), samples=300)
    assert found is not None
    assert sum(found.weights.values()) == pytest.approx(1)
    assert min(found.weights.values()) >= 0
    assert found.weights["two"] == pytest.approx(0.5, abs=0.06)
    assert found.weights["noise"] < 0.1
    assert found.gains["one"]["two"].gain.low > 0.1
    assert found.gains["one"]["again"].gain.high < 0.02
    assert found.gains["noise"]["one"].gain.low > 0.2
    assert found.lost["two"] > 0.1
    assert (found.rows, found.folds) == (240, 10)


def test_a_sum_of_others_is_no_trouble() -> None:
    scores, ratings, images = data(2)
    both = scores | {"sum": scores["one"] + scores["two"] / 10}
    found = complement(both, ratings, images, samples=10)
    assert found is not None
    without = complement(scores, ratings, images, samples=10)
    assert without is not None
    assert found.best.pearson.value == pytest.approx(without.best.pearson.value, abs=0.01)


def test_fitting_to_noise_gains_nothing() -> None:
    """Weights come from other images: of 40 data sets where nothing helps, hardly one claims a gain."""
    claimed = 0
    for seed in range(40):
        generator = np.random.default_rng(seed)
        base = generator.normal(size=120)
        ratings = base + generator.normal(size=120)
        scores = {"base": base, "noise": generator.normal(size=120)}
        found = complement(scores, ratings, [str(place) for place in range(120)], samples=100, seed=seed)
        assert found is not None
        claimed += found.gains["base"]["noise"].gain.low > 0
    assert claimed <= 3


def test_gaps_and_too_little() -> None:
    scores, ratings, images = data(3)
    gaps = scores | {"two": np.where(np.arange(240) < 40, np.nan, scores["two"]), "none": np.full(240, np.nan)}
    found = complement(gaps | {"flat": np.ones(240)}, ratings, images, samples=10)
    assert found is not None
    assert found.rows == 200
    assert set(found.weights) == set(scores)
    assert complement({"one": scores["one"]}, ratings, images) is None
    assert complement(scores, ratings, ["the same"] * 240) is None
    assert complement(scores, np.ones(240), images) is None
