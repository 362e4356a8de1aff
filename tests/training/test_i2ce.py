"""Training I2CE, with tiny networks on made-up captions."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from capeval_core import CaptionItem, InvalidInput, evaluate, pace
from capeval_core.cli import main
from capeval_core.resources import sentence_model
from capeval_core.training import i2ce
from capeval_core.training.i2ce_data import Corpus, split, vocabulary
from capeval_core.training.i2ce_validation import validate_model
from tests.training.i2ce_captions import captions

SMALL = i2ce.Settings(epochs=4, batch=20, embedding=8, hidden=12, learning_rate=0.02, warm_up=2, sampled=10, start="")


@pytest.mark.parametrize("variant", i2ce.VARIANTS)
def test_two_hundred_captions_lower_the_loss(variant: str, tmp_path: Path) -> None:
    reports: list[i2ce.Report] = []
    settings = replace(SMALL, variant=variant, epochs=8)
    made = i2ce.train(captions(40), tmp_path / "x.safetensors", settings, on_report=reports.append)
    assert made.learned_from == {"images": 35, "captions": 175, "words": 22, "held back": 5}
    first, last = made.history[0], made.history[-1]
    assert last["reconstruction"] < 0.7 * first["reconstruction"]
    assert ("semantic" in last) == (variant != "single")
    assert variant == "single" or last["semantic"] < first["semantic"]
    ends = [report for report in reports if report.validation]
    assert [report.epoch for report in ends] == list(range(1, 9))
    assert ends[-1].step == ends[-1].steps == 8 * 9
    assert made.figures == {**ends[made.epoch - 1].losses, **ends[made.epoch - 1].validation}


def test_the_same_seed_gives_the_same_weights(tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("two", 1), ("three", 2)):
        i2ce.train(captions(), tmp_path / f"{name}.safetensors", replace(SMALL, epochs=1, seed=seed))
    one, two, three = (load_file(tmp_path / f"{name}.safetensors") for name in ("one", "two", "three"))
    assert all(torch.equal(one[name], two[name]) for name in one)
    assert not torch.equal(one["word.weight"], three["word.weight"])


class Killed(Exception):
    pass


def after(count: int) -> Callable[[i2ce.Report], None]:
    """Breaks the run off in the middle of an epoch, `count` epochs from its start."""

    def look(report: i2ce.Report) -> None:
        if report.epoch > count and not report.validation:
            raise Killed

    return look


def test_a_resumed_run_ends_like_an_unbroken_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(i2ce, "REPORTS", -1.0)  # a report at every step
    whole = i2ce.train(captions(), tmp_path / "whole.safetensors", SMALL)
    broken = tmp_path / "broken.safetensors"
    with pytest.raises(Killed):
        i2ce.train(captions(), broken, SMALL, on_report=after(2))
    seen: list[i2ce.Report] = []
    resumed = i2ce.train(captions(), broken, SMALL, resume=True, on_report=seen.append)
    assert [report.epoch for report in seen if report.validation] == [3, 4]
    assert resumed.history == whole.history
    assert resumed.epoch == whole.epoch
    one, two = load_file(broken), load_file(tmp_path / "whole.safetensors")
    assert all(torch.equal(one[name], two[name]) for name in two)
    assert not (tmp_path / "broken.checkpoint").exists()  # nothing is left of it


def test_a_run_killed_before_its_first_epoch_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(i2ce, "REPORTS", -1.0)
    with pytest.raises(Killed):
        i2ce.train(captions(), tmp_path / "x.safetensors", SMALL, on_report=after(0))
    assert not (tmp_path / "x.safetensors").exists()
    made = i2ce.train(captions(), tmp_path / "x.safetensors", replace(SMALL, epochs=1), resume=True)
    assert made.epoch == 1


def test_resuming_asks_for_the_same_settings_and_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(i2ce, "REPORTS", -1.0)
    out = tmp_path / "x.safetensors"
    with pytest.raises(Killed):
        i2ce.train(captions(), out, SMALL, on_report=after(1))
    with pytest.raises(InvalidInput, match="other settings or data"):
        i2ce.train(captions(), out, replace(SMALL, seed=2), resume=True)
    with pytest.raises(InvalidInput, match="other settings or data"):
        i2ce.train(captions(30), out, SMALL, resume=True)
    state = tmp_path / "x.checkpoint" / "state.safetensors"
    state.write_bytes(state.read_bytes()[:500])
    with pytest.raises(InvalidInput, match=r"state\.safetensors: cannot be read"):
        i2ce.train(captions(), out, SMALL, resume=True)


def test_nothing_is_written_over(tmp_path: Path) -> None:
    out = tmp_path / "x.safetensors"
    i2ce.train(captions(), out, replace(SMALL, epochs=1))
    before = out.read_bytes()
    with pytest.raises(InvalidInput, match="there is such a file already"):
        i2ce.train(captions(), out, SMALL)
    with pytest.raises(InvalidInput, match="this run is finished"):
        i2ce.train(captions(), out, SMALL, resume=True)
    assert out.read_bytes() == before


def test_too_little_to_learn_from_is_said_before_any_work(tmp_path: Path) -> None:
    out = tmp_path / "x.safetensors"
    with pytest.raises(InvalidInput, match="at least 100 captions of 20 images; found 90 captions of 18 images"):
        i2ce.train(captions(18), out, SMALL)
    with pytest.raises(InvalidInput, match="found 0 captions of 0 images"):
        i2ce.train({str(number): (" ", ".") for number in range(200)}, out, SMALL)
    with pytest.raises(InvalidInput, match="no image has two captions"):
        i2ce.train({str(n): (f"a dog {n}",) for n in range(200)}, out, SMALL, validation=captions(5))
    with pytest.raises(InvalidInput, match="too little to validate on"):
        i2ce.train(captions(), out, SMALL, validation={"1": ("a dog", "a puppy")})
    with pytest.raises(InvalidInput, match="unknown variant 'quadruple'"):
        i2ce.Settings(variant="quadruple")
    assert list(tmp_path.iterdir()) == []


def test_a_watched_run_can_be_stopped_at_any_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "EVERY", 0.0)
    calls = []

    def watch() -> None:
        calls.append(1)
        if len(calls) > 100:
            raise Killed

    with pace.watched(watch), pytest.raises(Killed):
        i2ce.train(captions(), tmp_path / "x.safetensors", replace(SMALL, epochs=1_000))


def test_a_triples_batch_holds_two_captions_of_an_image() -> None:
    texts = {image: [text.split() for text in group] for image, group in captions(10).items()}
    texts["alone"] = [["a", "lonely", "caption"]]
    corpus = Corpus(texts, vocabulary(texts, 1), 40)
    batches = list(corpus.pairs(8, np.random.default_rng(0)))
    assert sum(len(batch.images) for batch in batches) in (len(corpus), len(corpus) + 1)
    for batch in batches:
        assert (batch.lengths[:-1] >= batch.lengths[1:]).all()
        counts = np.unique(batch.images.numpy(), return_counts=True)[1]
        assert set(counts) <= {1, 2}
    assert len({tuple(row) for batch in batches for row in batch.rows.tolist()}) > 25  # not the same two each time


def test_the_command_trains_and_score_uses_the_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"image_id": image, "captions": texts} for image, texts in captions().items()]
    (tmp_path / "some.jsonl").write_text("\n".join(map(json.dumps, rows[:20])))
    held = rows[20:40]
    annotations = [{"image_id": n, "caption": text} for n, row in enumerate(held) for text in row["captions"]]
    images = [{"id": n, "held_out": n >= 15} for n in range(20)]
    (tmp_path / "coco.json").write_text(json.dumps({"images": images, "annotations": annotations}))
    out = tmp_path / "mine.safetensors"
    given = ["--data", str(tmp_path / "some.jsonl"), str(tmp_path / "coco.json"), "--out", str(out)]
    more = ["--variant", "dual", "--epochs", "2", "--hidden", "16", "--vectors", "none"]
    assert main(["train", "i2ce", *given, *more]) == 0
    said = capsys.readouterr().out
    assert "epoch 2/2 step " in said
    assert all(name in said for name in ("reconstruction", "semantic", "retrieval", "nll"))
    assert "images 30" in said  # 20 and 15 that are not held out; 5 held back
    assert main(["train", "i2ce", *given, *more]) == 2
    assert "there is such a file already" in capsys.readouterr().err
    item = CaptionItem("1", "a dog runs on the beach", ("the puppy runs on the beach", "a dog that runs"))
    mine = evaluate([item], ["i2ce"], options={"i2ce": {"model": str(out)}})
    shipped = evaluate([item], ["i2ce"])
    assert mine.scores["i2ce"][0] != shipped.scores["i2ce"][0]
    assert "|model:mine.safetensors(" in mine.signatures["i2ce"]


def test_the_written_model_reads_as_the_network_in_training_did(tmp_path: Path) -> None:
    out = tmp_path / "x.safetensors"
    made = i2ce.train(captions(), out, SMALL)
    model = sentence_model.load(out)
    assert model.facts["history"][made.epoch - 1] == made.figures
    again = validate_model(model, split(captions())[1])  # on the images that were held back
    assert {name: again[name] for name in again} == pytest.approx(
        {name: made.figures[name] for name in again}, abs=0.01
    )
    texts = [text.split() for group in captions().values() for text in group]
    ours = model.read(texts)
    rows = torch.tensor([[model._row.get(word, 1) for word in texts[0]]])
    theirs = model.network.read(rows, torch.tensor([len(texts[0])])).detach().numpy()
    np.testing.assert_allclose(ours[0], theirs[0], atol=1e-5)
