"""Readers of files of word vectors: GloVe .txt, word2vec .txt and .bin, fastText .vec and .bin, gensim .kv; also .gz.

Each gives the words with their rows, and the matrix. A .kv file is a pickle: open only one that you trust.
"""

from __future__ import annotations

import gzip
import pickle
import re
import shutil
import struct
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from capeval_core.errors import InvalidInput, MissingResource

SUFFIXES = (".txt", ".vec", ".bin", ".kv")
FASTTEXT = struct.pack("<i", 793712314)  # how a fastText .bin begins; a word2vec .bin begins with digits
# What a damaged file makes gensim, numpy and gzip raise; MemoryError: a header that promises too many vectors.
BROKEN = (
    OSError,
    EOFError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    AssertionError,
    NotImplementedError,
    MemoryError,
    pickle.UnpicklingError,
    zlib.error,
    struct.error,
)
Read = tuple[Mapping[str, int], npt.NDArray[np.float32]]


def kind(path: Path) -> str:
    return Path(path.name.removesuffix(".gz")).suffix


def read(path: Path) -> Read:
    """The vectors of a file; InvalidInput where it holds none that can be read."""
    try:
        index, matrix = _reader(path)
        if matrix.ndim != 2 or not matrix.size or len(index) > len(matrix):
            raise ValueError("no vectors")
    except BROKEN as error:
        raise InvalidInput(
            f"{path}: not a readable file of word vectors",
            expected="GloVe, word2vec or fastText vectors as text or .bin, or gensim .kv",
            found=str(error) or type(error).__name__,
        ) from error
    return index, matrix


def _reader(path: Path) -> Read:
    if kind(path) == ".kv":
        return _read_with_gensim(path, "KeyedVectors.load", mmap=None if path.suffix == ".gz" else "r")
    if kind(path) in (".txt", ".vec"):
        return _read_text(path)
    with _open(path) as file:
        begin = file.read(len(FASTTEXT))
    if begin == FASTTEXT:
        return _read_fasttext(path)
    if kind(path) == ".bin" or not _is_text(path):
        return _read_with_gensim(path, "KeyedVectors.load_word2vec_format", binary=True, unicode_errors="replace")
    return _read_text(path)  # a .gz of gensim's data folder does not say what is in it


def _open(path: Path) -> IO[bytes]:
    return gzip.open(path) if path.suffix == ".gz" else path.open("rb")  # type: ignore[return-value]


def _is_text(path: Path) -> bool:
    """Does the first word's line hold as many numbers as the header says?"""
    with _open(path) as file:
        header, line = file.readline(100), file.readline(100_000)
    dims = re.fullmatch(rb"\d+ (\d+)\s*", header)
    return dims is None or len(line.rstrip().split(b" ")) == int(dims[1]) + 1


def _read_with_gensim(path: Path, function: str, **options: Any) -> Read:
    try:
        from gensim import models  # type: ignore[import-untyped]
    except ImportError as error:
        raise MissingResource(f"{path.name}: gensim, which reads it, is missing", fix="pip install gensim") from error

    owner, name = function.split(".")
    found = getattr(getattr(models, owner), name)(str(path), **options)
    return found.key_to_index, found.vectors


def _read_fasttext(path: Path) -> Read:
    if path.suffix != ".gz":
        return _read_with_gensim(path, "fasttext.load_facebook_vectors")
    with tempfile.NamedTemporaryFile(suffix=".bin") as plain:  # gensim would read the packed bytes as numbers
        with _open(path) as file:
            shutil.copyfileobj(file, plain)
        plain.flush()
        return _read_with_gensim(Path(plain.name), "fasttext.load_facebook_vectors")


def _read_text(path: Path) -> Read:
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
    with _open(path) as file:
        # Bytes, split at line feeds only: a word may hold any other character that str calls the end of a line.
        for line in file:
            yield line.decode("utf-8", errors="replace")
