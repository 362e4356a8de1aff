"""Work in the background, for every page: jobs by content, owned by (session, page), with progress and cancel.

A page says on every run which jobs it wants. What it wanted before and wants no more is dropped, or stopped when it
next looks up (capeval_core/pace.py: a few times a second), unless somebody else wants it too. There are three levels,
each with workers of its own: short jobs, those that should come soon, long ones. While a job of a higher level waits or
runs, or a page is being drawn, the others pause: nobody's data set keeps another visitor's edit waiting. Owners take
turns. Training a model has workers of its own beside those of long jobs: no data set waits for a model. Results are
kept by address, the least recently used are dropped; an error is kept as text and tried again after a minute, or when a
visitor asks for it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from capeval_core import CapEvalError, pace
from capeval_core.types import Progress
from pages.work.memory import Memory

KEPT = 3_000_000  # rows of results
LONG, SHORT = 2, 2  # workers of a level
TRAINING = 3  # the level that pauses for the same as long jobs, and for these never
RETRY_AFTER = 60.0  # seconds: what failed is tried again when a page asks; its resource may be there by now
GONE_AFTER = 30.0  # seconds without a connection: a closed tab's work stops, a bad line's goes on
Owner = tuple[str, str]  # session, page
THE_APP: Owner = ("", "start")  # wants what every visitor will want; it is always there


@dataclass(frozen=True, slots=True)
class Outcome:
    result: Any = None
    error: str = ""  # why there is no result
    made: float = field(default_factory=time.monotonic, compare=False)

    @property
    def stale(self) -> bool:
        return bool(self.error) and time.monotonic() - self.made > RETRY_AFTER


@dataclass(eq=False)
class Job:
    address: Hashable  # by content: equal addresses give equal results
    label: str
    work: Callable[[Progress], Any]
    weight: int = 1  # rows of its result
    short: bool = False  # an edit's worth of work
    soon: bool = False  # more than an edit, but a visitor looks at its place on the page: before the long ones
    trains: bool = False  # a model: as urgent as a long job, on workers of its own
    told: Any = None  # what the work tells while it runs, beside its progress; for the page that shows it
    keep: bool = True  # False: the work itself puts its result where it belongs
    owners: set[Owner] = field(default_factory=set)
    stage: str = ""
    done: int = 0
    total: int = 0

    @property
    def level(self) -> int:
        return 0 if self.short else 1 if self.soon else TRAINING if self.trains else 2

    @property
    def share(self) -> float:
        return min(self.done / self.total, 1.0) if self.total > 1 else 0.0

    @property
    def said(self) -> str:
        """What it is doing, in words."""
        stage = f": {self.stage}" if self.stage and self.stage != self.label else ""
        return f"{self.label}{stage}{f' {self.share:.0%}' if self.total > 1 else ''}"


class Stopped(BaseException):
    """Nobody waits any more. Not an Exception: a metric's own error handling lets it through."""


def reason(error: Exception) -> str:
    return str(error) if isinstance(error, CapEvalError) else f"{type(error).__name__}: {error}"


class Jobs:
    def __init__(self, long: int = LONG, short: int = SHORT, alive: Callable[[str], bool] = lambda session: True):
        self._most = (short, short, long, long)  # by level
        self._threads = [0, 0, 0, 0]
        self._drawing: dict[int, int] = {}  # threads that draw a page now, each with how many parts within parts
        self._alive = alive
        self._gone: dict[str, float] = {}  # session -> since when it has not been connected
        self._waiting: list[Job] = []
        self._running: list[Job] = []
        self._turns: dict[Owner, int] = {}  # when each owner's last job began
        self._outcomes: Memory[Outcome] = Memory(KEPT)
        self._changed = threading.Condition()

    def find(self, address: Hashable) -> Outcome | None:
        return self._outcomes.get(address)

    def want(self, owner: Owner, jobs: Sequence[Job]) -> list[Job]:
        """Ask for these and nothing else; those that are not finished, the running ones first."""
        with self._changed:
            known = {job.address: job for job in (*self._running, *self._waiting)}
            asked = {job.address: job for job in jobs if self._due(job.address)}
            for address, job in known.items():
                (job.owners.add if address in asked else job.owners.discard)(owner)
            for address, job in asked.items():
                if address not in known:
                    job.owners.add(owner)
                    self._waiting.append(job)
            self._waiting = [job for job in self._waiting if job.owners]
            self._start()
            self._changed.notify_all()
            return self._of(owner)

    def of(self, owner: Owner) -> list[Job]:
        """What the owner waits for, the running ones first."""
        with self._changed:
            return self._of(owner)

    def wait(self, ready: Callable[[], bool], seconds: float) -> bool:
        """Sleep until `ready` says so (it is asked whenever a job ends), or time is up."""
        with self._changed:
            depth = self._drawing.pop(threading.get_ident(), 0)  # who sleeps draws nothing
            self._changed.notify_all()
            try:
                return self._changed.wait_for(ready, seconds)
            finally:
                if depth:
                    self._drawing[threading.get_ident()] = depth

    @contextmanager
    def drawing(self) -> Iterator[None]:
        """A page is drawn within, for a visitor who waits: whatever is not an edit's work pauses."""
        me = threading.get_ident()
        with self._changed:
            self._drawing[me] = self._drawing.get(me, 0) + 1
        try:
            yield
        finally:
            with self._changed:
                self._drawing[me] -= 1
                if not self._drawing[me]:
                    del self._drawing[me]
                    self._changed.notify_all()

    def finish(self, owner: Owner, seconds: float) -> bool:
        """Sleep until nothing is left of what the owner wants."""
        return self.wait(lambda: not self._of(owner), seconds)

    def forget_failures(self) -> None:
        self._outcomes.forget(lambda outcome: bool(outcome.error))

    def _of(self, owner: Owner) -> list[Job]:
        return [job for job in (*self._running, *self._waiting) if owner in job.owners]

    def _due(self, address: Hashable) -> bool:
        outcome = self.find(address)
        return outcome is None or outcome.stale

    def _start(self) -> None:
        for level, most in enumerate(self._most):
            work = sum(job.level == level for job in (*self._running, *self._waiting))
            while self._threads[level] < min(most, work):
                self._threads[level] += 1
                threading.Thread(target=self._work, args=(level,), name="capeval-job", daemon=True).start()

    def _next(self, level: int) -> Job | None:
        """The first job of whoever has waited longest for a turn."""
        waiting = [job for job in self._waiting if job.level == level]
        if not waiting:
            return None
        job = min(waiting, key=lambda job: min(self._turns.get(owner, 0) for owner in job.owners))
        turn = max(self._turns.values(), default=0) + 1
        self._turns.update(dict.fromkeys(job.owners, turn))
        self._waiting.remove(job)
        self._running.append(job)
        return job

    def _work(self, level: int) -> None:
        while True:
            with self._changed:
                job = self._next(level)
                if job is None:
                    self._threads[level] -= 1
                    return
            outcome = self._outcome(job)
            with self._changed:
                self._running.remove(job)
                if outcome is None and job.owners:  # wanted again while it was being stopped
                    self._waiting.append(job)
                elif outcome is not None and (job.keep or outcome.error):
                    self._outcomes.put(job.address, outcome, job.weight)
                self._changed.notify_all()

    def _outcome(self, job: Job) -> Outcome | None:
        def report(stage: str, done: int, total: int) -> None:
            job.stage, job.done, job.total = stage, done, total
            pace.look_now()

        try:
            with pace.watched(lambda: self._give_way(job)):
                report("", 0, 0)
                return Outcome(job.work(report))
        except Stopped:
            return None
        except Exception as error:  # whatever happens, the page says so and the worker lives on
            return Outcome(error=reason(error))

    def _give_way(self, job: Job) -> None:
        """Stops what nobody wants; a job waits here while one of a higher level is under way, or a page is drawn."""
        with self._changed:
            job.owners -= {owner for owner in job.owners if self._is_gone(owner[0])}
            if job.level:
                self._changed.wait_for(lambda: not job.owners or not self._goes_before(job.level))
            if not job.owners:
                raise Stopped

    def _goes_before(self, level: int) -> bool:
        return bool(self._drawing) or any(job.level < min(level, 2) for job in (*self._running, *self._waiting))

    def _is_gone(self, session: str) -> bool:
        if self._alive(session):
            self._gone.pop(session, None)
            return False
        return time.monotonic() - self._gone.setdefault(session, time.monotonic()) > GONE_AFTER


def _connected(session: str) -> bool:
    from streamlit import runtime

    return not session or not runtime.exists() or runtime.get_instance().is_active_session(session.split()[0])


@cache
def jobs() -> Jobs:
    """The one of this process."""
    return Jobs(alive=_connected)
