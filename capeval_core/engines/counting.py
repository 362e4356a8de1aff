"""The first passes over a corpus: what it decides as a whole is counted in pieces, then frozen for all chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from capeval_core import options as metric_options
from capeval_core import registry, service
from capeval_core.engines.pool import Pool
from capeval_core.engines.tasks import Count, Setup
from capeval_core.errors import CapEvalError, MetricFailed
from capeval_core.io.streams import Piece
from capeval_core.registry import Counting, MetricSpec
from capeval_core.shared import Shared

Report = Callable[[int], None]  # captions done


class Corpus:
    """`look` at every piece, `count` them where anything is to be counted, and take the `context`."""

    def __init__(self, setup: Setup, folder: Path) -> None:
        self.skipped: dict[str, CapEvalError] = {}
        self._specs: dict[str, list[MetricSpec]] = {}
        for spec in registry.select(setup.keys):
            self._specs.setdefault(spec.metric, []).append(spec)
        options = service.chosen_options(registry.select(setup.keys), setup.options)
        self._shared = Shared(setup.device, options=options)
        self._by_name: dict[str, Counting] = {}
        self._countings: dict[str, Counting] = {}  # by metric; several may share one
        for metric, specs in self._specs.items():
            with service.skipping(specs, self.skipped):
                self._prepare(metric, specs[0], folder)

    def _prepare(self, metric: str, spec: MetricSpec, folder: Path) -> None:
        kind: Any = spec.load()
        if hasattr(kind, "counting"):
            number = len(self._by_name)
            found = kind.counting(self._shared.options[metric], self._shared, folder / str(number))
            if found is not None:
                self._countings[metric] = self._by_name.setdefault(found.name, found)
        elif any(one.of_batch for name in spec.behind for one in metric_options.fields(name)):
            raise MetricFailed(f"{spec.label} reads the whole corpus at once, so it cannot score in chunks")

    def look(self, piece: Piece) -> None:
        for counting in self._by_name.values():
            counting.look(piece.items)

    @property
    def counts(self) -> bool:
        return any(counting.counts for counting in self._by_name.values())

    def count(self, pool: Pool, pieces: Iterable[Piece], report: Report) -> None:
        done = 0
        for task, found in pool.run(self._tasks(pieces)):
            self._by_name[task.name].add(found)
            done += task.rows
            report(done)

    def _tasks(self, pieces: Iterable[Piece]) -> Iterator[Count]:
        for piece in pieces:
            rows = len(piece.items)
            for name, counting in self._by_name.items():
                if counting.counts and (work := counting.pick(piece.items)) is not None:
                    yield Count(name, work, rows, piece.place)
                    rows = 0

    def context(self) -> dict[str, Any]:
        made = {name: counting.context() for name, counting in self._by_name.items()}
        return {metric: made[found.name] for metric, found in self._countings.items()}
