"""METEOR 1.5 for English: words of candidate and reference aligned by form, stem, synset or paraphrase.

Paper:     Denkowski and Lavie 2014, "Meteor Universal: Language Specific Translation Evaluation"
Reference: meteor-1.5.jar as the COCO caption toolkit runs it (`-l en -norm`); its numbers: tests/golden/meteor.json.
Range:     0 to 1, higher is better. Corpus score: one formula over the summed counts, not the mean of the segments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from capeval_core import pace
from capeval_core.metrics.meteor.alignment import Alignment, align
from capeval_core.metrics.meteor.links import MODULES
from capeval_core.metrics.meteor.scoring import CHUNKS, COLUMNS, Options, chunk_numbers, count, evaluate, total
from capeval_core.metrics.meteor.sentences import Batch, Sentence, prepare
from capeval_core.resources.paraphrases import ParaphraseIndex, open_index
from capeval_core.shared import Shared
from capeval_core.types import Array, CaptionItem, Explanation, MetricResult

Segment = tuple[str, list[str]]  # the candidate and its references, as METEOR is given them

_PAIRS_AT_ONCE = 50_000  # what is prepared for a batch stays in memory until the batch is scored


@dataclass(frozen=True, slots=True)
class MeteorLink:
    """One match of the alignment; several words on a side only for paraphrases."""

    module: str  # exact, stem, synonym or paraphrase
    reference_start: int
    reference_length: int
    candidate_start: int
    candidate_length: int
    chunk: int  # links of one chunk are next to each other, in the same order, on both sides


@dataclass(frozen=True, slots=True)
class MeteorReference:
    tokens: tuple[str, ...]
    function_words: tuple[bool, ...]  # for each token: does it weigh less?
    links: tuple[MeteorLink, ...]
    chunks: int
    precision: float
    recall: float
    f_mean: float
    fragmentation: float
    penalty: float
    score: float
    unbroken: float  # what the same matches would score in one chunk


@dataclass(frozen=True, slots=True, kw_only=True)
class MeteorExplanation(Explanation):
    tokens: tuple[str, ...]
    function_words: tuple[bool, ...]
    references: tuple[MeteorReference, ...]  # one that holds `|||` is cut into two, as the toolkit does
    winner: int  # place in `references` of the first that scores highest: it alone counts
    options: Options


class Meteor:
    def __init__(self, options: Options, shared: Shared) -> None:
        self.options = options
        self.shared = shared

    def score(self, items: Sequence[CaptionItem]) -> MetricResult:
        segments = [self._segment(item) for item in items]
        ticks = self.shared.track("METEOR", range(len(items)), len(items))
        counts = winning_counts(segments, self.options, self._index(), partial(next, ticks, None))
        return MetricResult(segments={"meteor": evaluate(counts, self.options).score}, statistics=counts)

    def corpus(self, statistics: Array) -> dict[str, float]:
        return self.of_total(self.options, total(statistics))

    total = staticmethod(total)

    @staticmethod
    def of_total(options: Options, total: Array) -> dict[str, float]:
        return {"meteor": float(evaluate(total, options).score[0])}

    def explain(self, item: CaptionItem, key: str) -> MeteorExplanation:
        candidate_text, texts = self._segment(item)
        batch = prepare([candidate_text, *texts], self._index())
        candidate, *references = batch.sentences
        alignments = [align(candidate, reference, batch) for reference in references]
        pairs = list(zip(references, alignments, strict=True))
        counts = [count(candidate, reference, alignment) for reference, alignment in pairs]
        table = np.array(counts, dtype=np.float64)
        parts = evaluate(table, self.options)
        winner = int(np.argmax(parts.score))
        table[:, CHUNKS] = np.minimum(table[:, CHUNKS], 1)
        unbroken = evaluate(table, self.options).score.tolist()
        return MeteorExplanation(
            value=float(parts.score[winner]),
            tokens=_tokens(candidate, batch),
            function_words=_flags(candidate),
            references=tuple(
                MeteorReference(
                    tokens=_tokens(reference, batch),
                    function_words=_flags(reference),
                    links=_links(alignment),
                    chunks=counts[place][CHUNKS],
                    unbroken=unbroken[place],
                    **parts.of_row(place),
                )
                for place, (reference, alignment) in enumerate(pairs)
            ),
            winner=winner,
            options=self.options,
        )

    def _segment(self, item: CaptionItem) -> Segment:
        return as_sent(self.shared.tokens(item.candidate), map(self.shared.tokens, item.references))

    def _index(self) -> ParaphraseIndex:
        return open_index(self.shared.on_progress)


def as_sent(candidate: str, references: Iterable[str]) -> Segment:
    """What the toolkit's line of text makes of the captions: `|||` vanishes from the candidate and cuts a reference."""
    pieces = [piece for reference in references for piece in reference.split("|||")]
    return candidate.replace("|||", "").replace("  ", " "), pieces


def winning_counts(
    segments: Sequence[Segment], options: Options, index: ParaphraseIndex, advance: Callable[[], object] = lambda: None
) -> Array:
    """For each segment the 23 counts of the reference that scores highest, the first of them on a tie."""
    tables = [_winners(some, options, index, advance) for some in _some_at_once(segments)]
    return np.concatenate([np.zeros((0, COLUMNS)), *tables])


def _some_at_once(segments: Iterable[Segment]) -> Iterator[list[Segment]]:
    some: list[Segment] = []
    pairs = 0
    for segment in segments:
        some.append(segment)
        pairs += len(segment[1])
        if pairs >= _PAIRS_AT_ONCE:
            yield some
            some, pairs = [], 0
    if some:
        yield some


def _winners(
    segments: Sequence[Segment], options: Options, index: ParaphraseIndex, advance: Callable[[], object]
) -> Array:
    texts = dict.fromkeys(text for candidate, references in segments for text in (candidate, *references))
    batch = prepare(texts, index)
    sentence_of = dict(zip(texts, batch.sentences, strict=True))
    rows: dict[tuple[str, str], int] = {}
    counts: list[list[int]] = []
    for candidate, references in segments:
        advance()
        for reference in references:
            if (candidate, reference) not in rows:
                rows[candidate, reference] = len(counts)
                sides = sentence_of[candidate], sentence_of[reference]
                counts.append(count(*sides, align(*sides, batch)))
    table = np.array(counts, dtype=np.float64)
    scores = evaluate(table, options).score.tolist()
    winners = [
        max([rows[candidate, reference] for reference in references], key=scores.__getitem__)
        for candidate, references in pace.each(segments)
    ]
    return table[winners]


def _tokens(sentence: Sentence, batch: Batch) -> tuple[str, ...]:
    return tuple(batch.words[unit] for unit in sentence.words)


def _flags(sentence: Sentence) -> tuple[bool, ...]:
    return tuple(bool(sentence.function_words >> place & 1) for place in range(len(sentence.words)))


def _links(alignment: Alignment) -> tuple[MeteorLink, ...]:
    return tuple(
        MeteorLink(MODULES[module], place, length, start, end - start, chunk)
        for (place, (_, start, end, _, _, length, module)), chunk in zip(
            alignment, chunk_numbers(alignment), strict=True
        )
    )
