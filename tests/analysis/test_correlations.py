"""Quality: values as scipy's, intervals that cover the truth as often as they say, images drawn and not rows."""

from __future__ import annotations

import time

import numpy as np
import pytest

from capeval_core.analysis import bootstrap
from capeval_core.analysis.coefficients import NAMES, coefficients
from capeval_core.analysis.correlations import qualities
from tests.analysis.rated import made, names


def test_value_and_interval() -> None:
    values, ratings, owners = made(1, levels=4)
    gaps = values.copy()
    gaps[5:9] = np.nan
    found = qualities({"a": values, "b": gaps}, ratings, names(owners), samples=300)
    known = np.isfinite(gaps)
    for key, rows, count in (("a", slice(None), 120), ("b", known, 116)):
        expected = coefficients(values[rows], ratings[rows])
        assert found[key].count == count
        for name, value in zip(NAMES, expected, strict=True):
            estimate = found[key].of(name)
            assert estimate.value == value
            assert estimate.low < value < estimate.high


def test_interval_is_the_middle_of_the_drawn_values() -> None:
    values, ratings, owners = made(2, levels=5)
    found = qualities({"a": values}, ratings, names(owners), samples=200, seed=7)["a"]
    drawn = []
    for counts in np.concatenate(list(bootstrap.draw(30, 200, 7))):
        rows = np.repeat(np.arange(len(values)), counts[owners].astype(int))
        drawn.append(coefficients(values[rows], ratings[rows]))
    for name, column in zip(NAMES, np.array(drawn).T, strict=True):
        expected = np.quantile(column, [0.025, 0.975])
        assert (found.of(name).low, found.of(name).high) == pytest.approx(expected, abs=1e-12)


def test_the_intervals_cover_the_truth() -> None:
    """400 data sets of 40 images with 4 alike captions each. With 400 tries, 95 % means 0.92 to 0.98 (3 sigma)."""
    values, ratings, _ = made(0, 50_000, 4, levels=4)
    truth = coefficients(values, ratings)
    inside = np.zeros(len(NAMES))
    for seed in range(1, 401):
        values, ratings, owners = made(seed, 40, 4, levels=4)
        found = qualities({"a": values}, ratings, names(owners), samples=200, seed=seed)["a"]
        estimates = [found.of(name) for name in NAMES]
        inside += [one.low <= value <= one.high for one, value in zip(estimates, truth, strict=True)]
    assert (inside / 400 >= 0.91).all(), inside / 400
    assert (inside / 400 <= 0.98).all(), inside / 400


def test_rows_of_one_image_are_no_news() -> None:
    """Every row twice: the same images, so the same interval. Drawing rows would make it narrower."""
    values, ratings, owners = made(3)
    once = qualities({"a": values}, ratings, names(owners))["a"].pearson
    twice = qualities({"a": np.tile(values, 2)}, np.tile(ratings, 2), names(np.tile(owners, 2)))["a"].pearson
    assert (twice.low, twice.high) == pytest.approx((once.low, once.high))


def test_undefined_is_nan() -> None:
    values, ratings, owners = made(4, 10, 2)
    found = qualities(
        {"constant": np.ones(20), "nothing": np.full(20, np.nan), "fine": values}, ratings, names(owners), samples=20
    )
    for key in ("constant", "nothing"):
        for name in NAMES:
            assert np.isnan([found[key].of(name).value, found[key].of(name).low, found[key].of(name).high]).all()
    one = qualities({"a": values}, ratings, ["one image"] * 20, samples=20)["a"].pearson
    assert one.value == found["fine"].pearson.value
    assert np.isnan([one.low, one.high]).all()


def test_a_hundred_thousand_rows_take_seconds() -> None:
    values, ratings, owners = made(5, 20_000, 5, levels=5)
    before = time.process_time()
    qualities({"a": values}, ratings, names(owners), samples=20)
    assert time.process_time() - before < 5
