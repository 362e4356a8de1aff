"""Work in the background: one thread, its progress, its result, and a way to stop it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from capeval_core import CapEvalError
from capeval_core.types import Progress

T = TypeVar("T")


class Cancelled(BaseException):
    """Raised inside the work when nobody waits for it any more. Not an Exception: a metric's failure is caught."""


class Task(Generic[T]):
    def __init__(self, work: Callable[[Progress], T]) -> None:
        self._work = work
        self._ended = threading.Event()
        self._stop = False
        self.progress = ("", 0, 0)  # stage, done, total
        self.result: T | None = None
        self.error = ""

    def start(self) -> Task[T]:
        threading.Thread(target=self._run, name="capeval-perturb", daemon=True).start()
        return self

    @property
    def ended(self) -> bool:
        return self._ended.is_set()

    def wait(self, seconds: float) -> bool:
        return self._ended.wait(seconds)

    def cancel(self) -> None:
        """It ends at its next report of progress."""
        self._stop = True

    def _report(self, stage: str, done: int, total: int) -> None:
        if self._stop:
            raise Cancelled
        self.progress = (stage, done, total)

    def _run(self) -> None:
        try:
            self._report("Starting", 0, 0)
            self.result = self._work(self._report)
        except Cancelled:
            self.error = "cancelled"
        except CapEvalError as error:
            self.error = str(error)
        except Exception as error:  # whatever happens, the page says so
            self.error = f"{type(error).__name__}: {error}"
        finally:
            self._ended.set()

    @property
    def share(self) -> float:
        _, done, total = self.progress
        return min(done / total, 1.0) if total > 0 else 0.0
