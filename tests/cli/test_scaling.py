"""score and its kin with several workers, as other programs use them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pandas as pd
import pytest

from capeval_core.cli import main, scaling
from tests.cli.cases import read_jsonl, refused
from tests.engines.cases import write_captions
from tests.engines.test_local import InProcess

METRICS = "bleu_4,rouge_l,cider"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_captions(tmp_path / "in.jsonl", 130)


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scaling, "start", lambda given: InProcess)


def score(source: Path, out: str, *more: str) -> int:
    return main(["score", str(source), "--metrics", METRICS, "--out", out, *more])


def test_small_inputs_start_no_process(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scaling, "start", lambda given: pytest.fail("a process was started"))
    assert score(source, str(tmp_path / "out.jsonl")) == 0


def test_every_format_in_chunks_is_the_same_as_at_once(source: Path, tmp_path: Path, in_process: None) -> None:
    for kind in ("jsonl", "csv", "parquet"):
        assert score(source, str(tmp_path / f"once.{kind}")) == 0
        assert score(source, str(tmp_path / f"chunks.{kind}"), "--chunk", "40") == 0
        once, chunks = tmp_path / f"once.{kind}", tmp_path / f"chunks.{kind}"
        pd.testing.assert_frame_equal(read_table(once), read_table(chunks), rtol=0, atol=1e-12)
        assert (
            json.loads((tmp_path / "once.corpus.json").read_text()).keys()
            == json.loads((tmp_path / "chunks.corpus.json").read_text()).keys()
        )


def read_table(path: Path) -> pd.DataFrame:
    if path.suffix == ".parquet":
        return pd.read_parquet(path)
    return pd.read_csv(path) if path.suffix == ".csv" else pd.read_json(path, lines=True)


@pytest.mark.parametrize("kind", ["", ".csv", ".parquet"])
def test_a_folder_of_parts_out_and_in(source: Path, tmp_path: Path, in_process: None, kind: str) -> None:
    assert score(source, f"{tmp_path}/parts{kind}/", "--chunk", "40") == 0
    folder = tmp_path / f"parts{kind}"
    assert [path.suffix for path in sorted(folder.iterdir())] == [kind or ".jsonl"] * 4
    assert score(source, str(tmp_path / "whole.jsonl"), "--chunk", "40") == 0
    whole = [row["cider"] for row in read_jsonl(tmp_path / "whole.jsonl")]
    parts = pd.concat([read_table(path) for path in sorted(folder.iterdir())])
    assert [None if value != value else value for value in parts["cider"].astype(float)] == pytest.approx(whole)
    inputs = tmp_path / "in"
    inputs.mkdir()
    lines = source.read_text().splitlines(keepends=True)
    (inputs / "a.jsonl").write_text("".join(lines[:70]))
    (inputs / "b.jsonl").write_text("".join(lines[70:]))
    assert score(inputs, str(tmp_path / "again.jsonl"), "--chunk", "40") == 0
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_a_folder_that_is_not_empty_is_kept(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], in_process: None
) -> None:
    out = tmp_path / "parts"
    assert score(source, f"{out}/") == 0
    capsys.readouterr()
    assert "the folder is not empty; found part-00000.jsonl" in refused(
        capsys, "score", source, "--metrics", METRICS, "--out", f"{out}/"
    )
    assert score(source, f"{out}/", "--fresh") == 0
    (out / "notes.txt").write_text("mine")
    capsys.readouterr()
    refused(capsys, "score", source, "--metrics", METRICS, "--out", f"{out}/", "--fresh")
    assert (out / "notes.txt").exists()


def test_an_unreadable_part_is_named_before_anything_is_scored(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], in_process: None
) -> None:
    inputs = tmp_path / "in"
    inputs.mkdir()
    (inputs / "a.jsonl").write_text(source.read_text())
    (inputs / "b.jsonl").symlink_to(tmp_path / "nowhere")
    out = tmp_path / "out.jsonl"
    assert "b.jsonl: cannot be read" in refused(
        capsys, "score", inputs, "--metrics", METRICS, "--out", out, "--chunk", 9
    )
    (inputs / "b.jsonl").unlink()
    (inputs / "b.jsonl").write_text('{"image_id": 1}\n')
    line = refused(capsys, "score", inputs, "--metrics", METRICS, "--out", out, "--chunk", 9)
    assert "b.jsonl: line 1: field candidate is missing" in line
    assert not out.exists()


def test_ctrl_c_says_how_to_go_on(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.engines.test_folder import Stopping

    monkeypatch.setattr(scaling, "start", lambda given: Stopping)
    assert score(source, str(tmp_path / "out.jsonl"), "--chunk", "30") == 130
    said = capsys.readouterr().err
    assert said.startswith("capeval: interrupted; 2 of 5 chunks are scored and kept in ")
    assert "The same command goes on from there; --fresh starts anew" in said
    monkeypatch.setattr(scaling, "start", lambda given: InProcess)
    assert score(source, str(tmp_path / "out.jsonl")) == 0  # chunks of 30, as it was begun
    assert len(read_jsonl(tmp_path / "out.jsonl")) == 130
    assert not list(tmp_path.glob("*.parts"))


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--workers", "0"], "--workers; expected auto or a number from 1 up"),
        (["--workers", "many"], "--workers"),
        (["--chunk", "0"], "--chunk; expected 1 or more"),
        (["--address", "auto"], "--address; expected --engine ray"),
    ],
)
def test_wrong_flags(source: Path, capsys: pytest.CaptureFixture[str], flags: list[str], said: str) -> None:
    assert said in refused(capsys, "score", source, "--metrics", METRICS, *flags)


def test_ray_that_is_not_installed_is_said_in_one_line(
    source: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    assert main(["score", str(source), "--metrics", METRICS, "--engine", "ray"]) == 3
    assert capsys.readouterr().err == "capeval: Ray is not installed. Fix: pip install -r requirements-ray.txt\n"


def test_two_workers_from_the_command_line(source: Path, tmp_path: Path) -> None:
    assert score(source, str(tmp_path / "one.jsonl"), "--chunk", "40", "--workers", "1") == 0
    assert score(source, str(tmp_path / "two.jsonl"), "--chunk", "40", "--workers", "2") == 0
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
    assert (tmp_path / "one.corpus.json").read_bytes() == (tmp_path / "two.corpus.json").read_bytes()


def test_without_out_only_corpus_scores_are_made(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], in_process: None
) -> None:
    before = os.listdir(tmp_path)
    assert main(["score", str(source), "--metrics", METRICS, "--chunk", "40"]) == 0
    assert "human" in capsys.readouterr().out
    assert os.listdir(tmp_path) == before


def test_explore_in_chunks_finds_what_it_finds_at_once(source: Path, tmp_path: Path, in_process: None) -> None:
    for name, more in (("once", []), ("chunks", ["--chunk", "40"])):
        out = ["--rows", str(tmp_path / f"{name}.jsonl"), "--out", str(tmp_path / f"{name}.json")]
        assert main(["explore", str(source), *out, *more]) == 0
    once, chunks = read_jsonl(tmp_path / "once.jsonl"), read_jsonl(tmp_path / "chunks.jsonl")
    assert sum(len(row["errors"]) for row in once) > 20
    for one, other in zip(once, chunks, strict=True):
        assert {**one, "support": [], "noun_support": 0} == {**other, "support": [], "noun_support": 0}
        assert [value for _, value in one["support"]] == pytest.approx(
            [value for _, value in other["support"]], abs=1e-5
        )
    profiles = [json.loads((tmp_path / f"{name}.json").read_text())["systems"] for name in ("once", "chunks")]
    assert profiles[0].keys() == profiles[1].keys()
    for name, system in profiles[0].items():
        assert system["profile"]["rates"] == profiles[1][name]["profile"]["rates"]
