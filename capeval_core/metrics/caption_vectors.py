"""What WEmbSim reads of a caption: each of its words with a vector, stop words aside, and their vectors' sum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from capeval_core import pace
from capeval_core.metrics.word_bags import Bags
from capeval_core.resources import device
from capeval_core.resources.contextual import is_contextual, open_contextual
from capeval_core.resources.vectors import open_vectors
from capeval_core.shared import Shared
from capeval_core.text.stopwords import stopwords
from capeval_core.types import Array


@dataclass(frozen=True, slots=True)
class Content:
    words: tuple[str, ...]  # distinct, in order of first use
    sums: Array  # (words, dims): the sum of a word's vectors over its occurrences
    known: int  # occurrences
    unknown: Counter[str]  # occurrences without a vector

    @property
    def strangers(self) -> tuple[str, ...]:
        """Words that have a vector nowhere in the caption (a transformer reads only the first part of a long one)."""
        return tuple(word for word in self.unknown if word not in self.words)

    @property
    def total(self) -> int:
        return self.known + self.unknown.total()


class Reader(Protocol):
    name: str

    def read(self, captions: Sequence[str]) -> list[Content]: ...


def open_reader(source: str, shared: Shared) -> Reader:
    if is_contextual(source):
        return InContext(source, shared)
    return ByWord(source, shared)


class ByWord:
    """A word has one vector wherever it stands."""

    def __init__(self, source: str, shared: Shared) -> None:
        self._vectors = open_vectors(source)
        self._bags = Bags(self._vectors, shared)
        self.name = self._vectors.name

    def read(self, captions: Sequence[str]) -> list[Content]:
        read = [self._bags.read(caption) for caption in captions]
        rows = self._vectors.rows([word for bag, _ in read for word in bag.words])
        found, end = [], 0
        for bag, unknown in read:
            start, end = end, end + len(bag.words)
            found.append(Content(bag.words, rows[start:end] * bag.mass[:, None], bag.total, Counter(unknown)))
        return found


class InContext:
    """A word's vector depends on the caption around it, stop words included."""

    def __init__(self, source: str, shared: Shared) -> None:
        self._shared = shared
        self._vectors = open_contextual(source, device.choose(shared.device))
        self.name = self._vectors.name

    def read(self, captions: Sequence[str]) -> list[Content]:
        sentences = [self._shared.tokens(caption).split() for caption in captions]
        return [
            self._content(sentence, np.asarray(rows, dtype=np.float64))
            for sentence, rows in pace.each(zip(sentences, self._vectors.embed(sentences, stopwords()), strict=True))
        ]

    def _content(self, sentence: Sequence[str], rows: Array) -> Content:
        stops, has_vector = stopwords(), ~np.isnan(rows[:, 0])
        sums: dict[str, Array] = {}
        known, unknown = 0, Counter[str]()
        for word, row, found in zip(sentence, rows, has_vector, strict=True):
            if word in stops:
                continue
            if found:
                known += 1
                sums[word] = sums[word] + row if word in sums else row
            else:
                unknown[word] += 1
        table = np.stack(list(sums.values())) if sums else np.empty((0, self._vectors.dims))
        return Content(tuple(sums), table, known, unknown)
