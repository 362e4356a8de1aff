"""Wrong action and swapped roles: what is done, and by whom to whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from capeval_core.explore.case import Case, listed, references_say
from capeval_core.explore.facts import Act
from capeval_core.explore.findings import Error
from capeval_core.explore.reading import Read
from capeval_core.explore.things import WORN, same
from capeval_core.perturb import thesaurus
from capeval_core.perturb.caption import Caption
from capeval_core.perturb.chunks import names_people
from capeval_core.perturb.wordlists import word_set
from capeval_core.resources import wordnet

LOW = 0.35  # support of a verb that nobody uses
NEAR = 0.5  # cosine of two verbs that may be said of one action
MOST = 0.6  # the same of an action that is no posture
AGREE = 0.5  # share of the references that agree on another action
# Postures and ways of moving: who does one does not do the next.
_POSTURES = tuple(
    map(
        word_set,
        (
            "sit seat kneel crouch squat", "stand lean", "lie lay sleep rest nap recline", "walk stroll hike march",
            "run jog race sprint chase", "swim dive", "jump leap hop",
        ),
    )
)  # fmt: skip
_NO_ACTION = word_set(
    "wear show look see watch hold use go come get make take do have be include contain feature cover fill dress stand "
    "sit park top surround line wait smile pose near appear seem try begin start continue prepare enjoy let want like "
    "match board base attach lead set place put display decorate load pile stack fly observe face glass"
)


def wrong_actions(case: Case) -> Iterator[Error]:
    acts = [_lemmas(facts.acts) for facts in case.reference_facts]
    common = Counter(lemma for lemmas in acts for lemma in lemmas)
    own = {word.lemma for word in case.candidate.words}
    for act in case.facts.acts:
        (ours,) = act.lemmas
        value = float(case.support.values[act.place])
        if not act.sure or ours in _said(case) or any(same_act(ours, other) for other in common):
            continue
        posture = _posture(ours)
        if posture is None and (value >= LOW or ours in _NO_ACTION):
            continue
        theirs = _agreed(common, ours, posture, len(case.references))
        if theirs is None or theirs in own or (posture is None and thesaurus.similarity(ours, theirs) > NEAR):
            continue
        numbered = enumerate(case.reference_facts)
        by = [number for number, facts in numbered if _does(case, number, facts.acts, theirs, act)]
        if len(by) >= max(2, (AGREE if posture is not None else MOST) * len(case.references)):
            said = f"{references_say(len(by), len(case.references))} {listed(_as_written(case, by, theirs))}"
            strength = len(by) / len(case.references) * (1 - value / 2)
            evidence = f"{said}; none says anything like {ours}."
            yield case.error("wrong_action", (act.place,), strength, evidence, by[0])


def _agreed(common: Counter[str], ours: str, posture: int | None, references: int) -> str | None:
    """Another action that enough references share; for a posture, another posture."""
    for lemma, count in common.most_common():
        if count < max(2, AGREE * references):
            return None
        fits = _posture(lemma) is not None if posture is not None else lemma not in _NO_ACTION
        if fits and lemma != ours:
            return lemma
    return None


def _posture(lemma: str) -> int | None:
    return next((number for number, row in enumerate(_POSTURES) if lemma in row), None)


def _said(case: Case) -> set[str]:
    return {word.lemma for reference in case.references for word in reference.words}


def _lemmas(acts: tuple[Act, ...]) -> set[str]:
    return {lemma for act in acts if act.sure for lemma in act.lemmas}


def _as_written(case: Case, by: list[int], lemma: str) -> list[str]:
    found = []
    for number in by:
        for act in case.reference_facts[number].acts:
            if lemma in act.lemmas:
                found.append(case.references[number].words[act.place].token)
    return found


def _does(case: Case, number: int, acts: Sequence[Act], lemma: str, ours: Act) -> bool:
    """Somebody does it in a reference who may be the one that does ours."""
    subjects = [case.candidate.words[place].lemma for place in ours.before[:1]]
    words = case.references[number].words
    others = [words[place].lemma for act in acts if act.sure and lemma in act.lemmas for place in act.before[:1]]
    return any(same(one, other) or (names_people(one) and names_people(other)) for one in subjects for other in others)


@lru_cache(maxsize=1 << 16)
def same_act(one: str, other: str) -> bool:
    if one == other or other in thesaurus.mates(one, "V") or one in thesaurus.mates(other, "V"):
        return True
    mine, yours = _posture(one), _posture(other)
    if mine is not None and yours is not None:
        return mine == yours
    return not wordnet.synsets(one).isdisjoint(wordnet.synsets(other))


def swapped_roles(case: Case) -> Iterator[Error]:
    for act in case.facts.acts:
        for subject in act.before:
            for other in act.after:
                pair = (case.candidate.words[subject].lemma, case.candidate.words[other].lemma)
                if "wear" in act.lemmas and pair[1] in WORN:
                    continue  # a man in a suit wearing glasses: the suit is not who wears them
                if subject != other and not same(*pair) and (error := _swapped(case, act, (subject, other), pair)):
                    yield error
                    return


def _swapped(case: Case, act: Act, places: tuple[int, int], pair: tuple[str, str]) -> Error | None:
    by: dict[int, str] = {}
    for number, (reference, facts) in enumerate(zip(case.references, case.reference_facts, strict=True)):
        for other in facts.acts:
            if not any(same_act(one, two) for one in act.lemmas for two in other.lemmas):
                continue
            if _holds(reference, other, *pair):
                return None
            if ends := _turned(reference, other, *pair):
                by.setdefault(number, _clause(reference.caption, *ends))
    if not by:
        return None
    evidence = f"{references_say(len(by), len(case.references))} the reverse: {listed(by.values(), 1)}."
    strength = 0.6 + 0.4 * len(by) / len(case.references)
    return case.error("swapped_roles", (places[0], act.place, places[1]), strength, evidence, next(iter(by)))


def _holds(reference: Read, act: Act, subject: str, other: str) -> bool:
    before = [reference.words[place].lemma for place in act.before[:1]]
    after = [reference.words[place].lemma for place in act.after]
    return any(same(subject, one) for one in before) and any(same(other, one) for one in after)


def _turned(reference: Read, act: Act, subject: str, other: str) -> tuple[int, int] | None:
    words = reference.words
    first = [place for place in act.before if same(other, words[place].lemma)]
    second = [place for place in act.after if same(subject, words[place].lemma)]
    return (first[0], second[0]) if first and second and first[0] < act.place < second[0] else None


def _clause(caption: Caption, first: int, last: int) -> str:
    return caption.phrase(range(first, last + 1))
