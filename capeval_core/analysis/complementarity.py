"""Do metrics know different things? The combination that agrees best with people, and what each metric adds.

Paper:     Sharif et al. 2020, "WEmbSim: A Simple yet Effective Metric for Image Captioning", section IV-D (Table V).
Method:    scores are standardised; the weights are 0 or more and sum to 1, by least squares to the ratings of other
           images (ten folds of images); agreement is Pearson's correlation of all ratings with combined scores whose
           weights they had no part in. One metric alone is then just its own correlation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import optimize  # type: ignore[import-untyped]

from capeval_core.analysis import bootstrap
from capeval_core.analysis.bootstrap import Ints
from capeval_core.analysis.correlations import Estimate, Quality, number, qualities
from capeval_core.types import Array

FOLDS = 10


@dataclass(frozen=True, slots=True)
class Gain:
    """Two metrics together: their agreement, and how much more that is than the first alone has."""

    together: float
    gain: Estimate


@dataclass(frozen=True, slots=True)
class Complementarity:
    alone: dict[str, float]  # Pearson's correlation of each metric
    weights: dict[str, float]  # of the best combination, by standardised scores; they sum to 1
    best: Quality  # of the combination, on captions it was not fitted to
    gains: dict[str, dict[str, Gain]]  # metric -> the one that is added to it
    lost: dict[str, float]  # how far the best combination's Pearson falls without the metric
    rows: int
    folds: int


@dataclass(frozen=True, slots=True, eq=False)
class _Data:
    """Standardised scores and ratings of rows that have everything, and each row's image and fold."""

    keys: tuple[str, ...]
    scores: Array  # (rows, metrics)
    ratings: Array
    images: tuple[str, ...]
    owners: Ints
    folds: Ints
    products: Array  # (folds, metrics + 2, metrics + 2): of all columns, the ratings and ones, in each fold


def complement(
    scores: Mapping[str, Array],
    ratings: Array,
    images: Sequence[str],
    *,
    samples: int = bootstrap.SAMPLES,
    seed: int = 0,
) -> Complementarity | None:
    """Higher scores being better. None with fewer than two metrics that vary, or fewer than three images."""
    data = _prepare(scores, ratings, images, seed)
    if data is None:
        return None
    every = list(range(len(data.keys)))
    best = _combine(data, every)
    quality = qualities({"best": best}, data.ratings, data.images, samples=samples, seed=seed)["best"]
    weights = _weights(data.products.sum(axis=0), every)
    without = [_pearson(_combine(data, [one for one in every if one != place]), data.ratings) for place in every]
    return Complementarity(
        alone={key: _pearson(data.scores[:, place], data.ratings) for place, key in enumerate(data.keys)},
        weights=dict(zip(data.keys, weights.tolist(), strict=True)),
        best=quality,
        gains=_gains(data, samples, seed),
        lost={key: quality.pearson.value - left for key, left in zip(data.keys, without, strict=True)},
        rows=len(data.ratings),
        folds=len(data.products),
    )


def _prepare(scores: Mapping[str, Array], ratings: Array, images: Sequence[str], seed: int) -> _Data | None:
    usable = {key: values for key, values in scores.items() if np.isfinite(values).any() and np.nanstd(values) > 0}
    if len(usable) < 2:
        return None
    table = np.stack(list(usable.values()), axis=1)
    rows = np.flatnonzero(np.isfinite(table).all(axis=1) & np.isfinite(ratings))
    names = tuple(images[row] for row in rows.tolist())
    owners, count = number(names)
    table = table[rows]
    if count < 3 or (table.std(axis=0) == 0).any() or np.ptp(ratings[rows]) == 0:
        return None
    table = (table - table.mean(axis=0)) / table.std(axis=0)
    target = (ratings[rows] - ratings[rows].mean()) / ratings[rows].std()
    some = min(FOLDS, count)
    folds = np.random.default_rng(seed).permutation(np.arange(count) % some)[owners]
    columns = np.column_stack([table, target, np.ones(len(rows))])
    products = np.stack([columns[folds == fold].T @ columns[folds == fold] for fold in range(some)])
    return _Data(tuple(usable), table, target, names, owners, folds, products)


def _combine(data: _Data, chosen: list[int]) -> Array:
    """(rows,): the combined score of each row, by the weights that the other folds give."""
    total = data.products.sum(axis=0)
    weights = np.stack([_weights(total - part, chosen) for part in data.products])
    return np.asarray((data.scores[:, chosen] * weights[data.folds]).sum(axis=1))


def _weights(products: Array, chosen: list[int]) -> Array:
    """Least squares with weights of 0 or more, from sums of products alone; scaled to sum to 1."""
    rows = products[-1, -1]
    means = products[-1, :-1] / max(rows, 1.0)
    centred = products[:-1, :-1] - rows * np.outer(means, means)
    sizes, axes = np.linalg.eigh(centred[np.ix_(chosen, chosen)])
    kept = sizes > sizes.max(initial=0.0) * 1e-10  # SPIDEr is the mean of two others: nothing is left of it
    roots = np.sqrt(sizes[kept])
    found, _ = optimize.nnls((axes[:, kept] * roots).T, axes[:, kept].T @ centred[chosen, -1] / roots)
    if found.sum() <= 0:  # none of them helps: no one is preferred
        found = np.ones(len(chosen))
    return np.asarray(found / found.sum())


def _pearson(values: Array, ratings: Array) -> float:
    return float(np.corrcoef(values, ratings)[0, 1])


def _gains(data: _Data, samples: int, seed: int) -> dict[str, dict[str, Gain]]:
    """Every metric with every other one; the intervals draw images, the weights staying as they are."""
    count = len(data.keys)
    pairs = [(i, j) for i in range(count) for j in range(i)]
    combined = [data.scores[:, place] for place in range(count)]
    sums = [_sums(data, values) for values in combined]
    for i, j in pairs:
        sums.append(_sums(data, _combine(data, [i, j])))
    table = np.concatenate([_sums(data, data.ratings), *sums], axis=1)
    images = len(table)
    whole = _correlations(table.sum(axis=0, keepdims=True))[0]
    drawn = np.concatenate([_correlations(counts @ table) for counts in bootstrap.draw(images, samples, seed)])
    found: dict[str, dict[str, Gain]] = {key: {} for key in data.keys}
    for place, pair in enumerate(pairs, count):
        for base, added in (pair, pair[::-1]):
            low, high = bootstrap.interval(drawn[:, place] - drawn[:, base])
            gain = Estimate(float(whole[place] - whole[base]), low, high)
            found[data.keys[base]][data.keys[added]] = Gain(float(whole[place]), gain)
    return {key: {other: row[other] for other in data.keys if other != key} for key, row in found.items()}


def _sums(data: _Data, values: Array) -> Array:
    """(images, 4): number, sum, squares, and products with the ratings."""
    images = int(data.owners.max()) + 1
    columns = (np.ones(len(values)), values, values**2, values * data.ratings)
    return np.stack([np.bincount(data.owners, column, minlength=images) for column in columns], axis=1)


def _correlations(sums: Array) -> Array:
    """(samples, 4 * (1 + columns)), the ratings first -> (samples, columns): Pearson's correlation with the ratings."""
    number, total, squares, products = np.moveaxis(sums.reshape(len(sums), -1, 4), 2, 0)
    spread = number * squares - total**2
    with np.errstate(divide="ignore", invalid="ignore"):
        found = (number * products - total * total[:, :1])[:, 1:] / np.sqrt(spread[:, 1:] * spread[:, :1])
    return np.asarray(found)
