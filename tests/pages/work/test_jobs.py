"""Background work: once by content, in the right order, stopped when nobody waits, never in a short job's way."""

from __future__ import annotations

import threading

import pytest

from capeval_core import InvalidInput, pace
from capeval_core.types import Progress
from pages.work import jobs as module
from pages.work.jobs import Job, Jobs

SOON = 10.0
ME, YOU = ("me", "systems"), ("you", "systems")


def job(address: str, answer: object = 1, short: bool = False) -> Job:
    return Job(address, address, lambda report: answer, short=short)


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


def found(jobs: Jobs, address: str) -> object:
    outcome = jobs.find(address)
    return outcome.result if outcome else None


def test_results_are_kept_by_address() -> None:
    jobs = Jobs()
    assert jobs.find("a") is None
    jobs.want(ME, [job("a", 7)])
    assert jobs.finish(ME, SOON)
    assert found(jobs, "a") == 7
    assert jobs.want(YOU, [job("a", 8)]) == []
    assert found(jobs, "a") == 7


def test_what_puts_its_result_elsewhere_is_not_kept() -> None:
    jobs, done = Jobs(), list[int]()
    jobs.want(ME, [Job("a", "a", lambda report: done.append(1), keep=False)])
    assert jobs.finish(ME, SOON)
    assert done == [1]
    assert jobs.find("a") is None


@pytest.mark.parametrize(
    ("error", "said"),
    [(InvalidInput("no", fix="yes"), "no. Fix: yes"), (ZeroDivisionError("x"), "ZeroDivisionError: x")],
)
def test_a_failure_is_an_answer_too(error: Exception, said: str) -> None:
    def fail(report: Progress) -> None:
        raise error

    jobs = Jobs()
    jobs.want(ME, [Job("a", "a", fail), job("b")])
    assert jobs.finish(ME, SOON)
    outcome = jobs.find("a")
    assert outcome is not None
    assert outcome.error == said
    assert found(jobs, "b") == 1


def test_what_failed_is_tried_again_later_or_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs, tries = Jobs(), list[int]()

    def fail(report: Progress) -> None:
        tries.append(1)
        raise InvalidInput("no")

    for _ in range(2):
        jobs.want(ME, [Job("a", "a", fail)])
        assert jobs.finish(ME, SOON)
    assert len(tries) == 1  # not at once: it would fail again
    jobs.forget_failures()
    jobs.want(ME, [Job("a", "a", fail)])
    assert jobs.finish(ME, SOON)
    assert len(tries) == 2
    monkeypatch.setattr(module, "RETRY_AFTER", 0.0)
    jobs.want(ME, [Job("a", "a", fail)])
    assert jobs.finish(ME, SOON)
    assert len(tries) == 3


def test_what_nobody_wants_any_more_stops() -> None:
    jobs, gate = Jobs(long=1), Gate()
    jobs.want(ME, [Job("long", "long", gate), job("next")])
    assert gate.started.wait(SOON)
    assert jobs.want(ME, []) == []
    gate.open.set()
    assert gate.ended.wait(SOON)
    jobs.want(ME, [job("other")])
    assert jobs.finish(ME, SOON)
    assert jobs.find("long") is None
    assert jobs.find("next") is None
    assert found(jobs, "other") == 1


def test_two_pages_of_a_session_want_things_apart() -> None:
    jobs, gate = Jobs(long=1), Gate()
    jobs.want(ME, [Job("long", "long", gate)])
    assert gate.started.wait(SOON)
    jobs.want(("me", "perturb"), [])
    gate.open.set()
    assert jobs.finish(ME, SOON)
    assert found(jobs, "long") == "through"


def test_what_another_session_wants_goes_on() -> None:
    jobs, gate = Jobs(long=1), Gate()
    jobs.want(ME, [Job("long", "long", gate)])
    assert gate.started.wait(SOON)
    assert [one.address for one in jobs.want(YOU, [job("long")])] == ["long"]
    jobs.want(ME, [])
    gate.open.set()
    assert jobs.finish(YOU, SOON)
    assert found(jobs, "long") == "through"  # the first one's work, once


def test_wanted_again_while_it_was_being_stopped() -> None:
    jobs, gate = Jobs(long=1), Gate()
    wanted = Job("long", "long", gate)
    jobs.want(ME, [wanted])
    assert gate.started.wait(SOON)
    jobs.want(ME, [])
    jobs.want(ME, [wanted])
    gate.open.set()
    assert jobs.finish(ME, SOON)
    assert found(jobs, "long") == "through"


def test_what_should_come_soon_goes_before_other_long_work_and_progress_is_seen() -> None:
    jobs, gate, order = Jobs(long=1), Gate(), list[str]()
    first = Job("first", "first", gate)
    jobs.want(ME, [first])
    assert gate.started.wait(SOON)
    slow = Job("slow", "slow", lambda report: order.append("slow"))
    quick = Job("quick", "quick", lambda report: order.append("quick"), soon=True)
    left = jobs.want(ME, [first, slow, quick])
    assert left[0] is first
    gate.open.set()
    assert jobs.finish(ME, SOON)
    assert order == ["quick", "slow"]
    assert (first.stage, first.done, first.total, first.share) == ("half", 1, 2, 0.5)
    assert first.said == "first: half 50%"


def test_a_short_job_waits_for_no_long_one() -> None:
    jobs, gates = Jobs(long=2), [Gate(), Gate()]
    jobs.want(ME, [Job(number, "long", gate) for number, gate in enumerate(gates)])
    assert all(gate.started.wait(SOON) for gate in gates)
    jobs.want(YOU, [job("short", short=True)])
    assert jobs.finish(YOU, SOON)
    assert not any(gate.ended.is_set() for gate in gates)
    for gate in gates:
        gate.open.set()
    assert jobs.finish(ME, SOON)


def test_a_long_job_pauses_while_a_short_one_is_under_way() -> None:
    jobs, long, short = Jobs(), Gate(), Gate()
    jobs.want(ME, [Job("long", "long", long)])
    assert long.started.wait(SOON)
    jobs.want(YOU, [Job("short", "short", short, short=True)])
    assert short.started.wait(SOON)
    long.open.set()
    assert not long.ended.wait(0.2)  # it has the way clear, and waits
    short.open.set()
    assert jobs.finish(YOU, SOON)
    assert jobs.finish(ME, SOON)
    assert found(jobs, "long") == "through"


def test_what_should_come_soon_has_workers_of_its_own_and_long_work_pauses() -> None:
    jobs, long, soon = Jobs(long=1), Gate(), Gate()
    jobs.want(ME, [Job("long", "long", long)])
    assert long.started.wait(SOON)
    jobs.want(YOU, [Job("soon", "soon", soon, soon=True)])
    assert soon.started.wait(SOON)  # though the only worker of long jobs is busy
    long.open.set()
    assert not long.ended.wait(0.1)
    soon.open.set()
    assert jobs.finish(YOU, SOON)
    assert jobs.finish(ME, SOON)


def test_what_should_come_soon_pauses_for_a_short_job() -> None:
    jobs, soon, short = Jobs(), Gate(), Gate()
    jobs.want(ME, [Job("soon", "soon", soon, soon=True)])
    assert soon.started.wait(SOON)
    jobs.want(YOU, [Job("short", "short", short, short=True)])
    assert short.started.wait(SOON)
    soon.open.set()
    assert not soon.ended.wait(0.1)
    short.open.set()
    assert jobs.finish(YOU, SOON)
    assert jobs.finish(ME, SOON)


def test_work_pauses_while_a_page_is_drawn_but_not_while_the_page_waits_for_it() -> None:
    jobs, long = Jobs(), Gate()
    jobs.want(ME, [Job("long", "long", long)])
    assert long.started.wait(SOON)
    with jobs.drawing(), jobs.drawing():
        long.open.set()
        assert not long.ended.wait(0.1)
        assert jobs.finish(ME, SOON)  # the page sleeps: the work goes on
    assert found(jobs, "long") == "through"


def test_a_short_job_does_not_pause_for_a_page() -> None:
    jobs, done = Jobs(), threading.Event()
    with jobs.drawing():
        jobs.want(ME, [Job("short", "short", lambda report: done.set(), short=True)])
        assert done.wait(SOON)


def test_every_look_of_the_work_is_a_chance_to_stop_it() -> None:
    jobs, begun, go, ended = Jobs(), threading.Event(), threading.Event(), threading.Event()

    def work(report: Progress) -> None:
        begun.set()
        try:
            assert go.wait(SOON)
            pace.look_now()  # no report: work deep in the core looks up
        finally:
            ended.set()

    jobs.want(ME, [Job("long", "long", work)])
    assert begun.wait(SOON)
    jobs.want(ME, [])
    go.set()
    assert ended.wait(SOON)
    jobs.want(ME, [job("other")])
    assert jobs.finish(ME, SOON)
    assert jobs.find("long") is None


def test_the_app_itself_is_always_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GONE_AFTER", -1.0)
    jobs = Jobs(alive=lambda session: module._connected(session))
    jobs.want(module.THE_APP, [job("a")])
    assert jobs.finish(module.THE_APP, SOON)
    assert found(jobs, "a") == 1


def test_a_paused_long_job_can_be_cancelled() -> None:
    jobs, long, short = Jobs(), Gate(), Gate()
    jobs.want(ME, [Job("long", "long", long)])
    assert long.started.wait(SOON)
    jobs.want(YOU, [Job("short", "short", short, short=True)])
    assert short.started.wait(SOON)
    long.open.set()
    jobs.want(ME, [])
    assert long.ended.wait(SOON)
    assert jobs.find("long") is None
    short.open.set()
    assert jobs.finish(YOU, SOON)


def test_owners_take_turns() -> None:
    jobs, gate, order = Jobs(long=1), Gate(), list[str]()

    def noted(name: str) -> Job:
        return Job(name, name, lambda report: order.append(name))

    jobs.want(ME, [Job("first", "first", gate), noted("mine 1"), noted("mine 2")])
    assert gate.started.wait(SOON)
    jobs.want(YOU, [noted("yours 1"), noted("yours 2")])
    gate.open.set()
    assert jobs.finish(ME, SOON)
    assert jobs.finish(YOU, SOON)
    assert order == ["yours 1", "mine 1", "yours 2", "mine 2"]


def test_the_work_of_a_closed_tab_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GONE_AFTER", -1.0)
    open_tabs = {"me", "you"}
    jobs, gate = Jobs(alive=open_tabs.__contains__), Gate()
    jobs.want(ME, [Job("long", "long", gate)])
    assert gate.started.wait(SOON)
    open_tabs.remove("me")
    gate.open.set()
    assert jobs.finish(ME, SOON)
    assert jobs.find("long") is None


def test_the_work_of_a_bad_line_goes_on() -> None:
    jobs = Jobs(alive=lambda session: False)
    jobs.want(ME, [job("a")])
    assert jobs.finish(ME, SOON)
    assert found(jobs, "a") == 1


def test_the_least_recently_used_results_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT", 10)
    jobs = Jobs()
    for name in "ab":
        jobs.want(ME, [Job(name, name, lambda report: 1, weight=5)])
        assert jobs.finish(ME, SOON)
    assert found(jobs, "a") == 1  # used: now b is the oldest
    jobs.want(ME, [Job("c", "c", lambda report: 1, weight=5)])
    assert jobs.finish(ME, SOON)
    assert [jobs.find(name) is None for name in "abc"] == [False, True, False]
