"""Word vectors: a name or a path in, rows of a matrix out; each file is loaded once per state of the file.

`glove-6b-50d` is packaged: its matrix stays on disk (memory-mapped), only the words are read. By path: GloVe .txt,
word2vec .txt and .bin, fastText .vec (any of them also .gz) and gensim .kv, whose matrix is memory-mapped where gensim
stored it apart. A .kv file is a pickle: open only one that you trust.
"""

from __future__ import annotations

import gzip
import pickle
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from capeval_core.errors import InvalidInput, MissingResource
from capeval_core.resources import files

Array = npt.NDArray[np.float64]
PACKAGED = "glove-6b-50d"
SUFFIXES = (".txt", ".vec", ".bin", ".kv")


@dataclass(frozen=True, eq=False)
class WordVectors:
    name: str
    index: Mapping[str, int]  # word -> row
    matrix: npt.NDArray[np.float32]

    @property
    def dims(self) -> int:
        return int(self.matrix.shape[1])

    def known(self, word: str) -> bool:
        return word in self.index

    def rows(self, words: Sequence[str]) -> Array:
        """One row per word; every word must be known."""
        unknown = next((word for word in words if word not in self.index), None)
        if unknown is not None:
            raise InvalidInput(f"{self.name} has no vector for {unknown!r}", expected="words for which known() is true")
        found = np.asarray(self.matrix[[self.index[word] for word in words]], dtype=np.float64)
        found = found.reshape(len(words), self.dims)
        if not np.isfinite(found).all():
            word = words[int(np.flatnonzero(~np.isfinite(found).all(axis=1))[0])]
            raise InvalidInput(f"{self.name}: the vector of {word!r}", expected="finite numbers", found="inf or nan")
        return found


def open_vectors(source: str) -> WordVectors:
    """The vectors of a name (glove-6b-50d) or of a file's path."""
    if source == PACKAGED:
        return _packaged(files.locate(PACKAGED), files.locate(f"{PACKAGED}-words"))
    path = Path(source)
    kinds = f"{PACKAGED}, or the path of a {', '.join(SUFFIXES)} file"
    try:
        stamp = path.stat().st_mtime_ns if path.is_file() else None
    except (OSError, ValueError):  # a name no file can have
        stamp = None
    if stamp is None:
        raise InvalidInput(f"no such word vectors: {source!r}", expected=kinds)
    if _kind(path) not in SUFFIXES:
        raise InvalidInput(f"{path}: not a kind of word vectors known here", expected=kinds, found=path.name)
    return _read(path, stamp)


def _kind(path: Path) -> str:
    return Path(path.name.removesuffix(".gz")).suffix


@lru_cache(maxsize=1)
def _packaged(matrix: Path, words: Path) -> WordVectors:
    from pyarrow.parquet import ParquetFile  # type: ignore[import-untyped]

    with ParquetFile(words) as file:  # parquet.read_table() takes a third of a second more, for its first call
        found = file.read(columns=["index"])["index"].to_pylist()
    index = dict(zip(found, range(len(found)), strict=True))
    return WordVectors(files.label(PACKAGED), index, np.load(matrix, mmap_mode="r", allow_pickle=False))


@lru_cache(maxsize=4)
def _read(path: Path, _stamp: int) -> WordVectors:
    broken = (OSError, EOFError, ValueError, TypeError, KeyError, AttributeError, pickle.UnpicklingError, zlib.error)
    try:
        index, matrix = _read_text(path) if _kind(path) in (".txt", ".vec") else _read_with_gensim(path)
        if matrix.ndim != 2 or not matrix.size or len(index) > len(matrix):
            raise ValueError("no vectors")
    except broken as error:
        raise InvalidInput(
            f"{path}: not a readable file of word vectors",
            expected="GloVe or word2vec text, word2vec .bin or gensim .kv",
            found=str(error) or type(error).__name__,
        ) from error
    return WordVectors(path.name, index, matrix)


def _read_with_gensim(path: Path) -> tuple[Mapping[str, int], Any]:
    try:
        from gensim.models import KeyedVectors  # type: ignore[import-untyped]
    except ImportError as error:
        raise MissingResource(f"{path.name}: gensim, which reads it, is missing", fix="pip install gensim") from error

    if _kind(path) == ".kv":
        found = KeyedVectors.load(str(path), mmap=None if path.suffix == ".gz" else "r")
    else:
        found = KeyedVectors.load_word2vec_format(str(path), binary=True, unicode_errors="replace")
    return found.key_to_index, found.vectors


def _read_text(path: Path) -> tuple[Mapping[str, int], npt.NDArray[np.float32]]:
    """GloVe has no header, word2vec and fastText have `count dims`. Fields are counted from the right of the line:
    glove.840B has words with spaces in them, on which gensim's reader stops."""
    index: dict[str, int] = {}
    rows: list[npt.NDArray[np.float32]] = []
    dims = 0
    for number, line in enumerate(_lines(path)):
        parts = line.rstrip().split(" ")
        if number == 0 and len(parts) == 2 and all(part.isdecimal() for part in parts):
            dims = int(parts[1])
            continue
        dims = dims or len(parts) - 1
        word = " ".join(parts[:-dims])
        if not dims or len(parts) <= dims:
            raise ValueError(f"line {number + 1} has {len(parts) - 1} numbers, not {dims or 'at least one'}")
        if index.setdefault(word, len(rows)) == len(rows):  # of a word that comes twice, the first counts
            rows.append(np.array(parts[-dims:], dtype=np.float32))
    if not rows:
        raise ValueError("no vectors")
    return index, np.stack(rows)


def _lines(path: Path) -> Iterator[str]:
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        # Bytes, split at line feeds only: a word may hold any other character that str calls the end of a line.
        for line in file:
            yield line.decode("utf-8", errors="replace")
