"""Made rows and scored cells by content, shared by all sessions: a grid is one perturb() and one evaluate()."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cache

from capeval_core import CaptionItem, Evaluation, evaluate, registry
from capeval_core.perturb import Variants, perturb
from capeval_core.shared import Shared
from capeval_core.types import Progress
from pages.perturb.lab import Lab, Request
from pages.work.cells import Cell, cell_of, metric_lock
from pages.work.samples import as_items
from pages.work.workspace import IMAGE_ID

KEPT_CELLS = 50_000
KEPT_VARIANTS = 500
MOST_WORDS = 100  # of a caption that is changed: no caption is longer, and a visitor would wait
READ_AT_MOST = 300  # requests before the parsed captions are let go of
Address = tuple[str, str, tuple[str, ...]]


class Bench:
    def __init__(self, score: Callable[..., Evaluation] = evaluate) -> None:
        self._evaluate = score
        self._cells: OrderedDict[Address, Cell] = OrderedDict()
        self._variants: OrderedDict[Request, Variants] = OrderedDict()
        self._making = threading.Lock()
        self._shared, self._read = Shared(), 0

    def cell(self, item: CaptionItem, key: str) -> Cell | None:
        return self._cells.get((key, item.candidate, item.references))

    def variants(self, request: Request) -> Variants | None:
        """The made rows, or None while they are not made."""
        return self._variants.get(request) if request.kinds and request.caption else Variants()

    def complete(self, lab: Lab) -> bool:
        made = self.variants(lab.request())
        return made is not None and not self._missing(_items(lab, made), lab.metrics)

    def fill(self, lab: Lab, report: Progress) -> None:
        """Makes the rows and scores what is not known yet, all at once."""
        made = self.make(lab.request(), report)
        items = self._missing(_items(lab, made), lab.metrics)
        if items:
            self._score(items, list(lab.metrics), report)

    def make(self, request: Request, report: Progress) -> Variants:
        with self._making:  # the shared parses are one thread's at a time
            found = self.variants(request)
            if found is None:
                self._read += 1
                if self._read > READ_AT_MOST:
                    self._shared, self._read = Shared(), 0
                self._shared.on_progress = report
                found = self._variants[request] = _perturb(request, self._shared)
                while len(self._variants) > KEPT_VARIANTS:
                    self._variants.popitem(last=False)
        return found

    def _missing(self, items: Sequence[CaptionItem], keys: Sequence[str]) -> list[CaptionItem]:
        unique = dict.fromkeys(items)
        return [item for item in unique if any(self.cell(item, key) is None for key in keys)]

    def _score(self, items: Sequence[CaptionItem], keys: Sequence[str], report: Progress) -> None:
        with ExitStack() as locks:
            for name in sorted({registry.get(key).metric for key in keys}):
                locks.enter_context(metric_lock(name))
            report("Scoring", 0, 0)
            found = self._evaluate(items, keys, on_progress=report)
        for key in keys:
            for row, item in enumerate(items):
                self._cells[key, item.candidate, item.references] = cell_of(found, key, row)
        while len(self._cells) > KEPT_CELLS:
            self._cells.popitem(last=False)


def _perturb(request: Request, shared: Shared) -> Variants:
    if len(request.caption.split()) > MOST_WORDS:
        found = Variants()
        found.missing |= {(0, kind): f"the caption has more than {MOST_WORDS} words" for kind in request.kinds}
        return found
    return perturb(
        CaptionItem(IMAGE_ID, request.caption, request.references),
        request.kinds,
        strength=request.strength,
        seed=request.seed,
        corpus=as_items(),
        shared=shared,
    )


def _items(lab: Lab, made: Variants) -> list[CaptionItem]:
    return [lab.item(row.text) for row in lab.rows(made)]


@cache
def bench() -> Bench:
    """The one of this process."""
    return Bench()
