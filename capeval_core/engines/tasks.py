"""What a worker does, on whatever machine: count in a piece of a corpus, or score a chunk of it."""

from __future__ import annotations

import gc
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from capeval_core import registry, service
from capeval_core.engines.totals import Totals
from capeval_core.io.streams import Piece
from capeval_core.io.writers import rows_of
from capeval_core.shared import Shared
from capeval_core.types import CaptionItem, Evaluation

if TYPE_CHECKING:
    from capeval_core.explore.findings import CaptionFindings


@dataclass(frozen=True)
class Setup:
    """What all chunks are scored by."""

    keys: tuple[str, ...]
    options: Mapping[str, Any]
    device: str = "auto"


@dataclass
class Bench:
    """A worker's own: what it is to score by, and what the whole corpus decided. Caches last for one task."""

    setup: Setup
    context: Mapping[str, Any] = field(default_factory=dict)

    def shared(self) -> Shared:
        options = service.chosen_options(registry.select(self.setup.keys), self.setup.options)
        return Shared(self.setup.device, options=options)

    def evaluate(self, items: tuple[CaptionItem, ...], keys: tuple[str, ...]) -> Evaluation:
        setup = self.setup
        return service.evaluate(items, keys, options=setup.options, device=setup.device, context=self.context)

    def do(self, task: Task) -> Any:
        """Cyclic garbage is looked for between tasks: to do so within them took a tenth of METEOR's time."""
        gc.disable()
        try:
            return task.do(self)
        finally:
            gc.enable()
            gc.collect()
            gc.freeze()  # what is left is models and caches, which need not be looked through again


class Task(Protocol):
    @property
    def place(self) -> str: ...  # the lines it is made of

    def do(self, bench: Bench) -> Any: ...


class Countable(Protocol):
    """What a metric's counting picked from a piece of the corpus."""

    def count(self, shared: Shared) -> Any: ...


@dataclass(frozen=True, slots=True)
class Count:
    name: str  # whose counting it is
    work: Countable
    rows: int  # captions of the piece
    place: str

    def do(self, bench: Bench) -> Any:
        return self.work.count(bench.shared())


@dataclass(frozen=True, slots=True)
class Scored:
    """A chunk's rows as lines of JSON, and what its corpus scores are made of."""

    lines: bytes
    totals: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ScoreRows:
    piece: Piece
    keys: tuple[str, ...]

    @property
    def place(self) -> str:
        return self.piece.place

    def do(self, bench: Bench) -> Scored:
        found = bench.evaluate(self.piece.items, self.keys)
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows_of(found))
        return Scored(lines.encode(), Totals.of(found).as_json())


@dataclass(frozen=True, slots=True)
class Evaluate:
    """A chunk as an evaluation, without the items: whoever sent them has them."""

    piece: Piece
    keys: tuple[str, ...]

    @property
    def place(self) -> str:
        return self.piece.place

    def do(self, bench: Bench) -> dict[str, Any]:
        found = bench.evaluate(self.piece.items, self.keys)
        rows = range(len(self.piece.items))
        names = dict.fromkeys(registry.get(key).metric for key in found.scores)
        summed = [name for name in names if hasattr(registry.of_metric(name).load(), "total")]
        return {
            "scores": found.scores,
            "notes": found.notes,
            "signatures": found.signatures,
            "stand_ins": found.stand_ins,
            "facts": found.facts,
            "skipped": found.skipped,
            "statistics": {name: found.statistics_of(name, rows) for name in summed},
        }


@dataclass(frozen=True, slots=True)
class JudgeWords:
    """What Explore finds of each caption."""

    piece: Piece

    @property
    def place(self) -> str:
        return self.piece.place

    def do(self, bench: Bench) -> list[CaptionFindings]:
        from capeval_core.explore.analyse import findings

        return findings(self.piece.items, bench.shared())
