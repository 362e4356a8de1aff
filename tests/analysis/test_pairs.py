"""Accuracy on pairs: counted one by one, ties half, intervals that cover."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats  # type: ignore[import-untyped]

from capeval_core.analysis.pairs import accuracies
from capeval_core.types import Array


def one_by_one(first: Array, second: Array, winners: list[str]) -> float:
    points = []
    for a, b, winner in zip(first, second, winners, strict=True):
        preferred = "first" if a > b else "second" if b > a else "tie"
        if not math.isnan(a + b):
            points.append(0.5 if "tie" in (winner, preferred) else float(winner == preferred))
    return sum(points) / len(points)


@pytest.mark.parametrize("decimals", [9, 0])
def test_equal_to_counting(decimals: int) -> None:
    generator = np.random.default_rng(0)
    winners = generator.choice(["first", "second", "tie"], 200, p=[0.5, 0.4, 0.1]).tolist()
    groups = generator.choice(["HC", "MM"], 200).tolist()
    images = [str(place % 60) for place in range(200)]
    first, second = ({key: np.round(generator.normal(size=200), decimals) for key in ("a", "b")} for _ in range(2))
    first["b"][3] = np.nan
    found = accuracies(first, second, winners, groups, images, samples=200)
    assert list(found) == ["HC", "MM"]
    for group, row in found.items():
        rows = [place for place, name in enumerate(groups) if name == group]
        for key, one in row.items():
            chosen = [winners[place] for place in rows]
            assert one.accuracy == pytest.approx(one_by_one(first[key][rows], second[key][rows], chosen))
            assert one.low < one.accuracy < one.high
            known = np.isfinite(first[key][rows])
            assert one.count == known.sum()
            assert one.ties == (first[key][rows] == second[key][rows]).sum()


def test_all_right_is_not_certain() -> None:
    winners, groups, images = ["first"] * 20, ["g"] * 20, [str(place) for place in range(20)]
    scores = {"right": np.ones(20), "wrong": np.zeros(20), "tied": np.full(20, 0.5), "none": np.full(20, np.nan)}
    found = accuracies(scores, dict.fromkeys(scores, np.full(20, 0.5)), winners, groups, images, samples=20)["g"]
    exact = stats.binomtest(20, 20).proportion_ci(0.95, method="exact")
    assert (found["right"].accuracy, found["right"].low, found["right"].high) == pytest.approx((1, *exact))
    assert (found["wrong"].low, found["wrong"].high) == pytest.approx((0, 1 - exact.low))
    assert (found["tied"].accuracy, found["tied"].ties) == (0.5, 20)
    assert math.isnan(found["tied"].low)
    assert math.isnan(found["none"].accuracy)
    assert found["none"].count == 0


def test_the_intervals_cover_the_truth() -> None:
    """A metric that is right in 70 %; pairs of an image are alike. 500 tries: 95 % means 0.92 to 0.98."""
    generator = np.random.default_rng(1)
    images = [str(place // 3) for place in range(150)]
    inside = 0
    for seed in range(500):
        easy = np.repeat(generator.beta(1.4, 0.6, 50), 3)
        right = {"a": (generator.random(150) < easy).astype(float)}
        zero = {"a": np.full(150, 0.5)}
        found = accuracies(right, zero, ["first"] * 150, ["g"] * 150, images, samples=200, seed=seed)["g"]["a"]
        inside += found.low <= 0.7 <= found.high
    assert 0.92 <= inside / 500 <= 0.98


def test_no_pairs_no_groups() -> None:
    assert accuracies({"a": np.empty(0)}, {"a": np.empty(0)}, [], [], []) == {}
