"""How two words, or two phrases, may be matched: METEOR's four modules, and the order in which matches are tried.

Reference: the matchers of METEOR 1.5. No module suppresses another: `dogs` and `dog` are linked by stem and by synset.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from capeval_core import pace
from capeval_core.resources.wordnet import synsets
from capeval_core.text.java_hash import java_hash
from capeval_core.text.stems import stem

MODULES = ("exact", "stem", "synonym", "paraphrase")

# The search sorts by total gain (most first), chunks, distance (least first): parts of one number, so that one
# comparison does. alignment.py gives search.py no texts so long that a distance could reach a chunk, or chunks a gain.
CHUNK = 1 << 32
GAIN = 1 << 48


class Link(NamedTuple):
    """Why a unit of the reference matches a unit of the candidate."""

    rank: int  # matches that start at one reference word are tried in the order of rank + (candidate place << shift)
    shift: int
    cost: int  # what choosing the match adds to the search's sort number
    length: int  # words on the reference's side
    module: int


def word_links(words: Sequence[str]) -> Iterator[tuple[int, int, Link]]:
    """(reference word, candidate word, link) for all pairs, by place in `words`."""
    keys = [word_key(word) for word in pace.each(words)]
    stems = [word_key(stem(word)) for word in pace.each(words)]
    synonyms = [synsets(word) for word in pace.each(words)]
    # A single word gains 1 + 1 if exact; else the program's weight of a half is cut to 0 on both sides.
    for module, gain, labels in ((0, 2, [[key] for key in keys]), (1, 0, [[key] for key in stems]), (2, 0, synonyms)):
        link = Link(rank=module << 60, shift=0, cost=-gain * GAIN, length=1, module=module)
        for first, second in _sharing(labels):
            if module == 0 or keys[first] != keys[second]:
                yield first, second, link


@lru_cache(maxsize=1 << 14)
def paraphrase_links(source_length: int, target_length: int, entry: int) -> tuple[Link, Link]:
    """A table entry, the `entry`-th of its source, links the reference's source to the candidate's target, and back."""
    cost = -(source_length // 2 + target_length // 2) * GAIN
    # Reference as source: tried by source length, then entry, then place. Candidate as source: by place, length, entry.
    there = Link(3 << 60 | source_length << 56 | entry << 24, 0, cost, source_length, 3)
    back = Link(4 << 60 | source_length << 20 | entry, 24, cost, target_length, 3)
    return there, back


@lru_cache(maxsize=1 << 17)
def word_key(word: str) -> int:
    """METEOR tells words apart by this 32-bit number only, so `or` and `q4` are the same word to it."""
    return java_hash(word)


def _sharing(labels: Sequence[Iterable[int]]) -> set[tuple[int, int]]:
    """All ordered pairs, also of one with itself, that have a label in common."""
    members: dict[int, list[int]] = defaultdict(list)
    for place, own in enumerate(labels):
        for label in own:
            members[label].append(place)
    return {(first, second) for group in members.values() for first in group for second in group}
