"""Workers on a Ray cluster: actors, each with its models loaded once; chunks go to them and their rows come back.

The run's folder stays with this process, so the cluster needs no shared folder, and a run that was begun here can be
gone on with on a cluster, or the other way round. An actor that is lost with its node costs its chunk one more try.
"""

from __future__ import annotations

import os
import socket
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from capeval_core.engines.pool import TRIES, SomeTask, lost
from capeval_core.engines.tasks import Bench, Setup, Task
from capeval_core.errors import CapEvalError, InvalidInput, MetricFailed, MissingResource
from capeval_core.resources.device import use_threads

STARTS_WITHIN = 300.0  # seconds in which at least one actor must be there, with its code loaded


class _Actor:
    def __init__(self, setup: Setup) -> None:
        use_threads(1)  # an actor has one core
        self._bench = Bench(setup)

    def share(self, context: Mapping[str, Any]) -> None:
        """Also how an actor says that it is there."""
        self._bench.context = context

    def do(self, task: Task) -> tuple[Any, str]:
        """The result, or what went wrong in words: an error of ours is one line wherever it happens."""
        try:
            return self._bench.do(task), ""
        except CapEvalError as error:
            return None, str(error)


def _load() -> Any:
    try:
        import ray
    except ImportError as error:
        raise MissingResource("Ray is not installed", fix="pip install -r requirements-ray.txt") from error
    return ray


class RayPool:
    def __init__(self, setup: Setup, workers: int = 0, address: str | None = None) -> None:
        self._ray = ray = _load()
        self._ours = not ray.is_initialized()
        if self._ours:
            self._connect(address)
        resources = ray.cluster_resources()
        gpu = setup.device in ("auto", "cuda") and resources.get("GPU", 0) >= 1
        self.workers = workers or max(1, int(resources.get("GPU" if gpu else "CPU", 1)))
        self._kind = ray.remote(num_cpus=1, num_gpus=1 if gpu else 0, max_restarts=0)(_Actor)
        self._setup = ray.put(setup)
        self._context: Any = ray.put({})
        self._starting: dict[Any, Any] = {}  # actors by the word they owe us
        self._idle: list[Any] = []
        for _ in range(self.workers):
            self._start()

    def _connect(self, address: str | None) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        _knock(address)
        quiet = {"log_to_driver": False, "logging_level": "ERROR"}
        try:
            self._ray.init(address or "local", **quiet | ({} if address else {"include_dashboard": False}))
        except Exception as error:  # Ray raises nothing narrower where a node is too slow to start
            where = f"no Ray cluster at {address}" if address else "Ray cannot start on this machine"
            raise MissingResource(where, found=" ".join(str(error).split())[:200]) from error

    def __enter__(self) -> RayPool:
        return self

    def __exit__(self, *error: object) -> None:
        for actor in (*self._idle, *self._starting.values()):
            self._ray.kill(actor)
        if self._ours:
            self._ray.shutdown()

    def _start(self) -> None:
        actor = self._kind.remote(self._setup)
        self._starting[actor.share.remote(self._context)] = actor

    def share(self, context: Mapping[str, Any]) -> None:
        """What lies in files of this machine goes along whole; Ray keeps one copy on each node."""
        sent = {name: one.whole() if hasattr(one, "whole") else one for name, one in context.items()}
        self._context = self._ray.put(sent)
        for actor in self._idle:
            self._starting[actor.share.remote(self._context)] = actor
        for actor in self._starting.values():
            actor.share.remote(self._context)
        self._idle = []

    def run(self, tasks: Iterable[SomeTask]) -> Iterator[tuple[SomeTask, Any]]:
        waiting = iter(tasks)
        ready: deque[tuple[SomeTask, int]] = deque()  # with how often each was tried
        busy: dict[Any, tuple[Any, SomeTask, int]] = {}
        while True:
            while len(ready) < max(1, len(self._idle)) and (task := next(waiting, None)) is not None:
                ready.append((task, 0))
            while self._idle and ready:
                actor, (task, tried) = self._idle.pop(), ready.popleft()
                busy[actor.do.remote(task)] = actor, task, tried + 1
            if not busy and not ready:
                return
            found = self._next([*busy, *self._starting], alone=not busy)
            if found in self._starting:
                self._arrived(found)
                continue
            actor, task, tried = busy.pop(found)
            try:
                answer = self._ray.get(found)
            except self._ray.exceptions.RayTaskError as error:
                words = " ".join(str(error.cause).split())
                raise MetricFailed(f"{task.place}: cannot be scored", found=words[:300]) from error
            except self._ray.exceptions.RayError as error:
                if tried >= TRIES:
                    raise lost(task, type(error).__name__) from error
                ready.appendleft((task, tried))
                self._ray.kill(actor)
                self._start()
                continue
            self._idle.append(actor)
            yield task, _result(task, answer)

    def _next(self, owed: list[Any], alone: bool) -> Any:
        """The first that is there. Where nobody works, somebody must come."""
        done, _ = self._ray.wait(owed, num_returns=1, timeout=STARTS_WITHIN if alone else None)
        if not done:
            raise MissingResource(
                "no worker of the Ray cluster could start",
                expected=f"one core free within {STARTS_WITHIN:.0f} seconds",
                fix="see `ray status`; CapEval must be installed on every node",
            )
        return done[0]

    def _arrived(self, word: Any) -> None:
        actor = self._starting.pop(word)
        try:
            self._ray.get(word)
            self._idle.append(actor)
        except self._ray.exceptions.RayTaskError as error:
            raise MetricFailed("a worker of the Ray cluster cannot start", found=str(error.cause)) from error
        except self._ray.exceptions.RayActorError:
            self._start()


def _knock(address: str | None) -> None:
    """Ray itself tries for minutes where nobody is."""
    host, colon, port = (address or "").removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():
        return
    try:
        socket.create_connection((host, int(port)), timeout=10).close()
    except OSError as error:
        raise InvalidInput(f"no Ray cluster at {address}", found=error.strerror or str(error)) from error


def _result(task: Task, answer: tuple[Any, str]) -> Any:
    found, words = answer
    if words:
        raise MetricFailed(f"{task.place}: cannot be scored", found=words)
    return found
