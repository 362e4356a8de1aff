"""The last results by content, shared by all sessions; the least recently used go first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from functools import cache
from typing import Any, Generic, TypeVar

T = TypeVar("T")
V = TypeVar("V")
KEPT = 500  # explanations and drawings


class Memory(Generic[V]):
    """Values by address, each with a weight; together they weigh at most `most`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._total = 0
        self._values: OrderedDict[Hashable, tuple[V, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, address: Hashable) -> V | None:
        with self._lock:
            if address not in self._values:
                return None
            self._values.move_to_end(address)
            return self._values[address][0]

    def put(self, address: Hashable, value: V, weight: int = 1) -> None:
        with self._lock:
            self._drop(address)
            self._values[address] = value, weight
            self._total += weight
            while self._total > self._most and len(self._values) > 1:
                self._drop(next(iter(self._values)))

    def forget(self, condition: Callable[[V], bool]) -> None:
        with self._lock:
            for address in [address for address, (value, _) in self._values.items() if condition(value)]:
                self._drop(address)

    def __iter__(self) -> Iterator[Hashable]:
        with self._lock:
            return iter(list(self._values))

    def _drop(self, address: Hashable) -> None:
        _, weight = self._values.pop(address, (None, 0))
        self._total -= weight


@cache
def _results() -> Memory[Any]:
    return Memory(KEPT)


def recall(address: Hashable, make: Callable[[], T]) -> T:
    """What `make` gave for this address before, or gives now. What raises is not kept."""
    found: T | None = _results().get(address)
    if found is None:
        found = make()
        _results().put(address, found)
    return found
