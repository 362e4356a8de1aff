"""The toolkit's own numbers: BLEU, ROUGE-L, METEOR and CIDEr, segments and corpus, from raw text."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

from capeval_core import CaptionItem, Evaluation, evaluate
from tests.cases import SHARED, golden, karpathy, needs_shared

KEYS = ("bleu_1", "bleu_2", "bleu_3", "bleu_4", "rouge_l", "meteor", "cider")
NAMES = dict(zip(KEYS, ("BLEU_1", "BLEU_2", "BLEU_3", "BLEU_4", "ROUGE_L", "METEOR", "CIDEr"), strict=True))
TABLE = golden("coco")
ITEMS = [CaptionItem(case["name"], case["candidate"], tuple(case["references"])) for case in TABLE["cases"]]


@cache
def on_golden() -> Evaluation:
    return evaluate(ITEMS, KEYS, options={"cider": {"idf": "corpus"}})


@cache
def on_karpathy() -> Evaluation:
    return evaluate(karpathy()[0], KEYS, options={"cider": {"idf": "corpus"}})


@pytest.mark.parametrize("key", KEYS)
def test_golden_segments(key: str) -> None:
    expected = [case["scores"][key] for case in TABLE["cases"]]
    np.testing.assert_allclose(on_golden().scores[key], expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("key", KEYS)
def test_golden_corpus(key: str) -> None:
    assert on_golden().corpus[key] == pytest.approx(TABLE["corpus"][key], abs=1e-9)


@needs_shared
@pytest.mark.parametrize("key", KEYS)
def test_every_segment_of_karpathy_equals_the_toolkit(key: str) -> None:
    difference = np.abs(on_karpathy().scores[key] - karpathy()[1][NAMES[key]])
    assert (difference < 1e-9).sum() == 10_000


@needs_shared
def test_corpus_scores_of_karpathy_equal_the_toolkit() -> None:
    expected = json.loads((SHARED / "karpathy" / "karpathy_a_corpus.json").read_text())["corpus"]
    for system, rows in on_karpathy().systems().items():
        found = on_karpathy().corpus_of(rows)
        assert {key: found[key] for key in KEYS} == pytest.approx(
            {key: expected[system][NAMES[key]] for key in KEYS}, abs=1e-9
        )


def test_a_shuffled_batch_gives_every_item_its_own_score() -> None:
    order = np.random.default_rng(7).permutation(len(ITEMS))
    shuffled = evaluate([ITEMS[place] for place in order], KEYS, options={"cider": {"idf": "corpus"}})
    for key in KEYS:
        np.testing.assert_allclose(shuffled.scores[key], on_golden().scores[key][order], atol=1e-12)
