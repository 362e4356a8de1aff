"""Word vectors: a name or a path in, rows of a matrix out; each file is loaded once per state of the file.

Packaged: `glove-6b-50d` and `spacy-md` (300 numbers a word); their matrices stay on disk (memory-mapped). By path: what
vector_files.py reads; a gensim .kv is memory-mapped where gensim stored its matrix apart. `gensim:NAME` is a file that
gensim's downloader has put on this machine (`python -m capeval_core resources fetch gensim:NAME`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from capeval_core.errors import InvalidInput, MissingResource
from capeval_core.resources import files, spacy_vectors, vector_files
from capeval_core.resources.loading import load_once

Array = npt.NDArray[np.float64]
PACKAGED = "glove-6b-50d"
SPACY = "spacy-md"
GENSIM = "gensim:"
EXPECTED = f"{PACKAGED}, {SPACY}, {GENSIM}NAME, or the path of a {', '.join(vector_files.SUFFIXES)} file"


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
    """The vectors of a name (glove-6b-50d, spacy-md, gensim:NAME) or of a file's path."""
    if source == PACKAGED:
        return _glove(files.locate(PACKAGED), files.locate(f"{PACKAGED}-words"))
    if source == SPACY:
        return _spacy(*(files.locate(name) for name in (SPACY, f"{SPACY}-rows", f"{SPACY}-words")))
    path = gensim_file(source.removeprefix(GENSIM)) if source.startswith(GENSIM) else Path(source)
    try:
        stamp = path.stat().st_mtime_ns if path.is_file() else None
    except (OSError, ValueError):  # a name no file can have
        stamp = None
    if stamp is None and source.startswith(GENSIM):
        raise MissingResource(
            f"the word vectors {source} are not on this machine", fix=f"python -m capeval_core resources fetch {source}"
        )
    if stamp is None:
        raise InvalidInput(f"no such word vectors: {source!r}", expected=EXPECTED)
    if not source.startswith(GENSIM) and vector_files.kind(path) not in vector_files.SUFFIXES:
        raise InvalidInput(f"{path}: not a kind of word vectors known here", expected=EXPECTED, found=path.name)
    return _file(source if source.startswith(GENSIM) else path.name, path, stamp)


def gensim_file(name: str) -> Path:
    """Where gensim's downloader keeps the vectors of that name."""
    if not name or Path(name).name != name:
        raise InvalidInput(
            f"no such word vectors: {GENSIM}{name}", expected=f"a name such as {GENSIM}glove-wiki-gigaword-50"
        )
    return gensim_folder() / name / f"{name}.gz"


def gensim_folder() -> Path:
    return Path(os.environ.get("GENSIM_DATA_DIR") or "~/gensim-data").expanduser()


@load_once(keep=1)
def _glove(matrix: Path, words: Path) -> WordVectors:
    from pyarrow.parquet import ParquetFile  # type: ignore[import-untyped]

    with ParquetFile(words) as file:  # parquet.read_table() takes a third of a second more, for its first call
        found = file.read(columns=["index"])["index"].to_pylist()
    index = dict(zip(found, range(len(found)), strict=True))
    return WordVectors(files.label(PACKAGED), index, np.load(matrix, mmap_mode="r", allow_pickle=False))


@load_once(keep=1)
def _spacy(matrix: Path, rows: Path, words: Path) -> WordVectors:
    return WordVectors(files.label(SPACY), *spacy_vectors.read(matrix, rows, words))


@load_once(keep=4)
def _file(name: str, path: Path, _stamp: int) -> WordVectors:
    return WordVectors(name, *vector_files.read(path))
