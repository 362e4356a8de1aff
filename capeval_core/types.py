"""The plain data that flows through CapEval: items in, results and explanations out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from capeval_core.errors import CapEvalError

if TYPE_CHECKING:
    import pandas as pd

Array = npt.NDArray[np.float64]
Progress = Callable[[str, int, int], None]  # stage, done, total


@dataclass(frozen=True, slots=True)
class CaptionItem:
    image_id: str
    candidate: str
    references: tuple[str, ...] = ()
    system: str = ""


@dataclass(frozen=True, slots=True)
class MetricResult:
    """What one metric says of a batch: a value per item and key, and the rows its corpus score is made from."""

    segments: dict[str, Array]
    statistics: Array  # (items, columns); Metric.corpus() needs nothing else
    notes: dict[int, str] = field(default_factory=dict)  # item position -> why its value is NaN or odd


@dataclass(frozen=True, slots=True)
class StandIn:
    """A resource used in place of the one a metric's paper uses."""

    word: str  # "stand-in", or "estimated" where the number itself is an estimate of the paper's
    name: str  # what is used
    original: str  # what the paper uses
    fix: str  # how to use the original
    error: float | None = None  # of one caption's estimate: nine in ten are no farther off
    mean_error: float | None = None  # of a captioner's mean
    unfit_for: tuple[str, ...] = ()  # kinds of change (capeval_core.perturb) the estimate is not fit for

    @property
    def badge(self) -> str:
        if self.word == "estimated":
            return f"{self.short}{',' if self.error else ''} by {self.name}; the paper uses {self.original}"
        return f"stand-in: {self.name} in place of {self.original}"

    @property
    def short(self) -> str:
        """The badge in a word, with the size of the error where it is known."""
        return f"{self.word}, ± {self.error:.2f}" if self.error else self.word


@dataclass(frozen=True, slots=True)
class Remark:
    """A fact about a batch made of counts, so that what is said of its parts can be added up."""

    sentence: str  # with {0}, {1}, ... where the counts go
    counts: tuple[int, ...]
    if_any: bool = False  # said only where the first count is not 0

    @property
    def said(self) -> bool:
        return bool(self.counts[0]) or not self.if_any

    def __str__(self) -> str:
        return self.sentence.format(*self.counts)

    def __add__(self, other: Remark) -> Remark:
        return replace(self, counts=tuple(map(sum, zip(self.counts, other.counts, strict=True))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """The evidence for one number, as plain data. Metrics add their own fields; the service fills key, signature and
    stand_in."""

    value: float
    key: str = ""
    signature: str = ""
    stand_in: StandIn | None = None
    note: str = ""


class Corpus(Protocol):
    """What an evaluation keeps of a metric: how corpus scores come of statistics."""

    def corpus(self, statistics: Array) -> dict[str, float]: ...


@dataclass(frozen=True)
class Evaluation:
    """Scores of a batch. Every array has one value per item, in input order; NaN where `notes` says why."""

    items: tuple[CaptionItem, ...]
    scores: dict[str, Array] = field(default_factory=dict)  # by metric key
    signatures: dict[str, str] = field(default_factory=dict)
    stand_ins: dict[str, StandIn] = field(default_factory=dict)  # keys whose number rests on a stand-in
    remarks: dict[str, str] = field(default_factory=dict)  # key -> a fact about the batch (how many words are known)
    facts: dict[str, tuple[Remark, ...]] = field(default_factory=dict)  # what `remarks` are made of, where it adds up
    skipped: dict[str, CapEvalError] = field(default_factory=dict)  # metrics that could not score, and why
    notes: dict[str, dict[int, str]] = field(default_factory=dict)  # key -> row -> why it is NaN or odd
    context: dict[str, Any] = field(default_factory=dict)  # what depended on the batch; hand it to explain()
    _parts: dict[str, _Part] = field(default_factory=dict, repr=False)

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row per item, one column per metric key."""
        import pandas as pd

        columns: dict[str, Any] = {
            "image_id": [item.image_id for item in self.items],
            "system": [item.system for item in self.items],
            "candidate": [item.candidate for item in self.items],
        }
        return pd.DataFrame(columns | self.scores)

    @cached_property
    def corpus(self) -> dict[str, float]:
        return self.corpus_of(range(len(self.items)))

    def corpus_of(self, rows: Sequence[int]) -> dict[str, float]:
        """The corpus scores of some rows (a captioner's, a bootstrap sample's): re-summed, never re-scored."""
        found: dict[str, float] = {}
        for name, part in self._parts.items():
            chosen = self.statistics_of(name, rows)
            values = part.metric.corpus(chosen) if len(chosen) else {}
            found |= {key: values.get(key, float("nan")) for key in part.keys}
        return {key: found[key] for key in self.scores}

    def statistics_of(self, name: str, rows: Sequence[int]) -> Array:
        """What a metric (by name) keeps of those of the rows that it scored."""
        part = self._parts[name]
        chosen = part.places[np.asarray(rows, dtype=np.int64)]
        return part.statistics[chosen[chosen >= 0]]

    def systems(self) -> dict[str, list[int]]:
        """The rows of each captioner."""
        rows: dict[str, list[int]] = {}
        for row, item in enumerate(self.items):
            rows.setdefault(item.system, []).append(row)
        return rows

    def add_statistics(
        self, name: str, keys: Sequence[str], metric: Corpus, rows: npt.NDArray[np.int64], result: MetricResult | None
    ) -> None:
        places = np.full(len(self.items), -1)
        places[rows] = np.arange(len(rows))
        self._parts[name] = _Part(tuple(keys), metric, places, result.statistics if result else np.empty((0, 1)))


@dataclass(frozen=True, slots=True)
class _Part:
    """One metric's share of an evaluation: its statistics, and the place of each item's row in them (-1: none)."""

    keys: tuple[str, ...]
    metric: Corpus
    places: npt.NDArray[np.int64]
    statistics: Array
