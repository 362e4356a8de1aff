"""BLEU 1 to 4: clipped n-gram precision with a brevity penalty.

Paper:     Papineni et al. 2002, "BLEU: a Method for Automatic Evaluation of Machine Translation".
           Smoothing: Lin and Och 2004, "ORANGE", section 4 (one is added to hits and totals of 2- to 4-grams).
Reference: COCO caption toolkit, bleu_scorer.py (closest reference length); its numbers are in tests/golden/coco.json.
Range:     0 to 1, higher is better. Corpus score: the formula once over the summed counts, not the mean of segments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from capeval_core import pace
from capeval_core.option_fields import Checked, one_of
from capeval_core.shared import Shared
from capeval_core.text.ngrams import ORDER, Ints, NgramBatch, add_up
from capeval_core.types import Array, CaptionItem, Explanation, MetricResult

KEYS = tuple(f"bleu_{n}" for n in range(1, ORDER + 1))
# The toolkit's guards against division by zero. They are part of its numbers: a segment without any matching 4-gram
# scores about 1e-4, not 0.
TINY, SMALL = 1e-15, 1e-9


@dataclass(frozen=True, slots=True)
class Options(Checked):
    smoothing: str = field(
        default="none",
        metadata=one_of(
            "Smoothing",
            "What keeps a caption without a matching 4-gram from a score near 0.",
            {
                "none": "as in the COCO toolkit",
                "lin-och": "one is added to the counts of 2- to 4-grams",
            },
        ),
    )


@dataclass(frozen=True, slots=True)
class BleuNgram:
    words: tuple[str, ...]
    count: int  # in the candidate
    clipped: int  # of these, how many the references allow
    reference_counts: tuple[int, ...]  # one per reference, in input order


@dataclass(frozen=True, slots=True, kw_only=True)
class BleuExplanation(Explanation):
    tokens: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    matched: tuple[tuple[bool, ...], ...]  # per order 1-4, per candidate word: is it inside a matched n-gram?
    ngrams: tuple[tuple[BleuNgram, ...], ...]  # per order, in order of appearance
    precisions: tuple[tuple[int, int], ...]  # per order: clipped hits, n-grams in the candidate
    values: tuple[float, ...]  # BLEU-1 to BLEU-4
    reference_length: int  # the closest one's
    brevity_penalty: float
    smoothing: str


def statistics(batch: NgramBatch) -> Array:
    """Per item: candidate length, closest reference length, then hits and totals for each order."""
    table, lengths = batch.table, batch.table.lengths[batch.candidates]
    rows, owners = table.rows(batch.candidates)
    grams = table.grams(rows)
    allowed = np.zeros(len(rows), dtype=np.int64)  # the most any one reference has of each n-gram
    closest = np.full((len(lengths), 2), np.iinfo(np.int64).max)  # distance, length; ties go to the shorter
    for column in pace.each(batch.references.T):
        asked = np.flatnonzero(column[owners] >= 0)
        found = table.find(column[owners[asked]], grams[asked])
        allowed[asked] = np.maximum(allowed[asked], np.where(found < 0, 0, table.counts[found]))
        closest = _closer(closest, lengths, table.lengths[column], column >= 0)
    hits = np.minimum(allowed, table.counts[rows])
    cell = owners * ORDER + table.index.orders[grams]
    correct = add_up(cell, hits, len(lengths) * ORDER).reshape(-1, ORDER)
    totals = np.maximum(0, lengths[:, None] - np.arange(ORDER))
    return np.column_stack([lengths, closest[:, 1], correct, totals]).astype(np.float64)


def _closer(best: Ints, lengths: Ints, reference_lengths: Ints, present: Ints) -> Ints:
    distance = np.abs(reference_lengths - lengths)
    nearer = (distance < best[:, 0]) | ((distance == best[:, 0]) & (reference_lengths < best[:, 1]))
    return np.where((nearer & present)[:, None], np.column_stack([distance, reference_lengths]), best)


def brevity_penalty(stats: Array, smoothing: str) -> Array:
    length, reference = stats[..., 0], stats[..., 1]
    if smoothing == "none":
        ratio = (length + TINY) / (reference + SMALL)
    else:
        ratio = np.divide(length, reference, out=np.full_like(length, np.inf), where=reference > 0)
    with np.errstate(divide="ignore"):
        return np.exp(np.minimum(0.0, 1 - 1 / ratio))


def bleu(stats: Array, smoothing: str) -> Array:
    """(..., 10) counts -> (..., 4) BLEU-1 to BLEU-4; never writes to stats."""
    hits, totals = stats[..., 2 : 2 + ORDER], stats[..., 2 + ORDER :]
    if smoothing == "none":
        precisions = (hits + TINY) / (totals + SMALL)
    else:
        one = np.array([0.0, 1.0, 1.0, 1.0])
        precisions = np.divide(hits + one, totals + one, out=np.zeros_like(hits), where=totals + one > 0)
    means = np.cumprod(precisions, axis=-1) ** (1.0 / np.arange(1, ORDER + 1))
    return np.asarray(means * brevity_penalty(stats, smoothing)[..., None])


class Bleu:
    def __init__(self, options: Options, shared: Shared) -> None:
        self.options = options
        self.shared = shared

    def score(self, items: Sequence[CaptionItem]) -> MetricResult:
        stats = statistics(self.shared.ngrams(items))
        values = bleu(stats, self.options.smoothing)
        return MetricResult(segments={key: values[:, n] for n, key in enumerate(KEYS)}, statistics=stats)

    def corpus(self, statistics: Array) -> dict[str, float]:
        return self.of_total(self.options, self.total(statistics))

    @staticmethod
    def total(statistics: Array) -> Array:
        return np.asarray(statistics.sum(axis=0, keepdims=True))

    @staticmethod
    def of_total(options: Options, total: Array) -> dict[str, float]:
        values = bleu(total[0], options.smoothing)
        return {key: float(values[n]) for n, key in enumerate(KEYS)}

    def explain(self, item: CaptionItem, key: str) -> BleuExplanation:
        batch = self.shared.ngrams([item])
        stats = statistics(batch)[0]
        values = bleu(stats, self.options.smoothing)
        tokens = tuple(self.shared.tokens(item.candidate).split())
        references = tuple(tuple(self.shared.tokens(text).split()) for text in item.references)
        ngrams = tuple(_ngrams(tokens, references, n) for n in range(1, ORDER + 1))
        return BleuExplanation(
            value=float(values[KEYS.index(key)]),
            tokens=tokens,
            references=references,
            matched=tuple(_matched(tokens, found) for found in ngrams),
            ngrams=ngrams,
            precisions=tuple((int(stats[2 + n]), int(stats[2 + ORDER + n])) for n in range(ORDER)),
            values=tuple(float(value) for value in values),
            reference_length=int(stats[1]),
            brevity_penalty=float(brevity_penalty(stats, self.options.smoothing)),
            smoothing=self.options.smoothing,
        )


def spans(tokens: Sequence[str], n: int) -> list[tuple[str, ...]]:
    return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]


def _ngrams(tokens: Sequence[str], references: Sequence[Sequence[str]], n: int) -> tuple[BleuNgram, ...]:
    others = [Counter(spans(reference, n)) for reference in references]
    found = []
    for gram, count in Counter(spans(tokens, n)).items():
        counts = tuple(other[gram] for other in others)
        found.append(BleuNgram(gram, count, min(count, max(counts)), counts))
    return tuple(found)


def _matched(tokens: Sequence[str], found: Sequence[BleuNgram]) -> tuple[bool, ...]:
    """Marks each word that lies in a matched n-gram; of a repeated n-gram, only as many as the clipped count."""
    left = {gram.words: gram.clipped for gram in found}
    marks = [False] * len(tokens)
    n = len(found[0].words) if found else 1
    for start, gram in enumerate(spans(tokens, n) if found else []):
        if left[gram] > 0:
            left[gram] -= 1
            marks[start : start + n] = [True] * n
    return tuple(marks)
