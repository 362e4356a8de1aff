"""Scores and explanations by content, computed in the background, shared by all sessions.

One cell is one metric's word on one caption against its references; its key is their text, so an edit re-scores what
changed and nothing else, and a second visitor finds the first one's scores. One worker scores metric after metric: the
models load once, and a page never waits for them. Another thread may explain meanwhile: each metric has its own lock.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from typing import Any, TypeVar

from capeval_core import CapEvalError, CaptionItem, Evaluation, Explanation, evaluate, registry
from capeval_core import explain as explain_item

T = TypeVar("T")
AT_ONCE = 40  # captions a job scores: a long list of one visitor does not keep the others waiting
FEW = 12  # captions that are one edit's worth
KEPT = 100_000  # cells
KEPT_RESULTS = 500  # explanations and blame maps
RETRY_AFTER = 60.0  # seconds: what failed is tried again when a page asks; its resource may be there by now


@dataclass(frozen=True, slots=True)
class Cell:
    value: float  # NaN: `note` says why
    note: str = ""
    signature: str = ""
    failed: bool = False  # the metric was skipped: its resource is missing, or it broke
    made: float = field(default_factory=time.monotonic, compare=False)

    @property
    def defined(self) -> bool:
        return not math.isnan(self.value)


@dataclass(frozen=True, slots=True)
class Job:
    owner: str
    keys: tuple[str, ...]
    items: tuple[CaptionItem, ...]


Evaluate = Callable[..., Evaluation]


class Scorer:
    def __init__(self, score: Evaluate = evaluate) -> None:
        self._evaluate = score
        self._cells: OrderedDict[Hashable, Cell] = OrderedDict()
        self._queue: deque[Job] = deque()
        self._running: Job | None = None
        self._changed = threading.Condition()
        self._worker: threading.Thread | None = None
        self._warm: set[str] = set()  # metrics that have scored: their models are loaded
        self.progress = ("", 0, 0)  # stage, done, total of the running job

    def get(self, item: CaptionItem, key: str) -> Cell | None:
        """The cell, or None while it has not been scored."""
        return self._cells.get(_address(item, key))

    def want(self, owner: str, items: Sequence[CaptionItem], keys: Iterable[str]) -> None:
        """Ask for these cells. What the owner asked for before and has not got is forgotten: it has moved on."""
        jobs = self._jobs(owner, items, list(keys))
        with self._changed:
            running = self._running
            others = [job for job in self._queue if job.owner != owner]
            fresh = [job for job in jobs if not (running and (job.keys, job.items) == (running.keys, running.items))]
            self._queue = deque([*others, *fresh])
            if self._queue and (self._worker is None or not self._worker.is_alive()):
                self._worker = threading.Thread(target=self._work, name="capeval-scorer", daemon=True)
                self._worker.start()
            self._changed.notify_all()

    def _jobs(self, owner: str, items: Sequence[CaptionItem], keys: list[str]) -> list[Job]:
        """Metric by metric, so that each shows when it is done. An edit, when the models are loaded, is one job: all
        metrics then share tokens, parses and transformer passes, and are done at once."""
        jobs = []
        for _, group in groupby(registry.select(keys), key=lambda spec: spec.metric):
            chosen = tuple(spec.key for spec in group)
            missing = [item for item in items if any(self._due(item, key) for key in chosen)]
            unique = list({(item.candidate, item.references): item for item in missing}.values())
            jobs += [Job(owner, chosen, tuple(unique[at : at + AT_ONCE])) for at in range(0, len(unique), AT_ONCE)]
        loaded = self.loaded([job.keys[0] for job in jobs])
        if loaded and len(jobs) > 1 and all(job.items == jobs[0].items and len(job.items) <= FEW for job in jobs):
            return [Job(owner, tuple(key for job in jobs for key in job.keys), jobs[0].items)]
        return jobs

    def _due(self, item: CaptionItem, key: str) -> bool:
        cell = self.get(item, key)
        return cell is None or (cell.failed and time.monotonic() - cell.made > RETRY_AFTER)

    def forget_failures(self) -> None:
        """Whatever could not score is tried again when it is next asked for."""
        with self._changed:
            for address in [address for address, cell in self._cells.items() if cell.failed]:
                del self._cells[address]

    @property
    def cold(self) -> bool:
        """Nothing has scored in this process yet."""
        return not self._warm

    def loaded(self, keys: Iterable[str]) -> bool:
        """Have these metrics scored before? Then their models are in memory, and a caption takes milliseconds."""
        return all(registry.get(key).metric in self._warm for key in keys)

    def pending(self, items: Sequence[CaptionItem], keys: Iterable[str]) -> list[str]:
        """The metrics that some of these cells still wait for."""
        return [key for key in keys if any(self.get(item, key) is None for item in items)]

    def wait(self, items: Sequence[CaptionItem], keys: Sequence[str], seconds: float) -> None:
        """Sleep until these cells are all there, or time is up."""
        with self._changed:
            self._changed.wait_for(lambda: not self.pending(items, keys), seconds)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._queue))
                self._running = job = self._queue.popleft()
                self.progress = (registry.get(job.keys[0]).label, 0, 0)
            cells = self._score(job)
            with self._changed:
                self._cells.update(cells)
                while len(self._cells) > KEPT:
                    self._cells.popitem(last=False)
                self._running = None
                self._changed.notify_all()

    def _score(self, job: Job) -> dict[Hashable, Cell]:
        try:
            with ExitStack() as locks:
                for name in sorted({registry.get(key).metric for key in job.keys}):
                    locks.enter_context(metric_lock(name))
                found = self._evaluate(job.items, job.keys, on_progress=self._report)
            self._warm |= {registry.get(key).metric for key in job.keys}
        except Exception as error:  # whatever happens, the page says so and the worker lives on
            reason = str(error) if isinstance(error, CapEvalError) else f"{type(error).__name__}: {error}"
            failed = Cell(math.nan, reason, failed=True)
            return {_address(item, key): failed for item in job.items for key in job.keys}
        cells: dict[Hashable, Cell] = {}
        for key in job.keys:
            for row, item in enumerate(job.items):
                cells[_address(item, key)] = cell_of(found, key, row)
        return cells

    def _report(self, stage: str, done: int, total: int) -> None:
        self.progress = (stage, done, total)


def _address(item: CaptionItem, key: str) -> Hashable:
    """What the value depends on: a metric that needs no references does not change with them."""
    return key, item.candidate, item.references if registry.get(key).needs_references else ()


def cell_of(found: Evaluation, key: str, row: int) -> Cell:
    if key in found.skipped:
        return Cell(math.nan, str(found.skipped[key]), failed=True)
    return Cell(float(found.scores[key][row]), found.notes[key].get(row, ""), found.signatures[key])


@cache
def scorer() -> Scorer:
    """The one of this process."""
    return Scorer()


@cache
def metric_lock(metric: str) -> threading.Lock:
    return threading.Lock()


class Memory:
    """The last results of slow functions, by content. What raises is not kept."""

    def __init__(self, kept: int = KEPT_RESULTS) -> None:
        self._kept = kept
        self._results: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.Lock()

    def recall(self, address: Hashable, make: Callable[[], T], keep: Callable[[T], bool] = lambda made: True) -> T:
        with self._lock:
            if address in self._results:
                self._results.move_to_end(address)
                found: T = self._results[address]
                return found
        made = make()
        if not keep(made):
            return made
        with self._lock:
            self._results[address] = made
            while len(self._results) > self._kept:
                self._results.popitem(last=False)
        return made


@cache
def memory() -> Memory:
    return Memory()


def explain(item: CaptionItem, key: str) -> Explanation:
    def make() -> Explanation:
        with metric_lock(registry.get(key).metric):
            return explain_item(item, key)

    return memory().recall(("explain", key, item.candidate, item.references), make)


def evaluate_now(items: Sequence[CaptionItem], keys: Iterable[str]) -> Evaluation:
    """All items at once, in the caller's thread; remembered unless a metric could not score."""
    chosen = tuple(keys)
    address = ("evaluate", chosen, tuple((item.candidate, item.references) for item in items))
    return memory().recall(address, lambda: evaluate(items, chosen), keep=lambda found: not found.skipped)
