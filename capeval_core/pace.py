"""Where long work can be made to wait: it looks up often, and whoever runs it decides what happens then.

The core calls look() between small pieces of work, a fraction of a second each. The runner of the app's background jobs
watches: it is called a few times a second in the thread that works, and may wait there or raise to end the work. Where
nobody watches, looking up costs next to nothing. What others may be waiting for (a model that loads) is never made to
wait: see unwatched().
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

Watcher = Callable[[], None]
T = TypeVar("T")
R = TypeVar("R")
EVERY = 0.05  # seconds: a watcher is called no more often by look()
clock = time.monotonic


class _Here(threading.local):
    """Of one thread."""

    watcher: Watcher | None = None
    seen: float = float("-inf")  # when the watcher was last called


_here = _Here()


def look() -> None:
    """Between two pieces of work."""
    if _here.watcher is not None and clock() - _here.seen >= EVERY:
        look_now()


def look_now() -> None:
    """The same, however short ago the last time was."""
    if _here.watcher is not None:
        _here.watcher()
        _here.seen = clock()


def each(things: Iterable[T]) -> Iterator[T]:
    """The things, looking up before each."""
    for thing in things:
        look()
        yield thing


@contextmanager
def watched(watcher: Watcher | None) -> Iterator[None]:
    """The watcher is called for what this thread does within."""
    before = _here.watcher, _here.seen
    _here.watcher, _here.seen = watcher, float("-inf")
    try:
        yield
    finally:
        _here.watcher, _here.seen = before


@contextmanager
def unwatched() -> Iterator[None]:
    """What is done within is never made to wait: others wait for it."""
    with watched(None):
        yield


def side_by_side(work: Callable[[T], R], batches: Iterable[T], threads: int | None) -> list[R]:
    """The results of `work` on every batch, several at a time; whoever watches this thread watches them all."""
    watcher = _here.watcher

    def run(batch: T) -> R:
        with watched(watcher):
            look()
            return work(batch)

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run, batches))
