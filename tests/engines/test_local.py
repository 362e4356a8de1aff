"""The local engine: the numbers of evaluate(), whatever dies on the way."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from capeval_core import CaptionItem, evaluate
from capeval_core.engines.local import LocalPool
from capeval_core.engines.pool import SomeTask
from capeval_core.engines.tasks import Bench, Setup
from capeval_core.errors import MetricFailed, WorkerLost
from capeval_core.io.readers import read_items
from capeval_core.io.writers import summary
from capeval_core.metrics.rouge_l import RougeL
from capeval_core.types import MetricResult
from tests.cli.cases import read_jsonl
from tests.engines.cases import NGRAM, OPTIONS, Watched, children, run, write_captions


def test_rows_and_corpus_scores_are_those_of_evaluate(source: Path, expected: tuple[bytes, bytes]) -> None:
    items = read_items([str(source)])
    whole = evaluate(items, NGRAM, options=OPTIONS)
    rows = [json.loads(line) for line in expected[0].splitlines()]
    assert [(row["image_id"], row["system"], row["candidate"]) for row in rows] == [
        (item.image_id, item.system, item.candidate) for item in items
    ]
    for key in NGRAM:
        found = np.array([np.nan if row[key] is None else row[key] for row in rows])
        np.testing.assert_allclose(found, whole.scores[key], rtol=0, atol=1e-12)
    made, direct = json.loads(expected[1]), json.loads(json.dumps(summary(whole)))
    for name, system in direct["systems"].items():
        for part in ("corpus", "mean_of_segments"):
            for key, value in system.pop(part).items():
                assert made["systems"][name][part][key] == pytest.approx(value, abs=1e-12), (name, key)
            del made["systems"][name][part]
    assert made == direct  # signatures with the digests of the idf tables too


def test_nothing_is_left_beside_the_output(source: Path, expected: tuple[bytes, bytes]) -> None:
    assert sorted(path.name for path in source.parent.iterdir()) == [
        "captions.jsonl",
        "whole.corpus.json",
        "whole.jsonl",
    ]


def gone(pids: list[int]) -> bool:
    return not any(Path(f"/proc/{pid}").exists() and "Z" not in _state(pid) for pid in pids)


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return "Z"


def wait_until_gone(pids: list[int]) -> None:
    end = time.process_time() + 20
    while not gone(pids):
        assert time.process_time() < end, f"orphans: {pids}"
        os.sched_yield()


def disturb(watched: Watched, stage: str, count: int, victim: int = 0) -> list[int]:
    """Kills the victim, or a worker, when the run has told that many times of this stage; the workers it had."""
    workers, killed = list[int](), False
    for line in watched.lines():
        if not killed and line.startswith(stage):
            count -= 1
            if count == 0:
                workers, killed = children(watched.pid), True
                os.kill(victim or workers[0], signal.SIGKILL)
    assert killed
    return workers


@pytest.mark.parametrize("seed", range(2))
def test_killed_and_started_again(source: Path, tmp_path: Path, expected: tuple[bytes, bytes], seed: int) -> None:
    """The main process dies at random points of its stages; in the last run a worker dies, and it ends all the same."""
    chance, out = random.Random(seed), tmp_path / "out.jsonl"
    for stage in ("Scoring", chance.choice(["Reading", "Counting"]), "Scoring"):
        watched = Watched("local", source, out)
        workers = disturb(watched, stage, chance.randint(3, 5), watched.pid)
        assert watched.end()[0] == -signal.SIGKILL
        wait_until_gone(workers)
    assert len(list((tmp_path / "out.jsonl.parts" / "rows").iterdir())) >= 2
    watched = Watched("local", source, out)
    workers = disturb(watched, "Scoring", chance.randint(1, 3))
    assert watched.end() == (0, "")
    wait_until_gone(workers)
    assert out.read_bytes() == expected[0]
    assert out.with_suffix(".corpus.json").read_bytes() == expected[1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.corpus.json", "out.jsonl"]


class _Deadly:
    """A task on which its worker dies."""

    place = "captions.jsonl: line 7 to captions.jsonl: line 9"

    def do(self, bench: Bench) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


def test_captions_that_kill_twice_are_named() -> None:
    setup = Setup(("bleu_1",), {})
    with LocalPool(setup, 1) as pool, pytest.raises(WorkerLost, match=r"line 7 to .*line 9.*SIGKILL.*fewer --workers"):
        list(pool.run([_Deadly()]))


class _Broken:
    place = "x.jsonl: line 1"

    def do(self, bench: Bench) -> None:
        raise ZeroDivisionError("no\nway")


def test_a_bug_in_a_worker_is_one_line_with_its_place() -> None:
    with (
        LocalPool(Setup(("bleu_1",), {}), 1) as pool,
        pytest.raises(MetricFailed, match=r"line 1.*ZeroDivisionError") as bug,
    ):
        list(pool.run([_Broken()]))
    assert "\n" not in str(bug.value)


class _Fine:
    place = "x.jsonl: line 1"

    def do(self, bench: Bench) -> str:
        return "done"


def test_a_worker_does_not_run_the_callers_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A notebook, or app.py, has no guard around what it does."""
    script = ModuleType("__main__")
    script.__file__ = str(tmp_path / "script.py")
    (tmp_path / "script.py").write_text("raise SystemExit(1)")
    monkeypatch.setitem(sys.modules, "__main__", script)
    with LocalPool(Setup(("bleu_1",), {}), 1) as pool:
        assert [found for _, found in pool.run([_Fine()])] == ["done"]
    assert sys.modules["__main__"] is script


def test_a_column_that_fails_in_one_chunk_is_left_out_of_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As evaluate() does: a metric that breaks on one caption has no scores."""
    monkeypatch.setattr(RougeL, "score", _break_on_the_last_image(RougeL.score))
    source = write_captions(tmp_path / "captions.jsonl", 120)
    done = run(source, tmp_path / "out.jsonl", InProcess, keys=("bleu_1", "rouge_l"))
    rows = read_jsonl(tmp_path / "out.jsonl")
    assert len(rows) == 120
    assert {tuple(row) for row in rows} == {("image_id", "system", "candidate", "bleu_1")}
    assert list(done.summary["skipped"]) == ["rouge_l"]
    assert "rouge_l" not in done.summary["systems"]["human"]["corpus"]


Score = Callable[[RougeL, Sequence[CaptionItem]], MetricResult]


def _break_on_the_last_image(score: Score) -> Score:
    def broken(self: RougeL, items: Sequence[CaptionItem]) -> MetricResult:
        if any(item.image_id == "image 118" for item in items):
            raise ValueError("this one")
        return score(self, items)

    return broken


class InProcess:
    """A pool without processes: what tests replace here holds there too."""

    workers = 1

    def __init__(self, setup: Setup) -> None:
        self._bench = Bench(setup)

    def __enter__(self) -> InProcess:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def share(self, context: Mapping[str, Any]) -> None:
        self._bench.context = context

    def run(self, tasks: Iterable[SomeTask]) -> Iterator[tuple[SomeTask, Any]]:
        return ((task, task.do(self._bench)) for task in tasks)
