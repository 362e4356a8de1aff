"""Contextual word vectors: a caption's words in, one row per word out, made from the word and its neighbours.

`minilm` is the lowest layer of the packaged transformer; a path ending in .hdf5 is ELMo (see elmo.py). A row of NaN
means that the word has no vector: the transformer has no piece for it, or the caption is longer than it reads.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from capeval_core import pace
from capeval_core.errors import InvalidInput
from capeval_core.resources.loading import load_once

if TYPE_CHECKING:
    from capeval_core.resources.transformer import Encoding, Transformer

MINILM = "minilm"
SUFFIX = ".hdf5"


class ContextualVectors(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def dims(self) -> int: ...

    def embed(
        self, sentences: Sequence[Sequence[str]], without: Set[str] = frozenset()
    ) -> Sequence[npt.NDArray[np.floating[Any]]]:
        """One matrix (words, dims) per sentence. Words of `without` are read like all others, but nobody looks at their
        rows."""
        ...


def is_contextual(source: str) -> bool:
    return source == MINILM or source.endswith(SUFFIX)


def open_contextual(source: str, device: str) -> ContextualVectors:
    if source == MINILM:
        from capeval_core.resources.transformer import open_transformer

        return LowestLayer(open_transformer(MINILM, device))
    path = Path(source)
    try:
        stamp = path.stat().st_mtime_ns
    except (OSError, ValueError) as error:
        raise InvalidInput(
            f"no such word vectors: {source!r}", expected=f"{MINILM} or a file of ELMo weights"
        ) from error
    return _elmo(path, stamp, device)


@load_once(keep=1)
def _elmo(path: Path, _stamp: int, device: str) -> ContextualVectors:
    from capeval_core.resources import elmo

    return elmo.load(path, device)


class LowestLayer:
    """A word is the mean of its word pieces in a transformer's first layer."""

    def __init__(self, transformer: Transformer) -> None:
        self._transformer = transformer
        self.name = transformer.name
        self.dims = transformer.hidden([transformer.encode("")], 0)[0].shape[1]

    def embed(
        self, sentences: Sequence[Sequence[str]], without: Set[str] = frozenset()
    ) -> list[npt.NDArray[np.float64]]:
        encodings = [self._transformer.encode(" ".join(sentence)) for sentence in pace.each(sentences)]
        read = pace.each(zip(sentences, encodings, strict=True))
        words = [self._words(sentence, encoding, without) for sentence, encoding in read]
        states = self._transformer.first_layer(encodings, [(row >= 0).tolist() for row in words])
        return [
            self._pool(len(sentence), row[row >= 0], found)
            for sentence, row, found in pace.each(zip(sentences, words, states, strict=True))
        ]

    def _words(self, sentence: Sequence[str], encoding: Encoding, without: Set[str]) -> npt.NDArray[np.int64]:
        """The word that each token is a piece of; -1 where none, or one that nobody looks at."""
        ends = np.cumsum([len(word) + 1 for word in sentence])  # of each word and the space after it, in the text
        found = np.searchsorted(ends, [start for start, _ in encoding.spans], side="right")
        left_out = [word in without for word in sentence]
        kept = [
            end > start and not special and token != "[UNK]" and not left_out[word]
            for (start, end), special, token, word in zip(
                encoding.spans, encoding.special, encoding.tokens, found.tolist(), strict=True
            )
        ]
        return np.where(kept, found, -1)

    def _pool(
        self, count: int, words: npt.NDArray[np.int64], states: npt.NDArray[np.float32]
    ) -> npt.NDArray[np.float64]:
        sums = np.full((count, self.dims), np.nan)
        if len(words):
            starts = np.flatnonzero(np.append(True, words[1:] != words[:-1]))
            totals = np.add.reduceat(states.astype(np.float64), starts, axis=0)
            sums[words[starts]] = totals / np.diff(starts, append=len(words))[:, None]
        return sums
