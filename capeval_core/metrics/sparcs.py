"""SPARCS: F-score of the candidate's concepts, each weighed by the share of references that have it.

Paper:     Feinglass and Yang 2021, "SMURF: SeMantic and linguistic UndeRstanding Fusion for Caption Evaluation via
           Typicality Analysis", Eq. 9-11.
Reference: the SPARCS values the authors published for COCO captions. The paper does not say which tokens are words:
           keeping those made of letters and digits alone (no "t-shirt", no "'s") gives all 10,000 values of
           karpathy_a; keeping every token misses 2,458 of them, letters alone 94. Single quotes: see LONE_LETTER.
Range:     0 to 1, higher is better. Corpus score: mean of the segments.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from capeval_core.option_fields import Checked
from capeval_core.resources import lone_modules
from capeval_core.resources.loading import load_once
from capeval_core.shared import Shared
from capeval_core.text.stopwords import stopwords
from capeval_core.types import Array, CaptionItem, Explanation, MetricResult

Concepts = dict[str, tuple[str, ...]]  # stem -> the caption's words that have it
Tokenize = Callable[[str], list[str]]
PLAIN = re.compile(r"[a-z0-9 -]*")
# The NLTK of the paper's time (3.5) splits an opening single quote off one letter or digit only. In the word 'walk' it
# stays on, the token is no plain word and so no concept; NLTK 3.10 splits it off. The published values follow 3.5.
LONE_LETTER = re.compile(r"(?i)'(?![mtsdn])(\w)\b")
NO_CONCEPTS = "the candidate has no concepts: only stop words, punctuation or nothing"
NO_REFERENCE_CONCEPTS = "the references have no concepts: only stop words, punctuation or nothing"


@dataclass(frozen=True, slots=True)
class Options(Checked):
    """SPARCS has no settings."""


@dataclass(frozen=True, slots=True)
class SparcsConcept:
    stem: str
    typicality: float  # the share of references that have it: 0 for what only the candidate says
    words: tuple[str, ...]  # the candidate's words with this stem
    reference_words: tuple[str, ...]  # the references' words with this stem


@dataclass(frozen=True, slots=True, kw_only=True)
class SparcsExplanation(Explanation):
    matched: tuple[SparcsConcept, ...]  # each list: most typical first, then by stem
    missed: tuple[SparcsConcept, ...]
    extra: tuple[SparcsConcept, ...]
    precision: float
    recall: float


def split_words(text: str, tokenize: Tokenize) -> list[str]:
    """`tokenize(text)`; plain text goes word by word, as `tokenize` may remember words but hardly whole captions."""
    if PLAIN.fullmatch(text):  # the tokenizer's rules reach over a space only beside other punctuation
        return [token for word in text.split() for token in tokenize(word)]
    return tokenize(text)


@load_once()
def nltk_tokenizer() -> Tokenize:
    words: Any = lone_modules.load("nltk.tokenize.destructive").NLTKWordTokenizer

    class WithTheOldQuotes(words):  # type: ignore[misc]
        STARTING_QUOTES = (*words.STARTING_QUOTES[:-1], (LONE_LETTER, r"' \1"))

    tokenize: Tokenize = WithTheOldQuotes().tokenize
    return tokenize


@load_once()
def porter_stemmer() -> Callable[[str], str]:
    stem: Callable[[str], str] = lone_modules.load("nltk.stem.porter").PorterStemmer().stem
    return stem


def precision_recall(stats: Array) -> Array:
    """(..., 3) weight matched, weight of the candidate, weight of the references -> (..., 2); never writes to stats."""
    matched, totals = stats[..., :1], stats[..., 1:]
    return np.divide(matched, totals, out=np.zeros_like(totals), where=totals > 0)


def f_score(stats: Array) -> Array:
    """(..., 3) -> (...): the harmonic mean of the two shares of one `matched` is 2 matched / (sum of the totals)."""
    total = stats[..., 1] + stats[..., 2]
    return np.divide(2 * stats[..., 0], total, out=np.zeros_like(total), where=total > 0)


def by_typicality(concepts: Iterable[SparcsConcept]) -> tuple[SparcsConcept, ...]:
    return tuple(sorted(concepts, key=lambda concept: (-concept.typicality, concept.stem)))


class Sparcs:
    def __init__(self, options: Options, shared: Shared) -> None:
        self.options = options
        self.shared = shared
        self._tokens = cache(self._split)
        self._stem = cache(lambda word: porter_stemmer()(word))
        self._concepts = cache(self._extract)

    def _split(self, text: str) -> list[str]:
        return nltk_tokenizer()(text)

    def _extract(self, caption: str) -> Concepts:
        found: Concepts = {}
        for word in dict.fromkeys(split_words(caption.lower().replace(".", ""), self._tokens)):
            if word.isalnum() and word not in stopwords():
                stem = self._stem(word)
                found[stem] = (*found.get(stem, ()), word)
        return found

    def _frequencies(self, references: Sequence[str]) -> Counter[str]:
        """In how many references each concept stands."""
        return Counter(stem for reference in references for stem in self._concepts(reference))

    def _statistics(self, items: Sequence[CaptionItem]) -> Array:
        """Weights of what is matched, of the candidate (a concept no reference has weighs 1), and of the references."""
        stats = np.empty((len(items), 3))
        for row, item in enumerate(self.shared.track("SPARCS", items, len(items))):
            frequencies, candidate = self._frequencies(item.references), self._concepts(item.candidate)
            count = max(len(item.references), 1)
            matched = sum(frequencies[stem] for stem in candidate) / count
            extra = sum(stem not in frequencies for stem in candidate)
            stats[row] = matched, matched + extra, frequencies.total() / count
        return stats

    def score(self, items: Sequence[CaptionItem]) -> MetricResult:
        stats = self._statistics(items)
        notes = {row: note for row, values in enumerate(stats.tolist()) if (note := describe(values))}
        return MetricResult(segments={"sparcs": f_score(stats)}, statistics=stats, notes=notes)

    def corpus(self, statistics: Array) -> dict[str, float]:
        return {"sparcs": float(f_score(statistics).mean())}

    def explain(self, item: CaptionItem, key: str) -> SparcsExplanation:
        stats = self._statistics([item])[0]
        candidate, frequencies = self._concepts(item.candidate), self._frequencies(item.references)
        said: dict[str, set[str]] = {stem: set() for stem in candidate}
        for concepts in map(self._concepts, item.references):
            for stem, words in concepts.items():
                said.setdefault(stem, set()).update(words)
        found = by_typicality(
            SparcsConcept(
                stem, frequencies[stem] / max(len(item.references), 1), candidate.get(stem, ()), tuple(sorted(words))
            )
            for stem, words in said.items()
        )
        precision, recall = precision_recall(stats).tolist()
        return SparcsExplanation(
            value=float(f_score(stats)),
            note=describe(stats.tolist()),
            matched=tuple(concept for concept in found if concept.words and concept.reference_words),
            missed=tuple(concept for concept in found if not concept.words),
            extra=tuple(concept for concept in found if not concept.reference_words),
            precision=precision,
            recall=recall,
        )


def describe(stats: Sequence[float]) -> str:
    """Why there was nothing to compare, or nothing."""
    if not stats[1]:
        return NO_CONCEPTS
    return "" if stats[2] else NO_REFERENCE_CONCEPTS
