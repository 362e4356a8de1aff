"""The best alignment of a candidate and a reference."""

from __future__ import annotations

from capeval_core.metrics.meteor.links import CHUNK
from capeval_core.metrics.meteor.matching import Match, find_matches, only_choices
from capeval_core.metrics.meteor.search import search
from capeval_core.metrics.meteor.sentences import Batch, Sentence
from capeval_core.metrics.meteor.wide_search import wide_search

Alignment = list[tuple[int, Match]]  # reference place and match, in the order of the places

_WIDE = 24  # matches per reference word from which on wide_search() is the faster one


def align(candidate: Sentence, reference: Sentence, batch: Batch) -> Alignment:
    if _same_words(candidate, reference, batch):
        # Only exact matches are made, and word by word is the first alignment the search comes to and never beaten.
        return [(place, (0, place, place + 1, 1 << place, 0, 1, 0)) for place in range(len(reference.words))]
    matches = find_matches(candidate, reference, batch)
    fixed = only_choices(matches)
    many = sum(map(len, matches))
    if many > _WIDE * len(matches) or many * max(len(candidate.words), len(reference.words)) >= CHUNK:
        return wide_search(matches, fixed, len(candidate.words))
    return search(matches, fixed)


def _same_words(candidate: Sentence, reference: Sentence, batch: Batch) -> bool:
    if len(candidate.words) != len(reference.words):
        return False
    keys = batch.keys
    return all(keys[one] == keys[other] for one, other in zip(candidate.words, reference.words, strict=True))
