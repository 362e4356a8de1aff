"""Slices of a data set: by what the references speak of, how far they agree, the caption's length, any extra column.

Intervals and tests go by image: captions of one image are no independent witnesses. A slice is compared with the
rest; p values are corrected over all slices and measures (Holm).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats  # type: ignore[import-untyped]

from capeval_core import pace
from capeval_core.analysis.correlations import Estimate
from capeval_core.analysis.williams import holm
from capeval_core.explore.findings import CaptionFindings
from capeval_core.explore.profile import ANY, indicators, supports
from capeval_core.types import Array

LEAST = 20  # captions of a slice
CONCEPTS = 100  # the most frequent ones
VALUES = 20  # of a column; a column of numbers is cut into quarters instead
CERTAIN = 0.05
LENGTHS = ((1, 7), (8, 9), (10, 11), (12, 14), (15, 10_000))
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Slice:
    name: str  # "the references mention dog"
    kind: str  # concept, agreement, length, column
    rows: tuple[int, ...]  # in the findings
    images: int
    rates: dict[str, Estimate]  # by kind of error and "any", per 100 captions
    means: dict[str, Estimate]  # noun support, and every metric
    worse: dict[str, float]  # measures in which it is worse than the rest -> p after Holm's correction

    @property
    def captions(self) -> int:
        return len(self.rows)

    @property
    def worst(self) -> bool:
        return bool(self.worse)


def slices(
    findings: Sequence[CaptionFindings],
    *,
    scores: Mapping[str, Array] | None = None,
    lower: Sequence[str] = (),
    columns: Mapping[str, Sequence[object]] | None = None,
    rows: Sequence[int] | None = None,
    least: int = LEAST,
) -> list[Slice]:
    """Significantly worse ones first, then by the rate of errors. `rows`: only of these captions (one captioner's).
    `lower`: metrics of which less is better."""
    chosen = np.arange(len(findings)) if rows is None else np.array(rows, dtype=np.int64)
    part = [findings[row] for row in chosen]
    measures = _Measures(part, {key: values[chosen] for key, values in (scores or {}).items()}, frozenset(lower))
    local = {name: [values[row] for row in chosen] for name, values in (columns or {}).items()}
    groups = [(name, kind, at) for name, kind, at in _groups(part, local) if least <= len(at) < len(part)]
    corrected = holm({str(number): measures.worse(at) for number, (_, _, at) in enumerate(pace.each(groups))})
    found = []
    for number, (name, kind, at) in enumerate(pace.each(groups)):
        worse = {key: p_value for key, p_value in corrected[str(number)].items() if p_value < CERTAIN}
        found.append(measures.slice(name, kind, at, tuple(chosen[at].tolist()), worse))
    return sorted(found, key=lambda one: (not one.worst, min(one.worse.values(), default=1.0), -one.rates[ANY].value))


class _Measures:
    """Every measure of some captions, and the image of each."""

    def __init__(self, part: Sequence[CaptionFindings], scores: Mapping[str, Array], lower: frozenset[str]) -> None:
        numbers: dict[str, int] = {}
        self.owners = np.array([numbers.setdefault(one.image_id, len(numbers)) for one in part], dtype=np.int64)
        self.rates = indicators(part)
        self.means = {"noun_support": supports(part), **scores}
        self.tested = (ANY, *self.means)
        self.lower = lower

    def worse(self, at: Rows) -> dict[str, float]:
        """One-sided p values: is the slice worse than the rest?"""
        rest = np.setdiff1d(np.arange(len(self.owners)), at)
        found = {}
        for key in self.tested:
            values = self.rates[ANY] if key == ANY else self.means[key]
            (one, error), (other, rest_error) = self._mean(values, at), self._mean(values, rest)
            wrong = one - other if key == ANY or key in self.lower else other - one
            spread = math.hypot(error, rest_error)
            found[key] = float(stats.norm.sf(wrong / spread)) if spread > 0 else math.nan
        return found

    def _mean(self, values: Array, at: Rows) -> tuple[float, float]:
        """The mean and its standard error, captions of one image together."""
        at = at[np.isfinite(values[at])]
        if not len(at):
            return math.nan, math.nan
        mean = float(values[at].mean())
        _, images = np.unique(self.owners[at], return_inverse=True)
        apart = np.bincount(images, values[at] - mean)
        if len(apart) < 2:
            return mean, math.nan
        # A small slice whose captions are all alike (each has an error) is not therefore certain.
        least = float(np.nanstd(values)) / math.sqrt(len(apart)) if not apart.any() else 0.0
        return mean, max(float(np.sqrt((apart**2).sum())) / len(at), least)

    def _estimate(self, values: Array, at: Rows) -> Estimate:
        mean, error = self._mean(values, at)
        return Estimate(mean, mean - 1.96 * error, mean + 1.96 * error)

    def slice(self, name: str, kind: str, at: Rows, rows: tuple[int, ...], worse: dict[str, float]) -> Slice:
        rates = {key: self._bounded(self._estimate(values, at)) for key, values in self.rates.items()}
        means = {key: self._estimate(values, at) for key, values in self.means.items()}
        return Slice(name, kind, rows, len(np.unique(self.owners[at])), rates, means, worse)

    @staticmethod
    def _bounded(one: Estimate) -> Estimate:
        return Estimate(one.value, max(one.low, 0.0), min(one.high, 100.0))


def _groups(
    part: Sequence[CaptionFindings], columns: Mapping[str, Sequence[object]]
) -> Iterator[tuple[str, str, Rows]]:
    """Name, kind and rows of every slice."""
    counts = Counter(concept for one in part for concept in one.concepts)
    frequent = {concept for concept, _ in counts.most_common(CONCEPTS)}
    by_concept: dict[str, list[int]] = {}
    for row, one in enumerate(part):
        for concept in frequent.intersection(one.concepts):
            by_concept.setdefault(concept, []).append(row)
    for concept, rows in by_concept.items():
        yield f"the references mention {concept}", "concept", np.array(rows)
    agreeing = np.array([one.agreeing for one in part])
    for number in np.unique(agreeing).tolist():
        text = "no two references name the same thing" if number < 2 else f"{number} references name the same thing"
        yield text, "agreement", np.flatnonzero(agreeing == number)
    sizes = np.array([one.size for one in part])
    for low, high in LENGTHS:
        text = f"{low} words or more" if high > 1_000 else f"{low} to {high} words"
        yield text, "length", np.flatnonzero((sizes >= low) & (sizes <= high))
    for name, values in columns.items():
        yield from _column(name, values)


def _column(name: str, values: Sequence[object]) -> Iterator[tuple[str, str, Rows]]:
    known = [value for value in values if value is not None]
    distinct = list(dict.fromkeys(map(str, known)))
    numeric = all(isinstance(value, int | float) and not isinstance(value, bool) for value in known)
    if numeric and len(distinct) > VALUES:
        numbers = np.array([math.nan if value is None else float(str(value)) for value in values])
        edges = np.nanquantile(numbers, [0, 0.25, 0.5, 0.75, 1])
        for low, high, last in zip(edges[:-1], edges[1:], (False, False, False, True), strict=True):
            inside = (numbers >= low) & ((numbers <= high) if last else (numbers < high))
            yield f"{name} from {low:.4g} to {high:.4g}", "column", np.flatnonzero(inside)
    elif len(distinct) <= VALUES:
        texts = np.array(["" if value is None else str(value) for value in values])
        for value in distinct:
            yield f"{name} is {value}", "column", np.flatnonzero(texts == value)
