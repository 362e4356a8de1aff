"""CIDEr: cosine of tf-idf weighted n-grams, averaged over references and n = 1 to 4, times 10.

Paper:     Vedantam, Zitnick and Parikh 2015, "CIDEr: Consensus-based Image Description Evaluation".
Reference: COCO caption toolkit, cider_scorer.py, which computes the paper's CIDEr-D (counts clipped, Gaussian penalty
           on the difference of lengths); its numbers are in tests/golden/coco.json. `variant="cider"` is the plain
           metric of the paper's section 3, without the stemming that no public implementation does.
Range:     0 to 10, higher is better. Corpus score: mean of the segments.

The idf of an n-gram comes from one of three places. `corpus`: the references of the same captioner's batch, as in the
toolkit; one image alone then scores 0. `coco`: the shipped table of COCO val2014. A path: a table of one's own. `auto`
takes `corpus` where every captioner has 50 images or more, and `coco` otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from capeval_core import pace
from capeval_core.metrics.idf_counting import ENOUGH_IMAGES, IdfCounting
from capeval_core.metrics.idf_counting import IdfContext as IdfContext
from capeval_core.option_fields import Checked, number, one_of
from capeval_core.resources import idf
from capeval_core.resources.idf import DocumentFrequencies
from capeval_core.shared import Shared
from capeval_core.text.ngrams import ORDER, Ints, NgramBatch, NgramTable, add_up
from capeval_core.types import Array, CaptionItem, Explanation, MetricResult


@dataclass(frozen=True, slots=True)
class Options(Checked):
    idf: str = field(
        default="auto",
        metadata=one_of(
            "Rarity of n-grams",
            "Where CIDEr looks up how rare an n-gram is: rare ones count more.",
            {
                "auto": f"COCO's; from {ENOUGH_IMAGES} images on the scored captions' own references",
                "coco": "captions of 40,504 COCO images (val2014)",
                "corpus": "the scored captions' own references; one image scores 0",
            },
            other="the path of a table",
            of_batch=("corpus",),
        ),
    )
    variant: str = field(
        default="cider-d",
        metadata=one_of(
            "Variant",
            "CIDEr-D, which the COCO toolkit computes, or the plain CIDEr of the paper.",
            {"cider-d": "repeats are clipped, a different length costs", "cider": "neither"},
        ),
    )
    sigma: float = field(
        default=6.0,
        metadata=number(
            "Sigma",
            "CIDEr-D's length penalty, in words: the smaller, the more a different length costs.",
            0.01,
            1000,
            0.5,
        ),
    )


@dataclass(frozen=True, slots=True)
class CiderNgram:
    words: tuple[str, ...]
    candidate_count: int
    reference_count: int
    idf: float
    candidate_weight: float  # tf-idf
    reference_weight: float
    contribution: float  # to the segment score; all of them add up to it


@dataclass(frozen=True, slots=True)
class CiderReference:
    tokens: tuple[str, ...]
    similarities: tuple[float, ...]  # per n, penalty included, before averaging
    length_penalty: float
    ngrams: tuple[CiderNgram, ...]  # of both sides, the largest contributions first


@dataclass(frozen=True, slots=True, kw_only=True)
class CiderExplanation(Explanation):
    tokens: tuple[str, ...]
    references: tuple[CiderReference, ...]
    similarities: tuple[float, ...]  # per n, mean over the references
    idf_source: str
    idf_images: int


class _Weights:
    """The idf of every n-gram of a table, and the norm of every sentence at every order."""

    def __init__(self, table: NgramTable, frequencies: DocumentFrequencies) -> None:
        known = np.maximum(1, frequencies.of(table.index))
        self.idf = np.log(float(frequencies.images)) - np.log(known)
        self._table = table
        squares = np.zeros(len(table.lengths) * ORDER)
        for block in table.blocks():
            cell = table.sentences(block) * ORDER + table.index.orders[table.grams(block)]
            squares += add_up(cell, self.of(block) ** 2, len(squares))
        self.norms = np.sqrt(squares).reshape(-1, ORDER)

    def of(self, rows: Ints | slice) -> Array:
        """The tf-idf of these rows."""
        return np.asarray(self._table.counts[rows] * self.idf[self._table.grams(rows)])


def similarities(batch: NgramBatch, weights: _Weights, items: Sequence[int], options: Options) -> Array:
    """(items, references, 4): how similar each candidate is to each of its references at each order; 0 where absent."""
    table, chosen = batch.table, np.asarray(items, dtype=np.int64)
    candidates = batch.candidates[chosen]
    rows, owners = table.rows(candidates)
    grams = table.grams(rows)
    ours = weights.of(rows)
    values = np.zeros((len(chosen), batch.references.shape[1], ORDER))
    for slot, column in enumerate(pace.each(batch.references[chosen].T)):
        found = table.find(column[owners], grams)
        hit = np.flatnonzero((found >= 0) & (column[owners] >= 0))
        theirs = weights.of(found[hit])
        products = (np.minimum(ours[hit], theirs) if options.variant == "cider-d" else ours[hit]) * theirs
        cell = owners[hit] * ORDER + table.index.orders[grams[hit]]
        dots = add_up(cell, products, len(chosen) * ORDER).reshape(-1, ORDER)
        norms = weights.norms[candidates] * weights.norms[column]
        cosines = np.divide(dots, norms, out=np.zeros_like(dots), where=norms > 0)
        values[:, slot] = cosines * length_penalty(table, candidates, column, options)[:, None]
    return values


def length_penalty(table: NgramTable, candidates: Ints, references: Ints, options: Options) -> Array:
    if options.variant != "cider-d":
        return np.ones(len(candidates))
    # The toolkit measures length in bigrams; that differs for an empty caption only, and such a one scores 0 anyway.
    difference = table.lengths[candidates] - table.lengths[references]
    return np.asarray(np.exp(-(difference**2) / (2 * options.sigma**2)))


def _count_references(batch: NgramBatch, rows: Sequence[int]) -> DocumentFrequencies:
    """In how many of these items' reference sets each n-gram occurs."""
    sentences = batch.references[rows]
    present = sentences >= 0
    return idf.count_in(batch.table, sentences[present], np.nonzero(present)[0], "corpus")


class Cider:
    def __init__(self, options: Options, shared: Shared, context: IdfContext | None = None) -> None:
        self.options = options
        self.shared = shared
        self.context: IdfContext = context or shared.context["cider"]

    @staticmethod
    def resolve(options: Options, items: Sequence[CaptionItem], shared: Shared) -> IdfContext:
        """The frozen idf tables this batch is scored with; done before scoring, so that `explain` can use the same."""
        images: dict[str, dict[tuple[str, tuple[str, ...]], int]] = {}  # each image's first row, by captioner
        for row, item in enumerate(items):
            images.setdefault(item.system, {}).setdefault((item.image_id, item.references), row)
        source = options.idf
        if source == "auto":
            enough = all(len({image for image, _ in found}) >= ENOUGH_IMAGES for found in images.values())
            source = "corpus" if images and enough else "coco"
        if source != "corpus":
            return IdfContext({}, idf.open_table(source))
        counted: dict[frozenset[tuple[str, tuple[str, ...]]], DocumentFrequencies] = {}
        tables = {}
        for system, found in images.items():
            same = frozenset(found)  # captioners of the same images share one table
            if same not in counted:
                counted[same] = _count_references(shared.ngrams(items), list(found.values()))
            tables[system] = counted[same]
        return IdfContext(tables)

    @staticmethod
    def counting(options: Options, shared: Shared, folder: Path) -> IdfCounting | None:
        """The same for captions that come piece by piece; nothing where no piece decides."""
        return IdfCounting(options.idf, folder) if options.idf in ("auto", "corpus") else None

    def _similarities(self, items: Sequence[CaptionItem]) -> Array:
        batch = self.shared.ngrams(items)
        groups: dict[int, tuple[DocumentFrequencies, list[int]]] = {}
        for row, item in enumerate(items):
            table = self.context.table(item.system)
            groups.setdefault(id(table), (table, []))[1].append(row)
        values = np.zeros((len(items), batch.references.shape[1], ORDER))
        for table, rows in groups.values():
            values[rows] = similarities(batch, _Weights(batch.table, table), rows, self.options)
        return values

    def _value(self, values: Array, reference_counts: Ints) -> Array:
        return np.asarray(values.sum(axis=1).mean(axis=1) / reference_counts * 10.0)

    def score(self, items: Sequence[CaptionItem]) -> MetricResult:
        values = self._value(self._similarities(items), self.shared.ngrams(items).reference_counts)
        return MetricResult(segments={"cider": values}, statistics=values[:, None])

    def corpus(self, statistics: Array) -> dict[str, float]:
        return {"cider": float(statistics[:, 0].mean())}

    def explain(self, item: CaptionItem, key: str) -> CiderExplanation:
        items = [item]
        batch, frequencies = self.shared.ngrams(items), self.context.table(item.system)
        values = self._similarities(items)
        weights = _Weights(batch.table, frequencies)
        return CiderExplanation(
            value=float(self._value(values, batch.reference_counts)[0]),
            tokens=tuple(self.shared.tokens(item.candidate).split()),
            references=tuple(
                self._reference(batch, weights, slot, self.shared.tokens(text), values[0, slot])
                for slot, text in enumerate(item.references)
            ),
            similarities=tuple((values[0].sum(axis=0) / len(item.references)).tolist()),
            idf_source=frequencies.name,
            idf_images=frequencies.images,
            note=""
            if frequencies.images > 1
            else "With one image there is no idf: every n-gram weighs 0. Use idf=coco, or score more images.",
        )

    def _reference(self, batch: NgramBatch, weights: _Weights, slot: int, text: str, values: Array) -> CiderReference:
        table, candidate, reference = batch.table, batch.candidates[:1], batch.references[0, slot : slot + 1]
        penalty = float(length_penalty(table, candidate, reference, self.options)[0])
        ours, theirs = table.rows(candidate)[0], table.rows(reference)[0]
        grams = np.union1d(table.grams(ours), table.grams(theirs))
        count_c, count_r = (
            np.where(found < 0, 0, table.counts[found])
            for found in (table.find(np.repeat(side, len(grams)), grams) for side in (candidate, reference))
        )
        weight_c, weight_r = count_c * weights.idf[grams], count_r * weights.idf[grams]
        clipped = np.minimum(weight_c, weight_r) if self.options.variant == "cider-d" else weight_c
        norms = (weights.norms[candidate] * weights.norms[reference])[0][table.index.orders[grams]]
        scale = 10.0 * penalty / ORDER / batch.reference_counts[0]
        contribution = scale * np.divide(clipped * weight_r, norms, out=np.zeros(len(grams)), where=norms > 0)
        ngrams = [
            CiderNgram(table.index.text(int(gram)), int(cc), int(cr), *map(float, rest))
            for gram, cc, cr, *rest in zip(
                grams, count_c, count_r, weights.idf[grams], weight_c, weight_r, contribution, strict=True
            )
        ]
        ngrams.sort(key=lambda gram: (-gram.contribution, -gram.candidate_weight - gram.reference_weight, gram.words))
        return CiderReference(tuple(text.split()), tuple(values.tolist()), penalty, tuple(ngrams))
