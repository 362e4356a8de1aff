"""Worker processes on this machine. Each is started afresh (spawn), loads its models once and does one task at a time.

A worker that dies is replaced. When this process dies, however that comes, its workers end too.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from types import ModuleType
from typing import Any

from capeval_core.engines.pool import TRIES, SomeTask, lost
from capeval_core.engines.tasks import Bench, Setup, Task
from capeval_core.errors import CapEvalError, MetricFailed
from capeval_core.resources.device import use_threads

_SPAWN = multiprocessing.get_context("spawn")


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class LocalPool:
    def __init__(self, setup: Setup, workers: int = 0) -> None:
        self.workers = workers or cores()
        self._setup = setup
        self._context: Mapping[str, Any] = {}
        self._threads = max(1, cores() // self.workers)
        self._all = [self._start() for _ in range(self.workers)]

    def __enter__(self) -> LocalPool:
        return self

    def __exit__(self, *error: object) -> None:
        for worker in self._all:
            worker.end()

    def _start(self) -> _Worker:
        return _Worker(self._setup, self._threads)

    def share(self, context: Mapping[str, Any]) -> None:
        self._context = context
        for place, worker in enumerate(self._all):
            if not worker.send(context):
                self._replace(place)

    def _replace(self, place: int) -> _Worker:
        self._all[place].end()
        worker = self._all[place] = self._start()
        worker.send(self._context)
        return worker

    def run(self, tasks: Iterable[SomeTask]) -> Iterator[tuple[SomeTask, Any]]:
        waiting = iter(tasks)
        ready: deque[tuple[SomeTask, int]] = deque()  # with how often each was tried
        busy: dict[int, tuple[SomeTask, int]] = {}

        def fill() -> None:
            """One task ready for each worker: none waits while another is read."""
            while len(ready) < self.workers and (task := next(waiting, None)) is not None:
                ready.append((task, 0))

        def hand_out() -> None:
            for place, worker in enumerate(self._all):
                while place not in busy and ready:
                    task, tried = ready.popleft()
                    if worker.send(task):
                        busy[place] = task, tried + 1
                    else:
                        self._give_back(task, tried + 1, place, ready)
                        worker = self._all[place]

        fill()
        hand_out()
        while busy:
            fill()
            places = {self._all[place].connection: place for place in busy}
            for connection in wait(list(places)):
                place = places[connection]  # type: ignore[index]
                task, tried = busy.pop(place)
                answer = self._all[place].receive()
                if answer is None:
                    self._give_back(task, tried, place, ready)
                hand_out()
                if answer is not None:
                    yield task, _result(task, answer)

    def _give_back(self, task: SomeTask, tried: int, place: int, ready: deque[tuple[SomeTask, int]]) -> None:
        how = self._all[place].ended()
        if tried >= TRIES:
            raise lost(task, how)
        self._replace(place)
        ready.appendleft((task, tried))


def _result(task: Task, answer: tuple[Any, Exception | None]) -> Any:
    found, error = answer
    if isinstance(error, CapEvalError):
        raise error
    if error is not None:
        raise MetricFailed(f"{task.place}: cannot be scored", found=str(error)) from error
    return found


class _Worker:
    def __init__(self, setup: Setup, threads: int) -> None:
        self.connection, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_work, args=(theirs, setup, threads), daemon=True)
        with _environment({"OMP_NUM_THREADS": str(threads)}), _no_script():
            self._process.start()
        theirs.close()

    def send(self, message: Any) -> bool:
        """False where the worker is gone."""
        try:
            self.connection.send(message)
        except OSError:
            return False
        return True

    def receive(self) -> tuple[Any, Exception | None] | None:
        """None where the worker is gone."""
        try:
            found: tuple[Any, Exception | None] = self.connection.recv()
        except (EOFError, OSError):
            return None
        return found

    def ended(self) -> str:
        """How, in words."""
        self._process.join()
        code = self._process.exitcode or 0
        return f"killed by {signal.Signals(-code).name}" if code < 0 else f"ended with {code}"

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self._process.close()
        self.connection.close()


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """For a process that is started within: numpy and torch look when they are loaded."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _no_script() -> Iterator[None]:
    """A process that is started within would run the caller's script again (app.py, a notebook without a guard)."""
    script = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script


def _work(connection: Connection[Any, Any], setup: Setup, threads: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the whole group: the main process ends us
    threading.Thread(target=_end_with_parent, daemon=True).start()
    use_threads(threads)
    bench = Bench(setup)
    with suppress(EOFError, OSError):  # nobody is there any more
        while True:
            message = connection.recv()
            if isinstance(message, Mapping):
                bench.context = message
            else:
                connection.send(_answer(message, bench))


def _answer(task: Task, bench: Bench) -> tuple[Any, Exception | None]:
    try:
        return bench.do(task), None
    except CapEvalError as error:
        return None, error
    except Exception as error:  # it may not be fit to be sent: its words are
        return None, RuntimeError(f"{type(error).__name__}: {error}")


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
