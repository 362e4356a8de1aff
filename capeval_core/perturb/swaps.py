"""Clause swap: two parts joined by `and`, or a clause and its `while` clause, change places.

What is joined must be of one kind and whole on both sides: two noun groups with their articles, two adjectives before
one noun, two verbs with all that belongs to them. Anything else is refused.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from capeval_core.perturb import phrases
from capeval_core.perturb.caption import Caption, reorder
from capeval_core.perturb.chunks import names_people
from capeval_core.perturb.colours import COLOURS
from capeval_core.perturb.order import POINTS_BACK, is_sentence
from capeval_core.perturb.variant import CannotMake, Draft
from capeval_core.perturb.wordlists import word_set

_Pair = tuple[range, range]
_OPENED = ("DT", "PRP$", "CD")
_RELATIONS = word_set("distance background foreground middle front back side top bottom center air half")
_AFTER = word_set("while as on in at near by under behind beside next along outside inside over across")
_QUANTITIES = frozenset(("some", "several", "many", "few", "various", "other", "different", "another"))


def swapped_clauses(caption: Caption, strength: int, rng: random.Random) -> Draft:
    options = [*_clauses(caption)]
    for joint, word in enumerate(caption.words):
        if word.token in ("and", "or") and 0 < joint < len(caption.words) - 1 and _without_comma(caption, joint):
            options += [*_nouns(caption, joint), *_adjectives(caption, joint), *_verbs(caption, joint)]
    if not options:
        raise CannotMake("no two joined parts of one kind that could change places")
    first, second = rng.choice(options)
    order = [*range(first.start), *second, *range(first.stop, second.start), *first]
    order += range(second.stop, len(caption.words))
    change = f"swapped: {caption.phrase(first)} | {caption.phrase(second)}"
    return reorder(caption, order, [*first, *second], change)


def _without_comma(caption: Caption, joint: int) -> bool:
    return phrases.closely(caption, joint) and phrases.closely(caption, joint + 1)


def _clauses(caption: Caption) -> Iterator[_Pair]:
    """A man sings while a crowd watches."""
    for place, word in enumerate(caption.words):
        if word.token not in ("while", "as", "when") or place < 3 or not is_sentence(caption, place):
            continue
        rest = caption.words[place + 1 :]
        tokens = {one.token for one in rest}
        subject = phrases.noun_group(caption, place + 1)
        subject = None if caption.words[place + 1].tag == "VBG" else subject
        finite = [one for one in rest if one.tag in ("VBZ", "VBP")]
        if subject and finite and not tokens & (POINTS_BACK | {"while", "as", "and"}):
            yield range(place), range(place + 1, len(caption.words))


def _nouns(caption: Caption, joint: int) -> Iterator[_Pair]:
    words = caption.words
    first, second = _group_before(caption, joint), phrases.noun_group(caption, joint + 1)
    if first is None or second is None or _opened(caption, first) != _opened(caption, second):
        return
    if any(words[place].tag == "PRP$" for place in (*first, *second)) or words[0].token in ("there", "here"):
        return  # a man and his dog
    if _joined_further(caption, second.stop) or (first.start and not phrases.closely(caption, first.start)):
        return  # two of a list
    one, other = words[first.stop - 1], words[second.stop - 1]
    alike = names_people(one.lemma) == names_people(other.lemma) and one.tag == other.tag
    before = words[first.start - 1].token if first.start else ""
    if before in ("and", "or", "is", "are", "a", "to") or one.token in _RELATIONS or one.token == other.token:
        return
    if first.start and not alike:
        return  # an umbrella and a man: the second begins something new
    if one.token in COLOURS or (not _opened(caption, first) and len(first) == 1 and _compound(caption, second)):
        return  # a yellow and white train; sweet corn and bean soup
    if before == "of" and (_opened(caption, first) or not (one.tag == other.tag == "NNS")):
        return  # a group of people and a bus
    if _fits_after(caption, second.stop, bool(first.start) and before != "of"):
        yield first, second


def _compound(caption: Caption, group: range) -> bool:
    return len(group) > 1 and caption.words[group.stop - 2].tag in ("NN", "NNS")


def _fits_after(caption: Caption, stop: int, inside: bool) -> bool:
    """What follows must belong to both, or to neither."""
    if stop >= len(caption.words):
        return True
    after = caption.words[stop]
    if after.token in ("of", "'s", "with", "that", "who", "which", "wearing", "holding"):
        return False
    return not inside or after.tag in ("VBZ", "VBP") or after.token in _AFTER


def _joined_further(caption: Caption, stop: int) -> bool:
    if stop >= len(caption.words):
        return False
    return caption.words[stop].tag in ("CC", "NN", "NNS", "POS") or not phrases.closely(caption, stop)


def _group_before(caption: Caption, joint: int) -> range | None:
    """The noun group that ends right before `and`."""
    for start in range(max(0, joint - 6), joint):
        opens = start == 0 or caption.words[start - 1].tag not in ("DT", "PRP$", "JJ", "CD", "NN", "NNS", "POS")
        found = phrases.noun_group(caption, start)
        if opens and found and found.stop == joint:
            return found
    return None


def _opened(caption: Caption, group: range) -> bool:
    first = caption.words[group.start]
    return first.tag in _OPENED or first.token in _QUANTITIES


def _adjectives(caption: Caption, joint: int) -> Iterator[_Pair]:
    """A red and white umbrella."""
    words = caption.words
    if joint + 2 >= len(words) or words[joint + 2].tag not in ("NN", "NNS"):
        return
    one, other = words[joint - 1], words[joint + 1]
    colours = one.token in COLOURS and other.token in COLOURS
    alone = joint < 2 or words[joint - 2].tag in ("DT", "IN", "PRP$", "CD", "VBG", "VBZ", "VBP") or colours
    both = one.tag == other.tag == "JJ" and (colours or not {one.token, other.token} & COLOURS)
    plain = both and one.token != other.token
    if plain and alone and phrases.closely(caption, joint + 2):
        yield range(joint - 1, joint), range(joint + 1, joint + 2)


def _verbs(caption: Caption, joint: int) -> Iterator[_Pair]:
    """Holds a camera and shows a picture; the second goes on to the end, and each has more than its verb."""
    words = caption.words
    later = joint + 1
    if words[later].tag not in ("VBZ", "VBP", "VBG") or any(word.tag in ("CC", "WDT", "WP") for word in words[later:]):
        return
    earlier = [place for place in range(1, joint) if words[place].tag == words[later].tag]
    if not earlier or any(word.token in ("while", "as", "to") for word in words[later:]):
        return
    start = earlier[-1]
    if any(word.tag == "CC" for word in words[:joint]):
        return
    between = words[start + 1 : joint]
    if len(between) < 2 or len(words) - later < 3 or any(word.tag.startswith("VB") for word in between):
        return
    subject = words[start - 1].tag
    if subject in ("NN", "NNS", "PRP", "VBZ", "VBP") and not {w.token for w in words[later:]} & {"it", "them", "him"}:
        yield range(start, joint), range(later, len(words))
