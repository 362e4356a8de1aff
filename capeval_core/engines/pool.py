"""The one interface of both engines: workers that do tasks, each with what the corpus decided at hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol, TypeVar

from capeval_core.engines.tasks import Task
from capeval_core.errors import WorkerLost

TRIES = 2  # a worker that dies costs its chunk one more try
SomeTask = TypeVar("SomeTask", bound=Task)


class Pool(Protocol):
    workers: int

    def share(self, context: Mapping[str, Any]) -> None:
        """What the corpus decided, for all tasks to come."""
        ...

    def run(self, tasks: Iterable[SomeTask]) -> Iterator[tuple[SomeTask, Any]]:
        """Each task with its result, in the order in which they are done. Tasks are taken as workers need them."""
        ...

    def __enter__(self) -> Pool: ...

    def __exit__(self, *error: object) -> None: ...


def lost(task: Task, how: str) -> WorkerLost:
    return WorkerLost(
        f"{task.place}: a worker died on these captions {TRIES} times",
        found=how,
        fix="out of memory: use fewer --workers or a smaller --chunk; what is scored is kept",
    )
