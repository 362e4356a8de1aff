"""Candidate and reference scene graphs -> matched tuples, counts and the F-scores of seven categories.

SPICE.md, part B4. A candidate tuple is matched when some reference tuple of the same length is similar to it part by
part; there is no one-to-one assignment. Counts (matched, candidate tuples, reference tuples) are the statistics of an
item, everything else follows from them. `explain` reads the same matches as `statistics`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from capeval_core import pace
from capeval_core.metrics.spice.scene import Concept, Scene, build_scene, concept, similar
from capeval_core.metrics.spice.tuples import Tuple

Array = npt.NDArray[np.float64]
Tuples = tuple[Tuple, ...]  # of one caption

CATEGORIES = ("All", "Object", "Attribute", "Relation", "Color", "Cardinality", "Size")
_KINDS = CATEGORIES[1:4]  # by the length of the tuple

_WORDS = {
    "Color": (
        "black brown blue red yellow pink gray grey green dark light white cream orange purple maroon beige violet"
    ),
    "Cardinality": "one two three four five six seven eight nine ten",
    "Size": (
        "baby illimitable scrawny beefy immeasurable short big immense sizable bony infinitesimal skeletal "
        "boundless lanky skimpy brawny large skinny broad lean slender bulky life-size slim chunky limitless "
        "small colossal little squat compact mammoth stocky corpulent massive stout cosmic meager strapping "
        "cubby measly sturdy curvy microscopic tall elfin mini teensy emaciated miniature teeny endless "
        "minuscule teeny-tiny enormous minute teeny-weeny epic narrow thick expansive obese thickset "
        "extensive outsized thin fat oversize tiny fleshy overweight titanic full-size paltry towering "
        "gargantuan petite trifling gaunt pint-size trim giant plump tubby gigantic pocket-size undersized "
        "grand portly underweight great pudgy unlimited heavy puny vast hefty rotund wee huge scanty whopping "
        "hulking scraggy wide"
    ),
}
_GROUPS = {word: group for group, words in _WORDS.items() for word in words.split()}


@dataclass(frozen=True, slots=True)
class Link:
    """Why two parts are similar: the same word, or two words with a synset in common."""

    candidate: str
    reference: str
    synset: int | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """A candidate tuple and the reference tuple it met, by their places in Evidence."""

    candidate: int
    reference: int
    links: tuple[Link, ...]  # one per part


@dataclass(frozen=True, slots=True)
class SceneTuple:
    parts: tuple[str, ...]  # merged words joined by "/"
    kind: str  # Object, Attribute or Relation
    group: str  # Color, Cardinality, Size or empty
    matched: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    """The tuples stand in the order of Scene.tuples()."""

    candidate: tuple[SceneTuple, ...]
    references: tuple[SceneTuple, ...]
    matches: tuple[Match, ...]
    candidate_scene: Scene
    reference_scene: Scene
    counts: dict[str, tuple[int, int, int]]  # category -> matched, candidate tuples, reference tuples


def statistics(candidates: Sequence[Tuples], references: Sequence[tuple[Tuples, ...]]) -> Array:
    """(items, 7 categories, 3): matched, candidate and reference tuples. `references`: per item, per caption."""
    scenes: dict[tuple[Tuples, ...], Scene] = {}
    rows = []
    for candidate, captions in pace.each(zip(candidates, references, strict=True)):
        reference = scenes.get(captions)
        if reference is None:
            reference = scenes[captions] = build_scene(chain.from_iterable(captions))
        rows.append(_counts(build_scene(candidate), reference))
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(CATEGORIES), 3)


def measures(counts: Array) -> tuple[Array, Array, Array]:
    """Precision, recall and F per category: (..., 7, 3) -> three of (..., 7).

    Without reference tuples a category is NaN, save "All", which is 0; without candidate tuples it is 0.
    """
    matched, candidate, reference = counts[..., 0], counts[..., 1], counts[..., 2]
    precision = np.divide(matched, candidate, out=np.zeros_like(matched), where=candidate > 0)
    recall = np.divide(matched, reference, out=np.zeros_like(matched), where=reference > 0)
    total = precision + recall
    f_score = np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total > 0)
    undefined = (reference == 0) & (np.array(CATEGORIES) != "All")
    for values in (precision, recall, f_score):
        values[undefined] = np.nan
    return precision, recall, f_score


def explain(candidate: Tuples, references: tuple[Tuples, ...]) -> Evidence:
    """The scenes, their tuples, and which met which through which words."""
    one, other = build_scene(candidate), build_scene(chain.from_iterable(references))
    matches = _matches(one, other)
    ours, theirs = one.tuples(), other.tuples()
    # The original credits the first match in sorted order.
    shown = [tuple(map(str, parts)) for parts in theirs]
    credited = {place: min(found, key=lambda n: shown[n]) for place, found in enumerate(matches) if found}
    met = set(credited.values())
    return Evidence(
        tuple(_scene_tuple(parts, bool(matches[place])) for place, parts in enumerate(ours)),
        tuple(_scene_tuple(parts, place in met) for place, parts in enumerate(theirs)),
        tuple(Match(place, at, _links(ours[place], theirs[at])) for place, at in credited.items()),
        one,
        other,
        dict(zip(CATEGORIES, _counts(one, other), strict=True)),
    )


def _counts(candidate: Scene, reference: Scene) -> list[tuple[int, int, int]]:
    """Per category: matched, candidate tuples, reference tuples."""
    matches = _matches(candidate, reference)
    attributes = len(candidate.objects), len(candidate.objects) + len(candidate.attributes)
    found = [bool(match) for match in matches]
    parts = (found, found[: attributes[0]], found[attributes[0] : attributes[1]], found[attributes[1] :])
    kinds = len(reference.objects), len(reference.attributes), len(reference.relations)
    counts = [(sum(part), len(part), size) for part, size in zip(parts, (sum(kinds), *kinds), strict=True)]
    ours = [_group(attribute) for _, attribute in candidate.attributes]
    theirs = [_group(attribute) for _, attribute in reference.attributes]
    # Inside a group only its own tuples meet: "gray" does not meet a merged "gray/grey", which is in no group.
    met = [
        group
        for group, match in zip(ours, matches[attributes[0] :], strict=False)
        if group and any(theirs[place - len(reference.objects)] == group for place in match)
    ]
    return counts + [(met.count(group), ours.count(group), theirs.count(group)) for group in CATEGORIES[4:]]


def _matches(candidate: Scene, reference: Scene) -> list[list[int]]:
    """For each candidate tuple the places of the reference tuples it matches, both in the order of Scene.tuples()."""
    alike = [[n for n, other in enumerate(reference.objects) if similar(one, other)] for one in candidate.objects]
    attributes: dict[int, list[tuple[int, Concept]]] = {}
    for number, (place, attribute) in enumerate(reference.attributes, len(reference.objects)):
        attributes.setdefault(place, []).append((number, attribute))
    relations: dict[tuple[int, int], list[tuple[int, Concept]]] = {}
    start = len(reference.objects) + len(reference.attributes)
    for number, (subject, predicate, other) in enumerate(reference.relations, start):
        relations.setdefault((subject, other), []).append((number, predicate))
    found = list(alike)
    for place, attribute in candidate.attributes:
        near = [pair for n in alike[place] for pair in attributes.get(n, ())]
        found.append([number for number, other in near if similar(attribute, other)])
    for subject, predicate, other in candidate.relations:
        near = [pair for s in alike[subject] for o in alike[other] for pair in relations.get((s, o), ())]
        found.append([number for number, other_predicate in near if similar(predicate, other_predicate)])
    return found


def _group(attribute: Concept) -> str:
    """Color, Cardinality or Size, if the attribute is one listed word; merged words belong to none."""
    return _GROUPS.get(attribute.words[0], "") if len(attribute.words) == 1 else ""


def _scene_tuple(parts: tuple[Concept, ...], matched: bool) -> SceneTuple:
    group = _group(parts[1]) if len(parts) == 2 else ""
    return SceneTuple(tuple(map(str, parts)), _KINDS[len(parts) - 1], group, matched)


def _links(ours: tuple[Concept, ...], theirs: tuple[Concept, ...]) -> tuple[Link, ...]:
    return tuple(_link(one, other) for one, other in zip(ours, theirs, strict=True))


def _link(one: Concept, other: Concept) -> Link:
    same = [word for word in one.words if word in other.words]
    if same:
        return Link(same[0], same[0])
    pairs = ((a, b, concept(a).synsets & concept(b).synsets) for a in one.words for b in other.words)
    # A concept has no synsets but its words', so that two similar ones always have such words.
    return next(Link(a, b, min(shared)) for a, b, shared in pairs if shared)
