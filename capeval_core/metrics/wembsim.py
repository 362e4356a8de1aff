"""WEmbSim: cosine of the mean word vectors of candidate and references.

Paper:     Sharif et al. 2020, "WEmbSim: A Simple yet Effective Metric for Image Captioning", equations 1 to 3.
Reference: the equations; tests/golden/wembsim.json has an independent computation with numpy.
Range:     0 to 1 (the absolute value, equation 2), higher is better. Corpus score: mean of the segments.

Words are COCO tokens without stop words and without words that have no vector. As in the paper, the mean over the
references is the default. A reference without words is left out; where nothing is left to compare the value is 0 and
a note says why. With contextual vectors (minilm, ELMo) a word is embedded in its whole caption before stop words go.

The default vectors are the packaged ones that agree best with Flickr8k's experts (Spearman with the mean judgement,
5,822 pairs, candidate left out of the references): minilm 0.627, spacy-md 0.541, glove-6b-50d 0.433. The same order
holds on COMPOSITE (0.478, 0.427, 0.379) and on PASCAL-50S (accuracy 0.821, 0.795, 0.784).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from capeval_core import pace
from capeval_core.metrics.caption_vectors import Content, open_reader
from capeval_core.metrics.word_bags import VectorContext, captions_of, coverage_remark, stand_in_for_vectors
from capeval_core.option_fields import Checked, one_of, word_vectors
from capeval_core.resources.contextual import MINILM
from capeval_core.resources.vocabulary import unknown_tokens
from capeval_core.shared import Shared
from capeval_core.text.unknown import Unknown
from capeval_core.types import Array, CaptionItem, Explanation, MetricResult, Remark, StandIn

ITEMS_AT_ONCE = 500  # bounds the memory of a batch

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Options(Checked):
    combine: str = field(
        default="mean",
        metadata=one_of(
            "References",
            "How several references become one number.",
            {"mean": "mean of their similarities", "max": "the nearest one counts", "min": "the farthest one counts"},
        ),
    )
    # minilm, spacy-md, glove-6b-50d, gensim:NAME, or the path of word vectors or ELMo weights
    vectors: str = field(
        default=MINILM,
        metadata=word_vectors("Word vectors", "The vectors whose mean stands for a caption.", contextual=True),
    )


@dataclass(frozen=True, slots=True)
class WEmbSimReference:
    words: tuple[str, ...]
    unknown: tuple[str, ...]  # words without a vector
    cosine: float | None  # its absolute value; None: no words to compare
    position: Point | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WEmbSimExplanation(Explanation):
    words: tuple[str, ...]
    contributions: tuple[float, ...]  # of each word: the value, less the value without the word
    unknown: tuple[str, ...]
    references: tuple[WEmbSimReference, ...]
    position: Point | None  # captions as points of a plane: principal components of their directions
    spread: float  # share of the directions' variance that the plane shows
    combine: str
    vectors: str
    coverage: float  # share of the item's words, stop words aside, that have a vector


@dataclass(frozen=True, slots=True)
class Measured:
    cosines: list[list[float | None]]  # of each item, to each of its references
    known: int
    total: int


def cosines(left: Array, right: Array) -> Array:
    """|cosine| of the rows of both (either may be one row); NaN where a row is zero."""
    dots = np.abs(np.einsum("...i,...i->...", left, right))
    # The root of the product, not the product of roots: equal vectors are exactly 1.
    lengths = np.sqrt(np.einsum("...i,...i->...", left, left) * np.einsum("...i,...i->...", right, right))
    found: Array = np.divide(dots, lengths, out=np.full_like(dots, np.nan), where=lengths > 0)
    return np.minimum(found, 1.0)


def combine(found: Sequence[float | None], how: str) -> float:
    kept = [cosine for cosine in found if cosine is not None]
    if not kept:
        return 0.0
    return math.fsum(kept) / len(kept) if how == "mean" else max(kept) if how == "max" else min(kept)


def contributions(candidate: Content, references: Sequence[Array], value: float, how: str) -> Array:
    """What each word adds: the value, less the value of the candidate without it (0 for no words)."""
    rest = candidate.sums.sum(axis=0) - candidate.sums
    compared = [reference for reference in references if reference.any()]
    table = np.zeros((len(rest), len(compared)))
    if len(rest) > 1:  # of a single word nothing is left
        for place, reference in enumerate(compared):
            table[:, place] = np.nan_to_num(cosines(rest, reference))
    return np.array([value - combine(row, how) for row in table.tolist()])


def plane(directions: Array) -> tuple[Array, float]:
    """Two coordinates of each row (its principal components), and the share of the variance they show.

    An axis may point either way: the first row (the candidate) has no negative coordinate, or, where its is 0, the row
    farthest out has none.
    """
    centred = directions - directions.mean(axis=0)
    left, sizes, _ = np.linalg.svd(centred, full_matrices=False)
    found = np.zeros((len(directions), 2))
    kept = min(2, len(sizes))
    found[:, :kept] = left[:, :kept] * sizes[:kept]
    found[np.abs(found) < 1e-12] = 0.0
    for axis in found.T:
        decides = axis[0] or axis[np.argmax(np.abs(axis))]
        if decides < 0:
            axis *= -1.0
    whole = float((sizes**2).sum())
    return found + 0.0, float((sizes[:2] ** 2).sum()) / whole if whole > 1e-24 else 1.0


class WEmbSim:
    def __init__(self, options: Options, shared: Shared) -> None:
        self.options = options
        self.shared = shared
        self._reader = open_reader(options.vectors, shared)
        self._known: dict[str, tuple[int, int]] = {}  # by caption: words with a vector, and all

    @staticmethod
    def resolve(options: Options, items: Sequence[CaptionItem], shared: Shared) -> VectorContext:
        """For the signature only, which has the vectors' own name."""
        return VectorContext(open_reader(options.vectors, shared).name)

    def _measured(self, items: Sequence[CaptionItem]) -> Measured:
        """Cosines and coverage of a batch: made once, for score() and remark()."""
        return self.shared.once(f"cosines of {self.options.vectors}", items, lambda: self._measure(items))

    def _measure(self, items: Sequence[CaptionItem]) -> Measured:
        # Items of one image follow each other, so that references that systems share are mostly read once.
        first = {item.references: row for row, item in reversed(list(enumerate(items)))}
        order = sorted(range(len(items)), key=lambda row: first[items[row].references])
        found: list[list[float | None]] = [[] for _ in items]
        counts: dict[str, tuple[int, int]] = {}  # of this batch
        starts = range(0, len(items), ITEMS_AT_ONCE)
        for start in self.shared.track("WEmbSim", starts, len(starts)):
            rows = order[start : start + ITEMS_AT_ONCE]
            captions = captions_of([items[row] for row in rows])
            contents = self._reader.read(captions)
            counts |= {text: (one.known, one.total) for text, one in zip(captions, contents, strict=True)}
            self._known |= counts
            number = {text: place for place, text in enumerate(captions)}
            sums = np.array([content.sums.sum(axis=0) for content in contents])
            pairs = [(number[items[row].candidate], number[text]) for row in rows for text in items[row].references]
            left, right = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
            values = iter(cosines(sums[left], sums[right]).tolist())
            for row in rows:
                cells = (next(values) for _ in items[row].references)
                found[row] = [None if math.isnan(cell) else cell for cell in cells]
        return Measured(found, sum(known for known, _ in counts.values()), sum(total for _, total in counts.values()))

    def score(self, items: Sequence[CaptionItem]) -> MetricResult:
        found = self._measured(items).cosines
        values = np.array([combine(row, self.options.combine) for row in found])
        notes = {row: note for row, item in enumerate(pace.each(items)) if (note := self._note(item, found[row]))}
        return MetricResult(segments={"wembsim": values}, statistics=values[:, None], notes=notes)

    def corpus(self, statistics: Array) -> dict[str, float]:
        return {"wembsim": float(statistics.mean())}

    def unknown(self, caption: str) -> Unknown:
        if self.options.vectors == MINILM:  # it has a vector for every piece of a word
            return unknown_tokens(self.shared.transformer(MINILM), caption)
        if caption not in self._known:
            (found,) = self._reader.read([caption])
            self._known[caption] = found.known, found.total
        known, total = self._known[caption]
        return Unknown(total - known, total, self._reader.name)

    def stand_in(self, key: str) -> StandIn | None:
        original = "word2vec, GloVe 300d, fastText or ELMo"
        return stand_in_for_vectors("wembsim", self.options.vectors, original)

    def remark(self, items: Sequence[CaptionItem]) -> Remark:
        found = self._measured(items)
        return coverage_remark(self._reader.name, found.known, found.total)

    def _note(self, item: CaptionItem, found: Sequence[float | None]) -> str:
        missing = found.count(None)
        if not missing:
            return ""
        where = f"a vector in {self._reader.name}, stop words aside"
        (candidate,) = self._reader.read([item.candidate])
        if not candidate.words:
            return f"No word of the candidate has {where}: similarity 0."
        if not candidate.sums.sum(axis=0).any():
            return "The vectors of the candidate's words add up to zero: similarity 0."
        if missing == len(found):
            return f"No word of any reference has {where}: similarity 0."
        return f"Left out: {missing} of {len(found)} references, in which no word has {where}."

    def explain(self, item: CaptionItem, key: str) -> WEmbSimExplanation:
        (found,) = self._measured([item]).cosines
        value = combine(found, self.options.combine)
        candidate, *references = self._reader.read([item.candidate, *item.references])
        sums = [content.sums.sum(axis=0) for content in (candidate, *references)]
        drawn = [place for place, vector in enumerate(sums) if vector.any()]
        points: dict[int, Point] = {}
        spread = 1.0
        if drawn:
            coordinates, spread = plane(np.array([sums[place] / np.linalg.norm(sums[place]) for place in drawn]))
            points = {place: (float(x), float(y)) for place, (x, y) in zip(drawn, coordinates, strict=True)}
        known, total = candidate.known, candidate.total
        for content in references:
            known, total = known + content.known, total + content.total
        return WEmbSimExplanation(
            value=value,
            note=self._note(item, found),
            words=candidate.words,
            contributions=tuple(contributions(candidate, sums[1:], value, self.options.combine).tolist()),
            unknown=candidate.strangers,
            references=tuple(
                WEmbSimReference(content.words, content.strangers, cosine, points.get(place))
                for place, (content, cosine) in enumerate(zip(references, found, strict=True), 1)
            ),
            position=points.get(0),
            spread=spread,
            combine=self.options.combine,
            vectors=self._reader.name,
            coverage=known / total if total else 0.0,
        )
