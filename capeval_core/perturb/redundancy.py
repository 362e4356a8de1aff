"""Redundancy: words are only added, at the end, and none that the picture could contradict (Table 2's third row).

Strength is the number of phrases added.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from capeval_core.perturb import bank, chunks
from capeval_core.perturb.caption import Caption, edit
from capeval_core.perturb.variant import CannotMake, Draft
from capeval_core.perturb.wordlists import word_set

_OUTDOOR = word_set(
    "beach mountain ocean sea river lake street road field sky tree forest snow sidewalk hill trail grass"
)
_INDOOR = word_set(
    "kitchen bedroom bathroom office classroom couch sofa library living room bed indoors inside room desk"
)


def extra_phrase(caption: Caption, references: Sequence[Caption], strength: int, rng: random.Random) -> Draft:
    if not caption.words:
        raise CannotMake("the caption has no words")
    return _append(caption, rng.sample(_fitting(caption, references), strength))


def reference_phrase(caption: Caption, references: Sequence[Caption], strength: int, rng: random.Random) -> Draft:
    """Where it happens, as another person described the same image."""
    if not references:
        raise CannotMake("the image has no other references")
    if not caption.words or chunks.scenes(caption):
        raise CannotMake("the caption already says where it happens")
    places: dict[str, str] = {}  # by the noun, so that no place is named twice
    for other in references:
        for scene in chunks.scenes(other):
            phrase = f"{scene.preposition} {scene.text}"
            named = other.words[scene.places.start].tag == "DT"
            if (
                named
                and scene.lemma not in caption.lemmas
                and scene.preposition in ("in", "on", "at", "near", "by", "outside")
            ):
                places.setdefault(scene.lemma, phrase)
    if not places:
        raise CannotMake("no reference of the image names a place that the caption does not")
    chosen = rng.sample(sorted(places.values()), min(strength, len(places), 2))
    return _append(caption, chosen)


def _append(caption: Caption, phrases: Sequence[str]) -> Draft:
    end = caption.words[-1].end
    return edit(caption, [(end, end, " " + " ".join(phrases))], "added: " + ", ".join(phrases))


def _fitting(caption: Caption, references: Sequence[Caption]) -> list[str]:
    """The phrases that hold whatever is shown, and those whose condition the references fulfil without dissent."""
    said = frozenset.union(caption.lemmas, *(other.lemmas for other in references))
    # A picture of one place is described by people who agree on indoors and outdoors.
    counts = [sum(bool(words & other.lemmas) for other in (caption, *references)) for words in (_OUTDOOR, _INDOOR)]
    outdoors = counts[0] > 0 and not counts[1]
    indoors = counts[1] > 0 and not counts[0]
    fitting = list(bank.ALWAYS)
    fitting += bank.OUTDOORS if outdoors else ()
    fitting += bank.INDOORS if indoors else ()
    fitting += bank.DAYTIME if outdoors and said & bank.SUN and not said & bank.SAYS_TIME else ()
    tokens = set(caption.tokens)
    return [phrase for phrase in fitting if not set(phrase.split()) & tokens - {"the", "a", "in", "of", "at", "to"}]
