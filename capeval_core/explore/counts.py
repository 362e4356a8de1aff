"""Wrong count: the references count the same things, and none as the candidate does."""

from __future__ import annotations

from collections.abc import Iterator

from capeval_core.explore.case import Case, listed, references_say
from capeval_core.explore.facts import Facts, Thing
from capeval_core.explore.findings import Error
from capeval_core.explore.reading import GENERIC
from capeval_core.explore.things import same
from capeval_core.perturb.chunks import FEMALE, MALE, names_people
from capeval_core.perturb.wordlists import word_set

MANY = -1  # more than one, nobody says how many
_SMALL = 20  # larger numbers are no counts: a bus number, a year
_OF_ANY = word_set("hand arm leg foot head eye ear hair wheel side step time clothes pants")  # nobody counts these


def wrong_counts(case: Case) -> Iterator[Error]:
    for thing in case.facts.things:
        said = thing.count is not None and 1 < thing.count < _SMALL
        if said and thing.lemma not in GENERIC and thing.lemma not in _OF_ANY:
            if error := _wrong_count(case, thing):
                yield error


def _wrong_count(case: Case, thing: Thing) -> Error | None:
    """Somebody gives another number and nobody this one. `A man` beside somebody's `men` is no other number."""
    people = names_people(thing.lemma)
    against: dict[int, str] = {}
    singles, vague = 0, 0
    for number, facts in enumerate(case.reference_facts):
        things = _same_things(thing, facts, people)
        if not things:
            continue
        counts = {MANY if one.count is None else one.count for one in things}
        total = MANY if MANY in counts else sum(one.count or 0 for one in things)
        if thing.count in counts or thing.count == total or (people and thing.count in _numbers(case, number)):
            return None
        if MANY in counts:
            vague += 1
            continue
        singles += total == 1
        first = things[0]
        against[number] = case.phrase(number, first, first.number)
    if not against or (singles == len(against) and vague):
        return None
    evidence = f"{references_say(len(against), len(case.references))} {listed(against.values())}."
    strength = 0.6 + 0.4 * len(against) / len(case.references)
    return case.error("wrong_count", (thing.number, thing.place), strength, evidence, next(iter(against)))


def _same_things(thing: Thing, facts: Facts, people: bool) -> list[Thing]:
    if not people:
        return [one for one in facts.things if same(one.lemma, thing.lemma)]
    # Two men are also two people; a man and a woman are two people, but one man.
    persons = [one for one in facts.things if names_people(one.lemma)]
    own = [one for one in persons if same(one.lemma, thing.lemma) and not _other_gender(one.lemma, thing.lemma)]
    return own or persons


def _other_gender(one: str, other: str) -> bool:
    return (one in MALE and other in FEMALE) or (one in FEMALE and other in MALE)


def _numbers(case: Case, number: int) -> Iterator[int]:
    """Numbers said of people in a reference, whatever they are called there."""
    for one in case.reference_facts[number].things:
        if one.count and one.count > 1 and names_people(one.lemma):
            yield one.count
