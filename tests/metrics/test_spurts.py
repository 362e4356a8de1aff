"""SPURTS on its own account; what it shares with MIMA, goldens too, is in test_mima.py."""

from __future__ import annotations

import pytest

from capeval_core import CaptionItem, evaluate
from tests.metrics.test_mima import explained


def test_stop_words_keep_their_places_and_punctuation_goes() -> None:
    found = explained("The dog, on a beach!", "spurts")
    assert found.tokens == ("[CLS]", "the", "dog", "on", "a", "beach", "[SEP]")
    assert found.masked == (False, True, False, True, True, False, False)
    assert found.dropped == (",", "!")


def test_which_stop_word_it_is_does_not_matter_but_their_number_does() -> None:
    one, other, none = (
        explained(text, "spurts").value for text in ("a dog on a beach", "the dog by his beach", "dog beach")
    )
    assert one == other
    assert one != pytest.approx(none, abs=1e-3)


@pytest.mark.parametrize("model", ["estimate", "minilm"])
def test_case_and_full_stops_do_not_matter(model: str) -> None:
    texts = ["A man riding a Horse.", "a man riding a horse", "a man riding a horse . "]
    scores = evaluate([CaptionItem("1", text) for text in texts], ["spurts"], options={"spurts": {"model": model}})
    first, *others = scores.scores["spurts"].tolist()
    assert others == pytest.approx([first, first], abs=1e-6)


def test_the_estimate_shows_the_plain_value_too() -> None:
    found = explained("a man riding a motorcycle down a dirt road", "spurts", "estimate")
    assert found.value == found.estimate
    assert found.plain == pytest.approx(
        explained("a man riding a motorcycle down a dirt road", "spurts").value, abs=1e-6
    )
    assert "published" in found.method
    # The authors published 0.34988 for this caption of karpathy_a, which the estimate was fitted on.
    assert found.value == pytest.approx(0.34988, abs=0.03)
