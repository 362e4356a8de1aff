"""I2CE with the shipped weights against an independent computation, its evidence, its odd cases, its speed."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from capeval_core import CaptionItem, InvalidInput, evaluate, explain
from capeval_core.analysis.coefficients import coefficients
from capeval_core.io import presets
from capeval_core.metrics.i2ce import I2ceExplanation, alignment, nearest, pool
from tests.cases import SHARED, golden, needs_shared

FLICKR8K = 0.5499  # tau-c, as in data/i2ce.md
LAKE = CaptionItem(
    "1",
    "a man in a small boat on a lake",
    (
        "a man is sitting in a canoe on the water",
        "a person rows a boat across a lake",
        "two dogs play in the snow",
        "a guy on a boat",
    ),
)


def value(item: CaptionItem, **options: Any) -> float:
    return float(evaluate([item], ["i2ce"], options={"i2ce": options}).scores["i2ce"][0])


def why(item: CaptionItem, **options: Any) -> I2ceExplanation:
    found = explain(item, "i2ce", options={"i2ce": options})
    assert isinstance(found, I2ceExplanation)
    return found


@pytest.mark.parametrize("case", golden("i2ce")["cases"], ids=lambda case: case["candidate"])
def test_golden(case: Any) -> None:
    item = CaptionItem("1", case["candidate"], tuple(case["references"]))
    found = why(item)
    assert_allclose([one.cosine for one in found.references], case["cosines"], atol=1e-5, rtol=0)  # type: ignore[arg-type]
    assert found.value == value(item) == pytest.approx(case["value"], abs=1e-5)


def test_golden_corpus_is_the_mean() -> None:
    cases = golden("i2ce")["cases"]
    items = [CaptionItem("1", case["candidate"], tuple(case["references"])) for case in cases]
    assert evaluate(items, ["i2ce"]).corpus["i2ce"] == pytest.approx(
        np.mean([case["value"] for case in cases]), abs=1e-5
    )


def test_the_nearest_are_averaged() -> None:
    assert nearest([0.2, None, 0.9, 0.2, -0.3], 3) == [2, 0, 3]
    assert pool([0.2, None, 0.9, 0.2, -0.3], 3) == pytest.approx(1.3 / 3)
    assert pool([0.4], 3) == 0.4
    assert pool([None], 3) == 0.0
    found = why(LAKE, top_k=2)
    cosines = [one.cosine or 0.0 for one in found.references]
    assert found.value == pytest.approx(math.fsum(sorted(cosines, reverse=True)[:2]) / 2)
    assert [one.pooled for one in found.references] == [place in nearest(cosines, 2) for place in range(4)]
    assert not found.references[2].pooled  # the dogs
    assert value(LAKE, top_k=50) < value(LAKE, top_k=1)


def test_what_a_word_adds_is_the_value_less_the_value_without_it() -> None:
    found = why(LAKE)
    words = LAKE.candidate.split()
    for place in (1, 5, 8):
        rest = " ".join(words[:place] + words[place + 1 :])
        without = value(CaptionItem("1", rest, LAKE.references))
        assert found.influences[place] == pytest.approx(found.value - without, abs=1e-6)
    alone = why(CaptionItem("1", "boat", LAKE.references))
    assert alone.influences == (alone.value,)  # without it nothing is left: 0


def test_the_decoder_writes_a_plain_caption_again() -> None:
    """What the vector kept: most words of a caption as people write them."""
    captions = ["a man riding a wave on a surfboard", "a dog is running on the beach", "two people sitting on a bench"]
    kept = [share for text in captions for share in why(CaptionItem("1", text, (text,))).kept]
    assert np.mean(kept) > 0.7


def test_alignment_of_what_was_kept_and_added() -> None:
    assert alignment(("a", "dog", "runs"), ("a", "cat", "runs", "fast")) == (
        (True, False, True),
        (False, True, False, True),
    )
    assert alignment((), ()) == ((), ())


def test_nothing_to_compare_is_said() -> None:
    for candidate, references, note in (
        ("", ("a dog",), "The candidate has no words: similarity 0."),
        (" . , ", ("a dog",), "The candidate has no words: similarity 0."),
        ("a dog", ("", "."), "No reference has words: similarity 0."),
    ):
        item = CaptionItem("1", candidate, references)
        made = evaluate([item], ["i2ce"])
        assert made.scores["i2ce"][0] == 0
        assert made.notes["i2ce"][0] == note
        assert not any(one.pooled for one in why(item).references)
    half = CaptionItem("1", "a dog", ("", "the dog"))
    assert evaluate([half], ["i2ce"]).notes["i2ce"][0] == "Left out: 1 of 2 references, which have no words."
    assert value(half) == value(CaptionItem("1", "a dog", ("the dog",)))


def test_unknown_words_are_named_and_noted() -> None:
    item = CaptionItem("1", "ein hund läuft am strand", ("a dog runs on the beach",))
    found = why(item)
    assert [word for word, strange in zip(found.words, found.unknown, strict=True) if strange]
    assert "are unknown to I2CE's network: this score says little" in evaluate([item], ["i2ce"]).notes["i2ce"][0]
    assert why(CaptionItem("1", "a dog qqzzx", ("a dog",))).unknown == (False, False, True)


def test_captions_of_one_image_are_nearer_than_those_of_another() -> None:
    others = ("a bowl of soup on a table", "people skiing down a mountain", "a kitchen with a stove")
    assert value(CaptionItem("1", "a man in a small boat on a lake", LAKE.references[:2]), top_k=3) > 0.4
    assert value(CaptionItem("1", "a man in a small boat on a lake", others), top_k=3) < 0.25


def test_a_path_that_is_no_model_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no such model"):
        value(LAKE, model="/no/such/file.safetensors")


@needs_shared
def test_agreement_with_experts() -> None:
    """Flickr8k-Expert, tau-c with every rating: the card's figure; the issue asks for .42."""
    people = presets.flickr8k_expert(SHARED / "flickr8k")
    began = time.process_time()
    scores = evaluate(people.data.items, ["i2ce"], device="cpu").scores["i2ce"]
    assert time.process_time() - began < 15  # seconds, with 10,000 captions
    pairs = [
        (score, rating)
        for score, all_of_it in zip(scores, people.data.ratings or (), strict=True)
        for rating in all_of_it
    ]
    assert coefficients(*np.array(pairs).T)[3] == pytest.approx(FLICKR8K, abs=0.002)
