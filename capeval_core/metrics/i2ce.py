"""I2CE: cosine of the vectors into which a trained auto-encoder reads candidate and references.

Paper:     Zeng et al. 2021, "Contrastive Semantic Similarity Learning for Image Captioning Evaluation with Intrinsic
           Auto-encoder", equations 1 to 10.
Reference: the equations; tests/golden/i2ce.json has an independent computation with numpy of the shipped weights.
Range:     -1 to 1 (a mean of cosines; captions of different images lie near 0), higher is better. Corpus score: mean
           of the segments.

The paper's authors published no weights: these were trained for CapEval (data/i2ce.md says on what, and how well they
agree with people). Of several references the `top_k` nearest count, as in the paper's Table I. Words are COCO tokens; a
word that was not learned is read as "unknown". A reference without words is left out; where nothing is left to compare
the value is 0 and a note says why.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import numpy as np

from capeval_core import pace
from capeval_core.metrics.word_bags import captions_of
from capeval_core.option_fields import Checked, trained, whole_number
from capeval_core.resources import trained as networks
from capeval_core.shared import Shared
from capeval_core.text.unknown import Unknown
from capeval_core.types import Array, CaptionItem, Explanation, MetricResult

if TYPE_CHECKING:
    from capeval_core.resources.sentence_model import SentenceModel

FAMILY = "i2ce"
AT_ONCE = 4_000  # captions that are read between two reports of progress
Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Options(Checked):
    # shipped, the path of a file that `train i2ce` wrote, or own:DIGEST (trained in the app)
    model: str = field(
        default=networks.SHIPPED, metadata=trained("Network", "The auto-encoder that reads the captions.", FAMILY)
    )
    top_k: int = field(
        default=3,
        metadata=whole_number("Nearest references", "How many of the nearest references are averaged.", 1, 50),
    )


@dataclass(frozen=True, slots=True)
class I2ceContext:
    """Which network scored a batch."""

    name: str

    def signature(self) -> dict[str, str]:
        return {"model": self.name}


@dataclass(frozen=True, slots=True)
class I2ceReference:
    words: Words
    unknown: Words
    cosine: float | None  # None: no words to compare
    pooled: bool  # among the nearest that are averaged


@dataclass(frozen=True, slots=True, kw_only=True)
class I2ceExplanation(Explanation):
    words: Words
    influences: tuple[float, ...]  # of each word: the value, less the value without the word
    unknown: tuple[bool, ...]  # of each word
    references: tuple[I2ceReference, ...]
    rebuilt: Words  # what the decoder writes from the candidate's vector alone
    kept: tuple[bool, ...]  # of each word of the candidate: the decoder writes it again, in its place
    added: tuple[bool, ...]  # of each rebuilt word: the candidate does not have it there
    top_k: int
    model: str


def nearest(cosines: Sequence[float | None], top_k: int) -> list[int]:
    """The places of the references that are averaged; of equal ones the earlier."""
    defined = [(place, cosine) for place, cosine in enumerate(cosines) if cosine is not None]
    return [place for place, _ in sorted(defined, key=lambda one: (-one[1], one[0]))[:top_k]]


def pool(cosines: Sequence[float | None], top_k: int) -> float:
    """The mean of the `top_k` highest; 0 where there is none."""
    chosen = [cosines[place] or 0.0 for place in nearest(cosines, top_k)]
    return math.fsum(chosen) / len(chosen) if chosen else 0.0


def directions(vectors: Array) -> Array:
    """Rows of length 1; a row of zeros stays."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    found: Array = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return found


def alignment(words: Words, rebuilt: Words) -> tuple[tuple[bool, ...], tuple[bool, ...]]:
    """Which words come again in order, and which of the rebuilt ones are new."""
    kept, added = [False] * len(words), [True] * len(rebuilt)
    for left, right, length in SequenceMatcher(None, words, rebuilt, autojunk=False).get_matching_blocks():
        kept[left : left + length] = [True] * length
        added[right : right + length] = [False] * length
    return tuple(kept), tuple(added)


class I2ce:
    def __init__(self, options: Options, shared: Shared) -> None:
        self.options = options
        self.shared = shared
        self._network = self._open()

    @staticmethod
    def resolve(options: Options, items: Sequence[CaptionItem], shared: Shared) -> I2ceContext:
        """For the signature only, which names the network by its content."""
        return I2ceContext(networks.label(FAMILY, options.model))

    def _open(self) -> SentenceModel:
        from capeval_core.resources import device
        from capeval_core.resources.sentence_model import open_model

        return open_model(self.options.model, device.choose(self.shared.device))

    def _words(self, caption: str) -> Words:
        return tuple(self.shared.tokens(caption).split())

    def _cosines(self, items: Sequence[CaptionItem]) -> list[list[float | None]]:
        """Of each item, to each of its references."""
        captions = captions_of(items)
        words = [self._words(caption) for caption in captions]
        distinct = {text: row for row, text in enumerate(dict.fromkeys(words))}
        vectors = directions(self._read(list(distinct)))
        row = {caption: distinct[text] for caption, text in zip(captions, words, strict=True)}
        empty = distinct.get((), -1)
        found = []
        for item in pace.each(items):
            left, right = row[item.candidate], [row[text] for text in item.references]
            values = np.clip((vectors[right] * vectors[left]).sum(axis=1), -1.0, 1.0).tolist()
            found.append([None if empty in (left, at) else value for at, value in zip(right, values, strict=True)])
        return found

    def _read(self, captions: Sequence[Words]) -> Array:
        found = np.zeros((len(captions), self._network.size))
        order = sorted(range(len(captions)), key=lambda place: len(captions[place]))  # of one length together
        starts = range(0, len(order), AT_ONCE)
        for start in self.shared.track("I2CE", starts, len(starts)):
            rows = order[start : start + AT_ONCE]
            found[rows] = self._network.read([captions[place] for place in rows])
        return found

    def score(self, items: Sequence[CaptionItem]) -> MetricResult:
        found = self._cosines(items)
        values = np.array([pool(row, self.options.top_k) for row in found])
        notes = {row: note for row, cosines in enumerate(found) if (note := self._note(items[row], cosines))}
        return MetricResult(segments={"i2ce": values}, statistics=values[:, None], notes=notes)

    def corpus(self, statistics: Array) -> dict[str, float]:
        return {"i2ce": float(statistics.mean())}

    def unknown(self, caption: str) -> Unknown:
        words = self._words(caption)
        return Unknown(sum(not self._network.knows(word) for word in words), len(words), "I2CE's network")

    def _note(self, item: CaptionItem, cosines: Sequence[float | None]) -> str:
        missing = cosines.count(None)
        if not missing:
            return ""
        if not self._words(item.candidate):
            return "The candidate has no words: similarity 0."
        if missing == len(cosines):
            return "No reference has words: similarity 0."
        return f"Left out: {missing} of {len(cosines)} references, which have no words."

    def explain(self, item: CaptionItem, key: str) -> I2ceExplanation:
        (cosines,) = self._cosines([item])
        value = pool(cosines, self.options.top_k)
        words = self._words(item.candidate)
        rebuilt = self._rebuilt(words)
        kept, added = alignment(words, rebuilt)
        chosen = nearest(cosines, self.options.top_k)
        texts = [self._words(text) for text in item.references]
        return I2ceExplanation(
            value=value,
            note=self._note(item, cosines),
            words=words,
            influences=tuple(value - without for without in self._without(words, texts)),
            unknown=tuple(not self._network.knows(word) for word in words),
            references=tuple(
                I2ceReference(text, tuple(word for word in text if not self._network.knows(word)), cosine, at in chosen)
                for at, (text, cosine) in enumerate(zip(texts, cosines, strict=True))
            ),
            rebuilt=rebuilt,
            kept=kept,
            added=added,
            top_k=self.options.top_k,
            model=networks.label(FAMILY, self.options.model),
        )

    def _rebuilt(self, words: Words) -> Words:
        """Not much longer than the candidate: a decoder that lost its way never ends."""
        if not words:
            return ()
        return self._network.rebuild(self._network.read([words]), longest=2 * len(words) + 5)[0]

    def _without(self, words: Words, references: Sequence[Words]) -> list[float]:
        """The value of the candidate without each of its words."""
        shorter = [words[:place] + words[place + 1 :] for place in range(len(words))]
        vectors = directions(self._read([*shorter, *references]))
        left, right = vectors[: len(shorter)], vectors[len(shorter) :]
        found = []
        for text, vector in zip(shorter, left, strict=True):
            cosines = np.clip((right * vector).sum(axis=1), -1.0, 1.0).tolist()
            defined = [value if text and other else None for value, other in zip(cosines, references, strict=True)]
            found.append(pool(defined, self.options.top_k))
        return found
