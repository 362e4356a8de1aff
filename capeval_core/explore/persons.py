"""Wrong kind of person: a man where every reference that tells speaks of a woman, a child where all speak of adults."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from capeval_core.explore.case import Case, listed, references_say
from capeval_core.explore.findings import Error
from capeval_core.explore.reading import NOUNS, Read
from capeval_core.perturb.chunks import FEMALE, MALE, names_people
from capeval_core.perturb.wordlists import word_set

_BOY = word_set("boy lad son brother")
_GIRL = word_set("girl lass daughter sister")
CHILDREN = _BOY | _GIRL | word_set("child kid baby toddler infant youngster")
_WORKERS = word_set(
    "firefighter fireman policeman officer worker soldier chef doctor nurse bride groom priest businessman parent "
    "businesswoman waiter waitress cowboy driver vendor mother father elder grandmother grandfather adult cop"
)
_ADULTS = (MALE | FEMALE | _WORKERS) - CHILDREN - word_set("male female guy dude brother sister")
TEENS = word_set("young teen teenage teenager youth younger")  # may be said of somebody's boy or girl, man or woman
_SMALL = word_set("little small")
_GROWING = word_set("boy girl man woman guy lady")
_EITHER = word_set("guy dude male female")  # of any age
_YOUNG = word_set("young teen teenage teenager youth teens younger little small")
_GENDERS = {"man": MALE | word_set("he him his"), "woman": FEMALE | word_set("she her hers")}
_AGES = {"child": CHILDREN, "adult": _ADULTS}
_PLURALS = {"men": "man", "women": "woman", "boys": "boy", "girls": "girl", "ladies": "lady", "guys": "guy"}
LEAST = 2  # references that speak of the other kind


def unmentioned(lemma: str, nouns: Collection[str], said: Collection[str]) -> bool:
    """A child where nobody speaks of children, a woman where nobody speaks of women, anybody where nobody is there.

    A man is what many say of a person they cannot tell: nobody's `man` is no news where there are people."""
    if not any(names_people(noun) for noun in nouns):
        return True
    if lemma in CHILDREN:
        return not (CHILDREN | TEENS | _SMALL).intersection(said)
    return lemma in FEMALE and not _GENDERS["woman"].intersection(said)


def wrong_persons(case: Case) -> Iterator[Error]:
    for place, word in enumerate(case.candidate.words):
        if word.tag not in NOUNS:
            continue
        lemma = _PLURALS.get(word.token, word.lemma)
        error = _wrong(case, place, lemma, _GENDERS) or _wrong(case, place, lemma, _AGES)
        if error:
            yield error


def _wrong(case: Case, place: int, lemma: str, groups: dict[str, frozenset[str]]) -> Error | None:
    """Nobody has a word of its group, and enough have one of the other."""
    own = next((name for name, words in groups.items() if lemma in words), None)
    if own is None:
        return None
    (theirs,) = (words for name, words in groups.items() if name != own)
    if groups is _AGES and _called_otherwise(case.candidate, place, own):
        return None
    ours = {_PLURALS.get(word.token, word.lemma) for word in case.candidate.words if word.tag in NOUNS}
    if ours & (theirs | _EITHER if groups is _AGES else theirs):
        return None  # both kinds are there: one more person, not another one
    against: dict[int, str] = {}
    for number, reference in enumerate(case.references):
        lemmas = [_PLURALS.get(word.token, word.lemma) for word in reference.words]
        if any(one in groups[own] for one in lemmas) or (lemma in _GROWING and TEENS & set(lemmas)):
            return None
        named = [word.token for word, one in zip(reference.words, lemmas, strict=True)
                 if one in theirs and word.tag in NOUNS]  # fmt: skip
        if named:
            against[number] = named[0]
    if len(against) < min(LEAST, len(case.references)):
        return None
    evidence = f"{references_say(len(against), len(case.references))} {listed(against.values())}; none says {lemma}."
    most = 0.7 if groups is _AGES else 1.0  # who is a girl to one is a woman to another
    strength = most * (0.3 + 0.7 * len(against) / len(case.references))
    return case.error("wrong_person", (place,), strength, evidence, next(iter(against)))


def _called_otherwise(read: Read, place: int, age: str) -> bool:
    """A young woman may be somebody's girl, an older boy somebody's man."""
    before = read.words[place - 1].token if place else ""
    return before in (_YOUNG if age == "adult" else {"older", "teenage", "teen", "grown"})
