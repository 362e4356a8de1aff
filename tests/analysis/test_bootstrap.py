"""The paired bootstrap: against samples scored anew, and its p values against what they promise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from capeval_core import CaptionItem, InvalidInput, evaluate
from capeval_core.analysis import bootstrap
from capeval_core.types import Array

WORDS = ["a", "dog", "cat", "runs", "on", "the", "green", "field", "with", "ball", "two", "people"]


def captions(seed: int, images: int) -> list[CaptionItem]:
    """Two captioners; the first has two captions of every third image, and the second one image of its own."""
    generator = np.random.default_rng(seed)

    def text() -> str:
        return " ".join(generator.choice(WORDS, 7))

    items = []
    for image in range(images):
        references = (text(), text())
        items += [CaptionItem(str(image), text(), references, "one") for _ in range(1 + (image % 3 == 0))]
        items.append(CaptionItem(str(image), references[0] if image % 2 else text(), references, "two"))
    return [*items, CaptionItem("alone", "a dog", ("a dog",), "two")]


def test_corpus_scores_equal_those_of_samples_scored_anew() -> None:
    items = captions(1, 12)
    keys = ["bleu_2", "rouge_l", "sparcs"]
    found = bootstrap.compare_corpus(evaluate(items, keys), "one", "two", samples=25, seed=3)
    differences = []
    for counts in (row for block in bootstrap.draw(12, 25, 3) for row in block.astype(int).tolist()):
        drawn: dict[str, list[CaptionItem]] = {"one": [], "two": []}
        for item in items[:-1]:
            drawn[item.system] += [item] * counts[int(item.image_id)]
        first, second = (evaluate(drawn[name], keys).corpus for name in ("one", "two"))
        differences.append([first[key] - second[key] for key in keys])
    whole = [evaluate([item for item in items[:-1] if item.system == name], keys).corpus for name in ("one", "two")]
    for place, key in enumerate(keys):
        values = np.array(differences)[:, place]
        assert found[key].first == pytest.approx(whole[0][key], abs=1e-12)
        assert found[key].difference == pytest.approx(whole[0][key] - whole[1][key], abs=1e-12)
        assert_allclose([found[key].low, found[key].high], np.quantile(values, [0.025, 0.975]), atol=1e-12)
        reached = np.sum(np.abs(values - found[key].difference) >= abs(found[key].difference))
        assert found[key].p_value == pytest.approx((reached + 1) / 26)
        assert found[key].images == 12


def pairs(first: Array, second: Array) -> tuple[list[CaptionItem], dict[str, Array]]:
    items = [CaptionItem(str(row), "", (), "one") for row in range(len(first))]
    items += [CaptionItem(str(row), "", (), "two") for row in range(len(second))]
    return items, {"x": np.concatenate([first, second])}


def test_p_values_keep_their_promise() -> None:
    """Of captioners that do not differ about 1 in 20 is called different at 0.05; small true differences are found."""
    generator = np.random.default_rng(2)
    same, other = [], []
    for _ in range(300):
        level = generator.normal(size=60)  # easy and hard images: pairing takes this away
        first, second = level + generator.normal(size=(2, 60)) * 0.3
        same.append(bootstrap.compare_means(*pairs(first, second), "one", "two", samples=200)["x"].p_value)
        other.append(bootstrap.compare_means(*pairs(first + 0.3, second), "one", "two", samples=200)["x"].p_value)
    assert 0.02 < np.mean(np.array(same) < 0.05) < 0.10
    assert np.mean(np.array(other) < 0.05) > 0.95


def test_a_captioner_does_not_differ_from_itself() -> None:
    values = np.random.default_rng(3).random(50)
    found = bootstrap.compare_means(*pairs(values, values), "one", "two")["x"]
    assert (found.difference, found.p_value) == (0.0, 1.0)


def test_undefined_values_leave_their_image_out() -> None:
    first, second = np.array([1.0, math.nan, 3.0, 5.0]), np.array([0.0, 0.0, math.nan, 1.0])
    found = bootstrap.compare_means(*pairs(first, second), "one", "two")["x"]
    assert (found.first, found.second, found.images) == (3.0, 0.5, 2)
    lone = bootstrap.compare_means(*pairs(first[:3], second[:3]), "one", "two")["x"]
    assert (lone.difference, lone.images) == (1.0, 1)
    assert math.isnan(lone.p_value)
    assert lone.note == "1 image with a value for both captioners: no interval"


def test_corpus_formulas_without_references_are_undefined() -> None:
    items = [CaptionItem(str(image), "a dog", (), name) for image in range(3) for name in ("one", "two")]
    found = bootstrap.compare_corpus(evaluate(items, ["bleu_1"]), "one", "two", samples=5)["bleu_1"]
    assert math.isnan(found.difference)
    assert found.images == 0
    assert found.note.startswith("no image")


def test_draws_are_whole_seeded_and_come_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = np.concatenate(list(bootstrap.draw(10, 7, 1)))
    assert whole.shape == (7, 10)
    assert (whole.sum(axis=1) == 10).all()
    assert not np.array_equal(whole, np.concatenate(list(bootstrap.draw(10, 7, 2))))
    monkeypatch.setattr(bootstrap, "CELLS_AT_ONCE", 30)
    blocks = list(bootstrap.draw(10, 7, 1))
    assert [len(block) for block in blocks] == [3, 3, 1]
    assert_allclose(np.concatenate(blocks), whole)


def test_bad_questions_are_refused() -> None:
    items, scores = pairs(np.ones(2), np.ones(2))
    with pytest.raises(InvalidInput, match="no captioner 'three'; expected one of 'one', 'two'"):
        bootstrap.compare_means(items, scores, "one", "three")
    apart = [CaptionItem("1", "", (), "one"), CaptionItem("2", "", (), "two")]
    with pytest.raises(InvalidInput, match="have no image in common"):
        bootstrap.compare_means(apart, {"x": np.ones(2)}, "one", "two")
    with pytest.raises(InvalidInput, match="no scores of 'cider'"):
        bootstrap.compare_corpus(evaluate(captions(1, 2), ["rouge_l"]), "one", "two", keys=["cider"])
