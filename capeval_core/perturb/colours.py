"""Wrong colour: a colour that nobody named takes the place of one; never of people's skin, nor in a fixed name.

Strength is how many colours are changed.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from capeval_core.perturb.caption import Caption, replace
from capeval_core.perturb.chunks import names_people
from capeval_core.perturb.variant import CannotMake, Draft
from capeval_core.perturb.wordlists import word_set

_COLOURS = ("red", "blue", "green", "yellow", "black", "white", "brown", "orange", "pink", "purple", "gray")
_ALSO = word_set("grey tan blond blonde golden silver beige maroon turquoise navy")
COLOURS = frozenset(_COLOURS) | _ALSO
_ALIKE = ({"gray", "grey", "silver"}, {"brown", "tan", "beige"}, {"red", "maroon", "pink"}, {"yellow", "golden"})
_HAIR = ("black", "brown", "red", "gray", "blond")
_ON_HAIR = frozenset(("hair", "haired", "beard", "mustache"))
_SHADES = word_set("navy lime olive royal baby sky bright neon hot forest")  # navy blue is one colour
# White wine, a green card, a black and white photograph: not the colour of the thing.
_NAMES = word_set(
    "wine bean beans juice tea onion onions pepper peppers card house bear bears light lights photo photos photograph "
    "photographs picture pictures image images shot hat-shaped board belt belts tie-dye sauce rice bread market eye "
    "dragon army sky grass leaves lawn"
)


def wrong_colour(caption: Caption, references: Sequence[Caption], strength: int, rng: random.Random) -> Draft:
    places = [place for place in range(len(caption.words)) if _is_paint(caption, place)]
    if not places:
        raise CannotMake("the caption names no colour of a thing")
    named = {word.token for other in (caption, *references) for word in other.words}
    near = set().union(*(family for family in _ALIKE if family & named))
    new: dict[int, str] = {}
    for place in rng.sample(places, min(strength, len(places))):
        palette = _HAIR if _hair(caption, place) else _COLOURS
        unused = [colour for colour in palette if colour not in named | near and colour not in new.values()]
        new[place] = rng.choice(unused or [colour for colour in palette if colour != caption.words[place].token])
    change = ", ".join(f"{caption.words[place].token} -> {text}" for place, text in sorted(new.items()))
    return replace(caption, new, change)


def _hair(caption: Caption, place: int) -> bool:
    return any(word.token in _ON_HAIR for word in caption.words[place + 1 : place + 3])


def _is_paint(caption: Caption, place: int) -> bool:
    """The colour of a thing: it describes a noun that is not a person and has no name of its own with it."""
    words = caption.words
    word = words[place]
    if word.token not in COLOURS or (place and words[place - 1].token in _SHADES):
        return False
    if word.token == "navy" and place + 1 < len(words) and words[place + 1].token in COLOURS:
        return False
    noun = noun_after(caption, place)
    if noun is None:  # dressed in black, a skier wearing red
        bare = place and words[place - 1].token in ("in", "wearing", "and") and word.token not in ("blond", "blonde")
        return bool(bare) and word.token != "orange"
    if word.token in ("blond", "blonde") and not _hair(caption, place):
        return False
    return not names_people(words[noun].lemma) and words[noun].token not in _NAMES


def noun_after(caption: Caption, place: int) -> int | None:
    """The last noun of the group that the colour stands in."""
    last = None
    for later in range(place + 1, len(caption.words)):
        word = caption.words[later]
        if word.tag in ("NN", "NNS"):
            last = later
            if names_people(word.lemma):
                return later
        elif last is not None or not (word.tag in ("JJ", "CC", "VBN", "RB", "VBG") or word.token in COLOURS):
            break
    return last
