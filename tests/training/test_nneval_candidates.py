"""What NNEval learns from: who is compared with whom, near captions, the blind captioner, and a whole small run."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from capeval_core import CaptionItem, evaluate
from capeval_core.cli import main
from capeval_core.errors import InvalidInput
from capeval_core.resources import trained
from capeval_core.resources.score_network import load
from capeval_core.training import nneval, nneval_captioner, nneval_features
from capeval_core.training.nneval_candidates import FOOLING, HUMAN, Candidate, Settings, build, choose, fool, read
from capeval_core.training.nneval_sentences import near_ranks

WHO = ("dog", "cat", "boy", "girl", "man", "woman", "horse", "bird")
WHERE = ("on the beach", "in the park", "near a house")
DATA = {
    f"{who} {where}": (
        f"A {who} runs {where}.",
        f"The small {who} is running {where}.",
        f"A {who} with a red ball {where}.",
        f"There is a {who} {where}, running fast.",
    )
    for who in WHO
    for where in WHERE
}
SMALL = Settings(images=12, captioner=nneval_captioner.Settings(units=16, seen=2, steps=30, batch=16))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("nneval")


@pytest.fixture(scope="module")
def made(folder: Path) -> list[Candidate]:
    return build(DATA, None, folder, lambda line: None, SMALL)


def test_no_machine_caption_is_compared_with_the_one_that_is_held_back(made: list[Candidate]) -> None:
    held = {one.image: one.caption for one in choose(DATA, SMALL)}
    assert {one.image for one in made} == set(held)
    for one in made:
        assert set(one.references) <= set(DATA[one.image])
        if one.pool == HUMAN:
            assert one.text in DATA[one.image]
            assert sorted((one.text, *one.references)) == sorted(DATA[one.image])
        else:
            assert held[one.image] not in one.references
            assert len(one.references) == 3


def test_every_pool_gives_its_share(made: list[Candidate]) -> None:
    counts = Counter(one.pool for one in made)
    assert [counts[pool] for pool in (HUMAN, "coco", "flickr", "random", "blind", "fooling")] == [
        36,
        48,
        48,
        24,
        48,
        36,
    ]
    assert counts["faults"] == 36
    assert 0 < counts["distractors"] <= 24
    for one in made:
        if one.pool in ("coco", "flickr", "random"):
            assert one.text not in DATA[one.image]
    assert all(one.text for one in made if one.pool == "blind")
    assert {one.kind for one in made if one.pool == "fooling"} == set(FOOLING)


def test_it_is_kept_and_found_again(made: list[Candidate], folder: Path) -> None:
    (path,) = folder.glob("candidates-*.jsonl")
    assert list(read(path)) == made
    lines = list[str]()
    assert build(DATA, None, folder, lines.append, SMALL) == made
    assert not lines  # nothing was made anew
    assert len(build(DATA, None, folder, lines.append, replace(SMALL, images=20, pools=("random",)))) == 100
    assert len(list(folder.glob("candidates-*.jsonl"))) == 2  # other settings do not find it


def test_features_are_kept_one_by_one(made: list[Candidate], tmp_path: Path) -> None:
    items, lines = [one.item for one in made[:40]], list[str]()
    first = nneval_features.score(items, ("bleu_1",), tmp_path, lines.append)
    both = nneval_features.score(items, ("bleu_1", "cider"), tmp_path, lines.append)
    assert lines == ["features: 1 of 1 parts (bleu_1)", "features: 1 of 1 parts (cider)"]
    assert (both[:, 0] == first[:, 0]).all()
    expected = evaluate(items, ["cider"], options={"cider": {"idf": "coco"}}).scores["cider"]
    assert (both[:, 1] == expected).all()


def test_near_ranks_count_each_image_once() -> None:
    library = np.array([[1.0, 0], [0.99, 0.1], [0.8, 0.6], [0.6, 0.8], [0, 1]], dtype=np.float32)
    images = np.array([0, 0, 1, 2, 3])
    wanted = np.array([[1.0, 0.0]], dtype=np.float32)
    assert near_ranks(wanted, library, images, np.array([-1]), (1, 2, 3)).tolist() == [[0, 2, 3]]
    assert near_ranks(wanted, library, images, np.array([0]), (1, 2, 9)).tolist() == [[2, 3, 4]]  # its own left out


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("reversed", "runs dog A"),
        ("doubled", "A dog runs. A dog runs."),
        ("empty", ""),
        ("joined", "One. Two."),
    ],
)
def test_captions_made_to_fool(kind: str, expected: str) -> None:
    assert fool(kind, "A dog runs.", ("One.", "Two."), random.Random(1)) == expected


def test_the_others_keep_its_words() -> None:
    shuffled = fool("shuffled", "A dog runs here.", (), random.Random(1))
    assert sorted(shuffled.split()) == ["A", "dog", "here", "runs"]
    assert fool("one word", "A dog runs here.", (), random.Random(1)) in {"A", "dog", "runs", "here"}
    assert fool("one word", "", (), random.Random(1)) == ""


def test_too_little_data_is_said(tmp_path: Path) -> None:
    few = dict(list(DATA.items())[:5])
    with pytest.raises(InvalidInput, match="too little data to train NNEval; expected at least 20 images"):
        build(few, None, tmp_path, lambda line: None, SMALL)


def write_data(path: Path) -> Path:
    rows = [{"image_id": image, "captions": captions} for image, captions in DATA.items()]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_the_command_trains_a_network_that_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, out = write_data(tmp_path / "data.jsonl"), tmp_path / "mine.safetensors"
    command = ["train", "nneval", "--data", str(data), "--out", str(out), "--pools", "random,fooling", "--images", "20"]
    assert main([*command, "--epochs", "2", "--seeds", "1", "--variant", "monotone"]) == 0
    said = capsys.readouterr().out
    assert "seed 1 epoch 2: loss" in said
    assert "area under the curve" in said.splitlines()[-1]
    assert trained.family_of(out) == "nneval"
    (network,) = load(out).values()
    assert network.variant == "monotone"
    assert "random (share 1), fooling (share 1)" in out.with_suffix(".md").read_text(encoding="utf-8")
    items = [CaptionItem("1", "a dog runs", ("a dog is running", "the dog runs fast"))]
    found = evaluate(items, ["nneval"], options={"nneval": {"model": str(out)}})
    assert not found.skipped
    assert "|variant:monotone|model:mine.safetensors(" in found.signatures["nneval"]
    assert main(command) == 2  # never over what is there
    assert "exists" in capsys.readouterr().err


def test_a_run_that_was_stopped_must_be_resumed_on_purpose(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = write_data(tmp_path / "data.jsonl")
    (tmp_path / "mine.work").mkdir()
    command = ["train", "nneval", "--data", str(data), "--out", str(tmp_path / "mine.safetensors")]
    assert main(command) == 2
    assert "add --resume" in capsys.readouterr().err
    assert main([*command, "--resume", "--pools", "sonnets"]) == 2
    assert "no such pool 'sonnets'" in capsys.readouterr().err
    assert main([*command, "--resume", "--epochs", "0"]) == 2


def test_a_small_plan_needs_no_other_data() -> None:
    plan = nneval.small_plan("nneval_plus", "monotone")
    assert set(plan.candidates.pools).isdisjoint({"coco", "blind"})
    assert (plan.fit.variant, plan.fit.epochs, plan.fit.seeds) == ("monotone", 15, 1)
    assert {name.partition(":")[0] for name in plan.fit.shares} == set(plan.candidates.pools)
