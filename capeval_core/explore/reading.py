"""A caption as Explore reads it: its words with their tags, which of them have content, and their vectors.

The vectors are BERTScore's: the last layer of the packaged transformer on the text as written. A word is the mean of
its word pieces.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from capeval_core import pace
from capeval_core.perturb import caption as captions
from capeval_core.perturb.caption import Caption, Word
from capeval_core.perturb.wordlists import word_set
from capeval_core.shared import Shared
from capeval_core.text.parse import Parse

if TYPE_CHECKING:
    from capeval_core.resources.transformer import Encoding, Transformer

Vectors = npt.NDArray[np.float32]
MODEL = "minilm"
NOUNS = ("NN", "NNS", "NNP", "NNPS")
_CONTENT = ("NN", "VB", "JJ", "CD")  # how the tags of content words begin
_LIGHT = word_set("be have do 's 're 've get go can will could would should may might must")
# Nouns that name no thing: amounts, places in the picture, the picture itself.
GENERIC = word_set(
    "group lot top side kind piece picture photo photograph image view front back middle background foreground bunch "
    "couple pair number variety type sort part end edge bottom row line area center centre corner distance close-up "
    "closeup shot scene set way place other one thing something someone anything everything time day lots kinds bit "
    "left right inside outside amount half rest collection series dozen assortment position direction display "
    "color colour item object stuff intent pile stack use look pose while herd flock patch"
)


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    caption: Caption
    vectors: Vectors  # (words, dims), of length 1; zeros for a word beyond the model's limit
    content: tuple[int, ...]  # places of the content words
    nouns: tuple[int, ...]  # places of the nouns that name a thing

    @property
    def words(self) -> tuple[Word, ...]:
        return self.caption.words


def is_content(word: Word) -> bool:
    return word.tag.startswith(_CONTENT) and word.lemma not in _LIGHT and word.token not in _LIGHT


def names_thing(word: Word) -> bool:
    named = word.tag in NOUNS and word.token[:1].isalpha() and len(word.token) > 1
    return named and word.lemma not in GENERIC and word.token not in GENERIC


def _parking(words: Sequence[Word], place: int) -> bool:
    """A lot of cars is an amount, a parking lot is a place."""
    return place > 0 and words[place].lemma == "lot" and words[place - 1].token == "parking"


class Reader:
    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._model: Transformer = shared.transformer(MODEL)

    def read(self, texts: Iterable[str]) -> dict[str, Read]:
        """Each distinct text once; parsed and encoded in one go."""
        unique = list(dict.fromkeys(texts))
        parsed = [self._caption(*one) for one in pace.each(zip(unique, self._shared.parses(unique), strict=True))]
        encodings = [self._model.encode(one.text) for one in pace.each(parsed)]
        states = self._model.hidden(encodings, self._model.layers)
        found = pace.each(zip(unique, parsed, encodings, states, strict=True))
        return {text: _read(caption, encoding, hidden) for text, caption, encoding, hidden in found}

    def _caption(self, text: str, parses: Sequence[Parse]) -> Caption:
        return captions.read(text, parses)


def _read(caption: Caption, encoding: Encoding, hidden: Vectors) -> Read:
    words = caption.words
    content = tuple(place for place, word in enumerate(words) if is_content(word))
    nouns = tuple(place for place in content if names_thing(words[place]) or _parking(words, place))
    return Read(caption, _pooled(caption, encoding, hidden), content, nouns)


def _pooled(caption: Caption, encoding: Encoding, hidden: Vectors) -> Vectors:
    """Unit vectors: the direction of a word's sum is that of its mean."""
    sums = np.zeros((len(caption.words), hidden.shape[1]), dtype=np.float32)
    if not caption.words:
        return sums
    starts = [word.start for word in caption.words]
    spans = np.array(encoding.spans)
    real = np.flatnonzero((spans[:, 1] > spans[:, 0]) & ~np.array(encoding.special))
    owners = np.searchsorted(starts, spans[real, 0], side="right") - 1
    ends = np.array([word.end for word in caption.words])
    inside = (owners >= 0) & (spans[real, 0] < ends[owners])  # punctuation belongs to no word
    np.add.at(sums, owners[inside], hidden[real[inside]])
    lengths = np.sqrt(np.einsum("ij,ij->i", sums, sums))[:, None]
    return (sums / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
