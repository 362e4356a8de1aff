"""The word vectors inside spaCy's en_core_web_md, read from its files: spaCy itself takes two seconds to import.

The file `key2row` gives the row of a word by the word's hash, so any word can be looked up; many words share a row,
since the table was pruned to 20,000 rows. `strings.json` spells (nearly all of) the words out; only a listing needs it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

SEED = 1  # spaCy's
MULTIPLIER = 0xC6A4A7935BD1E995
MASK = 2**64 - 1


class HashedWords(Mapping[str, int]):
    """Word -> row, by the word's hash; listing the words reads their file."""

    def __init__(self, rows: Mapping[int, int], strings: Path) -> None:
        self._rows = rows
        self._strings = strings
        self._found: dict[str, int | None] = {}

    def _row(self, word: str) -> int | None:
        if word not in self._found:
            self._found[word] = self._rows.get(murmur(word.encode("utf-8", errors="surrogatepass")))
        return self._found[word]

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self._row(word) is not None

    def __getitem__(self, word: str) -> int:
        row = self._row(word)
        if row is None:
            raise KeyError(word)
        return row

    def __iter__(self) -> Iterator[str]:
        words = json.loads(self._strings.read_bytes())
        return (word for word in words if murmur(word.encode("utf-8", errors="surrogatepass")) in self._rows)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def read(vectors: Path, rows: Path, strings: Path) -> tuple[HashedWords, npt.NDArray[np.float32]]:
    """Word -> row, and the matrix, which stays on disk."""
    from srsly import read_msgpack  # type: ignore[import-untyped]

    return HashedWords(read_msgpack(rows), strings), np.load(vectors, mmap_mode="r", allow_pickle=False)


def murmur(text: bytes) -> int:
    """MurmurHash64A, by which spaCy knows a string."""
    found = SEED ^ (len(text) * MULTIPLIER & MASK)
    whole = len(text) // 8 * 8
    for start in range(0, whole, 8):
        block = int.from_bytes(text[start : start + 8], "little") * MULTIPLIER & MASK
        block = (block ^ block >> 47) * MULTIPLIER & MASK
        found = (found ^ block) * MULTIPLIER & MASK
    if whole < len(text):
        found = (found ^ int.from_bytes(text[whole:], "little")) * MULTIPLIER & MASK
    found = (found ^ found >> 47) * MULTIPLIER & MASK
    return found ^ found >> 47
