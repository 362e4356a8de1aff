"""Phrases as 64-bit numbers, and METEOR's paraphrase table read into such numbers.

The number of a phrase is made from the blake2b digests of its words, so the numbers of all spans of many captions come
from a few array operations and no span is ever spelled out. Reading proves that no two phrases of the table share one.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.uint64]
Ids = npt.NDArray[np.int64]
Progress = Callable[[str, int, int], None]  # stage, done, total

LONGEST_PHRASE = 7  # words, on both sides of the table
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # odd, so that no bit of a word's number is lost
_STAGE = "Building the paraphrase index (once)"
_CHARACTERS_AT_ONCE = 1 << 23


@lru_cache(maxsize=1 << 18)
def word_number(word: str) -> int:
    return _two_numbers(word)[0]


def span_numbers(words: Numbers, length: int) -> Numbers:
    """The numbers of all spans of `length` consecutive words, given the words' own numbers."""
    count = max(len(words) - length + 1, 0)
    spans = words[:count].copy()
    for offset in range(1, length):
        spans *= _MULTIPLIER
        spans += words[offset : offset + count]
    return spans


def read_table(source: Path, on_progress: Progress | None) -> tuple[Numbers, Ids, Ids]:
    """The numbers of all phrases, sorted; for each phrase the place of its first target; and the targets, as places
    among the numbers, in the table's order. ValueError if the file is no such table.
    """
    chunks = list(_read_numbers(source, on_progress))
    nothing = np.zeros((0, 2), np.uint64)
    phrases = np.concatenate([nothing, *(chunk.sources for chunk in chunks), *(chunk.targets for chunk in chunks)])
    numbers, ids = _count_phrases(phrases)
    first_of_chunk = np.cumsum([0, *(len(chunk.sources) for chunk in chunks)])
    rows = [chunk.source_of_target + first for chunk, first in zip(chunks, first_of_chunk, strict=False)]
    sources = ids[np.concatenate([np.zeros(0, np.int64), *rows])]
    first_target = np.cumsum(np.bincount(sources + 1, minlength=len(numbers) + 1))
    order = np.argsort(sources, kind="stable")  # stable: within a source the table's order is kept
    return numbers, first_target, ids[first_of_chunk[-1] :][order]


def _count_phrases(phrases: Numbers) -> tuple[Numbers, Ids]:
    """The distinct first numbers, sorted, and where each phrase is among them."""
    order = np.argsort(phrases[:, 0])
    first, second = phrases[order].T
    begins = np.append(True, first[1:] != first[:-1])[: len(first)]
    # Two phrases that share their first number would differ in the second, which is independent of it.
    if ((second[1:] != second[:-1]) & ~begins[1:]).any():
        raise ValueError("two of its phrases have the same 64-bit number")
    ids = np.empty(len(first), dtype=np.int64)
    ids[order] = np.cumsum(begins) - 1
    return first[begins], ids


@dataclass(frozen=True, slots=True)
class _Chunk:
    sources: Numbers  # (distinct sources, 2)
    targets: Numbers  # (entries, 2)
    source_of_target: Ids  # a row of `sources` for each entry


def _read_numbers(source: Path, on_progress: Progress | None) -> Iterator[_Chunk]:
    vocabulary = _Vocabulary()
    rest = [""]
    with source.open("rb") as raw, gzip.open(raw, "rt", encoding="utf-8", newline="\n") as table:
        while text := table.read(_CHARACTERS_AT_ONCE):
            rest[-1:] = (rest[-1] + text).split("\n")  # the last line may be cut: the next block goes on with it
            whole = (len(rest) - 1) // 3 * 3
            entries, rest = rest[:whole], rest[whole:]
            rows: dict[str, int] = {}  # some twelve entries in a row share their source
            source_of_target = np.array([rows.setdefault(phrase, len(rows)) for phrase in entries[1::3]], np.int64)
            targets = _phrase_numbers(entries[2::3], vocabulary)
            yield _Chunk(_phrase_numbers(list(rows), vocabulary), targets, source_of_target)
            if on_progress:
                on_progress(_STAGE, raw.tell(), source.stat().st_size)
    if rest != [""]:
        raise ValueError("its lines do not come in threes")


class _Vocabulary(dict[str, int]):
    """Counts words as they come, and keeps the two numbers of each."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers: list[tuple[int, int]] = []

    def __missing__(self, word: str) -> int:
        self.numbers.append(_two_numbers(word))
        self[word] = len(self)
        return self[word]


def _phrase_numbers(phrases: Sequence[str], vocabulary: _Vocabulary) -> Numbers:
    lengths = np.array([phrase.count(" ") for phrase in phrases], dtype=np.int64) + 1
    if (lengths > LONGEST_PHRASE).any():
        raise ValueError(f"a phrase has more than {LONGEST_PHRASE} words")
    words = np.array(list(map(vocabulary.__getitem__, " ".join(phrases).split(" "))))
    by_word = np.array(vocabulary.numbers, dtype=np.uint64)
    first = np.cumsum(lengths) - lengths
    numbers: Numbers = by_word[words[first]]
    for offset in range(1, LONGEST_PHRASE):
        rows = np.flatnonzero(lengths > offset)
        numbers[rows] = numbers[rows] * _MULTIPLIER + by_word[words[first[rows] + offset]]
    return numbers


def _two_numbers(word: str) -> tuple[int, int]:
    digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")
