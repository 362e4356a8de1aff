"""Redundancy: words are only added, at the end, and none that the picture could contradict (Table 2's third row).

Strength is the number of phrases added, each of another kind: where, in whose sight, when, in what picture, it seems.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from capeval_core.perturb import bank, chunks
from capeval_core.perturb.caption import Caption, edit
from capeval_core.perturb.chunks import Chunk
from capeval_core.perturb.phrases import MASS
from capeval_core.perturb.variant import CannotMake, Draft
from capeval_core.perturb.wordlists import word_set

_OUTDOOR = word_set(
    "beach mountain ocean sea river lake street road field sky tree forest snow sidewalk hill trail grass"
)
_INDOOR = word_set(
    "kitchen bedroom bathroom office classroom couch sofa library living room bed indoors inside room desk indoor"
)
_SEEN = {"see": "seen", "view": "seen", "sight": "seen", "shown": "shows"}
_SMALL = word_set("the a an in of at to this as it , so for out all")
_PICTURES = word_set("picture photo photograph image images pictures photos photographs shot view scene close-up up")
_SAYS_WHERE = word_set("outside outdoors outdoor inside indoors indoor sky air")


_MOST_PLACE_WORDS = 4
# Named after these the noun would be read as part of what stands before, or says too little of where it is.
_NOT_A_PLACE = word_set("floor ground dirt corner train bus boat ice building lot area house track ramp home water")
_IN = word_set(
    "city town village valley forest wood woods kitchen bedroom bathroom office classroom courtyard garden hallway "
    "restaurant gym library museum church park yard backyard field desert snow mud pool pond jungle garage barn store "
    "shop studio market stadium arena tunnel cave meadow pasture"
)
_ON = word_set(
    "beach street road sidewalk stage court trail path slope lawn playground pier dock bridge patio deck porch"
)
_ALSO_PLACES = word_set(
    "restroom outfield infield neighborhood terrain foothill wilderness downtown outdoors outside inside indoors "
    "country world scene carnival event pen enclosure surface runway tarmac clearing forrest public"
)
# Also among the places, but often just things that are seen.
_THINGS = word_set(
    "train bus boat building house home water tent bar square wood ice ramp track corner club party wedding deck lot"
)


def extra_phrase(caption: Caption, references: Sequence[Caption], strength: int, rng: random.Random) -> Draft:
    """One phrase of as many kinds as the strength says; fewer where the caption allows fewer."""
    if not caption.words:
        raise CannotMake("the caption has no words")
    kinds = _fitting(caption, references)
    if not kinds or '"' in caption.ending:
        raise CannotMake("every phrase that could be added is said already")
    chosen = sorted(rng.sample(range(len(kinds)), min(strength, len(kinds))))
    said: set[str] = set()
    phrases: list[str] = []
    for kind in chosen:
        options = [phrase for phrase in kinds[kind] if not _content(phrase) & said]
        if options:
            phrases.append(rng.choice(options))
            said |= _content(phrases[-1])
    return _append(caption, phrases)


def _content(phrase: str) -> set[str]:
    return {_SEEN.get(word, word) for word in phrase.split()} - _SMALL


def reference_phrase(caption: Caption, references: Sequence[Caption], strength: int, rng: random.Random) -> Draft:
    """Where it happens, as another person described the same image: in few words (1), any (2), in many (3)."""
    if not references:
        raise CannotMake("the image has no other references")
    if not caption.words or _names_place(caption):
        raise CannotMake("the caption already says where it happens")
    if caption.words[-1].tag in ("IN", "RP", "TO", "DT"):
        raise CannotMake("the caption ends in a preposition")
    places: dict[str, str] = {}  # by the noun, so that no place is named twice
    for other in references:
        for scene in chunks.scenes(other):
            if _can_be_added(other, scene) and scene.lemma not in caption.lemmas:
                places.setdefault(scene.lemma, f"{scene.preposition} {scene.text}")
    if not places:
        raise CannotMake("no reference of the image names a place that the caption does not")
    ordered = sorted(places.values(), key=lambda text: (len(text.split()), text))
    return _append(caption, [{1: ordered[0], 2: rng.choice(ordered), 3: ordered[-1]}[strength]])


def _names_place(caption: Caption) -> bool:
    named = (lemma for lemma in caption.lemmas if chunks.names_place(lemma) and lemma not in _THINGS)
    return bool(chunks.scenes(caption) or caption.lemmas & _ALSO_PLACES or any(named))


def _can_be_added(caption: Caption, scene: Chunk) -> bool:
    """A place in few words, with its article and the preposition that goes with it."""
    words = [caption.words[place] for place in scene.places]
    article = words[0].token
    if article not in ("a", "an", "the") or len(words) > _MOST_PLACE_WORDS or scene.lemma in _NOT_A_PLACE:
        return False
    if any(word.tag in ("VBG", "NNP", "CC") or not word.text.islower() for word in words):
        return False
    if scene.lemma in MASS and article != "the":
        return False
    fits = (*(("in",) if scene.lemma in _IN else ()), *(("on",) if scene.lemma in _ON else ()))
    return scene.preposition in (fits or ("in", "on", "at", "near", "by", "outside"))


def _append(caption: Caption, phrases: Sequence[str]) -> Draft:
    end = caption.words[-1].end
    text = "".join(phrase if phrase.startswith(",") else f" {phrase}" for phrase in phrases)
    return edit(caption, [(end, end, text)], "added: " + ", ".join(phrase.lstrip(", ") for phrase in phrases))


def _fitting(caption: Caption, references: Sequence[Caption]) -> list[list[str]]:
    """By kind, the phrases that hold whatever is shown, and those whose condition the references fulfil."""
    said = frozenset.union(caption.lemmas, *(other.lemmas for other in references))
    # A picture of one place is described by people who agree on indoors and outdoors.
    counts = [sum(bool(words & other.lemmas) for other in (caption, *references)) for words in (_OUTDOOR, _INDOOR)]
    where = bank.OUTDOORS if counts[0] and not counts[1] else bank.INDOORS if counts[1] and not counts[0] else ()
    sunny = where is bank.OUTDOORS and said & bank.SUN and not said & bank.SAYS_TIME
    acting = any(word.tag in ("VBZ", "VBP", "VBG") for word in caption.words)  # a kitchen is not `right now`
    now = (bank.DAYTIME if sunny else bank.NOW) if acting else ()
    tokens = set(caption.tokens) - _SMALL
    shown = () if tokens & _PICTURES else bank.SHOWN
    kinds = (() if tokens & _SAYS_WHERE else where, bank.IN_VIEW, now, shown, bank.SEEMS)
    new = [[phrase for phrase in phrases if not {*phrase.split()} & tokens] for phrases in kinds]
    return [phrases for phrases in new if phrases]
