"""Order, groups and tests of a finished judging; the paired test of accuracies against scipy's."""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest
from scipy import stats  # type: ignore[import-untyped]

from capeval_core.analysis import bootstrap, judging, pairs, stored_judging, williams
from capeval_core.analysis.significance import headline_values, significance
from capeval_core.io.writers import plain
from tests.analysis.test_judging import FEW, IMAGES, SYSTEMS, Two, data


def two() -> Two:
    return Two(
        list(range(0, 100, 2)),
        list(range(1, 100, 2)),
        ["first", "second", "tie", "first", "first"] * 10,
        ["a", "b"] * 25,
    )


def test_accuracies_are_compared_by_images_as_scipy_does() -> None:
    generator = np.random.default_rng(3)
    first, second = ({key: generator.normal(size=90) for key in "abc"} for _ in range(2))
    first["c"][4] = np.nan
    winners = generator.choice(["first", "second", "tie"], 90).tolist()
    images = [str(place // 3) for place in range(90)]
    found = pairs.compare(first, second, winners, images)
    preferred = np.array([pairs.WINNERS[one] for one in winners])
    for key, other in (("a", "b"), ("b", "a"), ("a", "c")):
        known = [place for place in range(90) if "c" not in (key, other) or place != 4]
        sums: dict[str, list[list[float]]] = {}
        for place in known:
            right = [float(pairs.credit(first[one] - second[one], preferred)[place]) for one in (key, other)]
            sums.setdefault(images[place], []).append(right)
        totals = np.array([np.sum(rows, axis=0) for rows in sums.values()])
        expected = stats.ttest_rel(totals[:, 0], totals[:, 1], alternative="greater").pvalue
        assert found[key][other] == pytest.approx(expected)
    assert found["a"]["b"] + found["b"]["a"] == pytest.approx(1)


def test_a_metric_that_is_always_right_wins_and_equal_ones_do_not() -> None:
    first = {"right": np.ones(20), "wrong": np.zeros(20), "also": np.ones(20)}
    second = dict.fromkeys(first, np.full(20, 0.5))
    found = pairs.compare(first, second, ["first"] * 20, [str(n) for n in range(20)])
    assert (found["right"]["wrong"], found["wrong"]["right"], found["right"]["also"]) == (0, 1, 0.5)
    assert math.isnan(pairs.compare(first, second, ["first"] * 20, ["one"] * 20)["right"]["wrong"])


def test_the_mean_over_groups_counts_every_group_the_same() -> None:
    generator = np.random.default_rng(5)
    first, second = ({"a": generator.normal(size=200)} for _ in range(2))
    winners = generator.choice(["first", "second"], 200).tolist()
    groups = ["big" if place % 10 else "small" for place in range(200)]
    images = [str(place // 4) for place in range(200)]
    each = pairs.accuracies(first, second, winners, groups, images, samples=50)
    found = pairs.overall(first, second, winners, groups, images, samples=300, seed=2)["a"]
    assert found.accuracy == pytest.approx((each["big"]["a"].accuracy + each["small"]["a"].accuracy) / 2)
    drawn = []
    preferred = np.array([pairs.WINNERS[one] for one in winners])
    right = pairs.credit(first["a"] - second["a"], preferred)
    owners = np.array([int(image) for image in images])
    for counts in np.concatenate(list(bootstrap.draw(50, 300, 2))):
        means = []
        for group in ("big", "small"):
            rows = np.array([name == group for name in groups])
            often = counts[owners[rows]]
            means.append((right[rows] * often).sum() / often.sum())
        drawn.append(np.mean(means))
    assert (found.low, found.high) == pytest.approx(np.quantile(drawn, [0.025, 0.975]))
    assert (found.count, found.ties) == (200, 0)


def test_groups_of_ratings_and_of_pairs() -> None:
    scores, ratings = data()
    found = judging.judge_captions(scores, ratings, IMAGES, SYSTEMS, FEW)
    corrected, groups = significance(found)
    assert corrected == williams.holm(found.williams)
    order = sorted(scores, key=lambda key: -found.metrics[key].pearson.value)
    assert groups == williams.letters(corrected, order)
    assert headline_values(found) == {key: found.metrics[key].kendall_c.value for key in scores}
    chosen = judging.judge_pairs(scores, two(), IMAGES, FEW)
    assert significance(chosen)[0] == williams.holm(chosen.right)
    means = {key: (chosen.pairs["a"][key].accuracy + chosen.pairs["b"][key].accuracy) / 2 for key in scores}
    assert headline_values(chosen) == pytest.approx(means)
    assert significance(dataclasses.replace(found, williams={}, metrics={})) == ({}, {})


def test_a_judging_is_the_same_after_it_was_kept() -> None:
    scores, ratings = data()
    for found in (
        judging.judge_captions(scores, ratings, IMAGES, SYSTEMS, FEW, raters=["a", "b", "c"]),
        judging.judge_pairs(scores, two(), IMAGES, FEW),
    ):
        again = stored_judging.load(json.loads(json.dumps(plain(stored_judging.dump(found)))))
        assert dataclasses.asdict(again) == dataclasses.asdict(found)
    single = judging.judge_captions({"cider": np.ones(100)}, ratings, IMAGES, SYSTEMS, FEW)
    again = stored_judging.load(json.loads(json.dumps(plain(stored_judging.dump(single)))))
    assert math.isnan(again.metrics["cider"].pearson.low)
    assert again.complementarity is None
