"""Proposed tuples -> scene graph: words that share a WordNet synset become one object.

SPICE.md, part B3. A candidate has one graph; all references of an item have one together, their tuples in the given
order. Merging is greedy and never undone: a merged concept has all its words' synsets, and later words are compared
with those.

Ties: of equally similar concepts the **oldest wins**. The original takes the first in the order of an identity hash,
that is an arbitrary one (equal items get different graphs within one run), so its merged words cannot always be met.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache

from capeval_core.metrics.spice.tuples import Tuple
from capeval_core.resources.wordnet import synsets
from capeval_core.text.java_hash import java_hash


@dataclass(frozen=True, slots=True)
class Concept:
    words: tuple[str, ...]  # in the original's order of display
    synsets: frozenset[int]

    def __str__(self) -> str:
        return "/".join(self.words)


@dataclass(frozen=True, slots=True)
class Scene:
    """`attributes` and `relations` name their objects by place in `objects`. All oldest first."""

    objects: tuple[Concept, ...]
    attributes: tuple[tuple[int, Concept], ...]  # object, attribute
    relations: tuple[tuple[int, Concept, int], ...]  # subject, predicate, object

    def tuples(self) -> list[tuple[Concept, ...]]:
        """Objects, then attributes, then relations."""
        objects = self.objects
        return [
            *((concept,) for concept in objects),
            *((objects[place], attribute) for place, attribute in self.attributes),
            *((objects[subject], predicate, objects[other]) for subject, predicate, other in self.relations),
        ]


@lru_cache(maxsize=1 << 16)
def concept(string: str) -> Concept:
    return Concept((string,), synsets(string.strip().lower().replace(" ", "_")))


def similar(one: Concept, other: Concept) -> bool:
    """Whether they share a word or a synset."""
    return not (one.synsets.isdisjoint(other.synsets) and _disjoint(one.words, other.words))


def _disjoint(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    if len(one) == 1 == len(other):
        return one != other
    return not any(word in other for word in one)


def _similarity(one: Concept, other: Concept) -> float:
    # The original divides in single precision; no two fractions of sets below 4,000 synsets are equal there only.
    if not _disjoint(one.words, other.words):
        return 1.0
    shared = len(one.synsets & other.synsets)
    return shared / (len(one.synsets) + len(other.synsets) - shared) if shared else 0.0


def _merged(old: Concept, new: Concept) -> Concept:
    words = dict.fromkeys(old.words + new.words)
    return Concept(_display_order(words), old.synsets | new.synsets)


def _display_order(words: Collection[str]) -> tuple[str, ...]:
    """The order of Java's HashSet. Only so do the tuples look like the original's and sort like them (see score.py)."""
    buckets = 16
    while 4 * len(words) > 3 * buckets:
        buckets *= 2
    return tuple(sorted(words, key=lambda word: _spread(java_hash(word)) % buckets))


def _spread(number: int) -> int:
    return number ^ (number >> 16)


def build_scene(tuples: Iterable[Tuple]) -> Scene:
    builder = _Builder()
    for parts in tuples:
        builder.add(parts)
    return builder.scene()


class _Builder:
    """A scene under construction."""

    def __init__(self) -> None:
        self.objects: list[Concept] = []
        self.attributes: list[list[Concept]] = []  # by object
        self.relations: dict[tuple[int, int], list[Concept]] = {}  # by subject and object
        # word -> the object it founded. It always comes back to it: no other object shares the word, and an older one,
        # having had none of its synsets then, cannot have just the same now.
        self.founded: dict[str, int] = {}

    def add(self, parts: Tuple) -> None:
        if len(parts) == 1:
            self._place(parts[0])
        elif len(parts) == 2:
            _absorb(self.attributes[self._place(parts[0])], concept(parts[1]))
        else:
            subject, predicate, other = parts
            ends = self._place(subject), self._place(other)
            _absorb(self.relations.setdefault(ends, []), concept(predicate.removeprefix("be ")))

    def _place(self, word: str) -> int:
        """The object for `word`: an equal one, else the most similar one, which takes the word in, else a new one."""
        place = self.founded.get(word)
        if place is not None:
            return place
        new = concept(word)
        place, best = -1, 0.0
        for other, known in enumerate(self.objects):
            if similar(known, new) and (found := _similarity(known, new)) > best:
                place, best = other, found
        if place < 0:
            self.founded[word] = len(self.objects)
            self.objects.append(new)
            self.attributes.append([])
            return len(self.objects) - 1
        self.objects[place] = _merged(self.objects[place], new)
        return place

    def scene(self) -> Scene:
        attributes = ((place, c) for place, found in enumerate(self.attributes) for c in found)
        relations = ((s, c, o) for (s, o), found in self.relations.items() for c in found)
        return Scene(tuple(self.objects), tuple(attributes), tuple(relations))


def _absorb(known: list[Concept], new: Concept) -> None:
    """Add `new` unless an equal concept is there; a similar one, the oldest, takes it in."""
    if new in known:
        return
    for place, old in enumerate(known):
        if similar(old, new):
            known[place] = _merged(old, new)
            return
    known.append(new)
