"""Fitting the estimate of MIMA and SPURTS: repeatable, learns, refuses what it cannot read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from capeval_core.errors import InvalidInput
from capeval_core.metrics.typicality import reliability
from capeval_core.metrics.typicality.estimate import features, load
from capeval_core.metrics.typicality.passes import run
from capeval_core.perturb import KINDS
from capeval_core.resources.transformer import open_transformer
from capeval_core.training import flow_estimate_error as errors
from capeval_core.training.flow_estimate import train
from capeval_core.training.flow_estimate_error import METRICS
from capeval_core.training.flow_estimate_fit import Settings, read_published

NOUNS = ["dog", "cat", "horse", "man", "woman", "bus"]
PLACES = ["on the beach", "in a street", "near a big red house", "beside it"]


def write(path: Path) -> Path:
    rows = []
    for image, (noun, place) in enumerate((noun, place) for noun in NOUNS for place in PLACES):
        for system, caption in (("human", f"A {noun} stands {place}."), ("m2", f"a {noun} {place}")):
            scores = {"SPURTS": 0.3 + len(caption) / 200, "MIMA": 0.6 - len(caption) / 200, "SPARCS": 0.4 + image / 100}
            rows.append({"image_id": image, "system": system, "caption": caption, "scores": scores})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def shouted(captions: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    return {"typo": [(caption, f"{caption} it") for caption in captions], "shuffled": []}


def test_training_is_repeatable_and_learns(tmp_path: Path) -> None:
    data = write(tmp_path / "data.jsonl")
    settings, lines = Settings(folds=3, dims=16), list[str]()
    figures = [
        train(data, tmp_path / f"{name}.safetensors", settings=settings, change=shouted, log=lines.append)
        for name in "ab"
    ]
    assert figures[0] == figures[1]
    assert (tmp_path / "a.safetensors").read_bytes() == (tmp_path / "b.safetensors").read_bytes()
    assert figures[0]["r spurts"] > 0.9
    card = (tmp_path / "a.md").read_text(encoding="utf-8")
    assert f"| r spurts | {figures[0]['r spurts']:.4f} |" in card
    assert "data.jsonl" in card
    known = reliability.load(tmp_path / "a.safetensors")
    assert known is not None
    assert f"{known.error['mima']:.3f} (MIMA)" in card
    assert set(known.error) == set(known.mean_error) == set(known.unlike_error) == set(known.unfit_for) == set(METRICS)

    published = read_published(data)
    passes = run(open_transformer("minilm"), published.captions, prepared=True)
    found = load(tmp_path / "a.safetensors").estimate(features(passes))
    assert np.corrcoef(found[:, 1], published.targets[:, 1])[0, 1] > 0.95


@pytest.mark.parametrize(
    "line", ["{}", "no json", '{"image_id": 1, "system": "a", "caption": "b", "scores": {"MIMA": 1}}']
)
def test_bad_rows_are_named(line: str, tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(InvalidInput, match="line 1"):
        read_published(path)


def test_no_rows_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text("", encoding="utf-8")
    with pytest.raises(InvalidInput, match="no captions"):
        read_published(path)


def test_every_kind_of_change_is_measured_or_said_not_to_be() -> None:
    measured = [kind for kinds in errors.CHANGES.values() for kind in kinds]
    assert sorted([*measured, *errors.UNTESTED]) == sorted(KINDS)


def test_pairs_of_captions_that_differ_as_a_change_makes_them_differ() -> None:
    texts = [
        tuple(text.split())
        for text in (
            "a man rides a red bike",
            "a man rides a blue bike",
            "a red man rides a bike",
            "a man rides a red bike down a street",
        )
    ]
    assert list(errors.one_word(texts)) == [(0, 1)]
    assert list(errors.same_words(texts)) == [(0, 2)]
    assert list(errors.endings(texts)) == [(3, 0)]
    for group in (errors.bag, errors.beginning):
        folds = errors.folds_by(texts, group, 3)
        assert np.sum(folds, axis=0).tolist() == [1] * len(texts)


def test_how_much_of_a_change_is_found() -> None:
    truth = np.array([[0.0, 0.0, 0.0], [1.0, 2.0, -1.0]])
    assert errors.found_changes([(0, 1)], truth, truth).share == dict.fromkeys(METRICS, 1.0)
    assert errors.found_changes([(0, 1)], truth * 0, truth).share == dict.fromkeys(METRICS, 0.0)
    assert errors.found_changes([(0, 1)], -truth, truth).share == dict.fromkeys(METRICS, -3.0)
    found = errors.found_changes([], truth, truth)
    assert not any(found.fit(key) for key in METRICS)
