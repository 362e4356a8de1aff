"""The one store of scores: what one metric says of one caption against its references under one set of options.

An edit scores what changed and nothing else, a second visitor finds the first one's scores, and no page scores what
another has scored. What is missing is scored by background jobs.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from typing import Any

from capeval_core import CaptionItem, Evaluation, Explanation, evaluate, registry
from capeval_core import explain as explain_item
from capeval_core import options as metric_options
from capeval_core.types import Progress, StandIn
from pages.work.jobs import RETRY_AFTER, Job, Jobs, Owner, jobs, reason
from pages.work.memory import Memory, recall

KEPT = 100_000  # cells
AT_ONCE = 40  # captions of a job: each shows when it is done
FEW = 12  # captions that are one edit's worth; more come soon, but keep nobody else's edit waiting
Options = Mapping[str, Any]  # by metric name: those that differ from the defaults


@dataclass(frozen=True, slots=True)
class Cell:
    value: float  # NaN: `note` says why
    note: str = ""
    signature: str = ""
    stand_in: StandIn | None = None
    failed: bool = False  # the metric was skipped: its resource is missing, or it broke
    made: float = field(default_factory=time.monotonic, compare=False)

    @property
    def defined(self) -> bool:
        return not math.isnan(self.value)

    @property
    def due(self) -> bool:
        """It failed a while ago: what it lacked may be there by now."""
        return self.failed and time.monotonic() - self.made > RETRY_AFTER


class Cells:
    def __init__(self, runner: Jobs, score: Callable[..., Evaluation] = evaluate) -> None:
        self.jobs = runner
        self._evaluate = score
        self._cells: Memory[Cell] = Memory(KEPT)
        self._loaded: set[str] = set()  # metrics that have scored: their models are in memory

    def get(self, item: CaptionItem, key: str, options: Options | None = None) -> Cell | None:
        """The cell, or None while it has not been scored."""
        return self._cells.get(_address(item, key, options))

    def want(
        self, owner: Owner, items: Sequence[CaptionItem], keys: Iterable[str], options: Options | None = None
    ) -> list[Job]:
        """Ask for these cells and nothing else; the jobs that are not finished, the running ones first."""
        return self.jobs.want(owner, self.missing(items, list(keys), options or {}))

    def pending(self, items: Sequence[CaptionItem], keys: Iterable[str], options: Options | None = None) -> list[str]:
        """The metrics that some of these cells still wait for."""
        return [key for key in keys if any(self.get(item, key, options) is None for item in items)]

    def wait(
        self, items: Sequence[CaptionItem], keys: Sequence[str], options: Options | None, seconds: float
    ) -> list[str]:
        """Sleep until these cells are all there, or time is up; the metrics that are still missing."""
        self.jobs.wait(lambda: not self.pending(items, keys, options), seconds)
        return self.pending(items, keys, options)

    def telling(self, items: Sequence[CaptionItem], keys: Iterable[str], options: Options | None) -> dict[str, Cell]:
        """By metric a cell that says how its numbers were made, or why there are none."""
        found: dict[str, Cell] = {}
        for key in keys:
            known = [cell for item in items if (cell := self.get(item, key, options))]
            for cell in (*(cell for cell in known if cell.failed), *(cell for cell in known if cell.signature)):
                found.setdefault(key, cell)
        return found

    def forget_failures(self) -> None:
        """Whatever could not score is tried again when it is next asked for."""
        self._cells.forget(lambda cell: cell.failed)
        self.jobs.forget_failures()

    @property
    def cold(self) -> bool:
        """Nothing has scored in this process yet."""
        return not self._loaded

    def loaded(self, keys: Iterable[str]) -> bool:
        """Have these metrics scored before? Then their models are in memory, and a caption takes milliseconds."""
        return all(registry.get(key).metric in self._loaded for key in keys)

    def missing(self, items: Sequence[CaptionItem], keys: list[str], options: Options) -> list[Job]:
        """Metric by metric, so that each shows when it is done. An edit, when the models are loaded, is one job: all
        metrics then share tokens, parses and transformer passes, and are done at once."""
        parts: list[tuple[tuple[str, ...], list[CaptionItem]]] = []
        for _, group in groupby(registry.select(keys), key=_together):
            chosen = tuple(spec.key for spec in group)
            due = [item for item in items if any(self._due(item, key, options) for key in chosen)]
            unique = list({(item.candidate, item.references): item for item in due}.values())
            parts += [(chosen, unique[at : at + AT_ONCE]) for at in range(0, len(unique), AT_ONCE)]
        if len(parts) > 1 and self.loaded(chosen[0] for chosen, _ in parts):
            first = parts[0][1]
            if len(first) <= FEW and all(items == first for _, items in parts):
                parts = [(tuple(key for chosen, _ in parts for key in chosen), first)]
        short = max((len(items) for _, items in parts), default=0) <= FEW
        return [self._job(chosen, tuple(items), options, short) for chosen, items in parts]

    def _due(self, item: CaptionItem, key: str, options: Options) -> bool:
        cell = self.get(item, key, options)
        return cell is None or cell.due

    def _job(self, keys: tuple[str, ...], items: tuple[CaptionItem, ...], options: Options, short: bool) -> Job:
        behind = {name for key in keys for name in registry.get(key).behind}
        chosen = {name: value for name, value in options.items() if name in behind}
        # With idf counted on the batch a caption's score depends on the others: here each is a batch of its own.
        alone = any(metric_options.depends_on_batch(name, value) for name, value in chosen.items())

        def work(report: Progress) -> None:
            for batch in [(item,) for item in items] if alone else [items]:
                try:
                    found = self._evaluate(batch, keys, options=chosen, on_progress=report)
                    self._loaded.update(registry.get(key).metric for key in keys)
                    cells = [[cell_of(found, key, row) for key in keys] for row in range(len(batch))]
                except Exception as error:  # the page says why beside each score
                    cells = [[Cell(math.nan, reason(error), failed=True)] * len(keys)] * len(batch)
                for item, row in zip(batch, cells, strict=True):
                    for key, cell in zip(keys, row, strict=True):
                        self._cells.put(_address(item, key, options), cell)

        content = tuple((item.candidate, item.references) for item in items)
        label = registry.get(keys[0]).label if len(keys) == 1 else f"{registry.get(keys[0]).label} and more"
        address = ("cells", keys, content, tuple(sorted(chosen.items())))
        return Job(address, label, work, short=short, soon=True, keep=False)


def _together(spec: registry.MetricSpec) -> str:
    """What shares its parses or transformer passes is scored by one job."""
    return spec.group if spec.group in ("scene graph", "typicality") else spec.metric


def _address(item: CaptionItem, key: str, options: Options | None) -> Hashable:
    """What the value depends on: a metric that needs no references does not change with them."""
    spec = registry.get(key)
    references = item.references if spec.needs_references else ()
    return key, item.candidate, references, tuple((options or {}).get(name) for name in spec.behind)


def cell_of(found: Evaluation, key: str, row: int) -> Cell:
    if key in found.skipped:
        return Cell(math.nan, str(found.skipped[key]), failed=True)
    note = found.notes[key].get(row, "")
    return Cell(float(found.scores[key][row]), note, found.signatures[key], found.stand_ins.get(key))


def explain(item: CaptionItem, key: str, options: Options | None = None) -> Explanation:
    """In the caller's thread; remembered."""
    address = ("explain", _address(item, key, options))
    return recall(address, lambda: explain_item(item, key, options=options))


@cache
def cells() -> Cells:
    """The one of this process."""
    return Cells(jobs())
