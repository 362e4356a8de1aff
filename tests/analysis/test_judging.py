"""Ratings and scores put together: each part is what its own function says, and the JSON has the stated shape."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from capeval_core import CaptionItem, InvalidInput, registry
from capeval_core.analysis import agreement, between, complementarity, judging, williams
from capeval_core.analysis.coefficients import NAMES
from capeval_core.analysis.correlations import qualities
from capeval_core.analysis.judging import Settings
from capeval_core.types import Array

FEW = Settings(samples=30)
SYSTEMS = [f"s{place % 5}" for place in range(100)]
IMAGES = [str(place // 5) for place in range(100)]


@dataclasses.dataclass(frozen=True)
class Two:
    """Pairs."""

    first: list[int]
    second: list[int]
    winners: list[str]
    groups: list[str]


def data() -> tuple[dict[str, Array], Array]:
    generator = np.random.default_rng(0)
    quality = generator.normal(3, 1, 100) + np.arange(100) % 5 / 3
    scores = {key: quality + generator.normal(size=100) for key in ("bleu_4", "cider", "own column")}
    ratings: Array = np.clip(np.round(quality[:, None] + generator.normal(size=(100, 3))), 1, 5).astype(np.float64)
    ratings[7, 1] = np.nan
    ratings[9] = np.nan
    return scores, ratings


def test_captions_flattened() -> None:
    scores, ratings = data()
    found = judging.judge_captions(scores, ratings, IMAGES, SYSTEMS, FEW, raters=["a", "b", "c"])
    rows, raters = np.nonzero(np.isfinite(ratings))
    beside = {key: values[rows] for key, values in scores.items()}
    flat = ratings[rows, raters]
    names = [IMAGES[row] for row in rows]
    assert found.rows == 99
    assert found.metrics == qualities(beside, flat, names, samples=30)
    assert found.metrics["cider"].count == 296
    assert found.williams == williams.compare(beside, flat, 99)
    assert found.between == between.compare(scores)
    assert found.agreement == agreement.agree(ratings, IMAGES, ["a", "b", "c"], samples=30)
    assert found.complementarity == complementarity.complement(beside, flat, names, samples=30)
    assert sum(level.count for level in found.by_rating["bleu_4"]) == 296
    assert found.pairs == {}


def test_the_mean_of_the_ratings() -> None:
    scores, ratings = data()
    found = judging.judge_captions(scores, ratings, IMAGES, SYSTEMS, Settings("mean", samples=30))
    kept = np.isfinite(ratings).any(axis=1)
    mean = np.nanmean(ratings[kept], axis=1)
    expected = np.corrcoef(scores["cider"][kept], mean)[0, 1]
    assert found.metrics["cider"].pearson.value == pytest.approx(expected)


def test_captioners_beside_their_mean_rating() -> None:
    scores, ratings = data()
    found = judging.judge_captions(scores, ratings, IMAGES, SYSTEMS, FEW)
    means = []
    for system in sorted(set(SYSTEMS)):
        rows = [row for row, name in enumerate(SYSTEMS) if name == system]
        pairs = [(scores["cider"][row], r) for row in rows for r in ratings[row] if not math.isnan(r)]
        means.append(np.mean(pairs, axis=0))
    assert found.captioners["cider"].pearson.value == pytest.approx(np.corrcoef(np.array(means).T)[0, 1])
    assert found.captioners["cider"].count == 5
    assert judging.judge_captions(scores, ratings, IMAGES, [""] * 100, FEW).captioners == {}


def test_captioners_that_people_rated() -> None:
    scores, _ = data()
    rated = {"s0": (1.0, math.nan), "s1": (2.0, 3.0), "s2": (2.0,), "s3": (5.0,), "s4": (4.0,), "unseen": (1.0,)}
    found = judging.judge_captioners(scores, SYSTEMS, rated, FEW)
    means = [scores["cider"][place::5].mean() for place in range(5)]
    assert found.rows == 5
    assert found.metrics["cider"].pearson.value == pytest.approx(np.corrcoef(means, [1, 2.5, 2, 5, 4])[0, 1])
    assert found.agreement is None


def test_lower_is_better_counts_with_the_other_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    scores, ratings = data()
    before = judging.judge_captions(scores, ratings, IMAGES, SYSTEMS, FEW)
    spec = dataclasses.replace(registry.get("cider"), direction="lower")
    known = registry.get
    monkeypatch.setattr(registry, "get", lambda key: spec if key == "cider" else known(key))
    turned = scores | {"cider": -scores["cider"]}
    after = judging.judge_captions(turned, ratings, IMAGES, SYSTEMS, FEW)
    assert after.metrics == before.metrics
    assert after.complementarity == before.complementarity
    assert after.between["bleu_4"]["cider"] == pytest.approx(-before.between["bleu_4"]["cider"])
    assert after.by_rating["cider"][0].mean == pytest.approx(-before.by_rating["cider"][0].mean)
    pairs = [
        judging.judge_pairs(one, Two([0, 1], [2, 3], ["first"] * 2, ["g"] * 2), IMAGES, FEW) for one in (scores, turned)
    ]
    assert pairs[0].pairs["g"]["bleu_4"] == pairs[1].pairs["g"]["bleu_4"]
    assert pairs[0].pairs["g"]["cider"].accuracy == 1 - pairs[1].pairs["g"]["cider"].accuracy


def test_pairs() -> None:
    scores = {"cider": np.array([3.0, 1.0, 2.0, 2.0])}
    first, second = [0, 1, 2, 0], [1, 2, 3, 2]
    found = judging.judge_pairs(scores, Two(first, second, ["first"] * 4, ["x", "x", "y", "y"]), list("abcd"), FEW)
    assert {group: row["cider"].accuracy for group, row in found.pairs.items()} == {"x": 0.5, "y": 0.75}
    assert (found.rows, found.headline, found.metrics) == (4, "accuracy", {})


def test_json_has_the_stated_shape() -> None:
    scores, ratings = data()
    found = judging.judge_captions(scores, ratings, IMAGES, SYSTEMS, FEW, raters=["a", "b", "c"])
    found = dataclasses.replace(found, protocol="a protocol", signatures={"cider": "cider|v:1"})
    shape = judging.as_json(found)
    assert list(shape) == ["protocol", "rows", "metrics", "williams", "between", "agreement", "signatures"]
    assert (shape["protocol"], shape["rows"], shape["signatures"]) == ("a protocol", 99, {"cider": "cider|v:1"})
    assert {key: list(row) for key, row in shape["metrics"].items()} == {key: list(NAMES) for key in scores}
    kendall = found.metrics["cider"].kendall_c
    assert shape["metrics"]["cider"]["kendall_c"] == {"value": kendall.value, "low": kendall.low, "high": kendall.high}
    assert set(shape["williams"]["cider"]) == set(shape["between"]["cider"]) == {"bleu_4", "own column"}
    assert judging.as_json(found, "holm")["williams"] == williams.holm(found.williams)
    assert set(shape["agreement"]) == {"alpha", "captions", "one_against_others", "raters"}
    assert list(shape["agreement"]["raters"]) == ["a", "b", "c"]
    pairs = judging.judge_pairs(scores, Two([0, 1], [2, 3], ["first"] * 2, ["g"] * 2), IMAGES, FEW)
    shape = judging.as_json(pairs)
    assert list(shape) == ["protocol", "rows", "between", "pairs"]
    assert list(shape["pairs"]["g"]["cider"]) == ["accuracy", "low", "high", "count"]


def test_scores_of_another_length_are_refused() -> None:
    with pytest.raises(InvalidInput, match="scores of 'cider'; expected 100 values; found 99"):
        judging.judge_captions({"cider": np.zeros(99)}, data()[1], IMAGES, SYSTEMS, FEW)


def test_one_door_for_all_three() -> None:
    scores, ratings = data()
    items = [CaptionItem(image, "a", (), system) for image, system in zip(IMAGES, SYSTEMS, strict=True)]
    given = [[one for one in row if not math.isnan(one)] for row in ratings.tolist()]
    by_ratings = judging.judge(items, scores, ratings=given, settings=FEW)
    assert by_ratings.metrics["cider"].count == 296
    two = Two([0, 1], [2, 3], ["first", "tie"], ["g", "g"])
    by_pairs = judging.judge(items, scores, pairs=two, settings=FEW)
    assert by_pairs.pairs == judging.judge_pairs(scores, two, IMAGES, FEW).pairs
    rated = {f"s{place}": [float(place)] for place in range(5)}
    by_captioners = judging.judge(items, scores, captioners=rated, settings=FEW)
    assert by_captioners.metrics == judging.judge_captioners(scores, SYSTEMS, rated, FEW).metrics
