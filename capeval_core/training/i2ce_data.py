"""The captions I2CE learns from: words as rows of a table, batches by variant, and which images are held back."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor

from capeval_core import pace
from capeval_core.errors import InvalidInput
from capeval_core.resources.sentence_network import PAD, SPECIAL, UNKNOWN, SentenceNetwork
from capeval_core.resources.vectors import open_vectors
from capeval_core.text import ptb

Captions = Mapping[str, Sequence[str]]  # by image
T = TypeVar("T")
LEAST_IMAGES, LEAST_CAPTIONS = 20, 100
HELD_BACK = 0.05  # of the images, where nothing else is given to validate on
MOST_HELD_BACK = 500


@dataclass(frozen=True, slots=True)
class Batch:
    rows: Tensor  # (captions, words), the longest caption first
    lengths: Tensor
    images: Tensor  # a number per caption


def tokenized(captions: Captions) -> dict[str, list[list[str]]]:
    """COCO tokens by image; captions without words are left out."""
    found = {image: [ptb.tokenize(text).split(" ") for text in texts] for image, texts in pace.each(captions.items())}
    kept = {image: [words for words in texts if words != [""]] for image, texts in found.items()}
    return {image: texts for image, texts in kept.items() if texts}


def enough(captions: Mapping[str, Sequence[object]]) -> None:
    """Said before any work is done."""
    count = sum(map(len, captions.values()))
    if len(captions) < LEAST_IMAGES or count < LEAST_CAPTIONS:
        raise InvalidInput(
            "too little to learn from",
            expected=f"at least {LEAST_CAPTIONS} captions of {LEAST_IMAGES} images",
            found=f"{count} captions of {len(captions)} images",
            fix="give captions of more images",
        )
    if max(map(len, captions.values())) < 2:
        found = "one of each"
        fix = "give captions of images that several people described"
        raise InvalidInput("no image has two captions", expected="several captions of each image", found=found, fix=fix)


def split(captions: Mapping[str, T]) -> tuple[dict[str, T], dict[str, T]]:
    """Images to learn from and images to validate on: by a hash of their names, so that it is the same every time."""
    order = sorted(captions, key=lambda image: hashlib.sha256(image.encode()).digest())
    count = min(MOST_HELD_BACK, max(5, round(HELD_BACK * len(order))))
    back = set(order[:count])
    return {i: captions[i] for i in captions if i not in back}, {i: captions[i] for i in captions if i in back}


def vocabulary(captions: Mapping[str, Sequence[Sequence[str]]], least: int) -> tuple[str, ...]:
    """Words seen `least` times or more, the most frequent first."""
    counts = Counter(word for texts in captions.values() for words in texts for word in words)
    kept = [word for word, count in counts.items() if count >= least]
    return tuple(sorted(kept, key=lambda word: (-counts[word], word)))


class Corpus:
    """Captions as rows of the table of words."""

    def __init__(self, captions: Mapping[str, Sequence[Sequence[str]]], words: Sequence[str], longest: int) -> None:
        row = {word: place for place, word in enumerate(words, SPECIAL)}
        texts = [text[:longest] for group in captions.values() for text in group]
        self.sizes = np.array([len(group) for group in captions.values()])  # captions of each image
        self.first = np.cumsum(self.sizes) - self.sizes
        self.images = np.repeat(np.arange(len(self.sizes)), self.sizes)
        self.lengths = np.array([len(text) for text in texts])
        self._rows = np.full((len(texts), longest), PAD, dtype=np.int32)
        for place, text in enumerate(pace.each(texts)):
            self._rows[place, : len(text)] = [row.get(word, UNKNOWN) for word in text]

    def __len__(self) -> int:
        return len(self.lengths)

    def take(self, chosen: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Batch:
        order = chosen[np.argsort(-self.lengths[chosen], kind="stable")]
        lengths = self.lengths[order]
        rows = self._rows[order, : lengths[0]].astype(np.int64)
        return Batch(torch.from_numpy(rows), torch.from_numpy(lengths), torch.from_numpy(self.images[order]))

    def in_order(self, size: int) -> Iterator[Batch]:
        for start in range(0, len(self), size):
            yield self.take(np.arange(start, min(start + size, len(self))))

    def shuffled(self, size: int, random: np.random.Generator) -> Iterator[Batch]:
        """Every caption once, in batches of `size`."""
        order = random.permutation(len(self))
        for start in range(0, len(order), size):
            yield self.take(order[start : start + size])

    def pairs(self, size: int, random: np.random.Generator) -> Iterator[Batch]:
        """As many captions, two of an image each time: the images in random order, again and again, other captions
        each time. An image with a single caption gives that one only."""
        wanted, taken = len(self), 0
        waiting: list[int] = []
        while taken < wanted:
            for image in random.permutation(len(self.sizes)):
                count = min(2, int(self.sizes[image]))
                waiting += (self.first[image] + random.choice(self.sizes[image], count, replace=False)).tolist()
                if len(waiting) >= size or taken + len(waiting) >= wanted:
                    yield self.take(np.array(waiting))
                    taken, waiting = taken + len(waiting), []
                    if taken >= wanted:
                        return


def enough_to_validate(captions: Mapping[str, Sequence[object]]) -> None:
    if sum(len(texts) > 1 for texts in captions.values()) < 2:
        found = f"{len(captions)} images"
        expected = "two images or more with several captions each"
        raise InvalidInput("too little to validate on", expected=expected, found=found, fix="give more captions")


def least_count(captions: Mapping[str, Sequence[object]]) -> int:
    """How often a word must be seen: among many captions rare words are misspelt, of few captions all words count."""
    count = sum(map(len, captions.values()))
    return 4 if count > 100_000 else 2 if count > 5_000 else 1


def begin_with(network: SentenceNetwork, words: Sequence[str], source: str) -> None:
    """The table of words begins with word vectors: their directions of most variance where they are longer, filled up
    with the random numbers that were there where they are shorter. Each row keeps the length it had."""
    vectors = open_vectors(source)
    known = [(row, vectors.index[word]) for row, word in enumerate(words, SPECIAL) if word in vectors.index]
    if not known:
        return
    rows, places = map(list, zip(*known, strict=True))
    found = np.asarray(vectors.matrix)[places].astype(np.float64)
    size = network.config.embedding
    if found.shape[1] > size:
        centred = found - found.mean(0)
        _, axes = np.linalg.eigh(centred.T @ centred)
        found = centred @ axes[:, ::-1][:, :size]
    found *= network.config.embedding**-0.5 / found.std()
    table = network.word.weight.data
    table[rows, : found.shape[1]] = torch.from_numpy(found.astype(np.float32))
