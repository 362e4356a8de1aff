"""load_once: what takes time or memory to load is loaded once per process, whichever threads ask for it.

functools.cache does not lock: two threads that ask at the same time both load (MiniLM was in memory twice). Here those
who come while the first one loads wait for it. Other arguments load at the same time, and an error is not remembered.
What is large says how many are kept: the least recently used is let go. While somebody still works with it, it is the
same one that is handed out again, so that nothing is in memory twice.
"""

from __future__ import annotations

import functools
import inspect
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic, ParamSpec, TypeVar, cast

from capeval_core import pace

P = ParamSpec("P")
T = TypeVar("T")
Key = tuple[Any, ...]


class _Slot:
    """What one set of arguments gave, or who is at work on it."""

    __slots__ = ("loaded", "lock", "users", "value")

    def __init__(self) -> None:
        self.lock = threading.RLock()  # one thread loads, the others wait
        self.users = 0  # threads that load or wait
        self.loaded = False
        self.value: Any = None


class Loader(Generic[P, T]):
    """A function whose results are kept: all of them, or the `keep` that were used last."""

    def __init__(self, make: Callable[P, T], keep: int | None) -> None:
        functools.update_wrapper(self, make)
        self._make = make
        self._keep = keep
        self._signature = inspect.signature(make)
        self._slots: dict[Key, _Slot] = {}  # the least recently used first
        self._let_go: dict[Key, weakref.ref[Any]] = {}  # found again for as long as somebody uses it
        self._table = threading.Lock()  # held for a moment only, never while something loads

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        key = self._key(args, kwargs)
        with self._table:
            slot = self._slots.pop(key, None) or self._in_use(key) or _Slot()
            self._slots[key] = slot
            if slot.loaded:
                self._let_go_of_the_oldest()
                return cast(T, slot.value)
            slot.users += 1
        try:
            with slot.lock, pace.unwatched():  # others may wait for it: nobody makes it wait
                if not slot.loaded:
                    slot.value = self._make(*args, **kwargs)
                    slot.loaded = True
                return cast(T, slot.value)
        finally:
            self._leave(key, slot)

    def cache_clear(self) -> None:
        """Load anew from now on."""
        with self._table:
            self._slots.clear()
            self._let_go.clear()

    def _key(self, args: Key, kwargs: dict[str, Any]) -> Key:
        """load(), load("cpu") and load(device="cpu") are the same where "cpu" is the default."""
        if not kwargs and len(args) == len(self._signature.parameters):
            return args
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return tuple(bound.arguments.values())

    def _leave(self, key: Key, slot: _Slot) -> None:
        with self._table:
            slot.users -= 1
            if not slot.loaded and not slot.users and self._slots.get(key) is slot:
                del self._slots[key]
            self._let_go_of_the_oldest()

    def _let_go_of_the_oldest(self) -> None:
        if not self._keep:
            return
        kept = [key for key, one in self._slots.items() if one.loaded]  # what is still loading is not let go
        for old in kept[: -self._keep]:
            with suppress(TypeError):  # plain values have no weak references; they are not what takes memory
                self._let_go[old] = weakref.ref(self._slots[old].value)
            del self._slots[old]

    def _in_use(self, key: Key) -> _Slot | None:
        """What was let go of and is still used somewhere."""
        slot, found = _Slot(), self._let_go.pop(key, lambda: None)()
        slot.value, slot.loaded = found, found is not None
        return slot if slot.loaded else None


def load_once(*, keep: int | None = None) -> Callable[[Callable[P, T]], Loader[P, T]]:
    """@load_once() keeps every result; @load_once(keep=1) only that of the arguments used last."""
    return lambda make: Loader(make, keep)
