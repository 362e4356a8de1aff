"""Training that people watch: what it tells, what it gives, what it refuses; and the made captions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from capeval_core import CaptionItem, InvalidInput, pace
from capeval_core.resources import score_network, sentence_model, trained
from capeval_core.training import nneval_features, watched, watched_nneval
from capeval_core.training.made_captions import CAPTIONS, made_captions
from capeval_core.training.watched import Learned, Plan, Watched
from capeval_core.types import Array

FEW = made_captions(60)


def learn(plan: Plan, seen: Watched, stages: list[str] | None = None) -> Learned:
    told = [] if stages is None else stages
    return watched.learn(plan, FEW, seen, lambda stage, done, total: told.append(stage))


def written(learned: Learned, folder: Path) -> Path:
    file = folder / "model.safetensors"
    file.write_bytes(learned.content)
    return file


def test_made_captions_are_many_different_and_always_the_same() -> None:
    made = made_captions(200)
    assert len(made) == 200
    assert made == made_captions(200) != made_captions(200, seed=8)
    assert all(len(set(captions)) == CAPTIONS for captions in made.values())
    texts = [text for captions in made.values() for text in captions]
    assert len(set(texts)) > 0.9 * len(texts)
    assert not [text for text in texts if " a a" in text or "  " in text or " an b" in text]


def test_a_run_of_i2ce_tells_learns_and_gives_a_model(tmp_path: Path) -> None:
    seen, stages = Watched(), list[str]()
    learned = learn(Plan("i2ce", "dual", "small", 3), seen, stages)
    assert stages[-1] == "epoch 3 of 3"
    assert [point.at for point in seen.points if point.figures] == pytest.approx([1, 2, 3])
    losses = [point.losses["overall"] for point in seen.points if point.figures]
    assert losses[-1] < losses[0]
    assert learned.points == tuple(seen.points)
    assert learned.counts["images"] + learned.counts["held back"] == len(FEW)
    model = sentence_model.load(written(learned, tmp_path))
    assert model.size == 128
    assert all(len(row) == len(learned.heads) for row in learned.examples)
    assert learned.examples[0][0] in {text for captions in FEW.values() for text in captions}
    assert set(learned.figures) >= {"words", "retrieval", "ranked"}
    assert learned.shipped.keys() == (learned.figures.keys() if trained.has_shipped("i2ce") else set())


def test_a_run_of_nneval_tells_learns_and_gives_a_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def score(items: Sequence[CaptionItem], keys: Sequence[str], *rest: object, **more: object) -> Array:
        """In place of eight metrics: words that are in the references too."""
        shared = [len(set(one.candidate.split()) & set(" ".join(one.references).split())) for one in items]
        return np.column_stack([np.array(shared) / (5 + place) for place in range(len(keys))])

    monkeypatch.setattr(nneval_features, "score", score)
    monkeypatch.setattr(watched_nneval, "POOLS", ("random", "fooling"))
    seen = Watched()
    learned = learn(Plan("nneval", "monotone", "small", 5), seen)
    assert [point.at for point in learned.points] == [1, 2, 3, 4, 5]
    assert learned.figures["area"] == pytest.approx(max(point.figures["area"] for point in learned.points))
    assert learned.figures["area"] > 0.6
    assert learned.counts["people's"] < learned.counts["captions"]
    network = score_network.load(written(learned, tmp_path))["monotone"]
    assert learned.examples[0][1] == "a person"
    assert all(float(row[2]) <= 1 for row in learned.examples)
    assert len(network.features) == 8


def test_a_run_can_be_stopped() -> None:
    class Enough(BaseException):
        pass

    seen = Watched()

    def watcher() -> None:
        if seen.points:
            raise Enough

    with pytest.raises(Enough), pace.watched(watcher):
        learn(Plan("i2ce", "single", "small", 30), seen)
    assert seen.points[-1].at < 2


@pytest.mark.parametrize("metric", ["i2ce", "nneval"])
def test_too_little_to_learn_from_is_said(metric: str) -> None:
    plan = Plan(metric, next(iter(watched.VARIANTS[metric])))
    with pytest.raises(InvalidInput, match="too little"):
        watched.learn(plan, {"1": ["a dog", "a hound", "a puppy"]}, Watched(), lambda *news: None)


@pytest.mark.parametrize("wrong", [{"metric": "bleu"}, {"variant": "free"}, {"size": "huge"}, {"epochs": 1_000}])
def test_a_plan_holds_only_what_can_be_trained(wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        Plan(**wrong)  # type: ignore[arg-type]
