"""Wrong count: the references count the same things, and none as the candidate does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from capeval_core.explore.case import Case, listed, references_say
from capeval_core.explore.facts import Facts, Thing
from capeval_core.explore.findings import Error
from capeval_core.explore.reading import GENERIC
from capeval_core.explore.things import same
from capeval_core.perturb.chunks import FEMALE, MALE, names_people, names_place
from capeval_core.perturb.wordlists import word_set

MANY = -1  # more than one, nobody says how many
_SMALL = 20  # larger numbers are no counts: a bus number, a year
_OF_ANY = word_set(
    "hand arm leg foot head eye ear hair wheel side step time clothes pants wave ski"
)  # nobody counts these
_ANYBODY = word_set("people person individual human")


def wrong_counts(case: Case) -> Iterator[Error]:
    for thing in case.facts.things:
        said = thing.count is not None and 1 < thing.count < _SMALL
        counted = said and not names_place(thing.lemma) and thing.lemma not in GENERIC | _OF_ANY
        if counted and (error := _wrong_count(case, thing)):
            yield error


def _wrong_count(case: Case, thing: Thing) -> Error | None:
    """Somebody gives another number and nobody this one. `A man` beside somebody's `men` is no other number."""
    ours = _same_things(thing, case.facts)
    total = _total(ours)
    against: dict[int, str] = {}
    singles, vague = 0, 0
    for number, facts in enumerate(case.reference_facts):
        things = _same_things(thing, facts)
        if not things and names_people(thing.lemma):  # two men are also two people, where nobody else is there
            people = _people(facts)
            if people and len(ours) == len(_people(case.facts)) and _total(people) == total:
                return None
        if not things:
            continue
        theirs = _total(things)
        alone = len(ours) == 1 or thing.lemma in _ANYBODY  # else it is the sum that counts
        if theirs == total or (alone and any(one.count == thing.count for one in things)):
            return None
        if theirs == MANY:
            vague += 1
            continue
        singles += theirs == 1
        against[number] = case.phrase(number, things[0], things[0].number)
    if not against or (singles == len(against) and vague > singles):
        return None
    evidence = f"{references_say(len(against), len(case.references))} {listed(against.values())}."
    strength = 0.6 + 0.4 * len(against) / len(case.references)
    return case.error("wrong_count", (thing.number, thing.place), strength, evidence, next(iter(against)))


def _total(things: Sequence[Thing]) -> int:
    return MANY if any(one.count is None for one in things) else sum(one.count or 0 for one in things)


def _people(facts: Facts) -> list[Thing]:
    return [one for one in facts.things if names_people(one.lemma)]


def _same_things(thing: Thing, facts: Facts) -> list[Thing]:
    """A man and a woman are two people, but one man."""
    if thing.lemma in _ANYBODY:
        return _people(facts)
    return [one for one in facts.things if same(one.lemma, thing.lemma) and not _other_gender(one.lemma, thing.lemma)]


def _other_gender(one: str, other: str) -> bool:
    return (one in MALE and other in FEMALE) or (one in FEMALE and other in MALE)
