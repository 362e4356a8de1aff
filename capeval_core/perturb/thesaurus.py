"""Which words may stand for a word: METEOR's WordNet synsets, read with the eyes of somebody who writes captions.

Common caption words are reviewed by hand (data/caption_synonyms.txt): WordNet offers `frank` for dog and `frequency`
for man's every sense. Nouns and verbs there are close in METEOR's file or in vector space, adjectives and adverbs near
in meaning, which that file does not record. Senses are parted by `|`; the words in brackets are what is seen with one,
and the sense whose words are nearest to the sentence is taken, also where it has no synonym (the bars of a playground).
`+` behind a verb: only with an object, `~`: only without. A plural among the nouns stands for that form alone.
Any other word gets synset mates that are common, of its part of speech and near it in vector space.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from capeval_core.perturb.wordlists import word_set
from capeval_core.resources import idf, wordnet
from capeval_core.resources.loading import load_once
from capeval_core.resources.vectors import PACKAGED, Array, WordVectors, open_vectors

FEW_SENSES = 4  # a word of more is left alone unless reviewed
NEAR = 0.62  # cosine
NEAR_HALF = 0.4
COMMON = 12_000  # rank in the vectors' file, which is sorted by frequency
IN_CAPTIONS = 5  # images of COCO val2014
# Read as something else in captions, or not said of pictures.
_NEVER = word_set(
    "be have do get go make take let can will front back top side bottom middle left right end part way time day lot "
    "kind type sort bit background foreground other another next same one something anything everything air line "
    "asian african american caucasian indian black white red blue green yellow orange pink purple brown male female "
    "bread sugar cabbage lettuce dough chocolate coffee crude hand man any all also too alone by dust gift fare league "
    "conference michigan chicago america usa effort campaign aim appliance convenience depot dawn morning eve egg "
    "bathroom batter plenty patrol not non leaf finger thumb menu instruction mix joke memorial site video mall plaza "
    "curious interested relish dozen holiday vacation eating feeding honor ceiling "
    "area wood machine ready practice cow cattle"
)
# WordNet's, but not what is seen in pictures, or not said in captions.
_NEVER_PAIRED = frozenset((
    "beach wagon", "blue air", "blue devil", "capitol hill", "cargo area", "cat suit", "charity throw", "chinese wall",
    "clean room", "drinking fountain", "evening shirt", "federal soldier", "fire tree", "golf cap", "gum boot",
    "high hat", "home office", "ice bear", "manufactured home", "old boy", "optical lens", "populated area",
    "second balcony", "silver storm", "speed cop", "straw man", "stunt woman", "swimming bath", "tip truck",
    "wall street", "warning light", "water clock", "watering place", "white book", "white room", "young buck",
))  # fmt: skip


@load_once()
def vectors() -> WordVectors:
    return open_vectors(PACKAGED)


@lru_cache(maxsize=1 << 15)
def vector(word: str) -> Array | None:
    if not vectors().known(word):
        return None
    found = vectors().rows([word])[0]
    length = float(np.linalg.norm(found))
    return found / length if length else None


def similarity(first: str, second: str) -> float:
    one, other = vector(first), vector(second)
    return float(one @ other) if one is not None and other is not None else 0.0


@load_once()
def caption_words() -> dict[str, int]:
    """In how many images of COCO val2014 each word occurs."""
    table = idf.open_table("coco")
    return dict(zip(table.index.words, table.counts.tolist(), strict=False))


def rank(word: str) -> int:
    return vectors().index.get(word, 1 << 30)


@dataclass(frozen=True, slots=True)
class Sense:
    words: tuple[str, ...]  # the best first
    seen_with: tuple[str, ...]


@load_once()
def _reviewed() -> dict[tuple[str, str], tuple[Sense, ...]]:
    """(first letter of the tag, lemma) -> senses."""
    found, part = {}, ""
    text = (Path(__file__).parents[1] / "data" / "caption_synonyms.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("#"):
            part = {"nouns": "N", "verbs": "V", "adjectives": "J", "adverbs": "R"}[line.removeprefix("# ")]
        elif line:
            word, senses = line.split(": ")
            found[part, word] = tuple(map(_sense, senses.split("|")))
    return found


def _sense(text: str) -> Sense:
    words, _, seen_with = text.strip().rstrip(")").partition("(")
    return Sense(tuple(words.split()), tuple(seen_with.split()))


def reviewed() -> dict[tuple[str, str], tuple[str, ...]]:
    """(first letter of the tag, lemma) -> the words of every sense, with their marks."""
    return {key: tuple(word for sense in senses for word in sense.words) for key, senses in _reviewed().items()}


def is_reviewed(lemma: str, part: str) -> bool:
    return (part, lemma) in _reviewed()


def mates(
    lemma: str,
    part: str,
    *,
    has_object: bool = False,
    context: Array | None = None,
    beside: frozenset[str] = frozenset(),
) -> tuple[str, ...]:
    """Lemmas for a lemma of part of speech N, V, J or R, the best first; of the sense that fits a given context.

    `beside`: the sentence's own lemmas; a sense seen with one of them is the one."""
    senses = _reviewed().get((part, lemma))
    if senses is None:
        return _from_wordnet(lemma, part)
    if context is not None and len(senses) > 1:
        near = [sense for sense in senses if beside & {*sense.seen_with} - {lemma}]
        senses = (max(near or senses, key=lambda sense: _fit(sense, context)),)
    wrong = "~" if has_object else "+"
    words = [word for sense in senses for word in sense.words]
    return tuple(word.rstrip("+~") for word in words if part != "V" or not word.endswith(wrong))


def _fit(sense: Sense, context: Array) -> float:
    found = added(sense.seen_with or sense.words)
    length = float(np.linalg.norm(found))
    return float(found @ context) / length if length else 0.0


def added(words: Iterable[str]) -> Array:
    """The sum of the words' vectors, each of length 1 before."""
    total: Array = np.zeros(vectors().dims)
    for row in map(vector, words):
        if row is not None:
            total += row
    return total


@lru_cache(maxsize=1 << 14)
def _from_wordnet(lemma: str, part: str) -> tuple[str, ...]:
    senses = [number for number in wordnet.listed(lemma) if _fits(number, part)]
    if lemma in _NEVER or part in ("V", "R") or not 0 < len(senses) <= FEW_SENSES:
        return ()  # of verbs and adverbs only those reviewed: their synonyms take other objects and prepositions
    options = {word for number in senses for word in wordnet.words(number) if _usable(word, lemma, part)}
    near = [word for word in options if similarity(word, lemma) >= NEAR]
    return tuple(sorted(near, key=rank))


def _fits(number: int, part: str) -> bool:
    return wordnet.kind(number) in ("", "noun" if part == "N" else "other")


def _usable(word: str, lemma: str, part: str) -> bool:
    if part == "N" and (wordnet.base_forms(word) or word.endswith(("ing", "ly", "ed"))):
        return False
    if word == lemma or not word.isalpha() or len(word) < 3 or word in _NEVER or rank(word) > COMMON:
        return False
    if word[:4] == lemma[:4] or caption_words().get(word, 0) < IN_CAPTIONS:  # driver's, driving: the same word again
        return False
    senses = [number for number in wordnet.listed(word) if _fits(number, part)]
    return 0 < len(senses) <= FEW_SENSES and len(senses) * 2 >= len(wordnet.listed(word))


@lru_cache(maxsize=1 << 14)
def paired(first: str, second: str) -> tuple[str, ...]:
    """Two words for two words that are one entry: life jacket -> life vest."""
    entry = f"{first}_{second}"
    words = (word for number in wordnet.listed(entry) for word in wordnet.words(number))
    options = [word for word in words if word != entry and word.count("_") == 1 and word.replace("_", "").isalpha()]
    known = [word for word in options if all(rank(half) < 2 * COMMON for half in word.split("_"))]
    texts = (word.replace("_", " ") for word in dict.fromkeys(known) if _alike(word, first, second))
    return tuple(text for text in texts if text not in _NEVER_PAIRED)


def _alike(word: str, first: str, second: str) -> bool:
    """One half stays, the other is near in meaning: not cork jacket, not true pine."""
    one, other = word.split("_")
    return (one == first and similarity(other, second) > NEAR_HALF) or (
        other == second and similarity(one, first) > NEAR_HALF
    )


def is_entry(first: str, second: str) -> bool:
    return bool(wordnet.listed(f"{first}_{second}"))
