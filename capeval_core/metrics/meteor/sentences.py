"""A batch of distinct captions made ready for matching: words and phrases as numbers, and the links between them.

A *unit* is a word of the batch, or a phrase of two to seven of its words that the paraphrase table relates to another
unit of the batch. What matching needs is worked out here, once per unit and caption: each caption meets several others.
"""

from __future__ import annotations

import zipfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from capeval_core import pace
from capeval_core.metrics.meteor.links import Link, paraphrase_links, word_key, word_links
from capeval_core.metrics.meteor.normalise import tokenize
from capeval_core.metrics.meteor.phrases import Phrases, find_phrases
from capeval_core.resources.files import locate
from capeval_core.resources.loading import load_once
from capeval_core.resources.paraphrases import ParaphraseIndex

Place = tuple[int, int]  # first word, the word after the last


@dataclass(frozen=True, slots=True)
class Sentence:
    words: tuple[int, ...]  # units
    function_words: int  # bit mask
    starting: tuple[tuple[int, ...], ...]  # for each word the units that start there, shortest first
    places: dict[int, tuple[Place, ...]]  # where each unit is
    units: frozenset[int]


@dataclass(frozen=True, slots=True)
class Batch:
    words: list[str]
    keys: list[int]  # of the words
    sentences: list[Sentence]
    links: list[dict[int, tuple[Link, ...]]]  # unit of the reference -> unit of the candidate -> links
    linked: list[frozenset[int]]  # the units that a unit has links to


def prepare(texts: Iterable[str], index: ParaphraseIndex) -> Batch:
    """Captions as the COCO tokenizer left them, each given once."""
    vocabulary = _Vocabulary()
    captions = [tuple(map(vocabulary.__getitem__, tokenize(text))) for text in pace.each(texts)]
    words = list(vocabulary)
    phrases = find_phrases(captions, words, index)
    lengths = [1] * len(words) + phrases.lengths
    listed = ["1" if word in function_words() else "0" for word in words]
    sentences = [
        _sentence(units, occurrences, lengths, listed)
        for units, occurrences in pace.each(zip(captions, phrases.occurrences, strict=True))
    ]
    links = _links(words, lengths, phrases)
    return Batch(words, [word_key(word) for word in words], sentences, links, [frozenset(others) for others in links])


class _Vocabulary(dict[str, int]):
    """Counts words as they come."""

    def __missing__(self, word: str) -> int:
        self[word] = count = len(self)
        return count


def _sentence(
    words: tuple[int, ...], phrases: Sequence[tuple[int, int]], lengths: Sequence[int], listed: Sequence[str]
) -> Sentence:
    starting = list(map(_alone, words))
    places = {unit: _single_place(place) for place, unit in enumerate(words)}
    if len(places) < len(words):
        places |= _all_places(words)
    for place, unit in phrases:
        starting[place] += (unit,)
        places[unit] = (*places.get(unit, ()), (place, place + lengths[unit]))
    function_words = int("".join([listed[unit] for unit in reversed(words)]) or "0", base=2)
    return Sentence(words, function_words, tuple(starting), places, frozenset(places))


def _all_places(words: Sequence[int]) -> dict[int, tuple[Place, ...]]:
    places: dict[int, list[Place]] = defaultdict(list)
    for place, unit in enumerate(words):
        places[unit] += _single_place(place)
    return {unit: tuple(found) for unit, found in places.items()}


# Made once and shared by all captions: a large batch otherwise holds millions of small tuples.
@cache
def _alone(unit: int) -> tuple[int, ...]:
    return (unit,)


@lru_cache(maxsize=256)
def _single_place(place: int) -> tuple[Place, ...]:
    return ((place, place + 1),)


def _links(words: Sequence[str], lengths: Sequence[int], phrases: Phrases) -> list[dict[int, tuple[Link, ...]]]:
    links: list[dict[int, tuple[Link, ...]]] = [{} for _ in lengths]
    for first, second, link in pace.each(word_links(words)):
        links[first][second] = (*links[first].get(second, ()), link)
    for source, target, entry in pace.each(phrases.entries):
        there, back = paraphrase_links(lengths[source], lengths[target], entry)
        links[source][target] = (*links[source].get(target, ()), there)
        links[target][source] = (*links[target].get(source, ()), back)
    return links


@load_once()
def function_words() -> frozenset[str]:
    """Words that METEOR gives less weight."""
    with zipfile.ZipFile(locate("meteor-jar")) as jar:
        return frozenset(jar.read("function/english.words").decode("utf-8").split())
