"""MIMA and what it shares with SPURTS: the plain method against an independent computation, evidence, odd text."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from capeval_core import CaptionItem, Explanation, InvalidInput, evaluate, explain
from capeval_core.metrics.typicality import ESTIMATED, FlowExplanation, Options
from capeval_core.metrics.typicality import source as sources
from capeval_core.metrics.typicality.values import CUT, EMPTY, ONLY_STOP_WORDS
from capeval_core.resources import transformer
from tests.cases import golden, karpathy, needs_shared
from tests.resources.test_transformer import small_tokenizer, tiny

KEYS = ("mima", "spurts")
CASES = [(key, case) for key in KEYS for case in golden(key)["cases"]]
ODD = [
    "",
    " \t\n",
    "...",
    "dog",
    "the",
    "it is on the",
    "?!",
    "\U0001f436",
    "dog \ud83d",
    "собака 一只狗",
    "dog " * 2_000,
]


def plain(key: str, model: str = "minilm") -> dict[str, dict[str, str]]:
    return {key: {"model": model}}


def explained(caption: str, key: str, model: str = "minilm") -> FlowExplanation:
    found: Explanation = explain(CaptionItem("1", caption), key, options=plain(key, model))
    assert isinstance(found, FlowExplanation)
    return found


@pytest.mark.parametrize(("key", "case"), CASES, ids=lambda part: part if isinstance(part, str) else part["name"])
def test_golden(key: str, case: dict[str, Any]) -> None:
    found = explained(case["caption"], key)
    assert list(found.tokens) == case["tokens"]
    assert list(found.masked) == case["masked"]
    assert list(found.dropped) == case["dropped"]
    assert np.array(found.flows).shape == (6, 12)
    np.testing.assert_allclose(np.max(found.flows, axis=1), case["strongest"], rtol=0, atol=2e-5)
    assert found.value == found.plain == pytest.approx(case["value"], abs=2e-5)
    for layer, (head, expected) in enumerate(zip(found.chosen_heads, case["heads"], strict=True)):
        assert found.flows[layer][head] == pytest.approx(found.flows[layer][expected], abs=2e-5)


@pytest.mark.parametrize("key", KEYS)
def test_the_median_layers_make_the_value(key: str) -> None:
    found = explained("a man riding a motorcycle down a dirt road", key)
    assert len(found.median_layers) == 2  # of six
    flow = np.mean([found.flows[layer][found.chosen_heads[layer]] for layer in found.median_layers])
    assert found.flow == pytest.approx(flow, abs=1e-9)
    assert found.plain == pytest.approx(1 - flow if key == "mima" else flow, abs=1e-9)
    assert found.estimate is None
    assert found.model == "minilm"


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("model", ["estimate", "minilm"])
def test_batch_equals_each_caption_alone(key: str, model: str) -> None:
    captions = [case["caption"] for name, case in CASES if name == key]
    items = [CaptionItem(str(row), caption) for row, caption in enumerate(captions)]
    scores = evaluate(items, [key], options=plain(key, model)).scores[key]
    alone = [explained(caption, key, model).value for caption in captions]
    np.testing.assert_allclose(scores, alone, rtol=0, atol=1e-5)
    assert evaluate(items, [key], options=plain(key, model)).corpus[key] == pytest.approx(np.mean(alone), abs=1e-5)


def test_signature_says_what_made_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    item = CaptionItem("1", "a dog")
    monkeypatch.setattr(sources, "find", lambda name: None)
    signatures = {
        model: evaluate([item], ["mima"], options=plain("mima", model)).signatures["mima"] for model in ODD_MODELS
    }
    assert f"model:{ESTIMATED}|" in signatures["auto"]
    assert signatures["auto"] == signatures["estimate"]
    assert "model:minilm|" in signatures["minilm"]


ODD_MODELS = ("auto", "estimate", "minilm")


def test_auto_takes_the_papers_transformer_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "find", lambda name: Path("/somewhere") / name)
    assert {key: sources.choose("auto", key).source for key in KEYS} == sources.PAPER
    assert sources.choose("estimate", "mima").source == "estimate"


@pytest.mark.parametrize("kind", ["roberta", "distilbert"])
@pytest.mark.parametrize("key", KEYS)
def test_any_transformer_by_its_folder(kind: str, key: str, tmp_path: Path) -> None:
    folder = tiny(kind, tmp_path / "my-model")
    (folder / "tokenizer.json").write_text(small_tokenizer(), encoding="utf-8")
    found = explained("a dog runs on the beach, fast", key, str(folder))
    assert np.array(found.flows).shape == (2, 3)
    assert 0 < found.value < 1
    assert found.value == found.plain
    assert "model:my-model|" in found.signature


@pytest.mark.parametrize("model", ["estimate", "minilm"])
@pytest.mark.parametrize("key", KEYS)
def test_odd_text_is_finite_and_explained(key: str, model: str) -> None:
    for caption in ODD:
        found = explained(caption, key, model)
        assert 0 <= found.value <= 1
        assert found.method
        score = evaluate([CaptionItem("1", caption)], [key], options=plain(key, model))
        assert score.scores[key][0] == found.value
        assert score.notes[key].get(0, "") == found.note


def test_notes_say_what_was_odd() -> None:
    assert explained("", "mima").note == EMPTY
    assert explained("", "mima").value == explained(" . ", "spurts", "estimate").value == 0
    assert explained("it is on the", "spurts").note == ONLY_STOP_WORDS
    assert explained("it is on the", "mima").note == ""
    assert explained("dog " * 2_000, "mima").note == CUT
    assert explained("a dog", "spurts").note == ""


def test_one_estimate_serves_both_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[int] = []
    in_batches = transformer.Transformer.in_batches

    def counted(self: Any, given: Any, run: Any) -> Any:
        rows.append(len(given))
        return in_batches(self, given, run)

    monkeypatch.setattr(transformer.Transformer, "in_batches", counted)
    items = [
        CaptionItem("1", "a dog", ("a cat",)),
        CaptionItem("2", "a dog", ("dogs",)),
        CaptionItem("3", "a cat", ("b",)),
    ]
    options = {key: {"model": "estimate"} for key in ("mima", "spurts")}
    assert not evaluate(items, ["mima", "spurts", "smurf"], options=options).skipped
    assert rows == [2, 2]  # two distinct captions, with stop words and without


def test_no_model_is_refused() -> None:
    with pytest.raises(InvalidInput):
        Options(model="")


def test_an_absent_transformer_is_skipped_with_its_fix() -> None:
    found = evaluate([CaptionItem("1", "a dog")], ["mima"], options=plain("mima", "no-such-model"))
    assert "fetch no-such-model" in str(found.skipped["mima"])


@needs_shared
def test_mima_falls_as_words_are_replaced() -> None:
    """The paper's 4.1: a growing share of words becomes words of the corpus."""
    captions = [item.candidate for item in karpathy()[0] if item.system == "human"][:400]
    corpus = sorted({word for caption in captions for word in caption.lower().split()})
    chance, means = random.Random(1), []
    orders = [chance.sample(range(len(caption.split())), len(caption.split())) for caption in captions]
    for share in (0, 0.1, 0.3, 0.5, 1):
        items = []
        for caption, order in zip(captions, orders, strict=True):
            words = caption.lower().split()
            for place in order[: round(share * len(words))]:
                words[place] = chance.choice(corpus)
            items.append(CaptionItem("1", " ".join(words)))
        means.append(evaluate(items, ["mima"], options=plain("mima")).corpus["mima"])
    assert means == sorted(means, reverse=True), means
    assert means[0] - means[-1] > 0.01
