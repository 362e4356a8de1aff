"""BLEU's smoothing and its evidence."""

from __future__ import annotations

import math

import pytest

from capeval_core import CaptionItem, evaluate, explain
from capeval_core.metrics.bleu import BleuExplanation

ITEM = CaptionItem("1", "the the cat sat", ("the cat sat down here", "a cat"))


def evidence(item: CaptionItem, key: str = "bleu_4", **options: str) -> BleuExplanation:
    found = explain(item, key, options={"bleu": options})
    assert isinstance(found, BleuExplanation)
    return found


def test_evidence_counts_and_clips() -> None:
    found = evidence(ITEM)
    assert found.precisions == ((3, 4), (2, 3), (1, 2), (0, 1))
    the = found.ngrams[0][0]
    assert (the.words, the.count, the.clipped, the.reference_counts) == (("the",), 2, 1, (1, 0))
    assert found.matched[0] == (True, False, True, True)  # the second "the" is one more than any reference has
    assert found.matched[2] == (False, True, True, True)
    assert found.reference_length == 5
    assert found.brevity_penalty == pytest.approx(math.exp(1 - 5 / 4))


def test_each_key_explains_its_own_value() -> None:
    scores = evaluate([ITEM], ["bleu_1", "bleu_2", "bleu_3", "bleu_4"]).scores
    for n in range(4):
        found = evidence(ITEM, f"bleu_{n + 1}")
        assert found.value == found.values[n] == scores[f"bleu_{n + 1}"][0]


def test_lin_och_smoothing_adds_one_above_unigrams() -> None:
    # hits/totals 3/4, 2/3, 1/2, 0/1 -> 3/4, 3/4, 2/3, 1/2
    penalty = math.exp(1 - 5 / 4)
    expected = [(3 / 4), (9 / 16) ** (1 / 2), (9 / 16 * 2 / 3) ** (1 / 3), (9 / 16 * 1 / 3) ** (1 / 4)]
    assert evidence(ITEM, smoothing="lin-och").values == pytest.approx([penalty * value for value in expected])


def test_smoothing_keeps_nothing_in_common_at_zero() -> None:
    item = CaptionItem("1", "purple", ("a cat",))
    assert evidence(item, "bleu_1", smoothing="lin-och").value == 0.0
    assert evidence(CaptionItem("1", "", ("",)), "bleu_4", smoothing="lin-och").value == 0.0


def test_no_brevity_penalty_when_long_enough() -> None:
    assert evidence(CaptionItem("1", "a cat on a mat", ("a cat",))).brevity_penalty == 1.0
