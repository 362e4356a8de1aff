"""Distractors: wrong captions that share a person or a scene with the right one, or name nothing else.

Papers: Hodosh and Hockenmaier 2016 (the six tasks), Kilickaya et al. 2017 (3.3), Sharif et al. 2018 (5.3).
Replacements come from the data set at hand (other images' captions) and from the bank. Strength 2 takes any; 1 takes
one near in meaning to what it replaces, 3 one far from it. A word that a reference uses too is never a replacement.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from capeval_core.perturb import bank, chunks, thesaurus
from capeval_core.perturb.caption import Caption, article_for, replace_span
from capeval_core.perturb.chunks import FEMALE, MALE, Chunk
from capeval_core.perturb.inflect import singular
from capeval_core.perturb.variant import CannotMake, Draft
from capeval_core.perturb.wordlists import word_set
from capeval_core.text import lemma_rules

_VAGUE = word_set(
    "person people someone somebody individual adult folk group crowd other one worker family band team crew couple"
)
# True of most pictures, or of many.
_VAGUE_PLACES = word_set(
    "area room building water corner lot home house ground floor city town village dirt grass sidewalk pavement party "
    "countryside deck porch wood"
)
_HIS, _HER = frozenset(("his", "he", "him", "himself")), frozenset(("her", "she", "hers", "herself"))
_NO_PERSON = "the caption names no person"
_NO_SCENE = "the caption names no place after a preposition"
_SPEAKS_OF_ALL = frozenset(("comprised", "consisting", "composed", "made", "of"))
_WHERE = frozenset(("in", "on", "at", "near", "by", "outside", "inside", "beside", "behind", "under"))
_SMALL = frozenset(("of", "a", "an", "the", "in", "and", "young", "old", "little", "two", "three", "four", "several"))
TRIES = 60
SHARED_WORDS = 0.25  # a caption of another image that shares more of its content words may well be true


@dataclass(frozen=True, slots=True)
class _Seen:
    image: str
    caption: Caption
    chunk: Chunk


class Corpus:
    """The persons and scenes of a data set, by noun, number and preposition."""

    def __init__(self, captions: Iterable[tuple[str, Caption]]) -> None:
        self.persons: dict[bool, list[_Seen]] = defaultdict(list)
        self.scenes: dict[str, list[_Seen]] = defaultdict(list)
        self.by_person: dict[tuple[str, bool], list[_Seen]] = defaultdict(list)
        self.by_scene: dict[str, list[_Seen]] = defaultdict(list)
        for image, caption in captions:
            if found := chunks.person(caption):
                seen = _Seen(image, caption, found)
                if found.places.start == 0:  # who does it all, not who is looked at
                    self.by_person[found.lemma, found.plural].append(seen)
                if found.lemma not in _VAGUE and _fit_anywhere(seen):
                    self.persons[found.plural].append(seen)
            if place := chunks.scene(caption):
                seen = _Seen(image, caption, place)
                self.by_scene[place.lemma].append(seen)
                if place.lemma not in _VAGUE_PLACES and _fit_anywhere(seen):
                    self.scenes[place.preposition].append(seen)


def _count_agrees(caption: Caption, person: Chunk) -> None:
    """Two motorcyclist: the writer's slip would be carried on."""
    first = caption.words[person.places.start]
    if first.tag == "CD" and first.token not in ("one", "1") and not person.plural:
        raise CannotMake("the person's number is not clear")


def _person(caption: Caption) -> Chunk:
    if found := chunks.person(caption):
        return found
    raise CannotMake(_NO_PERSON)


def _scene(caption: Caption) -> Chunk:
    if found := chunks.scene(caption):
        return found
    raise CannotMake(_NO_SCENE)


def _said(caption: Caption, references: Sequence[Caption]) -> frozenset[str]:
    """Every noun that anybody used of this image, and what may stand for it."""
    lemmas = frozenset.union(caption.lemmas, *(other.lemmas for other in references))
    return lemmas | {mate for lemma in lemmas for mate in thesaurus.mates(lemma, "N")}


def replace_person(
    caption: Caption, references: Sequence[Caption], corpus: Corpus, image: str, strength: int, rng: random.Random
) -> Draft:
    person = _person(caption)
    said = _said(caption, references)
    tokens = set(caption.tokens)
    genders = ("m" if not tokens & _HER else "") + ("f" if not tokens & _HIS else "") + "n"
    many = chunks.number(caption, person)
    if person.places.stop < len(caption.words) and caption.words[person.places.stop].token in _SPEAKS_OF_ALL:
        raise CannotMake("what follows speaks of the members of this group")
    pool = bank.PLURAL if many else bank.SINGULAR
    options = {text: text.split()[-1] for gender in genders for text in pool[gender]}
    for seen in _some(corpus.persons[many], rng):
        fits = _gender(seen.chunk.text) in genders
        if seen.image != image and fits:
            options[seen.chunk.text] = seen.chunk.lemma
    alike = said.union(*(row for row in bank.ALIKE_PEOPLE if person.lemma in row))
    wrong = {text: noun for text, noun in options.items() if not _nouns(text) & alike}
    new = _choose(wrong, person.lemma, strength, rng, "no other person in the bank or the data set")
    return _put(caption, person, new)


def replace_scene(
    caption: Caption, references: Sequence[Caption], corpus: Corpus, image: str, strength: int, rng: random.Random
) -> Draft:
    scene = _scene(caption)
    start = scene.places.start
    if start > 1 and caption.words[start - 2].lemma in ("participate", "engage", "compete", "fence", "fenced"):
        raise CannotMake("the verb calls for this very place")
    said = _said(caption, references)
    options = {text: text.split()[-1] for text in bank.PLACES.get(scene.preposition, ())}
    for seen in _some(corpus.scenes[scene.preposition], rng):
        if seen.image != image:
            options[seen.chunk.text] = seen.chunk.lemma
    alike = said.union(*(row for row in bank.ALIKE_PLACES if scene.lemma in row))
    wrong = {text: noun for text, noun in options.items() if not _nouns(text) & alike}
    new = _choose(wrong, scene.lemma, strength, rng, f"no other place after {scene.preposition!r}")
    return _put(caption, scene, new)


def share_person(
    caption: Caption, references: Sequence[Caption], corpus: Corpus, image: str, strength: int, rng: random.Random
) -> Draft:
    person = _person(caption)
    said = _said(caption, references)
    _count_agrees(caption, person)
    others = corpus.by_person[person.lemma, person.plural]
    if found := _other(others, image, said, strength, rng):
        return _graft(found, person.text)
    doing = rng.choice([text for text in bank.DOINGS if not set(text.split()) - {"a", "in", "on", "the"} & said])
    text = f"{person.text} {'are' if person.plural else 'is'} {doing}"
    return _whole(caption, text, person.text)


def share_scene(
    caption: Caption, references: Sequence[Caption], corpus: Corpus, image: str, strength: int, rng: random.Random
) -> Draft:
    scene = _scene(caption)
    said = _said(caption, references)
    others = [seen for seen in corpus.by_scene[scene.lemma] if seen.chunk.preposition == scene.preposition]
    if found := _other(others, image, said, strength, rng):
        return _graft(found, scene.text)
    if scene.preposition not in _WHERE:
        raise CannotMake(f"nothing else is known to go on {scene.preposition} such a place")
    doing = rng.choice([text for text in bank.OTHERS if not set(text.split()) - {"a", "is", "are", "in"} & said])
    return _whole(caption, f"{doing} {scene.preposition} {scene.text}", scene.text)


def just_person(caption: Caption) -> Draft:
    return _only(caption, _person(caption))


def just_scene(caption: Caption) -> Draft:
    return _only(caption, _scene(caption))


def _only(caption: Caption, chunk: Chunk) -> Draft:
    if len(chunk.places) == len(caption.words):
        raise CannotMake("the caption says nothing else")
    return _whole(caption, chunk.text, chunk.text, f"only: {chunk.text}")


def _put(caption: Caption, chunk: Chunk, new: str) -> Draft:
    return replace_span(caption, chunk.places, new, f"{chunk.text} -> {new}")


def _graft(found: _Seen, text: str) -> Draft:
    """Another image's caption with our phrase in the place of its own."""
    return replace_span(found.caption, found.chunk.places, text, f"shared: {text}; the rest from another image")


def _whole(caption: Caption, text: str, kept: str, change: str = "") -> Draft:
    shown = text[:1].upper() + text[1:] if caption.capitalised else text
    start = text.find(kept)
    return Draft(shown + caption.ending, change or f"shared: {kept}; the rest is new", ((start, start + len(kept)),))


def _other(
    others: Sequence[_Seen], image: str, said: frozenset[str], strength: int, rng: random.Random
) -> _Seen | None:
    """A caption of another image that says little of what is said of this one."""
    found: list[tuple[float, int, _Seen]] = []
    for number, seen in enumerate(_some(others, rng)):
        words = [word for place, word in enumerate(seen.caption.words) if place not in seen.chunk.places]
        content = {word.lemma for word in words if word.tag.startswith(("NN", "VB", "JJ"))} - {"be", "wear"}
        overlap = len(content & said) / len(content) if content else 1.0
        if seen.image != image and len(content) >= 2 and overlap <= SHARED_WORDS:
            found.append((overlap, number, seen))
    found.sort(key=lambda entry: entry[:2])
    half = (len(found) + 1) // 2
    part = {1: found[half - 1 :] if found else found, 2: found, 3: found[:half]}[strength]
    return rng.choice(part)[2] if part else None


def _some(seen: Sequence[_Seen], rng: random.Random) -> list[_Seen]:
    """A handful: looking at all of a large data set for every caption would take its square."""
    return rng.sample(seen, min(TRIES, len(seen)))


def _fit_anywhere(seen: _Seen) -> bool:
    """Short, no name, and with an article where there is only one; so it can stand in another caption."""
    words = [seen.caption.words[place] for place in seen.chunk.places]
    if len(words) > 4 or any(word.tag in ("NNP", "NNPS", "PRP$") for word in words) or seen.caption.text.isupper():
        return False
    if any(word.text[1:] != word.token[1:] for word in words) or any(word.text != word.token for word in words[1:]):
        return False  # A Kitchen, a MAN
    if words[0].token in ("a", "an") and article_for(words[min(1, len(words) - 1)].token) != words[0].token:
        return False
    if seen.chunk.preposition:
        goes_with = bank.GO_WITH.get(seen.chunk.lemma, (seen.chunk.preposition,))
        return words[0].token in ("a", "an", "the") and seen.chunk.preposition in goes_with
    return words[-1].tag in ("NN", "NNS") and (words[0].token in ("a", "an") or seen.chunk.plural)


def _nouns(text: str) -> frozenset[str]:
    """The content words of a phrase and what they are forms of."""
    words = frozenset(text.lower().split()) - _SMALL
    return words | {form(word) for word in words for form in (_lemma, singular)}


def _lemma(word: str) -> str:
    return lemma_rules.lemma(word, "NNS")


def _gender(text: str) -> str:
    """By any word of it: a female tennis player."""
    words = _nouns(text)
    return "m" if words & MALE else "f" if words & FEMALE else "n"


def _choose(options: dict[str, str], old: str, strength: int, rng: random.Random, reason: str) -> str:
    if not options:
        raise CannotMake(reason)
    names = sorted(options, key=lambda text: (-thesaurus.similarity(options[text], old), text))
    half = (len(names) + 1) // 2
    return rng.choice({1: names[:half], 2: names, 3: names[half - 1 :]}[strength])
