"""Things that nobody mentions, and things that most people mention and the candidate does not.

A noun is not mentioned where no reference has it, a synonym, a wider or a narrower word, and where its support is low:
no word of the references is used as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from capeval_core.explore.case import Case
from capeval_core.explore.facts import is_head
from capeval_core.explore.findings import Error, Missed
from capeval_core.explore.persons import unmentioned
from capeval_core.explore.things import PLAIN_PEOPLE, alike, same_place
from capeval_core.perturb.chunks import names_people
from capeval_core.perturb.wordlists import word_set

LOW = 0.45  # support below this: nobody mentions it
FAR = 0.3  # a place of the same sort (a beach, a lake) counts as mentioned from this support on
LOW_PERSON = 0.85  # kinds of persons are like each other: a nurse, a chef
MOST = 0.5  # more than this share of the references mention what is missed
_NEVER = word_set("background air camera day night ground floor weather sun shadow hand face head")


def invented_objects(case: Case) -> Iterator[Error]:
    words, references = case.candidate.words, len(case.references)
    said = {word.lemma for reference in case.references for word in reference.words}
    said |= {word.token for reference in case.references for word in reference.words}
    nouns = {reference.words[place].lemma for reference in case.references for place in reference.nouns}
    if not nouns:
        return
    for place in case.candidate.nouns:
        word, value = words[place], float(case.support.values[place])
        person = names_people(word.lemma)
        if value >= (LOW_PERSON if person else LOW) or not is_head(case.candidate.caption, place):
            continue
        if word.lemma in said or word.token in said or word.lemma in _NEVER:
            continue
        if word.lemma in PLAIN_PEOPLE:
            if not unmentioned(word.lemma, nouns, said):
                continue
        elif any(alike(word.lemma, noun) for noun in nouns if not person or noun not in PLAIN_PEOPLE):
            continue
        if value >= FAR and any(same_place(word.lemma, noun) for noun in nouns):
            continue
        closest = case.support.closest[place]
        evidence = (
            f'None of {references} references mentions "{word.token}"; the closest word is "{closest}" ({value:.2f}).'
        )
        yield case.error("invented_object", (place,), 1 - value, evidence, _best(case))


def missed_objects(case: Case, missed: Sequence[Missed]) -> Iterator[Error]:
    """An error where more than half of the people agree; two at least."""
    references = len(case.references)
    for one in missed:
        if one.people > MOST and one.people * references >= 2 and one.word not in _NEVER:
            count = round(one.people * references)
            evidence = f'{count} of {references} references mention "{one.word}", the caption nothing like it.'
            strength = round(one.people * (1 - one.support), 3)
            yield Error("missed_object", one.word, strength, evidence, (), _with(case, one.word))


def _best(case: Case) -> int | None:
    """The reference that backs most of the rest."""
    return max(range(len(case.references)), key=lambda n: case.support.cover[n], default=None)


def _with(case: Case, lemma: str) -> int | None:
    for number, reference in enumerate(case.references):
        if any(word.lemma == lemma for word in reference.words):
            return number
    return None
