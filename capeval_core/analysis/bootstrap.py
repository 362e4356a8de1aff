"""Paired bootstrap of two captioners: is the difference of their scores more than the choice of images?

Paper:     Koehn 2004, "Statistical Significance Tests for Machine Translation Evaluation"; images take the place of
           sentences, and all captions of an image are drawn together.
P value:   two-sided: how often a difference drawn around zero is as large as the one found, as sacreBLEU counts it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from capeval_core import pace
from capeval_core.errors import InvalidInput
from capeval_core.types import Array, CaptionItem, Evaluation

Ints = npt.NDArray[np.int64]
SAMPLES = 1_000
LEVEL = 0.95
CELLS_AT_ONCE = 500_000  # of the table samples x images; bounds the memory, and the time of a block


@dataclass(frozen=True, slots=True)
class Comparison:
    """`first` against `second` on the images both have; NaN where `note` says why."""

    first: float
    second: float
    difference: float  # first - second
    low: float
    high: float
    p_value: float
    images: int
    note: str = ""


def draw(images: int, samples: int, seed: int) -> Iterator[Array]:
    """Blocks of rows that say how often each image was drawn; the rows of all blocks together are `samples`."""
    generator = np.random.default_rng(seed)
    step = max(1, CELLS_AT_ONCE // max(images, 1))
    for start in pace.each(range(0, samples, step)):
        rows = min(step, samples - start)
        chosen = generator.integers(0, images, (rows, images)) + np.arange(rows)[:, None] * images
        yield np.bincount(chosen.ravel(), minlength=rows * images).reshape(rows, images).astype(np.float64)


def interval(values: Array, level: float = LEVEL) -> tuple[float, float]:
    """The middle `level` of the defined values; NaN where fewer than half of them are defined."""
    defined = values[~np.isnan(values)]
    if not len(defined) or len(defined) * 2 < len(values):
        return float("nan"), float("nan")
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return low, high


def compare_means(
    items: Sequence[CaptionItem],
    scores: Mapping[str, Array],
    first: str,
    second: str,
    *,
    samples: int = SAMPLES,
    seed: int = 0,
    level: float = LEVEL,
) -> dict[str, Comparison]:
    """The mean of every column. An image counts where both captioners have a defined value for it."""
    pair = _pair(items, first, second)
    if not scores:
        return {}
    sums = np.stack([pair.sums(values) for values in scores.values()], axis=1)  # (images, keys, 4)
    counted = (sums[..., 1] > 0) & (sums[..., 3] > 0)
    sums = np.where(counted[..., None], sums, 0.0)
    whole = _ratios(sums.sum(axis=0))
    blocks = [np.tensordot(counts, sums, axes=1) for counts in draw(len(pair.images), samples, seed)]
    drawn = _ratios(np.concatenate([np.empty((0, len(scores), 4)), *blocks]))
    return {
        key: _judge(whole[place], drawn[:, place], int(counted[:, place].sum()), level)
        for place, key in enumerate(scores)
    }


def compare_corpus(
    evaluation: Evaluation,
    first: str,
    second: str,
    *,
    keys: Sequence[str] | None = None,
    samples: int = SAMPLES,
    seed: int = 0,
    level: float = LEVEL,
) -> dict[str, Comparison]:
    """The corpus score of every key: statistics are summed anew for each sample, no caption is scored again."""
    chosen = list(evaluation.scores if keys is None else keys)
    for key in chosen:
        if key not in evaluation.scores:
            raise InvalidInput(f"no scores of {key!r}", expected=f"one of {', '.join(evaluation.scores)}")
    means = {key: evaluation.scores[key] for key in chosen if _is_mean(evaluation, key)}
    settings = {"samples": samples, "seed": seed}
    found = compare_means(evaluation.items, means, first, second, **settings, level=level)
    formulas = [key for key in chosen if key not in means]
    if formulas:
        found |= _compare_formulas(evaluation, formulas, first, second, **settings, level=level)
    return {key: found[key] for key in chosen}


def _compare_formulas(
    evaluation: Evaluation, keys: Sequence[str], first: str, second: str, *, samples: int, seed: int, level: float
) -> dict[str, Comparison]:
    pair = _pair(evaluation.items, first, second)
    sums = np.stack([pair.sums(evaluation.scores[key]) for key in keys])
    images = np.flatnonzero((sums[..., 1::2] > 0).all(axis=(0, 2)))  # with a value of each key on both sides
    if not len(images):
        return {key: _judge(np.full(2, np.nan), np.empty((0, 2)), 0, level) for key in keys}
    place = np.full(len(pair.images), -1)
    place[images] = np.arange(len(images))
    sides = [(rows[place[owners] >= 0], place[owners[place[owners] >= 0]]) for rows, owners in pair.sides]

    def score(counts: Ints) -> list[list[float]]:
        values = [evaluation.corpus_of(np.repeat(rows, counts[owners]).tolist()) for rows, owners in sides]
        return [[side[key] for side in values] for key in keys]

    whole = np.array(score(np.ones(len(images), dtype=np.int64)))
    rows = (row for block in draw(len(images), samples, seed) for row in block.astype(np.int64))
    drawn = np.array([score(row) for row in pace.each(rows)]).reshape(samples, len(keys), 2)
    return {key: _judge(whole[n], drawn[:, n], len(images), level) for n, key in enumerate(keys)}


def _is_mean(evaluation: Evaluation, key: str) -> bool:
    """Is the key's corpus score the mean of its segments? Asked of a few samples: then all draws are one product."""
    values = evaluation.scores[key]
    defined = np.flatnonzero(~np.isnan(values))
    if not len(defined):
        return True
    generator = np.random.default_rng(0)
    tries = [generator.choice(defined, 20).tolist() for _ in range(5)]
    pairs = [(evaluation.corpus[key], values[defined].mean())]
    pairs += [(evaluation.corpus_of(rows)[key], values[rows].mean()) for rows in tries]
    return all(math.isclose(corpus, mean, rel_tol=1e-9, abs_tol=1e-15) for corpus, mean in pairs)


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two captioners on the images both have: for each, its rows and the number of each row's image."""

    images: tuple[str, ...]
    sides: tuple[tuple[Ints, Ints], tuple[Ints, Ints]]

    def sums(self, values: Array) -> Array:
        """(images, 4): sum and number of the defined values of the first, then of the second."""
        columns = []
        for rows, owners in self.sides:
            defined = np.isfinite(values[rows])
            for weights in (np.where(defined, values[rows], 0.0), defined.astype(np.float64)):
                columns.append(np.bincount(owners, weights, minlength=len(self.images)))
        return np.stack(columns, axis=1)


def _pair(items: Sequence[CaptionItem], first: str, second: str) -> _Pair:
    systems = dict.fromkeys(item.system for item in items)
    for name in (first, second):
        if name not in systems:
            raise InvalidInput(f"no captioner {name!r}", expected=f"one of {', '.join(map(repr, systems))}")
    shared = {item.image_id for item in items if item.system == first}
    shared &= {item.image_id for item in items if item.system == second}
    images = tuple(dict.fromkeys(item.image_id for item in items if item.image_id in shared))
    if not images:
        raise InvalidInput(
            f"{first!r} and {second!r} have no image in common", fix="compare captions of the same images"
        )
    numbers = {image: number for number, image in enumerate(images)}

    def side(name: str) -> tuple[Ints, Ints]:
        rows = [row for row, item in enumerate(items) if item.system == name and item.image_id in shared]
        return np.array(rows), np.array([numbers[items[row].image_id] for row in rows])

    return _Pair(images, (side(first), side(second)))


def _ratios(sums: Array) -> Array:
    """(..., 4) -> (..., 2): the means; NaN where nothing is counted."""
    totals, numbers = sums[..., ::2], sums[..., 1::2]
    return np.divide(totals, numbers, out=np.full_like(totals, np.nan), where=numbers > 0)


def _judge(values: Array, drawn: Array, images: int, level: float) -> Comparison:
    """Both captioners' values (2,), and those of each sample (samples, 2)."""
    first, second = values.tolist()
    found = first - second
    if images < 2:  # drawing one image again and again would make any difference certain
        note = f"{images or 'no'} image with a value for both captioners: no interval"
        return Comparison(first, second, found, math.nan, math.nan, math.nan, images, note)
    differences = drawn[:, 0] - drawn[:, 1]
    defined = differences[~np.isnan(differences)]
    reached = int((np.abs(defined - found) >= abs(found) - 1e-12).sum())  # equal captioners: rounding is no difference
    p_value = (reached + 1) / (len(defined) + 1)
    return Comparison(first, second, found, *interval(differences, level), p_value, images)
