"""N-grams as integers: every 1- to 4-gram of a batch of sentences, counted once, ready for array arithmetic.

An n-gram's code is (number of its first n-1 words as an n-gram) * (vocabulary size) + (its last word), so each order is
one sorted array and an n-gram is found by four binary searches. BLEU and CIDEr read the same table; CIDEr's document
frequencies are kept in the same shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from capeval_core import pace

Ints = npt.NDArray[np.int64]
ORDER = 4
ROWS_AT_ONCE = 1 << 21


class NgramIndex:
    """Numbers n-grams: the first len(words) numbers are the words, then come the bigrams by their code, and so on."""

    def __init__(self, words: Sequence[str], codes: Sequence[Ints]) -> None:
        self.words = words
        self.codes = codes  # one sorted array for bigrams, trigrams, 4-grams
        self.starts = np.cumsum([0, len(words), *(len(level) for level in codes)])
        self.size = int(self.starts[-1])

    @cached_property
    def orders(self) -> Ints:
        """0 for single words. Made when asked for: a table of document frequencies, which may be huge, needs none."""
        return np.repeat(np.arange(len(self.codes) + 1), np.diff(self.starts))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """Of the words. Kept: a table of document frequencies is asked once for every chunk of a corpus."""
        return {word: number for number, word in enumerate(self.words)}

    def text(self, gram: int) -> tuple[str, ...]:
        tail: list[str] = []
        for level in range(int(self.orders[gram]), 0, -1):
            gram, word = divmod(int(self.codes[level - 1][gram - self.starts[level]]), len(self.words))
            gram += int(self.starts[level - 1])
            tail.append(self.words[word])
        return (self.words[gram], *reversed(tail))

    def translate(self, other: NgramIndex) -> Ints:
        """For each n-gram of `other` its number here, or -1."""
        if not self.words or not other.words:
            return np.full(other.size, -1)
        words = np.array([self._numbers.get(word, -1) for word in other.words])
        found = [words]
        for level, codes in enumerate(other.codes):
            parents, lasts = np.divmod(codes, len(other.words))
            parent, last = found[level][parents], words[lasts]
            wanted = np.where((parent < 0) | (last < 0), -1, (parent - self.starts[level]) * len(self.words) + last)
            found.append(_search(self.codes[level], wanted, self.starts[level + 1]))
        return np.concatenate(found)


class NgramTable:
    """Which sentence holds which n-gram how often: `counts[row]` times `grams(row)`, rows grouped by sentence.

    A row is a sorted integer, sentence * stride + n-gram, and a small count: 100,000 captions with their references are
    20 million rows, so nothing else is kept for each.
    """

    def __init__(self, sentences: Iterable[str]) -> None:
        self.position = {sentence: number for number, sentence in enumerate(dict.fromkeys(sentences))}
        lengths: list[int] = []
        numbers: dict[str, int] = {}
        flat = np.fromiter(_number_words(self.position, numbers, lengths), dtype=np.int64)
        self.lengths = np.array(lengths, dtype=np.int64)
        self._stride = ORDER * len(flat) + 1  # no batch has more n-grams
        owner = np.repeat(np.arange(len(lengths)), self.lengths)
        left = np.repeat(np.cumsum(self.lengths), self.lengths) - np.arange(len(flat))  # words up to the sentence's end
        node, keys, codes = flat, [owner * self._stride + flat], list[Ints]()
        start = len(numbers)
        for level in range(1, ORDER):
            pace.look()
            fits = np.flatnonzero(left > level)  # where an n-gram of level + 1 words starts
            code, node_of = np.unique(node[fits] * len(numbers) + flat[fits + level], return_inverse=True)
            codes.append(code)
            keys.append(owner[fits] * self._stride + (node_of + start))
            node = np.zeros_like(flat)
            node[fits] = node_of
            start += len(code)
        self.index = NgramIndex(list(numbers), codes)
        pace.look()
        self._keys, self.counts = _count_sorted(np.concatenate(keys))
        self._bounds = np.searchsorted(self._keys, np.arange(len(lengths) + 1) * self._stride)

    def grams(self, rows: Ints | slice) -> Ints:
        return np.asarray(self._keys[rows] % self._stride)

    def sentences(self, rows: Ints | slice) -> Ints:
        return np.asarray(self._keys[rows] // self._stride)

    def blocks(self) -> Iterator[slice]:
        """All rows, a few million at a time."""
        for start in pace.each(range(0, len(self._keys), ROWS_AT_ONCE)):
            yield slice(start, start + ROWS_AT_ONCE)

    def rows(self, sentences: Ints) -> tuple[Ints, Ints]:
        """All rows of the given sentences, and for each row which of the given sentences it belongs to."""
        sizes = self._bounds[sentences + 1] - self._bounds[sentences]
        owners = np.repeat(np.arange(len(sentences)), sizes)
        first = np.repeat(self._bounds[sentences] - (np.cumsum(sizes) - sizes), sizes)
        return first + np.arange(len(owners)), owners

    def find(self, sentences: Ints, grams: Ints) -> Ints:
        """The row of each (sentence, n-gram) pair, or -1 where the sentence has no such n-gram."""
        return _search(self._keys, sentences * self._stride + grams, 0)


def _number_words(sentences: Iterable[str], numbers: dict[str, int], lengths: list[int]) -> Iterator[int]:
    """Each word's number, in reading order; fills `numbers` and `lengths` on the way."""
    for sentence in pace.each(sentences):
        words = sentence.split()
        lengths.append(len(words))
        for word in words:
            yield numbers.setdefault(word, len(numbers))


def _count_sorted(keys: Ints) -> tuple[Ints, npt.NDArray[np.int32]]:
    """np.unique with counts, but sorting in place: this is the largest array of an evaluation."""
    keys.sort()
    firsts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
    return keys[firsts], np.diff(firsts, append=len(keys)).astype(np.int32)


def add_up(cells: Ints, weights: npt.NDArray[Any], size: int) -> npt.NDArray[np.float64]:
    """The sum of the weights of each cell; np.bincount gives whole numbers for an empty batch."""
    return np.bincount(cells, weights=weights, minlength=size).astype(np.float64)


def _search(ordered: Ints, wanted: Ints, start: int) -> Ints:
    if not len(ordered):
        return np.full(len(wanted), -1)
    places = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
    return np.where(ordered[places] == wanted, places + start, -1)


class NgramBatch:
    """The n-grams of a batch of (candidate, references), with each item's sentences by their number in the table."""

    def __init__(self, items: Sequence[tuple[str, Sequence[str]]]) -> None:
        self.table = NgramTable(sentence for candidate, references in items for sentence in (candidate, *references))
        place = self.table.position
        self.candidates = np.array([place[candidate] for candidate, _ in items], dtype=np.int64)
        self.reference_counts = np.array([len(references) for _, references in items], dtype=np.int64)
        # One column per reference, -1 where an item has fewer.
        self.references = np.full((len(items), self.reference_counts.max(initial=0)), -1, dtype=np.int64)
        for row, (_, references) in enumerate(pace.each(items)):
            self.references[row, : len(references)] = [place[reference] for reference in references]
