"""Training of the caption parser, with a tiny network on made-up sentences."""

from __future__ import annotations

import gzip
import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from capeval_core.errors import InvalidInput
from capeval_core.resources.caption_parser import CaptionParser
from capeval_core.training import caption_parser as training
from capeval_core.training.caption_data import read_parses, split

SIZES = {"word_size": 8, "affix_size": 4, "hidden": 16, "tag_size": 4, "arc_size": 16, "relation_size": 8}
TINY = {**SIZES, "input_dropout": 0.1, "layer_dropout": 0.1, "mlp_dropout": 0.1}
NOUNS = ("dog", "cat", "man", "boy")
Outcome = tuple[dict[str, float], list[str]]  # figures, log
SETTINGS = training.Settings(held_out=4, batch_words=40, learning_rate=0.02, warm_up=5, average=0.8, hide_words=0.2)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    vectors = np.random.default_rng(0).normal(size=(3, 5)).astype(np.float32)
    monkeypatch.setattr(training, "read_vectors", lambda: (["dog", "cat", "unheard"], vectors))
    path = tmp_path / "parses.jsonl.gz"
    with gzip.open(path, "wt") as file:
        for noun, verb, place in product(
            ("dog", "cat", "man", "boy"), ("sits", "runs", "eats"), ("park", "house", "snow")
        ):
            words = ["a", noun, verb, "in", "the", place]
            sentence = {
                "words": words,
                "tags": ["DT", "NN", "VBZ", "IN", "DT", "NN"],
                "lemmas": ["a", noun, verb[:-1], "in", "the", place],
                "heads": [2, 3, 0, 6, 6, 3],
                "relations": ["det", "nsubj", "root", "case", "det", "nmod"],
            }
            file.write(json.dumps({"caption": " ".join(words), "sentences": [sentence]}) + "\n")
    return path


def run(data: Path, out: Path, epochs: int = 10, *, seed: int = 1, resume: bool = False, **more: Any) -> Outcome:
    log: list[str] = []
    options: dict[str, Any] = {"log": log.append, "settings": SETTINGS, "network": TINY, **more}
    return training.train(data, out, epochs=epochs, seed=seed, resume=resume, **options), log


def losses(lines: list[str]) -> list[float]:
    return [float(line.split("loss ")[1].split()[0]) for line in lines if line.startswith("epoch")]


def test_learns_and_writes_a_model_that_parses(data: Path, tmp_path: Path) -> None:
    figures, lines = run(data, tmp_path / "model.safetensors")
    assert losses(lines)[-1] < losses(lines)[0] / 2
    assert figures["las"] > 0.9
    (parse,) = CaptionParser.load(tmp_path / "model.safetensors").parse(["a cat sits in the park"])[0]
    assert parse.heads == (2, 3, 0, 6, 6, 3)
    assert parse.lemmas == ("a", "cat", "sit", "in", "the", "park")
    assert "labelled attachment" in (tmp_path / "model.md").read_text()


def test_starts_from_an_earlier_model(data: Path, tmp_path: Path) -> None:
    _, first = run(data, tmp_path / "first.safetensors")
    _, second = run(data, tmp_path / "second.safetensors", 1, start=tmp_path / "first.safetensors")
    assert losses(second)[0] < losses(first)[0] / 2


def test_same_seed_same_weights(data: Path, tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("two", 1), ("three", 2)):
        run(data, tmp_path / f"{name}.safetensors", 2, seed=seed)
    one, two, three = (
        dict(CaptionParser.load(tmp_path / f"{name}.safetensors").network.named_parameters())
        for name in ("one", "two", "three")
    )
    assert all(torch.equal(one[name], two[name]) for name in one)
    assert not torch.equal(one["arc.weight"], three["arc.weight"])


def test_resumed_run_ends_like_an_unbroken_one(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, _ = run(data, tmp_path / "whole.safetensors", 4)
    one_epoch, done = training.Run.one_epoch, []

    def stop_after_two(self: training.Run, log: object) -> float:
        done.append(self.epoch)
        if len(done) == 3:
            raise KeyboardInterrupt
        return one_epoch(self, print)

    monkeypatch.setattr(training.Run, "one_epoch", stop_after_two)
    with pytest.raises(KeyboardInterrupt):
        run(data, tmp_path / "broken.safetensors", 4)
    monkeypatch.setattr(training.Run, "one_epoch", one_epoch)
    resumed, lines = run(data, tmp_path / "broken.safetensors", 4, resume=True)
    assert len(losses(lines)) == 2  # two of the four epochs were left
    assert resumed == pytest.approx(whole)


def test_resume_with_other_settings_is_refused(data: Path, tmp_path: Path) -> None:
    run(data, tmp_path / "model.safetensors", 1)
    with pytest.raises(InvalidInput, match="other settings"):
        run(data, tmp_path / "model.safetensors", 1, seed=5, resume=True)


def test_split_keeps_near_duplicates_together(data: Path) -> None:
    parses = read_parses(data)
    learned, held_out = split(parses, 4)
    assert len(held_out) == 4
    assert len(learned) == len(parses) - 4
    assert split(parses, 4) == (learned, held_out)


def test_bad_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"caption": "a"}\n')
    with pytest.raises(InvalidInput, match=r"bad\.jsonl, line 1"):
        read_parses(tmp_path / "bad.jsonl")
