"""Captions as bags of words that have a vector, for WMD and WEmbSim, and what is said about the vectors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from capeval_core import pace
from capeval_core.resources.vectors import WordVectors
from capeval_core.shared import Shared
from capeval_core.text import unknown
from capeval_core.text.stopwords import stopwords
from capeval_core.types import Array, CaptionItem, Remark, StandIn

PACKAGED = {"glove-6b-50d": "GloVe 50d", "spacy-md": "spaCy's vectors", "minilm": "MiniLM's lowest layer"}
WORD2VEC = "gensim:word2vec-google-news-300"


@dataclass(frozen=True, slots=True)
class VectorContext:
    """Which vectors scored a batch."""

    name: str

    def signature(self) -> dict[str, str]:
        return {"vectors": self.name}


def coverage_remark(name: str, known: int, total: int) -> Remark:
    """How many words of a batch's distinct captions have a vector."""
    return Remark(f"{unknown.braced(name)} knows {{0}} of {{1}} words, stop words aside", (known, total))


def stand_in_for_vectors(metric: str, source: str, original: str) -> StandIn | None:
    """The packaged vectors stand in for the paper's; any others were somebody's choice."""
    if source not in PACKAGED:
        return None
    fix = f"python -m capeval_core resources fetch {WORD2VEC}; python -m capeval_core score ... "
    return StandIn("stand-in", PACKAGED[source], original, f"{fix}--set {metric}.vectors={WORD2VEC} (or a file's path)")


@dataclass(frozen=True, slots=True, eq=False)
class Bag:
    """Known words in order of first use, and how often each occurs. One object per content: pairs are cached by it."""

    words: tuple[str, ...]
    mass: Array  # how often each occurs
    total: int

    @property
    def weights(self) -> tuple[float, ...]:
        return tuple((self.mass / self.total).tolist()) if self.words else ()


class Bags:
    """Reads each distinct caption once: its COCO tokens without stop words."""

    def __init__(self, vectors: WordVectors, shared: Shared) -> None:
        self.vectors = vectors
        self._shared = shared
        self._captions: dict[str, tuple[Bag, dict[str, int]]] = {}
        self._bags: dict[tuple[tuple[str, ...], tuple[int, ...]], Bag] = {}

    def read(self, caption: str) -> tuple[Bag, dict[str, int]]:
        """The caption's bag, and its words that have no vector."""
        text = self._shared.tokens(caption)
        found = self._captions.get(text)
        if found is None:
            pace.look()
            stops, index = stopwords(), self.vectors.index
            counts: dict[str, int] = {}
            for word in text.split():
                if word not in stops:
                    counts[word] = counts.get(word, 0) + 1
            words = tuple(word for word in counts if word in index)
            content = words, tuple(counts[word] for word in words)
            if content not in self._bags:
                self._bags[content] = Bag(words, np.array(content[1], dtype=np.float64), sum(content[1]))
            strangers = {word: count for word, count in counts.items() if word not in index}
            found = self._captions[text] = self._bags[content], strangers
        return found

    def coverage(self, captions: Iterable[str]) -> tuple[int, int]:
        """Words that have a vector, and all words; stop words count in neither."""
        read = [self.read(caption) for caption in pace.each(captions)]
        known = sum(bag.total for bag, _ in read)
        return known, known + sum(sum(strangers.values()) for _, strangers in read)


def captions_of(items: Sequence[CaptionItem]) -> list[str]:
    """The distinct captions of a batch."""
    return list(dict.fromkeys(text for item in items for text in (item.candidate, *item.references)))
