"""How far the estimate of MIMA and SPURTS is off, as far as the published values can tell.

The published captions are nearly all well formed: nobody has shuffled them. But many of them differ from another one
as a changed caption differs from its original: the same words in another order, one word exchanged, an ending more or
less. There both true values are known, so it can be measured how much of the true change the estimate finds. Kinds of
change with no such pairs, or whose changes it does not find, are those it is not fit for.
"""

from __future__ import annotations

import itertools
import zlib
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from capeval_core.metrics import smurf
from capeval_core.metrics.typicality.estimate import Estimator, features
from capeval_core.metrics.typicality.information_flow import FORMULAS
from capeval_core.metrics.typicality.passes import Passes
from capeval_core.metrics.typicality.reliability import Reliability
from capeval_core.metrics.typicality.source import KEYS
from capeval_core.types import Array

SHARE = 0.9  # of captions whose estimate is no farther off than the error that is shown
UNLIKE = 0.01  # the share of new captions that is called unlike what was learned from
STEM = 4  # words: captions that begin with the same ones are held out together
ENOUGH = 50  # pairs
FIT = 0.5  # the share of the true change an estimate must find
METRICS = (*KEYS, "smurf")
ORDER = "the same words in another order"
# What a kind of change does to a caption, as far as published pairs do the same.
CHANGES = {
    "one word exchanged": ("synonyms", "wrong_colour", "wrong_count", "hypernym", "replace_person"),
    "an ending more or less": ("extra_phrase", "reference_phrase", "truncated"),
    ORDER: ("fronted", "swapped_clauses", "swapped_roles"),
    "another caption": ("replace_scene", "share_person", "share_scene"),
}
# No two published captions differ like this; the last two make phrases where the published ones are sentences.
UNTESTED = (
    "shuffled", "reversed", "negation", "repeated_phrase", "dropped_object", "typo", "just_person", "just_scene"
)  # fmt: skip

Bools = npt.NDArray[np.bool_]
Pair = tuple[int, int]
Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Estimates by models that did not see these captions."""

    estimates: Array  # (captions, KEYS)
    likeness: Array  # to the nearest caption learned from
    new: Bools  # the wording was not learned from either


@dataclass(frozen=True, slots=True)
class Found:
    """How much of a true change the estimate finds, by metric: 1 all of it, 0 no better than "nothing changed"."""

    pairs: int
    share: Mapping[str, float]

    def fit(self, key: str) -> bool:
        return self.pairs >= ENOUGH and self.share[key] >= FIT


def fused(values: Array, sparcs: Array) -> Array:
    """SMURF of (captions, KEYS) by the paper's constants."""
    standards = smurf.STANDARDS["paper"]
    columns = {"sparcs": sparcs} | dict(zip(KEYS, values.T, strict=True))
    return smurf.fuse([standards[key].apply(columns[key]) for key in smurf.PARTS], "sum")


def with_smurf(values: Array, sparcs: Array) -> Array:
    """(captions, METRICS)"""
    return np.column_stack([values, fused(values, sparcs)])


# Pairs of captions, as places in a list of distinct texts


def folds_by(texts: Sequence[Words], group: Callable[[Words], Hashable], count: int) -> list[Bools]:
    """Texts of one group are on one side; the same split every time."""
    numbers = np.array([zlib.crc32(repr(group(words)).encode()) % count for words in texts])
    return [numbers == number for number in range(count)]


def same_words(texts: Sequence[Words]) -> Iterator[Pair]:
    for rows in _groups(texts, lambda words: tuple(sorted(words))):
        yield from itertools.combinations(rows, 2)


def one_word(texts: Sequence[Words]) -> Iterator[Pair]:
    """Neighbours among the captions that are the same but for one place, which is not one of the first words."""
    rows: dict[Hashable, list[int]] = defaultdict(list)
    for row, words in enumerate(texts):
        for place in range(STEM, len(words)):
            rows[words[:place], words[place + 1 :]].append(row)
    for found in rows.values():
        yield from itertools.pairwise(found)


def endings(texts: Sequence[Words]) -> Iterator[Pair]:
    """A caption, and one that goes on where it ends."""
    place = {words: row for row, words in enumerate(texts)}
    for row, words in enumerate(texts):
        for length in range(STEM, len(words)):
            if words[:length] in place:
                yield row, place[words[:length]]


def neighbours(texts: Sequence[Words]) -> Iterator[Pair]:
    """Any two captions."""
    yield from itertools.pairwise(range(len(texts)))


def beginning(words: Words) -> Hashable:
    return words[:STEM]


def bag(words: Words) -> Hashable:
    return tuple(sorted(words))


PAIRS: dict[str, tuple[Callable[[Sequence[Words]], Iterator[Pair]], Callable[[Words], Hashable]]] = dict(
    zip(CHANGES, ((one_word, beginning), (endings, beginning), (same_words, bag), (neighbours, beginning)), strict=True)
)


def _groups(texts: Sequence[Words], name: Callable[[Words], Hashable]) -> Iterable[list[int]]:
    rows: dict[Hashable, list[int]] = defaultdict(list)
    for row, words in enumerate(texts):
        rows[name(words)].append(row)
    return rows.values()


def found_changes(pairs: Sequence[Pair], estimates: Array, truth: Array) -> Found:
    """Both (texts, METRICS)."""
    if not pairs:
        return Found(0, dict.fromkeys(METRICS, 0.0))
    left, right = np.array(pairs).T
    made, meant = estimates[right] - estimates[left], truth[right] - truth[left]
    whole = np.maximum((meant**2).sum(axis=0), 1e-12)
    share = 1 - ((made - meant) ** 2).sum(axis=0) / whole
    return Found(len(pairs), dict(zip(METRICS, share.tolist(), strict=True)))


def reliability(
    held: HeldOut, targets: Array, sparcs: Array, found: Mapping[str, Found], mean_error: Mapping[str, float]
) -> Reliability:
    """All of captions whose wording was not learned from."""
    off = np.abs(with_smurf(held.estimates, sparcs) - with_smurf(targets, sparcs))[held.new]
    likeness = held.likeness[held.new]
    least = float(np.quantile(likeness, UNLIKE))
    unlike = likeness <= least

    def within(rows: Bools) -> dict[str, float]:
        return dict(zip(METRICS, np.quantile(off[rows], SHARE, axis=0).tolist(), strict=True))

    unfit = {
        key: tuple(kind for name, kinds in CHANGES.items() if not found[name].fit(key) for kind in kinds) + UNTESTED
        for key in METRICS
    }
    return Reliability(SHARE, within(~unlike), dict(mean_error), least, UNLIKE, within(unlike), unfit)


# Changed captions, whose true values nobody knows


@dataclass(frozen=True, slots=True)
class Changed:
    """One kind of change, in people's standard deviations; by metric key."""

    captions: int
    unlike: float  # share of the changed captions that are unlike all that was learned from
    estimate: Mapping[str, float]  # mean change
    plain: Mapping[str, float]  # the same of MiniLM's own value
    agreement: Mapping[str, float]  # correlation of the two over the captions


def change_of(before: Sequence[Passes], after: Sequence[Passes], model: Estimator, least: float) -> Changed:
    first, second = model.compare(features(before)), model.compare(features(after))
    estimate, plain, agreement = {}, {}, {}
    for column, key in enumerate(KEYS):
        deviations = [smurf.STANDARDS[name][key].deviation for name in ("paper", "minilm")]
        formula = FORMULAS[key]
        own = [np.array([formula(one.flows[key].heads) for one in side]) for side in (before, after)]
        moved = (second[0] - first[0])[:, column] / deviations[0], (own[1] - own[0]) / deviations[1]
        estimate[key], plain[key] = float(moved[0].mean()), float(moved[1].mean())
        steady = min(np.std(moved[0]), np.std(moved[1])) < 1e-12
        agreement[key] = 0.0 if steady else float(np.corrcoef(*moved)[0, 1])
    return Changed(len(after), float((second[1] < least).mean()), estimate, plain, agreement)
