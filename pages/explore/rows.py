"""Which captions are shown, and in which order: filters and sorting over arrays, quick with 50,000 captions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from capeval_core import CaptionItem, registry
from capeval_core.analysis import disagreement
from capeval_core.explore.findings import CaptionFindings
from capeval_core.explore.kinds import KINDS
from capeval_core.types import Array

Rows = npt.NDArray[np.int64]
Strengths = npt.NDArray[np.float32]
STRENGTH, APART = "strength", "disagreement"  # what captions can be sorted by, besides a metric's key
BINS = 24  # bars of a histogram


@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """All findings of a data set as arrays, a row per caption."""

    systems: Mapping[str, Rows]  # captioner -> its rows
    strengths: Strengths  # (captions, kinds of error): of the strongest error of each kind, 0 where there is none
    texts: Sequence[str]  # what is searched, in small letters


@dataclass(frozen=True, slots=True)
class Query:
    system: str
    kind: str = ""  # of error; none: all captions
    rows: Rows | None = None  # of a slice
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # by metric, both ends included
    words: str = ""
    sort: str = STRENGTH
    between: tuple[str, str] = ("", "")  # the two sides of the disagreement: metrics, or groups of them


def table(items: Sequence[CaptionItem], findings: Sequence[CaptionFindings]) -> Table:
    places = {kind: place for place, kind in enumerate(KINDS)}
    strengths = np.zeros((len(findings), len(KINDS)), dtype=np.float32)
    systems: dict[str, list[int]] = {}
    texts = []
    for row, (item, found) in enumerate(zip(items, findings, strict=True)):
        systems.setdefault(item.system, []).append(row)
        for error in found.errors:
            place = places[error.kind]
            strengths[row, place] = max(strengths[row, place], error.strength, 1e-6)
        words = (item.candidate, item.image_id, *(error.words for error in found.errors))
        texts.append("\n".join(words).lower())
    return Table({name: np.array(rows, dtype=np.int64) for name, rows in systems.items()}, strengths, texts)


def matching(found: Table, query: Query, scores: Mapping[str, Array]) -> Rows:
    """The rows that pass every filter, in the order of the data set."""
    rows = found.systems.get(query.system, np.zeros(0, dtype=np.int64))
    if query.rows is not None:
        rows = rows[np.isin(rows, query.rows)]
    if query.kind:
        rows = rows[found.strengths[rows, list(KINDS).index(query.kind)] > 0]
    for key, (low, high) in query.ranges.items():
        if key in scores:
            values = scores[key][rows]
            rows = rows[(values >= low) & (values <= high)]  # an undefined score lies in no range
    words = query.words.lower().split()
    if words:
        rows = rows[[all(word in found.texts[row] for word in words) for row in rows.tolist()]]
    return rows


def ordered(found: Table, rows: Rows, query: Query, scores: Mapping[str, Array]) -> Rows:
    """The worst first; what is undefined comes last, and equal ones stay in the order of the data set."""
    if query.sort == APART:
        sides = [[places(key, scores[key]) for key in members(side, list(scores))] for side in query.between]
        if not all(sides):
            return rows
        first, second = (np.mean(side, axis=0) for side in sides)
        badness = np.abs(first - second)[rows]
    elif query.sort in scores:
        badness = -better(query.sort, scores[query.sort])[rows]
    else:
        own = found.strengths[rows]
        badness = own[:, list(KINDS).index(query.kind)] if query.kind else own.max(axis=1, initial=0.0)
    badness = np.where(np.isnan(badness), -np.inf, badness)
    return rows[np.argsort(-badness, kind="stable")]


def find(found: Table, query: Query, scores: Mapping[str, Array]) -> Rows:
    return ordered(found, matching(found, query, scores), query, scores)


def members(side: str, keys: Sequence[str]) -> list[str]:
    """The metrics of a side of a disagreement: one, or those of a group."""
    return [side] if side in keys else [key for key in keys if registry.get(key).group == side]


def sides(keys: Sequence[str]) -> list[str]:
    """What may disagree: each metric, and each group of several."""
    return [*keys, *(group for group in registry.GROUPS if len(members(group, keys)) > 1)]


def side_name(side: str) -> str:
    return f"{side} metrics" if side in registry.GROUPS else registry.get(side).label


def better(key: str, values: Array) -> Array:
    """Turned so that higher is better."""
    return values if registry.get(key).direction == "higher" else -values


def places(key: str, values: Array) -> Array:
    """Each caption's place among all by a metric, 0 the worst to 1 the best; equal scores share one."""
    turned = better(key, values)
    known = np.isfinite(turned)
    result = np.full(len(turned), np.nan)
    if known.sum() > 1:
        result[known] = disagreement.places(turned[known])
    return result


def histogram(values: Array) -> tuple[list[int], float, float]:
    """Counts of equal steps from the lowest to the highest score; nothing where fewer than two differ."""
    known = values[np.isfinite(values)]
    if not len(known) or known.min() == known.max():
        return [], 0.0, 0.0
    counts, edges = np.histogram(known, BINS)
    return counts.tolist(), float(edges[0]), float(edges[-1])
