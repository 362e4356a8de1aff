"""Slow work of the Systems page in the background: progress, cancel, results kept by content for all sessions.

A page says on every run what it wants now. What it wanted before and wants no more is dropped, or stopped at the next
word of progress, unless another session waits for it too.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from capeval_core import CapEvalError
from capeval_core.types import Progress

KEPT = 3_000_000  # rows of results
WORKERS = 2  # a second visitor's few captions do not wait for the first one's ten thousand


@dataclass(frozen=True, slots=True)
class Outcome:
    result: Any = None
    error: str = ""  # why there is no result


@dataclass(eq=False)
class Task:
    address: Hashable  # by content: equal addresses give equal results
    label: str
    work: Callable[[Progress], Any]
    weight: int = 1  # rows of its result
    urgent: bool = False  # short work goes before long work
    owners: set[str] = field(default_factory=set)
    stage: str = ""
    done: int = 0
    total: int = 0


class Stopped(BaseException):
    """Nobody waits any more. Not an Exception: a metric's own error handling lets it through."""


class Runner:
    def __init__(self, workers: int = WORKERS) -> None:
        self._most = workers
        self._threads = 0
        self._waiting: list[Task] = []
        self._running: list[Task] = []
        self._outcomes: OrderedDict[Hashable, tuple[Outcome, int]] = OrderedDict()
        self._changed = threading.Condition()

    def find(self, address: Hashable) -> Outcome | None:
        with self._changed:
            found = self._outcomes.get(address)
            if found is None:
                return None
            self._outcomes.move_to_end(address)
            return found[0]

    def want(self, owner: str, tasks: Sequence[Task]) -> list[Task]:
        """Ask for these and nothing else; those that are not finished, the running ones first."""
        with self._changed:
            known = {task.address: task for task in (*self._running, *self._waiting)}
            asked = {task.address: task for task in tasks if task.address not in self._outcomes}
            for address, task in known.items():
                (task.owners.add if address in asked else task.owners.discard)(owner)
            for address, task in asked.items():
                if address not in known:
                    task.owners.add(owner)
                    self._waiting.append(task)
            self._waiting = [task for task in self._waiting if task.owners]
            self._waiting.sort(key=lambda task: not task.urgent)
            while self._threads < min(self._most, len(self._waiting) + len(self._running)):
                self._threads += 1
                threading.Thread(target=self._work, name="capeval-background", daemon=True).start()
            return [task for task in (*self._running, *self._waiting) if owner in task.owners]

    def wait(self, owner: str, seconds: float) -> bool:
        """Sleep until nothing is left of what the owner wants, or time is up; is nothing left?"""
        with self._changed:
            return self._changed.wait_for(
                lambda: not any(owner in task.owners for task in (*self._running, *self._waiting)), seconds
            )

    def _work(self) -> None:
        while True:
            with self._changed:
                if not self._waiting:
                    self._threads -= 1
                    return
                task = self._waiting.pop(0)
                self._running.append(task)
            outcome = self._outcome(task)
            with self._changed:
                self._running.remove(task)
                if outcome is not None:
                    self._keep(task, outcome)
                elif task.owners:  # wanted again while it was being stopped
                    self._waiting.append(task)
                self._changed.notify_all()

    def _outcome(self, task: Task) -> Outcome | None:
        def report(stage: str, done: int, total: int) -> None:
            task.stage, task.done, task.total = stage, done, total
            if not task.owners:
                raise Stopped
            time.sleep(0)  # a page that wants to draw meanwhile gets its turn

        try:
            report("", 0, 0)
            return Outcome(task.work(report))
        except Stopped:
            return None
        except CapEvalError as error:
            return Outcome(error=str(error))
        except Exception as error:  # whatever happens, the page says so and the worker lives on
            return Outcome(error=f"{type(error).__name__}: {error}")

    def _keep(self, task: Task, outcome: Outcome) -> None:
        self._outcomes[task.address] = outcome, task.weight
        total = sum(weight for _, weight in self._outcomes.values())
        while total > KEPT and len(self._outcomes) > 1:
            total -= self._outcomes.popitem(last=False)[1][1]


@cache
def runner() -> Runner:
    """The one of this process."""
    return Runner()
