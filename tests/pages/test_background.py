"""Slow work in the background: once by content, in the right order, stopped when nobody waits."""

from __future__ import annotations

import threading

import pytest

from capeval_core import InvalidInput
from capeval_core.types import Progress
from pages.work.jobs import Runner, Task

SOON = 10.0


def task(address: str, answer: object = 1) -> Task:
    return Task(address, address, lambda report: answer)


class Gate:
    """Work that waits to be let through and reports on the way."""

    def __init__(self) -> None:
        self.started, self.open, self.ended = threading.Event(), threading.Event(), threading.Event()

    def __call__(self, report: Progress) -> str:
        self.started.set()
        try:
            assert self.open.wait(SOON)
            report("half", 1, 2)
            return "through"
        finally:
            self.ended.set()


def test_results_are_kept_by_address() -> None:
    runner = Runner()
    assert runner.find("a") is None
    runner.want("me", [task("a", 7)])
    assert runner.wait("me", SOON)
    found = runner.find("a")
    assert found is not None
    assert found.result == 7
    assert runner.want("you", [task("a", 8)]) == []
    assert runner.find("a") is found


@pytest.mark.parametrize(
    ("error", "said"),
    [(InvalidInput("no", fix="yes"), "no. Fix: yes"), (ZeroDivisionError("x"), "ZeroDivisionError: x")],
)
def test_a_failure_is_an_answer_too(error: Exception, said: str) -> None:
    def fail(report: Progress) -> None:
        raise error

    runner = Runner()
    runner.want("me", [Task("a", "a", fail), task("b")])
    assert runner.wait("me", SOON)
    found, other = runner.find("a"), runner.find("b")
    assert found is not None
    assert found.error == said
    assert other is not None


def test_what_nobody_wants_any_more_stops() -> None:
    runner, gate = Runner(workers=1), Gate()
    runner.want("me", [Task("long", "long", gate), task("next")])
    assert gate.started.wait(SOON)
    assert [one.address for one in runner.want("me", [])] == []
    gate.open.set()
    assert gate.ended.wait(SOON)
    runner.want("me", [task("other")])
    assert runner.wait("me", SOON)
    assert runner.find("long") is None
    assert runner.find("next") is None
    assert runner.find("other") is not None


def test_what_another_session_wants_goes_on() -> None:
    runner, gate = Runner(workers=1), Gate()
    runner.want("me", [Task("long", "long", gate)])
    assert gate.started.wait(SOON)
    assert [one.address for one in runner.want("you", [task("long")])] == ["long"]
    runner.want("me", [])
    gate.open.set()
    assert runner.wait("you", SOON)
    found = runner.find("long")
    assert found is not None
    assert found.result == "through"  # the first one's work, once


def test_wanted_again_while_it_was_being_stopped() -> None:
    runner, gate = Runner(workers=1), Gate()
    wanted = Task("long", "long", gate)
    runner.want("me", [wanted])
    assert gate.started.wait(SOON)
    runner.want("me", [])
    runner.want("me", [wanted])
    gate.open.set()
    assert runner.wait("me", SOON)
    assert runner.find("long") is not None


def test_short_work_goes_first_and_progress_is_seen() -> None:
    runner, gate, order = Runner(workers=1), Gate(), list[str]()
    first = Task("first", "first", gate)
    runner.want("me", [first])
    assert gate.started.wait(SOON)
    slow = Task("slow", "slow", lambda report: order.append("slow"))
    quick = Task("quick", "quick", lambda report: order.append("quick"), urgent=True)
    left = runner.want("me", [first, slow, quick])
    assert [one.address for one in left] == ["first", "quick", "slow"]
    gate.open.set()
    assert runner.wait("me", SOON)
    assert order == ["quick", "slow"]
    assert (first.stage, first.done, first.total) == ("half", 1, 2)


def test_two_visitors_are_served_at_once() -> None:
    runner, gate = Runner(workers=2), Gate()
    runner.want("me", [Task("long", "long", gate)])
    assert gate.started.wait(SOON)
    runner.want("you", [task("short")])
    assert runner.wait("you", SOON)
    assert not gate.ended.is_set()
    gate.open.set()
    assert runner.wait("me", SOON)


def test_the_oldest_results_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.work.jobs.KEPT", 10)
    runner = Runner()
    for name in "abc":
        runner.want("me", [Task(name, name, lambda report: 1, weight=5)])
        assert runner.wait("me", SOON)
    assert [runner.find(name) is None for name in "abc"] == [True, False, False]
