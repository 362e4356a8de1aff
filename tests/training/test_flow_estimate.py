"""Fitting the estimate of MIMA and SPURTS: repeatable, learns, refuses what it cannot read."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from capeval_core.errors import InvalidInput
from capeval_core.metrics.typicality.estimate import features, load
from capeval_core.metrics.typicality.passes import run
from capeval_core.resources.transformer import open_transformer
from capeval_core.training.flow_estimate import Settings, read_published, train

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


def test_training_is_repeatable_and_learns(tmp_path: Path) -> None:
    data = write(tmp_path / "data.jsonl")
    settings, lines = Settings(folds=3, dims=16), list[str]()
    figures = [train(data, tmp_path / f"{name}.safetensors", settings=settings, log=lines.append) for name in "ab"]
    assert figures[0] == figures[1]
    assert (tmp_path / "a.safetensors").read_bytes() == (tmp_path / "b.safetensors").read_bytes()
    assert figures[0]["r spurts"] > 0.9
    card = (tmp_path / "a.md").read_text(encoding="utf-8")
    assert f"| r spurts | {figures[0]['r spurts']:.4f} |" in card
    assert "data.jsonl" in card

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
