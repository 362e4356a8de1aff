"""Long work looks up often enough: whoever watches is asked in time, in every thread, and never while something loads.

Time would be no measure on a busy machine. What a metric does between two looks is counted in calls of functions, which
are the same on every machine; a million of them take about a second (bench/stretches.py measures the time). What torch
does is counted in tokens of a batch.
"""

from __future__ import annotations

import sys
import threading

import pytest

from capeval_core import CaptionItem, evaluate, pace, registry
from capeval_core.resources.loading import load_once

WORDS = ("a", "the", "red", "old", "dog", "cat", "man", "woman", "rides", "holds", "eats", "near", "on", "lawn", "boat")


class Stop(BaseException):
    pass


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr(pace, "clock", lambda: now[0])
    return now


def test_a_watcher_is_asked_no_more_often_than_it_needs(clock: list[float]) -> None:
    asked: list[float] = []
    with pace.watched(lambda: asked.append(clock[0])):
        for clock[0] in (0.0, 0.02, 0.04, 0.06, 0.07, 0.2):
            pace.look()
    assert asked == [0.0, 0.06, 0.2]


def test_a_report_asks_at_once(clock: list[float]) -> None:
    asked: list[float] = []
    with pace.watched(lambda: asked.append(clock[0])):
        pace.look()
        pace.look_now()
    assert len(asked) == 2


def test_nobody_is_asked_where_nobody_watches() -> None:
    asked: list[int] = []
    with pace.watched(lambda: asked.append(1)), pace.unwatched():
        pace.look_now()
        assert list(pace.each("ab")) == ["a", "b"]
    pace.look_now()
    assert asked == []


def test_batches_side_by_side_are_watched_too() -> None:
    threads: set[int] = set()
    both = threading.Barrier(2, timeout=10)  # breaks unless two are under way

    def work(batch: int) -> int:
        both.wait()
        pace.look_now()
        return batch * 2

    with pace.watched(lambda: threads.add(threading.get_ident())):
        assert pace.side_by_side(work, [1, 2, 3, 4], 2) == [2, 4, 6, 8]
    assert len(threads) == 2
    assert threading.get_ident() not in threads


def test_what_a_watcher_raises_ends_the_batches() -> None:
    done: list[int] = []

    def stop() -> None:
        raise Stop

    with pace.watched(stop), pytest.raises(Stop):
        pace.side_by_side(done.append, range(100), 2)
    assert done == []


def test_what_loads_is_not_made_to_wait() -> None:
    @load_once()
    def load() -> str:
        pace.look_now()
        return "here"

    def stop() -> None:
        raise Stop

    with pace.watched(stop):
        assert load() == "here"
        with pytest.raises(Stop):
            pace.look_now()


def items(count: int) -> list[CaptionItem]:
    def caption(seed: int) -> str:
        return " ".join(WORDS[seed * step % len(WORDS)] for step in range(1, 5 + seed % 9)) + f" {seed}"

    return [
        CaptionItem(str(n), caption(n), tuple(caption(7 * n + k) for k in range(1, 5)), f"s{n % 2}")
        for n in range(count)
    ]


class Calls:
    """Counts calls in every thread since it last looked up, and keeps the most of any."""

    def __init__(self) -> None:
        self.most = self.looks = 0
        self._here = threading.local()

    def looked(self) -> None:
        self.looks += 1
        self._here.calls = 0

    def count(self, frame: object, event: str, argument: object) -> None:
        if event in ("call", "c_call"):
            self._here.calls = calls = getattr(self._here, "calls", 0) + 1
            self.most = max(self.most, calls)

    def __enter__(self) -> Calls:
        threading.setprofile(self.count)
        sys.setprofile(self.count)
        return self

    def __exit__(self, *error: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)


CAPTIONS = 200
MOST = 30_000  # calls; these captions cost 110,000 (BERTScore) to 530,000 (SPIDEr) of them in all


def names() -> list[str]:
    """Of metrics, without those that another one is made of."""
    specs = registry.select(None)
    parts = {name for spec in specs for name in spec.behind if name != spec.metric}
    return [name for name in dict.fromkeys(spec.metric for spec in specs) if name not in parts]


@pytest.mark.parametrize("name", names())
def test_every_metric_looks_up_often(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "EVERY", 0.0)
    keys = [spec.key for spec in registry.select(None) if spec.metric == name]
    batch = items(CAPTIONS)
    evaluate(batch[:20], keys)  # what has to be loaded is loaded: they have all the words
    calls = Calls()
    with pace.watched(calls.looked), calls:
        found = evaluate(batch, keys)
    assert found.skipped == {}
    assert calls.looks > 10
    assert calls.most < MOST
