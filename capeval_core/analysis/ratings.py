"""Ratings by several people as a table, and the three ways to lay them beside one score per caption.

flatten:   every rating is a row of its own, beside its caption's score (recent papers on Flickr8k-Expert).
mean:      the mean of a caption's ratings.
mode:      the most frequent; of equally frequent ones the nearest to the mean, then the lower (NNEval takes the mode).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from capeval_core.analysis.bootstrap import Ints
from capeval_core.errors import InvalidInput
from capeval_core.types import Array

WAYS = ("flatten", "mean", "mode")


@dataclass(frozen=True, slots=True, eq=False)
class Rated:
    """One rating per row; `rows` says whose caption it is."""

    rows: Ints
    values: Array


def as_table(ratings: Sequence[Sequence[float]]) -> Array:
    """(captions, raters), NaN where somebody did not answer or a list is shorter."""
    width = max((len(given) for given in ratings), default=0)
    found = np.full((len(ratings), width), np.nan)
    for row, given in enumerate(ratings):
        found[row, : len(given)] = given
    return found


def gather(table: Array, way: str) -> Rated:
    """(captions, raters) -> one rating per row; captions without any are left out."""
    if way not in WAYS:
        raise InvalidInput(f"no way {way!r} to take ratings", expected=f"one of {', '.join(WAYS)}")
    known = np.isfinite(table)
    if way == "flatten":
        rows, raters = np.nonzero(known)
        return Rated(rows, table[rows, raters])
    rows = np.flatnonzero(known.any(axis=1))
    table = table[rows]
    return Rated(rows, np.nanmean(table, axis=1) if way == "mean" else _modes(table))


def _modes(table: Array) -> Array:
    """(captions, raters) -> (captions,)"""
    if not table.size:
        return np.zeros(len(table))
    table = np.sort(table, axis=1)  # NaN last; then the first of several is the lowest
    often = np.stack([(table == column[:, None]).sum(axis=1) for column in table.T], axis=1)
    away = np.abs(table - np.nanmean(table, axis=1)[:, None])
    away[often < often.max(axis=1, keepdims=True)] = np.inf
    # Means are rounded: distances that differ by less than that are equal.
    return np.asarray(np.take_along_axis(table, np.round(away, 9).argmin(axis=1)[:, None], axis=1)[:, 0])
