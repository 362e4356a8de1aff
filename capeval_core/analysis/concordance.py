"""Concordant minus discordant pairs (Kendall's S) of one table of rows under many weightings at once.

A bootstrap sample weighs every row by how often its image was drawn, so S becomes a quadratic form in the weights. The
rows are cut into blocks of neighbouring values and bins of neighbouring ratings. Two rows that lie in different blocks
and in different bins agree or not by their block and bin alone, and sums do; the other pairs lie in one block or in one
bin and go through one small matrix of signs each. All of it is matrix products over the samples: no sorting per sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse  # type: ignore[import-untyped]

from capeval_core.analysis.bootstrap import Ints
from capeval_core.types import Array

SIDE = 48  # most rows of a small matrix of signs
RUN = 16  # rows that are summed up one by one
AT_ONCE = 32  # matrices of one product; more would not stay in the processor's cache


@dataclass(frozen=True, slots=True, eq=False)
class _Near:
    """Rows of some blocks or bins, and for each two of one of them +1 where they agree, -1 where not, else 0."""

    rows: Ints  # (matrices, side); filled up with row 0, whose signs are 0
    signs: Array  # (matrices, side, side)


class Concordance:
    """Of rows given by the ranks of their two values (0, 1, 2, ...; equal values share a rank), the first ascending."""

    def __init__(self, first: Ints, second: Ints, side: int = SIDE) -> None:
        blocks, bins = cut(first, side), cut(second, side)
        self._shape = (int(blocks.max(initial=-1)) + 1, int(bins.max(initial=-1)) + 1)
        self._sum = adder(blocks * self._shape[1] + bins, self._shape[0] * self._shape[1])
        near = [
            *_neighbours(blocks, first, second, np.arange(len(first))),
            *_neighbours(bins, first, second, blocks),
        ]
        self._near = [_stacked(near[start : start + AT_ONCE]) for start in range(0, len(near), AT_ONCE)]

    def score(self, weights: Array) -> Array:
        """(rows, samples) -> (samples,): the sum over pairs of rows of both weights times the pair's sign."""
        found = _apart((self._sum @ weights).reshape(*self._shape, weights.shape[1]))
        for near in self._near:
            rows = weights[near.rows]  # (matrices, side, samples)
            agreed = near.signs @ rows
            found += np.einsum("rs,rs->s", rows.reshape(-1, len(found)), agreed.reshape(-1, len(found))) / 2
        return found


def running_sums(values: Array) -> Array:
    """np.cumsum down the rows, which numpy does slowly for wide tables: in short runs, then what lies before each."""
    count, width = values.shape
    runs = np.zeros((-(-count // RUN), RUN, width))
    runs.reshape(-1, width)[:count] = values
    for place in range(1, RUN):
        runs[:, place] += runs[:, place - 1]
    runs[1:] += np.cumsum(runs[:-1, -1], axis=0)[:, None]
    return np.asarray(runs.reshape(-1, width)[:count])


def adder(groups: Ints, height: int) -> sparse.csr_array:
    """A matrix that sums rows by their group: (height, rows)."""
    return sparse.csr_array((np.ones(len(groups)), (groups, np.arange(len(groups)))), shape=(height, len(groups)))


def cut(ranks: Ints, side: int) -> Ints:
    """The number of each row's block: neighbouring ranks of at most `side` rows, or one rank of any number."""
    counts = np.bincount(ranks, minlength=1)
    before = np.cumsum(counts) - counts
    half = max(side // 2, 1)
    alone = counts > half
    begins = np.diff(before // half, prepend=-1) != 0
    begins |= alone | np.concatenate([[False], alone[:-1]])
    return np.asarray((np.cumsum(begins) - 1)[ranks], dtype=np.int64)


def _apart(sums: Array) -> Array:
    """(blocks, bins, samples): the pairs that lie in different blocks and in different bins."""
    if not sums.size:
        return np.zeros(sums.shape[2])
    below = np.cumsum(sums, axis=0) - sums  # of all lower blocks
    under = np.cumsum(below, axis=1)
    balance = 2 * under - below - under[:, -1:]  # lower bins minus higher bins
    return np.asarray((sums * balance).sum(axis=(0, 1)))


def _neighbours(groups: Ints, first: Ints, second: Ints, apart: Ints) -> list[tuple[Ints, Array]]:
    """The rows and signs of each group with pairs that count; a pair counts where `apart` differs."""
    order = np.argsort(groups, kind="stable")
    found = []
    for rows in np.split(order, np.cumsum(np.bincount(groups, minlength=1))[:-1]):
        if len(rows) < 2 or not (np.ptp(first[rows]) and np.ptp(second[rows])):
            continue  # one value or one rating only: nothing to agree on
        signs = np.sign(first[rows][:, None] - first[rows]) * np.sign(second[rows][:, None] - second[rows])
        signs = signs * (apart[rows][:, None] != apart[rows])
        if signs.any():
            found.append((rows, signs.astype(np.float64)))
    return found


def _stacked(near: Sequence[tuple[Ints, Array]]) -> _Near:
    side = max(len(rows) for rows, _ in near)
    all_rows, all_signs = np.zeros((len(near), side), dtype=np.int64), np.zeros((len(near), side, side))
    for place, (rows, signs) in enumerate(near):
        all_rows[place, : len(rows)] = rows
        all_signs[place, : len(rows), : len(rows)] = signs
    return _Near(all_rows, all_signs)
