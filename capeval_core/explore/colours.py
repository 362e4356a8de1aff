"""Wrong colour and wrong attribute: the thing is there, and every reference that describes it says otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from capeval_core.explore.attributes import opposed
from capeval_core.explore.case import Case, listed, references_say
from capeval_core.explore.facts import DRESS, Thing
from capeval_core.explore.findings import Error
from capeval_core.explore.things import WORN, same
from capeval_core.perturb.wordlists import word_set

# Different people give one thing any of the colours of a row.
_ALIKE = tuple(
    map(
        word_set,
        (
            "gray grey silver", "brown tan beige golden", "blond blonde golden yellow", "red maroon",
            "pink maroon purple",
            "yellow golden tan beige", "blue navy", "black navy", "blue turquoise", "green turquoise", "white beige",
            "orange golden", "brown blond blonde", "brown maroon", "white silver", "gray blue navy", "grey blue navy",
        ),
    )
)  # fmt: skip


def wrong_colours(case: Case) -> Iterator[Error]:
    for thing in case.facts.things:
        for colour, place in thing.colours:
            if error := _wrong_colour(case, thing, colour, place):
                yield error


def _wrong_colour(case: Case, thing: Thing, colour: str, place: int) -> Error | None:
    against: dict[int, str] = {}
    for number, (facts, reference) in enumerate(zip(case.reference_facts, case.references, strict=True)):
        if any(colour in word.token.replace("/", "-").split("-") for word in reference.words):
            return None  # somebody names this colour: of the same thing, maybe by another word
        for other in facts.things:
            if other.colours and same_worn(thing.lemma, other.lemma):
                if any(colours_alike(colour, said) for said, _ in other.colours):
                    return None
                if not _partly(thing, other):
                    against.setdefault(number, case.phrase(number, other))
    if not against:
        return None
    evidence = f"{references_say(len(against), len(case.references))} {listed(against.values())}; none says {colour}."
    places = (place,) if thing.lemma == DRESS and thing.place == place else (place, thing.place)
    strength = 0.6 + 0.4 * len(against) / len(case.references)
    return case.error("wrong_colour", places, strength, evidence, next(iter(against)))


def _partly(thing: Thing, other: Thing) -> bool:
    """A red train may well be red and yellow; a red and blue one hardly."""
    shared = any(colours_alike(one, two) for one, _ in thing.colours for two, _ in other.colours)
    return shared and len(other.colours) < len(thing.colours)


def same_worn(one: str, other: str) -> bool:
    """`In black` may speak of anything that is worn."""
    if DRESS in (one, other) and one != other:
        return (one if other == DRESS else other) in WORN
    return same(one, other)


def colours_alike(one: str, other: str) -> bool:
    return one == other or any(one in row and other in row for row in _ALIKE)


def wrong_attributes(case: Case) -> Iterator[Error]:
    for thing in case.facts.things:
        for word, place in thing.attributes:
            if error := _wrong_attribute(case, thing, word, place):
                yield error


def _wrong_attribute(case: Case, thing: Thing, word: str, place: int) -> Error | None:
    against: dict[int, str] = {}
    ours = {value for value, _ in thing.attributes}
    for number, (facts, reference) in enumerate(zip(case.reference_facts, case.references, strict=True)):
        if any(word == one.token for one in reference.words):
            return None
        for other in facts.things:
            said = [value for value, _ in other.attributes] if same(thing.lemma, other.lemma) else []
            if any(opposed(word, value) for value in said) and ours.isdisjoint(said):
                against.setdefault(number, case.phrase(number, other))
    if not against:
        return None
    evidence = f"{references_say(len(against), len(case.references))} {listed(against.values())}; none says {word}."
    strength = 0.4 + 0.6 * len(against) / len(case.references)
    return case.error("wrong_attribute", (place, thing.place), strength, evidence, next(iter(against)))
