"""Concordant minus discordant pairs (Kendall's S) of one table of rows under many weightings at once.

A bootstrap sample weighs every row by how often its image was drawn, so S becomes a quadratic form in the weights. The
rows are cut into blocks of neighbouring values and bins of neighbouring ratings. Two rows that lie in different blocks
and in different bins agree or not by their block and bin alone, and sums do; the other pairs lie in one block or in one
bin and go through one small matrix of signs each. All of it is matrix products over the samples: no sorting per sample.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse  # type: ignore[import-untyped]

from capeval_core.analysis.bootstrap import Ints
from capeval_core.types import Array

SIDE = 48  # most rows of a small matrix of signs
# Samples at once. OpenBLAS would start threads for products of more than 2**18 steps, which cost more than they save.
SAMPLES_AT_ONCE = 2**18 // SIDE**2


@dataclass(frozen=True, slots=True, eq=False)
class _Near:
    """Rows of one block or bin, and for each two of them +1 where they agree, -1 where they do not, else 0."""

    rows: Ints | slice
    signs: Array


class Concordance:
    """Of rows given by the ranks of their two values (0, 1, 2, ...; equal values share a rank), the first ascending."""

    def __init__(self, first: Ints, second: Ints, side: int = SIDE) -> None:
        blocks, bins = cut(first, side), cut(second, side)
        self._shape = (int(blocks.max(initial=-1)) + 1, int(bins.max(initial=-1)) + 1)
        self._sum = adder(blocks * self._shape[1] + bins, self._shape[0] * self._shape[1])
        self._near = [
            *_neighbours(blocks, first, second, np.arange(len(first))),
            *_neighbours(bins, first, second, blocks),
        ]

    def score(self, weights: Array) -> Array:
        """(rows, samples) -> (samples,): the sum over pairs of rows of both weights times the pair's sign."""
        found = _apart((self._sum @ weights).reshape(*self._shape, weights.shape[1]))
        for start in range(0, weights.shape[1], SAMPLES_AT_ONCE):
            few = slice(start, start + SAMPLES_AT_ONCE)
            part = weights[:, few]
            for near in self._near:
                rows = part[near.rows]
                found[few] += np.einsum("rs,rs->s", rows, near.signs @ rows) / 2
        return found


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


def _neighbours(groups: Ints, first: Ints, second: Ints, apart: Ints) -> list[_Near]:
    """The groups with pairs that count; a pair counts where `apart` differs."""
    order = np.argsort(groups, kind="stable")
    found = []
    for rows in np.split(order, np.cumsum(np.bincount(groups, minlength=1))[:-1]):
        if len(rows) < 2 or not (np.ptp(first[rows]) and np.ptp(second[rows])):
            continue  # one value or one rating only: nothing to agree on
        signs = np.sign(first[rows][:, None] - first[rows]) * np.sign(second[rows][:, None] - second[rows])
        signs = signs * (apart[rows][:, None] != apart[rows])
        if signs.any():
            whole = rows[-1] - rows[0] == len(rows) - 1
            found.append(_Near(slice(rows[0], rows[-1] + 1) if whole else rows, signs.astype(np.float64)))
    return found
