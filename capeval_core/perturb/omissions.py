"""What a captioner leaves out or says twice: a dropped object, a cut-off ending, a phrase that loops.

Strength is how many things are dropped, how much is cut off (a quarter each), or how often the phrase comes again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from capeval_core.perturb import phrases
from capeval_core.perturb.caption import Caption, edit
from capeval_core.perturb.phrases import Phrase
from capeval_core.perturb.variant import CannotMake, Draft
from capeval_core.perturb.wordlists import word_set

# Verbs that can stand without the object they have: eating lunch, eating.
_WITHOUT_OBJECT = word_set(
    "eat drink read play paint cook draw write drive ride sing climb clean walk bake knit practice sweep surf watch"
)
# Verbs that can stand without the place they name.
_WITHOUT_PLACE = word_set(
    "sit stand walk run sleep lie lay play jump ride fly swim sing dance talk smile laugh eat drink work wait rest "
    "pose ski surf skate skateboard snowboard graze travel drive march perform compete read cook swing climb hike race "
    "float relax shop gather park grow roam wander stroll jog bike cycle fish camp picnic perch sail paddle speak yell"
)
# A verb that needs its place, or something that is made of the phrase.
_NEEDS_PLACE = word_set("put place set lay stick pour throw load fill cover top attach hang look lead dip")
_NEVER = word_set("of to as for than into onto without like about")  # their noun cannot go with them
_HOLDING = word_set("wear hold carry ride use eat drink play watch read push pull fly throw swing hit kick pet feed")
MOST_LEFT_OUT = 0.7  # of the words: a caption of which less is left says too little


def dropped_object(caption: Caption, strength: int, rng: random.Random) -> Draft:
    """A thing goes with its article, its preposition, and the verb that cannot stand without it."""
    options = [*_places(caption), *_held(caption), *_objects(caption)]
    chosen: list[range] = []
    for option in rng.sample(options, len(options)):
        apart = all(option.stop <= other.start or other.stop <= option.start for other in chosen)
        gone = sum(map(len, chosen)) + len(option)
        if apart and len(chosen) < strength and gone <= MOST_LEFT_OUT * len(caption.words):
            chosen.append(option)
    if not chosen:
        raise CannotMake("no thing can be left out so that the rest is still a sentence")
    chosen.sort(key=lambda places: places.start)
    edits = [(caption.words[one.start].start, caption.words[one.stop - 1].end, "") for one in chosen]
    return edit(caption, edits, "left out: " + ", ".join(caption.phrase(one) for one in chosen))


def _places(caption: Caption) -> Iterator[range]:
    """On a bench, with what is in it; where the words before and after still go together."""
    for phrase in phrases.prepositional(caption):
        first, stop = phrase.places.start, phrase.places.stop
        tied = phrase.preposition in _NEVER or (
            not phrases.is_plain(caption, phrase) and caption.words[first - 1].token in ("hand", "hands")
        )
        if first == 0 or tied or phrase.head < 0:
            continue
        if _can_end(caption, first, phrase) and _can_go_on(caption, phrase):
            yield range(first, stop)


def _can_end(caption: Caption, first: int, phrase: Phrase) -> bool:
    """May the sentence end, or go on, before this word?"""
    words = caption.words
    before = words[first - 1]
    if not phrases.closely(caption, first) or any(word.token in ("that", "there", "here") for word in words[:first]):
        return False
    tag, lemma = phrases.verb(caption, first - 1)
    if tag:
        return lemma in _WITHOUT_PLACE and (tag != "VBN" or lemma in ("park", "gather"))
    if before.tag not in ("NN", "NNS"):
        return False
    verbs = [found for place in range(first) if (found := phrases.verb(caption, place)[1])]
    needs = bool(verbs) and (verbs[-1] in _NEEDS_PLACE or verbs[-1] == "be")
    return not needs and before.token not in ("front", "top", "side", "middle", "view", "picture", "photo", "lot")


def _can_go_on(caption: Caption, phrase: Phrase) -> bool:
    words, stop = caption.words, phrase.places.stop
    if stop == len(words):
        return True
    after = words[stop]
    if not phrases.closely(caption, stop):
        return False
    if any(one.places.start == stop for one in phrases.prepositional(caption)):
        return phrase.preposition not in ("with", "without") and after.token not in _NEVER | {"with"}
    leads = words[phrase.places.start - 1].tag in ("NN", "NNS")
    finite = after.tag in ("VBZ", "VBP") and leads and not any(w.tag in ("VBZ", "VBP") for w in words[:stop])
    while_ = after.token == "while"
    return (finite and words[stop].lemma != "have") or while_


def _held(caption: Caption) -> Iterator[range]:
    """Wearing a red shirt: the verb goes with its object, and with the phrases that end the caption after it."""
    words = caption.words
    for place in range(2, len(words)):
        tag, lemma = phrases.verb(caption, place)
        if (
            tag != "VBG"
            or lemma not in _HOLDING
            or words[place - 1].tag not in ("NN", "NNS")
            or not phrases.closely(caption, place)
        ):
            continue
        group = phrases.whole_group(caption, place + 1)
        if group is None:
            continue
        stop = phrases.to_the_end(caption, group.stop)
        finite = group.stop < len(words) and words[group.stop].tag in ("VBZ", "VBP")
        if finite and phrases.closely(caption, group.stop):
            yield range(place, group.stop)
        elif stop == len(words) and any(phrases.verb(caption, n)[0] or words[n].tag == "IN" for n in range(place)):
            yield range(place, stop)


def _objects(caption: Caption) -> Iterator[range]:
    """Eating lunch in a park -> eating in a park."""
    words = caption.words
    for place, word in enumerate(words):
        tag, lemma = phrases.verb(caption, place)
        if not tag or lemma not in _WITHOUT_OBJECT or word.relation == "amod":
            continue
        group = phrases.whole_group(caption, place + 1)
        if group is None or words[place + 1].tag == "RP":
            continue
        ends = group.stop == len(words)
        after = "" if ends else words[group.stop].token
        starts = any(one.places.start == group.stop for one in phrases.prepositional(caption))
        fits = ends or (starts and after not in _NEVER | {"with", "from"}) or after == "while"
        if fits and (ends or phrases.closely(caption, group.stop)):
            yield group


def truncated(caption: Caption, strength: int, rng: random.Random) -> Draft:
    """The ending is cut off, if possible after a word that calls for another: a man sitting on a."""
    size = len(caption.words)
    if size < 3:
        raise CannotMake("too short to be cut")
    low, high = max(1, round(size * (1 - 0.25 * strength))), max(1, size - 1 - round(size * 0.25 * (strength - 1)))
    places = range(min(low, high), max(low, high) + 1)
    hanging = [end for end in places if caption.words[end - 1].tag in ("IN", "DT", "CC", "TO", "PRP$")]
    end = rng.choice(hanging or list(places))
    cut = caption.text[caption.words[end - 1].end :].strip()
    return Draft(caption.text[: caption.words[end - 1].end], f"cut off: {cut}")


def repeated_phrase(caption: Caption, strength: int, rng: random.Random) -> Draft:
    """A decoder that loops: on a bench on a bench."""
    size = len(caption.words)
    if not size:
        raise CannotMake("the caption has no words")
    found = [one.places for one in phrases.prepositional(caption) if len(one.places) <= 7]
    groups = [phrases.noun_group(caption, place + 1) for place, word in enumerate(caption.words) if word.tag == "VBG"]
    found += [group for group in groups if group and len(group) > 1]
    phrase = rng.choice(found or [range(max(0, size - 2), size)])
    text = caption.phrase(phrase)
    small = text[:1].lower() + text[1:] if phrase.start == 0 else text
    end = caption.words[phrase.stop - 1].end
    return edit(caption, [(end, end, f" {small}" * strength)], f"repeated: {small}")
