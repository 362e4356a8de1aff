"""Williams' test: Eq. 1-2 worked by hand, its error rate in a simulation, Holm's correction."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, special  # type: ignore[import-untyped]

from capeval_core.analysis import williams


def by_hand(r13: float, r23: float, r12: float, n: int) -> float:
    """Eq. 1-2 of Kilickaya et al. with the determinant as a determinant and the t distribution integrated."""
    k = np.linalg.det(np.array([[1, r12, r13], [r12, 1, r23], [r13, r23, 1]]))
    bottom = math.sqrt(2 * k * (n - 1) / (n - 3) + ((r23 + r13) ** 2 / 4) * (1 - r12) ** 3)
    t = (r13 - r23) * math.sqrt((n - 1) * (1 + r12)) / bottom
    degrees = n - 3
    scale = special.gamma((degrees + 1) / 2) / (math.sqrt(degrees * math.pi) * special.gamma(degrees / 2))
    area, _ = integrate.quad(lambda x: scale * (1 + x * x / degrees) ** (-(degrees + 1) / 2), 0, t)
    return float(0.5 - area)


@pytest.mark.parametrize(
    ("first", "second", "between", "count"),
    [(0.5, 0.4, 0.6, 50), (0.4, 0.5, 0.6, 50), (0.69, 0.68, 0.8, 200), (-0.2, 0.1, 0.0, 30), (0.3, 0.3, 0.9, 20)],
)
def test_equal_to_the_equations(first: float, second: float, between: float, count: int) -> None:
    assert williams.p_value(first, second, between, count) == pytest.approx(by_hand(first, second, between, count))


def test_every_pair_of_metrics() -> None:
    generator = np.random.default_rng(0)
    ratings = np.round(generator.normal(size=80))
    scores = {
        key: ratings * weight + generator.normal(size=80) for key, weight in zip("abc", (1, 0.9, 0.2), strict=True)
    }
    found = williams.compare(scores, ratings)
    assert {key: set(row) for key, row in found.items()} == {"a": {"b", "c"}, "b": {"a", "c"}, "c": {"a", "b"}}
    for key, row in found.items():
        for other, p in row.items():
            r13, r23, r12 = (
                float(np.corrcoef(one, two)[0, 1])
                for one, two in ((scores[key], ratings), (scores[other], ratings), (scores[key], scores[other]))
            )
            assert p == pytest.approx(by_hand(r13, r23, r12, 80))
            assert p + found[other][key] == pytest.approx(1)
    assert williams.wins(found) == {"a": ("c",), "b": ("c",), "c": ()}


def test_flattened_ratings_are_no_more_captions() -> None:
    generator = np.random.default_rng(1)
    ratings = generator.normal(size=60)
    scores = {key: ratings + generator.normal(size=60) for key in "ab"}
    once = williams.compare(scores, ratings)
    thrice = williams.compare({key: np.tile(values, 3) for key, values in scores.items()}, np.tile(ratings, 3), 60)
    assert thrice["a"]["b"] == pytest.approx(once["a"]["b"])


def test_only_rows_that_both_have_count() -> None:
    generator = np.random.default_rng(2)
    ratings = generator.normal(size=40)
    scores = {key: ratings + generator.normal(size=40) for key in "ab"}
    gaps = {"a": np.where(np.arange(40) < 5, np.nan, scores["a"]), "b": scores["b"]}
    kept = {key: values[5:] for key, values in scores.items()}
    assert williams.compare(gaps, ratings) == williams.compare(kept, ratings[5:])


def test_undefined_and_equal() -> None:
    values = np.arange(20.0)
    found = williams.compare({"a": values, "same": values, "constant": np.ones(20)}, values**2)
    assert found["a"]["same"] == found["same"]["a"] == 0.5
    assert math.isnan(found["a"]["constant"])
    assert math.isnan(found["constant"]["a"])
    assert math.isnan(williams.p_value(0.5, 0.4, 0.1, 3))
    assert williams.p_value(1.0, 0.5, 0.5, 10) < 1e-3
    assert williams.p_value(1.0, -1.0, -1.0, 10) == 0.0


def test_the_error_rate_is_as_stated() -> None:
    """Two metrics equally good: a win is claimed in one of twenty tries. 2,000 tries: 0.035 to 0.065 (3 sigma)."""
    generator = np.random.default_rng(3)
    ratings = generator.normal(size=(2000, 50))
    scores = ratings + generator.normal(size=(2, 2000, 50))
    won = 0
    for first, second, rated in zip(*scores, ratings, strict=True):
        won += williams.compare({"a": first, "b": second}, rated)["a"]["b"] < 0.05
    assert 0.035 < won / 2000 < 0.065


def test_holm() -> None:
    found = {"a": {"b": 0.01, "c": 0.04}, "b": {"a": 0.03, "c": math.nan}, "c": {"a": 0.005, "b": 0.9}}
    corrected = williams.holm(found)
    # ascending .005 .01 .03 .04 .9, times 5 4 3 2 1, never falling, at most 1
    assert corrected["c"] == pytest.approx({"a": 0.025, "b": 0.9})
    assert corrected["a"] == pytest.approx({"b": 0.04, "c": 0.09})
    assert corrected["b"]["a"] == pytest.approx(0.09)
    assert math.isnan(corrected["b"]["c"])
    assert found["a"]["b"] == 0.01


@pytest.mark.parametrize("seed", range(30))
def test_two_share_a_letter_just_when_neither_beats_the_other(seed: int) -> None:
    generator = np.random.default_rng(seed)
    order = [f"m{place}" for place in range(int(generator.integers(2, 9)))]
    found: williams.Matrix = {key: {} for key in order}
    for place, one in enumerate(order):
        for other in order[place + 1 :]:
            found[one][other] = float(generator.choice([0.01, 0.3]))
            found[other][one] = 1 - found[one][other]
    letters = williams.letters(found, order)
    for place, one in enumerate(order):
        assert letters[one]
        for other in order[place + 1 :]:
            assert (found[one][other] < 0.05) == set(letters[one]).isdisjoint(letters[other])


def test_letters_go_down_the_order() -> None:
    p = {("a", "c"): 0.01, ("a", "d"): 0.01, ("b", "d"): 0.01}
    found = {one: {other: p.get((one, other), 0.5) for other in "abcd" if other != one} for one in "abcd"}
    assert williams.letters(found, "abcd") == {"a": "a", "b": "ab", "c": "bc", "d": "c"}
    assert williams.letters({"a": {"b": math.nan}, "b": {"a": math.nan}}, "ab") == {"a": "a", "b": "a"}
