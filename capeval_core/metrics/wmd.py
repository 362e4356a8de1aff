"""WMD: how far the candidate's words must travel, in a space of word vectors, to become a reference's words.

Paper:     Kusner et al. 2015, "From Word Embeddings To Document Distances"; for captions: Kilickaya et al. 2017,
           "Re-evaluating Automatic Metrics for Image Captioning", section 2.6 and figure 2.
Reference: gensim's KeyedVectors.wmdistance(norm=False) on the same tokens; its numbers are in tests/golden/wmd.json.
Range:     0 to 1 (exp of minus the distance), higher is better. Corpus score: mean of the segments.

Each side is its COCO tokens without stop words and without words that have no vector, weighted by how often they
occur. A reference with no such word is left out; where nothing is left to compare the value is 0 and a note says why.
Flickr8k's experts (Spearman, 5,822 pairs, glove-6b-50d): nearest reference 0.613, mean of the references' similarities
0.599; the mean of their distances gave 0.583 and is not offered.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from capeval_core import pace
from capeval_core.errors import MetricFailed
from capeval_core.metrics.word_bags import Bag, Bags, VectorContext, captions_of, coverage_remark, stand_in_for_vectors
from capeval_core.option_fields import Checked, one_of, word_vectors
from capeval_core.resources import lone_modules
from capeval_core.resources.loading import load_once
from capeval_core.resources.vectors import PACKAGED, WordVectors, open_vectors
from capeval_core.shared import Shared
from capeval_core.text.ngrams import Ints
from capeval_core.text.unknown import Unknown
from capeval_core.types import Array, CaptionItem, Explanation, MetricResult, Remark, StandIn

ENTRIES_AT_ONCE = 1_000_000  # of the cost matrices; bounds the memory of a batch
ROWS_AT_ONCE = 1_000  # of vectors subtracted at a time: what a processor's cache holds
SOLVER_STEPS = 100_000_000  # POT's default of 100,000 is too few for captions of 2,000 words
OPTIMAL = 1


@dataclass(frozen=True, slots=True)
class Options(Checked):
    combine: str = field(
        default="min",
        metadata=one_of(
            "References",
            "How several references become one number.",
            {"min": "the nearest one counts", "mean": "mean of their similarities"},
        ),
    )
    # glove-6b-50d, spacy-md, gensim:NAME, or the path of a file of word vectors
    vectors: str = field(
        default=PACKAGED, metadata=word_vectors("Word vectors", "Where the distances between words come from.")
    )


@dataclass(frozen=True, slots=True)
class WmdReference:
    words: tuple[str, ...]
    weights: tuple[float, ...]
    unknown: tuple[str, ...]  # words without a vector
    cost: tuple[tuple[float, ...], ...]  # candidate word by reference word: distance of their vectors
    flow: tuple[tuple[float, ...], ...]  # T: how much weight travels; rows add up to the candidate's weights
    candidate_travel: tuple[float, ...]  # flow x cost of each candidate word; adds up to the distance
    reference_travel: tuple[float, ...]
    distance: float | None  # None: no words to compare
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WmdExplanation(Explanation):
    words: tuple[str, ...]
    weights: tuple[float, ...]
    unknown: tuple[str, ...]
    references: tuple[WmdReference, ...]
    combine: str
    distance: float | None  # combined over the references
    vectors: str
    coverage: float  # share of the item's words, stop words aside, that have a vector


Pair = tuple[Bag, Bag]


def transport(left: Bag, right: Bag, cost: Array) -> tuple[float, Array]:
    """The least cost of turning one bag into the other, and the flow that does it in units of 1 / (both totals)."""
    whole = left.total * right.total
    if len(left.mass) == 1 or len(right.mass) == 1:  # only one flow is possible
        flow = np.outer(left.mass, right.mass)
        return float((flow * cost).sum()) / whole, flow
    # Whole numbers with the same sum on both sides: nothing is lost to rounding that the solver would have to place.
    flow, total, _, _, code = _solver()(left.mass * right.total, right.mass * left.total, cost, SOLVER_STEPS, 1)
    if code != OPTIMAL:
        raise MetricFailed("WMD: no optimal flow was found", found=f"solver result {code}")
    return max(0.0, total / whole), flow


@load_once()
def _solver() -> Callable[..., Any]:
    """The part of ot.emd() that solves: its checks and conversions take 25 times as long as a caption's problem."""
    found: Callable[..., Any] = lone_modules.load("ot.lp.emd_wrap").emd_c
    return found


def spans(starts: Ints, lengths: Ints) -> Ints:
    """The numbers start, start + 1, ... of each span, one span after the other."""
    ends = np.cumsum(lengths)
    return np.repeat(starts - ends + lengths, lengths) + np.arange(ends[-1])


def word_costs(vectors: WordVectors, pairs: Sequence[Pair]) -> list[Array]:
    """The cost matrix of each pair, from one table of the distances of all words that meet in the batch."""
    place = {bag: number for number, bag in enumerate(dict.fromkeys(bag for pair in pairs for bag in pair))}
    vocabulary = dict.fromkeys(word for bag in place for word in bag.words)
    number = {word: position for position, word in enumerate(vocabulary)}
    words = np.array([number[word] for bag in place for word in bag.words], dtype=np.int64)
    lengths = np.array([len(bag.words) for bag in place], dtype=np.int64)
    starts, size = np.cumsum(lengths) - lengths, len(number)
    left = np.array([place[bag] for bag, _ in pairs], dtype=np.int64)
    right = np.array([place[bag] for _, bag in pairs], dtype=np.int64)
    columns = np.repeat(lengths[right], lengths[left])  # of each row of each matrix
    row_words = words[spans(starts[left], lengths[left])]
    column_words = words[spans(np.repeat(starts[right], lengths[left]), columns)]
    wanted, places = np.unique(np.repeat(row_words * size, columns) + column_words, return_inverse=True)
    rows = vectors.rows(list(vocabulary))
    table = np.empty(len(wanted))
    for start in range(0, len(wanted), ROWS_AT_ONCE):
        first, second = np.divmod(wanted[start : start + ROWS_AT_ONCE], size)
        # The differences themselves, not norms and products: equal vectors must be exactly 0 apart.
        steps = rows[first] - rows[second]
        table[start : start + ROWS_AT_ONCE] = np.sqrt(np.einsum("ij,ij->i", steps, steps))
    flat = table[places]
    ends = np.cumsum(lengths[left] * lengths[right]).tolist()
    shapes = zip(lengths[left].tolist(), lengths[right].tolist(), strict=True)
    return [flat[end - m * n : end].reshape(m, n) for end, (m, n) in zip(ends, shapes, strict=True)]


def _batches(pairs: Sequence[Pair]) -> list[list[Pair]]:
    batches: list[list[Pair]] = []
    room = 0
    for pair in pairs:
        size = len(pair[0].words) * len(pair[1].words)
        if not batches or size > room:
            batches.append([])
            room = ENTRIES_AT_ONCE
        room -= size
        batches[-1].append(pair)
    return batches


def combine(distances: Sequence[float | None], how: str) -> float | None:
    """One distance for all references: the least, or the one whose similarity is the mean of theirs."""
    found = [distance for distance in distances if distance is not None]
    if not found:
        return None
    least = min(found)
    if how == "min":
        return least
    # From the least on, so that exp(-distance) of far references cannot all vanish.
    return least - math.log(math.fsum(math.exp(least - distance) for distance in found) / len(found))


def similarity(distance: float | None) -> float:
    return 0.0 if distance is None else math.exp(-distance)


class Wmd:
    def __init__(self, options: Options, shared: Shared) -> None:
        self.options = options
        self.shared = shared
        self.vectors = open_vectors(options.vectors)
        self._bags = Bags(self.vectors, shared)
        self._distances: dict[Pair, float] = {}

    @staticmethod
    def resolve(options: Options, items: Sequence[CaptionItem], shared: Shared) -> VectorContext:
        """For the signature only, which has the vectors' own name."""
        return VectorContext(open_vectors(options.vectors).name)

    def _bag(self, caption: str) -> Bag:
        return self._bags.read(caption)[0]

    def _measure(self, items: Sequence[CaptionItem]) -> Iterator[list[float | None]]:
        """The distance of each item to each of its references; None where a side has no words."""
        candidates = [self._bag(item.candidate) for item in items]
        pairs = [
            [(candidate, self._bag(text)) for text in item.references]
            for candidate, item in zip(candidates, items, strict=True)
        ]
        wanted = (pair for row in pairs for pair in row if pair[0].words and pair[1].words)
        batches = _batches([pair for pair in dict.fromkeys(wanted) if pair not in self._distances])
        for batch in self.shared.track("WMD", batches, len(batches)):
            for pair, cost in pace.each(zip(batch, word_costs(self.vectors, batch), strict=True)):
                self._distances[pair] = transport(*pair, cost)[0]
        return ([self._distances.get(pair) for pair in row] for row in pairs)

    def _note(self, item: CaptionItem, distances: Sequence[float | None]) -> str:
        missing = sum(distance is None for distance in distances)
        if not missing:
            return ""
        where = f"a vector in {self.vectors.name}, stop words aside"
        if not self._bag(item.candidate).words:
            return f"No word of the candidate has {where}: similarity 0."
        if missing == len(distances):
            return f"No word of any reference has {where}: similarity 0."
        return f"Left out: {missing} of {len(distances)} references, in which no word has {where}."

    def score(self, items: Sequence[CaptionItem]) -> MetricResult:
        values, notes = np.empty(len(items)), {}
        for row, distances in enumerate(pace.each(self._measure(items))):
            values[row] = similarity(combine(distances, self.options.combine))
            if note := self._note(items[row], distances):
                notes[row] = note
        return MetricResult(segments={"wmd": values}, statistics=values[:, None], notes=notes)

    def corpus(self, statistics: Array) -> dict[str, float]:
        return {"wmd": float(statistics.mean())}

    def unknown(self, caption: str) -> Unknown:
        known, total = self._bags.coverage([caption])
        return Unknown(total - known, total, self.vectors.name)

    def stand_in(self, key: str) -> StandIn | None:
        return stand_in_for_vectors("wmd", self.options.vectors, "word2vec")

    def remark(self, items: Sequence[CaptionItem]) -> Remark:
        return coverage_remark(self.vectors.name, *self._bags.coverage(captions_of(items)))

    def explain(self, item: CaptionItem, key: str) -> WmdExplanation:
        (distances,) = self._measure([item])
        candidate, unknown = self._bags.read(item.candidate)
        known, total = self._bags.coverage((item.candidate, *item.references))
        distance = combine(distances, self.options.combine)
        return WmdExplanation(
            value=similarity(distance),
            note=self._note(item, distances),
            words=candidate.words,
            weights=candidate.weights,
            unknown=tuple(unknown),
            references=tuple(self._reference(candidate, text) for text in item.references),
            combine=self.options.combine,
            distance=distance,
            vectors=self.vectors.name,
            coverage=known / total if total else 0.0,
        )

    def _reference(self, candidate: Bag, caption: str) -> WmdReference:
        reference, unknown = self._bags.read(caption)
        distance, cost = None, np.zeros((len(candidate.words), len(reference.words)))
        flow = cost
        if cost.size:
            (cost,) = word_costs(self.vectors, [(candidate, reference)])
            distance, flow = transport(candidate, reference, cost)
            flow = flow / (candidate.total * reference.total)
        travel = flow * cost
        return WmdReference(
            words=reference.words,
            weights=reference.weights,
            unknown=tuple(unknown),
            cost=tuple(map(tuple, cost.tolist())),
            flow=tuple(map(tuple, flow.tolist())),
            candidate_travel=tuple(travel.sum(axis=1).tolist()),
            reference_travel=tuple(travel.sum(axis=0).tolist()),
            distance=distance,
            similarity=similarity(distance),
        )
