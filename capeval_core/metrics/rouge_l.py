"""ROUGE-L: F-score of the longest common subsequence of candidate and reference.

Paper:     Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries", section 3.
Reference: COCO caption toolkit, rouge.py; its numbers are in tests/golden/coco.json.
Range:     0 to 1, higher is better. Corpus score: mean of the segments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from capeval_core.option_fields import Checked, number
from capeval_core.shared import Shared
from capeval_core.types import Array, CaptionItem, Explanation, MetricResult


@dataclass(frozen=True, slots=True)
class Options(Checked):
    beta: float = field(
        default=1.2,
        metadata=number(
            "Beta",
            "Above 1 recall counts more than precision, below 1 less; 1.2 in the COCO toolkit.",
            0.01,
            100,
            0.1,
        ),
    )


@dataclass(frozen=True, slots=True)
class RougeLReference:
    tokens: tuple[str, ...]
    links: tuple[tuple[int, int], ...]  # the subsequence: position in the candidate, position in the reference
    precision: float
    recall: float
    f_score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RougeLExplanation(Explanation):
    tokens: tuple[str, ...]
    references: tuple[RougeLReference, ...]
    precision: float  # the best of any reference
    recall: float  # the best of any reference, maybe another one
    beta: float


def lcs_rows(candidate: Sequence[str], places: Mapping[str, int], length: int) -> list[int]:
    """Hyyrö's bit-parallel LCS (2004): after each candidate word, bit j is 0 where the LCS grows at reference word j.

    `places` has, for each word of the reference, a bit set at every position where it stands.
    """
    full = (1 << length) - 1
    row, rows = full, []
    for word in candidate:
        shared = row & places.get(word, 0)
        row = ((row + shared) | (row - shared)) & full
        rows.append(row)
    return rows


def word_places(tokens: Sequence[str]) -> dict[str, int]:
    places: dict[str, int] = {}
    for position, word in enumerate(tokens):
        places[word] = places.get(word, 0) | 1 << position
    return places


def lcs_links(candidate: Sequence[str], reference: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """One longest common subsequence as pairs of positions, read backwards from the rows."""
    rows = [(1 << len(reference)) - 1, *lcs_rows(candidate, word_places(reference), len(reference))]

    def length(i: int, j: int) -> int:
        return j - (rows[i] & (1 << j) - 1).bit_count()

    links, i, j = [], len(candidate), len(reference)
    while i and j:
        if length(i - 1, j) == length(i, j):
            i -= 1
        elif length(i, j - 1) == length(i, j):
            j -= 1
        else:
            i, j = i - 1, j - 1
            links.append((i, j))
    return tuple(reversed(links))


def f_score(stats: Array, beta: float) -> Array:
    """(..., 2) precision and recall -> (...) F; never writes to stats."""
    precision, recall = stats[..., 0], stats[..., 1]
    total = recall + beta**2 * precision
    return np.divide((1 + beta**2) * precision * recall, total, out=np.zeros_like(total), where=total > 0)


class RougeL:
    def __init__(self, options: Options, shared: Shared) -> None:
        self.options = options
        self.shared = shared
        self._reference = cache(self._prepare)

    def _tokens(self, caption: str) -> list[str]:
        # The toolkit splits at single spaces: an empty caption is one empty word here, and equals another empty one.
        return self.shared.tokens(caption).split(" ")

    def _shown(self, caption: str) -> tuple[str, ...]:
        return tuple(word for word in self._tokens(caption) if word)

    def _prepare(self, caption: str) -> tuple[dict[str, int], int]:
        tokens = self._tokens(caption)
        return word_places(tokens), len(tokens)

    def _precision_recall(self, candidate: str, references: Sequence[str]) -> list[tuple[float, float]]:
        tokens = self._tokens(candidate)
        pairs = []
        for places, length in map(self._reference, references):
            lcs = length - lcs_rows(tokens, places, length)[-1].bit_count()
            pairs.append((lcs / len(tokens), lcs / length))
        return pairs

    def _statistics(self, items: Sequence[CaptionItem]) -> Array:
        """Best precision and best recall: the toolkit takes them apart, even from two different references."""
        stats = np.empty((len(items), 2))
        for row, item in enumerate(self.shared.track("ROUGE-L", items, len(items))):
            precisions, recalls = zip(*self._precision_recall(item.candidate, item.references), strict=True)
            stats[row] = max(precisions), max(recalls)
        return stats

    def score(self, items: Sequence[CaptionItem]) -> MetricResult:
        stats = self._statistics(items)
        return MetricResult(segments={"rouge_l": f_score(stats, self.options.beta)}, statistics=stats)

    def corpus(self, statistics: Array) -> dict[str, float]:
        return {"rouge_l": float(f_score(statistics, self.options.beta).mean())}

    def explain(self, item: CaptionItem, key: str) -> RougeLExplanation:
        stats = self._statistics([item])
        tokens = self._shown(item.candidate)
        references = []
        for text, pair in zip(item.references, self._precision_recall(item.candidate, item.references), strict=True):
            words = self._shown(text)
            f = float(f_score(np.array(pair), self.options.beta))
            references.append(RougeLReference(words, lcs_links(tokens, words), *pair, f))
        return RougeLExplanation(
            value=float(f_score(stats, self.options.beta)[0]),
            tokens=tokens,
            references=tuple(references),
            precision=float(stats[0, 0]),
            recall=float(stats[0, 1]),
            beta=self.options.beta,
        )
