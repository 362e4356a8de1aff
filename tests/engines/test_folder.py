"""The folder of a run: what it goes on with, what it refuses, and that a line says why."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from capeval_core.engines.folder import RunFolder
from capeval_core.engines.pool import SomeTask
from capeval_core.engines.runs import score
from capeval_core.errors import InvalidInput
from tests.cli.cases import read_jsonl
from tests.engines.cases import job, run, write_captions
from tests.engines.test_local import InProcess


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_captions(tmp_path / "captions.jsonl", 200)


class Stopping(InProcess):
    """Stops after two chunks, as Ctrl-C does."""

    def run(self, tasks: Iterable[SomeTask]) -> Iterator[tuple[SomeTask, Any]]:
        for number, answer in enumerate(super().run(tasks)):
            if number == 2 and hasattr(answer[0], "piece"):
                raise KeyboardInterrupt
            yield answer


class Counting(InProcess):
    scored = 0

    def run(self, tasks: Iterable[SomeTask]) -> Iterator[tuple[SomeTask, Any]]:
        for task, answer in super().run(tasks):
            Counting.scored += hasattr(task, "piece")
            yield task, answer


def stop(source: Path, out: Path) -> RunFolder:
    with pytest.raises(KeyboardInterrupt, match=r"2 of 4 chunks are scored and kept in .*out.jsonl.parts"):
        run(source, out, Stopping)
    return RunFolder(out.with_name("out.jsonl.parts"))


def test_a_stopped_run_goes_on(source: Path, tmp_path: Path) -> None:
    stop(source, tmp_path / "out.jsonl")
    Counting.scored = 0
    run(source, tmp_path / "out.jsonl", Counting)
    assert Counting.scored == 2
    run(source, tmp_path / "other.jsonl", InProcess)
    assert (tmp_path / "out.jsonl").read_bytes() == (tmp_path / "other.jsonl").read_bytes()
    assert (tmp_path / "out.corpus.json").read_bytes() == (tmp_path / "other.corpus.json").read_bytes()
    assert not (tmp_path / "out.jsonl.parts").exists()


def test_a_damaged_part_is_scored_again(source: Path, tmp_path: Path) -> None:
    begun = stop(source, tmp_path / "out.jsonl")
    begun.part(1).write_bytes(begun.part(1).read_bytes()[:-9])
    Counting.scored = 0
    run(source, tmp_path / "out.jsonl", Counting)
    assert Counting.scored == 3
    assert len(read_jsonl(tmp_path / "out.jsonl")) == 200


def test_changed_input_settings_and_version_are_refused(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    begun = stop(source, out)
    kept = begun.part(0).read_bytes()
    with pytest.raises(InvalidInput, match=r"the metrics and the options changed since.*--fresh"):
        run(source, out, InProcess, keys=("bleu_1",))
    with pytest.raises(InvalidInput, match="--chunk changed since"):
        run(source, out, InProcess, chunk=60)
    manifest = begun.path / "manifest.json"
    content = manifest.read_text()
    manifest.write_text(json.dumps(json.loads(content) | {"capeval": "0.0.1"}))
    with pytest.raises(InvalidInput, match=r"begun by another version; expected .*; found version 0\.0\.1"):
        run(source, out, InProcess)
    manifest.write_text("{broken")
    with pytest.raises(InvalidInput, match=r"manifest.json: cannot be read.*--fresh"):
        run(source, out, InProcess)
    manifest.write_text(content)
    original = source.read_text()
    source.write_text(original.replace("dog", "cat"))
    with pytest.raises(InvalidInput, match="the input changed since"):
        run(source, out, InProcess)
    source.write_text(original)
    assert begun.part(0).read_bytes() == kept
    run(source, out, InProcess)
    assert len(read_jsonl(out)) == 200


def test_two_runs_on_one_output(source: Path, tmp_path: Path) -> None:
    first = RunFolder(tmp_path / "out.jsonl.parts")
    first.open(fresh=False)
    with pytest.raises(InvalidInput, match=r"another run is writing to .*out.jsonl.parts"):
        run(source, tmp_path / "out.jsonl", InProcess)
    first.close()
    run(source, tmp_path / "out.jsonl", InProcess)


def test_somebody_elses_folder_is_left_alone(source: Path, tmp_path: Path) -> None:
    (tmp_path / "out.jsonl.parts").mkdir()
    (tmp_path / "out.jsonl.parts" / "thesis.tex").write_text("mine")
    with pytest.raises(InvalidInput, match="not a folder of ours"):
        run(source, tmp_path / "out.jsonl", InProcess)
    assert (tmp_path / "out.jsonl.parts" / "thesis.tex").read_text() == "mine"


def test_a_full_disk_loses_nothing(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    def sync(number: int) -> None:
        nonlocal calls
        calls += 1
        if calls == 6:  # the manifest, two files of each chunk
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", sync)
    with pytest.raises(InvalidInput, match=r"cannot be written; found No space left on device. Fix: make room"):
        run(source, tmp_path / "out.jsonl", InProcess)
    assert not (tmp_path / "out.jsonl").exists()
    Counting.scored = 0
    run(source, tmp_path / "out.jsonl", Counting)
    assert Counting.scored == 2
    assert len(read_jsonl(tmp_path / "out.jsonl")) == 200


def test_input_that_changes_while_it_is_read(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("capeval_core.io.streams.KEPT", 10)
    begun = job(source, tmp_path / "out.jsonl", InProcess)

    def change(stage: str, done: int, total: int) -> None:
        if stage == "Counting":
            source.write_text(source.read_text().replace("dog", "cat"))

    with pytest.raises(InvalidInput, match="the input changed while it was read"):
        score(begun, change)
    assert not (tmp_path / "out.jsonl").exists()
