"""How far people agree with each other: Krippendorff's alpha, and one rating against the mean of the others.

Paper:     Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability"; its worked examples are in
           tests/analysis/test_agreement.py.
Ceiling:   a metric cannot be expected to agree with a person better than other people do. One rating against the mean
           of the others is what a flattened comparison measures of a metric.

Ordinal alpha weighs two ratings by how many ratings lie between them; that is the squared difference of their middle
ranks, so alpha is one minus a ratio of two variances of ranks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from capeval_core.analysis import bootstrap
from capeval_core.analysis.coefficients import dense_ranks
from capeval_core.analysis.concordance import adder
from capeval_core.analysis.correlations import Estimate, Quality, number, qualities
from capeval_core.errors import InvalidInput
from capeval_core.types import Array

LEVELS = ("nominal", "ordinal", "interval")
CELLS_AT_ONCE = 4_000_000  # of the table ratings x samples; bounds the memory


@dataclass(frozen=True, slots=True)
class Agreement:
    alpha: Estimate  # ordinal
    captions: int  # with two ratings or more
    one: Quality  # every rating against the mean of the caption's others, all together
    raters: dict[str, Quality] = field(default_factory=dict)  # each by itself; empty where nobody knows who is who


def agree(
    table: Array,
    images: Sequence[str],
    raters: Sequence[str] = (),
    *,
    samples: int = bootstrap.SAMPLES,
    seed: int = 0,
) -> Agreement | None:
    """(captions, raters), NaN where somebody did not answer. None where no caption has two ratings.

    `raters` names the columns, where a column is one person's throughout."""
    several = np.isfinite(table).sum(axis=1) > 1
    if not several.any():
        return None
    table, images = table[several], [image for image, kept in zip(images, several, strict=True) if kept]
    known = np.isfinite(table)
    others = (np.nansum(table, axis=1)[:, None] - table) / (known.sum(axis=1)[:, None] - 1)
    rows, columns = np.nonzero(known)
    ask = partial(qualities, samples=samples, seed=seed)
    one = ask({"others": others[rows, columns]}, table[rows, columns], [images[row] for row in rows.tolist()])
    apart = {
        name: ask({name: others[:, place]}, table[:, place], images)[name]
        for place, name in enumerate(raters)
        if known[:, place].any()
    }
    low, high = bootstrap.interval(_drawn(table, images, samples, seed))
    return Agreement(Estimate(alpha(table), low, high), len(table), one["others"], apart)


def alpha(table: Array, level: str = "ordinal") -> float:
    """Krippendorff's alpha of (units, raters), NaN where there is no rating; NaN where all ratings are the same."""
    if level not in LEVELS:
        raise InvalidInput(f"no level {level!r}", expected=f"one of {', '.join(LEVELS)}")
    known = np.isfinite(table)
    table = table[known.sum(axis=1) > 1]  # a rating that stands alone can neither agree nor disagree
    rows, columns = np.nonzero(np.isfinite(table))
    values = table[rows, columns]
    if not len(values) or np.ptp(values) == 0:
        return math.nan
    per_unit = np.bincount(rows, minlength=len(table))
    if level == "nominal":  # one column per value: two ratings differ by 1 or not at all
        points = np.eye(int(dense_ranks(values).max()) + 1)[dense_ranks(values)]
    else:
        points = (values if level == "interval" else _middle_ranks(values))[:, None]
    sums = adder(rows, len(table)) @ points
    squares = (points**2).sum(axis=1)
    within = per_unit * np.bincount(rows, squares, minlength=len(table)) - (sums**2).sum(axis=1)
    total = len(values) * squares.sum() - (points.sum(axis=0) ** 2).sum()
    return float(1 - (len(values) - 1) * (within / (per_unit - 1)).sum() / total)


def _middle_ranks(values: Array) -> Array:
    ranks = dense_ranks(values)
    counts = np.bincount(ranks)
    return np.asarray((np.cumsum(counts) - counts / 2)[ranks] - len(values) / 2)


def _drawn(table: Array, images: Sequence[str], samples: int, seed: int) -> Array:
    """(samples,): ordinal alpha of each sample of images; the ranks of a sample come from its own ratings."""
    owners, count = number(images)
    if count < 2:
        return np.full(1, np.nan)
    rows, columns = np.nonzero(np.isfinite(table))
    ranks = dense_ranks(table[rows, columns])
    per_unit = np.bincount(rows, minlength=len(table))[:, None]
    by_rank, by_unit = adder(ranks, int(ranks.max()) + 1), adder(rows, len(table))
    step = max(1, CELLS_AT_ONCE // len(rows))
    found = []
    for counts in bootstrap.draw(count, samples, seed):
        for start in range(0, len(counts), step):
            weights = counts[start : start + step].T[owners]  # (units, samples)
            often = by_rank @ weights[rows]
            number_of = often.sum(axis=0)
            points = (np.cumsum(often, axis=0) - often / 2 - number_of / 2)[ranks]
            within = per_unit * (by_unit @ points**2) - (by_unit @ points) ** 2
            apart = (weights * within / (per_unit - 1)).sum(axis=0)
            total = number_of * (weights[rows] * points**2).sum(axis=0)  # the middle ranks have mean 0
            found.append(np.divide(-(number_of - 1) * apart, total, out=np.full(len(total), np.nan), where=total > 0))
    return 1 + np.concatenate(found)
