"""Degraded captions: how many words go, which come, and that a study scores them in one batch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from capeval_core import CapEvalError, CaptionItem, InvalidInput, MissingResource
from capeval_core.analysis import degradation
from capeval_core.types import Array, Evaluation

CAPTIONS = [f"A man{n}, two dogs{n % 7} and the man's t-shirt on top of a hill{n % 5}." for n in range(200)]


def words(caption: str) -> list[str]:
    return degradation.WORD.findall(caption.lower())


def test_each_step_replaces_its_share_and_keeps_what_was_replaced() -> None:
    steps = degradation.degrade(CAPTIONS, seed=1)
    assert steps[0] == CAPTIONS
    known = {word for caption in CAPTIONS for word in words(caption)}
    before = [0] * len(CAPTIONS)
    for share, step in zip(degradation.STEPS, steps, strict=True):
        pairs = [list(zip(words(a), words(b), strict=True)) for a, b in zip(CAPTIONS, step, strict=True)]
        changed = [sum(a != b for a, b in pair) for pair in pairs]
        assert sum(changed) / sum(map(len, pairs)) == pytest.approx(share, abs=0.01)
        assert all(abs(count - share * len(pair)) < 1 for count, pair in zip(changed, pairs, strict=True))
        assert all(old <= new for old, new in zip(before, changed, strict=True))
        assert {b for pair in pairs for _, b in pair} <= known
        assert all(caption.endswith(".") and caption.count(",") == 1 for caption in step)
        before = changed
    for earlier, later in pairwise(steps):
        for start, a, b in zip(CAPTIONS, earlier, later, strict=True):
            assert all(y == z for x, y, z in zip(words(start), words(a), words(b), strict=True) if x != y)


def test_common_words_come_as_often_as_they_occur() -> None:
    captions = ["the dog"] + ["the cat the cow"] * 50
    counts = []
    for by_frequency in (True, False):
        (step,) = degradation.degrade(captions, [1.0], by_frequency=by_frequency)
        # Of what replaces a cow, "the" is 101 of 152 running words and 1 of 3 distinct ones.
        counts.append(np.mean([words(caption)[3] == "the" for caption in step[1:]]))
    assert counts == pytest.approx([101 / 152, 1 / 3], abs=0.2)


def test_degradation_is_seeded() -> None:
    assert degradation.degrade(CAPTIONS, seed=1) == degradation.degrade(CAPTIONS, seed=1)
    assert degradation.degrade(CAPTIONS, seed=1)[1:] != degradation.degrade(CAPTIONS, seed=2)[1:]


@pytest.mark.parametrize("caption", ["", "...", "dog", "dog dog", "🐕 İstanbul ẞ", " \n"])
def test_odd_captions(caption: str) -> None:
    (whole,) = degradation.degrade([caption], steps=[1.0])[0]
    assert len(degradation.WORD.findall(whole)) >= len(degradation.WORD.findall(caption))
    found = degradation.study([caption], lambda texts: np.zeros(len(texts)))
    assert found[-1].replaced == (1.0 if degradation.WORD.search(caption) else 0.0)


def test_a_study_scores_all_steps_in_one_batch() -> None:
    calls: list[int] = []
    originals = set(CAPTIONS)

    def score(captions: Sequence[str]) -> Array:
        calls.append(len(captions))
        return np.array([1.0 if caption in originals else 0.25 for caption in captions])

    found = degradation.study(CAPTIONS, score, seed=1)
    assert calls == [5 * len(CAPTIONS)]
    assert [step.share for step in found] == list(degradation.STEPS)
    assert [found[0].mean, found[-1].mean] == [1.0, 0.25]
    assert found[0].low == found[0].high == 1.0
    assert found[-1].captions == tuple(degradation.degrade(CAPTIONS, seed=1)[-1])
    assert [step.replaced for step in found] == pytest.approx(degradation.STEPS, abs=0.01)
    values = np.random.default_rng(0).random(1000)
    spread = degradation.study(CAPTIONS, lambda captions: values)
    assert all(step.low < step.mean < step.high for step in spread)


def test_undefined_scores_are_left_out() -> None:
    found = degradation.study(["a dog", "a cat"], lambda captions: np.array([1.0, math.nan] * 5))
    assert [step.mean for step in found] == [1.0] * 5
    nothing = degradation.study(["a dog"], lambda captions: np.full(5, math.nan))
    assert all(math.isnan(step.mean) and math.isnan(step.low) for step in nothing)


def test_bad_questions_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"share of words to replace; expected 0 to 1; found 1\.5"):
        degradation.degrade(["a"], steps=[1.5])
    with pytest.raises(InvalidInput, match="degradation study"):
        degradation.study([], lambda captions: np.empty(0))


def test_a_metric_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Sequence[CaptionItem]] = []

    def evaluate(items: Sequence[CaptionItem], keys: Sequence[str], **settings: object) -> Evaluation:
        seen.append(items)
        return Evaluation(tuple(items), {keys[0]: np.arange(len(items), dtype=float)})

    monkeypatch.setattr(degradation, "evaluate", evaluate)
    items = [CaptionItem("1", "a dog runs", ("a dog",), "m2"), CaptionItem("2", "two cats")]
    found = degradation.study_metric(items, "mima", steps=[0.0, 1.0])
    assert len(seen) == 1
    assert [(item.image_id, item.references) for item in seen[0]] == [("1", ("a dog",)), ("2", ())] * 2
    assert [step.mean for step in found] == [0.5, 2.5]


def test_a_metric_that_cannot_score_raises_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    reason: CapEvalError = MissingResource("no weights")
    monkeypatch.setattr(
        degradation, "evaluate", lambda items, *_, **__: Evaluation(tuple(items), skipped={"x": reason})
    )
    with pytest.raises(MissingResource, match="no weights"):
        degradation.study_metric([CaptionItem("1", "a")], "x")
