"""Contextual word vectors: a caption's words in, one row per word out, made from the word and its neighbours.

`minilm` is the lowest layer of the packaged transformer; a path ending in .hdf5 is ELMo (see elmo.py). A row of NaN
means that the word has no vector: the transformer has no piece for it, or the caption is longer than it reads.
"""

from __future__ import annotations

from collections.abc import Sequence
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
LOWEST = 1  # the first layer's output; 0 is what enters it
SUFFIX = ".hdf5"


class ContextualVectors(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def dims(self) -> int: ...

    def embed(self, sentences: Sequence[Sequence[str]]) -> Sequence[npt.NDArray[np.floating[Any]]]:
        """One matrix (words, dims) per sentence."""
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
        self.dims = transformer.hidden([transformer.encode("")], LOWEST)[0].shape[1]

    def embed(self, sentences: Sequence[Sequence[str]]) -> list[npt.NDArray[np.float64]]:
        encodings = [self._transformer.encode(" ".join(sentence)) for sentence in pace.each(sentences)]
        hidden = self._transformer.hidden(encodings, LOWEST)
        return [
            self._pool(sentence, encoding, states)
            for sentence, encoding, states in pace.each(zip(sentences, encodings, hidden, strict=True))
        ]

    def _pool(
        self, sentence: Sequence[str], encoding: Encoding, states: npt.NDArray[np.float32]
    ) -> npt.NDArray[np.float64]:
        ends = np.cumsum([len(word) + 1 for word in sentence])  # of each word and the space after it, in the text
        sums, counts = np.zeros((len(sentence), self.dims)), np.zeros((len(sentence), 1))
        for piece, (start, end) in enumerate(encoding.spans):
            if end > start and not encoding.special[piece] and encoding.tokens[piece] != "[UNK]":
                word = int(np.searchsorted(ends, start, side="right"))
                sums[word] += states[piece]
                counts[word] += 1
        return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
