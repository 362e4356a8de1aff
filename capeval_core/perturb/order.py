"""Word order: the same words, moved (Table 2's last row: a phrase in front), shuffled or reversed.

Parts that change places are in `swaps.py`.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from capeval_core.perturb import phrases
from capeval_core.perturb.caption import Caption, reorder
from capeval_core.perturb.phrases import Phrase
from capeval_core.perturb.variant import CannotMake, Draft
from capeval_core.perturb.wordlists import word_set

JOINING = ("while", "as", "when", "because", "before", "after", "since", "although", "where")
# Who has not been named before cannot be named so in front.
POINTS_BACK = word_set(
    "he she they it him her them his its their himself herself themselves another others other third both one"
)
_CONTENT = ("NN", "VB", "JJ", "RB", "CD")
_NO_PLACE = "no place or time at the end that could go to the front"
_PLACES = word_set(
    "in on at near by through down along across over outside inside beside around under behind above past among "
    "beneath during between below underneath from against"
)
# The phrase completes these verbs: in front it would be read with another word. By preposition; "" stands for any.
_COMPLETED = {
    "": word_set(
        "be put place set lay consist go get come have stick wrap attach tie turn land appear seem reach dip lean look "
        "stare gaze point feed chew prepare try cover fill top dress take pick lift pour depend"
    ),
    "at": word_set("smile laugh wave bark yell aim shoot throw swing"),
    "on": word_set("work focus concentrate hold talk step climb check"),
    "in": word_set("participate engage compete cut"),
}
_WORN = word_set(
    "shirt shirts dress suit suits hat hats cap jacket jackets coat uniform uniforms outfit outfits clothes clothing "
    "shorts pants jeans vest sweater costume costumes top gear helmet glasses sunglasses tie robe apron skirt front "
    "black white red blue green yellow pink orange purple brown gray bun buns attire tuxedo"
)


def fronted(caption: Caption, strength: int, rng: random.Random) -> Draft:
    """Where it happens goes to the front; strength is how many neighbouring phrases, where there are so many."""
    turned = _turned_around(caption)
    clause = None if turned else _clause(caption)
    tails = [] if turned else _tails(caption)
    if not (turned or clause or tails):
        raise CannotMake(_NO_PLACE)
    pause = 0
    if turned:
        order, moved = turned
    else:
        options = [tails[min(strength, len(tails)) - 1]] if tails else []
        chosen = rng.choice([*options, *([clause] if clause else [])])
        moved = list(chosen)
        pause = len(moved) if chosen is clause else 0
        order = moved + [place for place in range(len(caption.words)) if place not in chosen]
    said = f"to the front: {' '.join(caption.words[p].token for p in moved)}"
    return reorder(caption, order, moved, said, pause)


def _turned_around(caption: Caption) -> tuple[list[int], list[int]] | None:
    """A man wearing a jacket is in a boat -> in a boat a man is wearing a jacket."""
    for root, word in enumerate(caption.words):
        roles = {caption.words[child].relation: child for child in caption.children[root]}
        if word.head >= 0 or not {"cop", "case", "nsubj"} <= roles.keys():
            continue
        subject, copula = caption.extents[roles["nsubj"]], roles["cop"]
        if subject is None or subject.start or subject.stop != copula or roles["case"] != copula + 1:
            continue
        if not _only_phrases(caption, copula + 1):
            continue
        phrase = list(range(copula + 1, len(caption.words)))
        acting = [
            child
            for child in caption.children[roles["nsubj"]]
            if caption.words[child].tag == "VBG" and child > roles["nsubj"]
        ]
        split = acting[0] if acting else subject.stop
        named, doing = list(range(split)), list(range(split, subject.stop))
        return (phrase + named + [copula] + doing if doing else [*phrase, copula, *named]), phrase
    return None


def _only_phrases(caption: Caption, start: int) -> bool:
    """From here to the end plain phrases of place follow one another."""
    for phrase in phrases.prepositional(caption):
        if phrase.places.start == start and phrases.is_plain(caption, phrase) and _of_place(caption, phrase):
            start = phrase.places.stop
    return start == len(caption.words)


def _tails(caption: Caption) -> list[range]:
    """What may go: the last phrase of place, the last two, ...; they end the caption and follow its only verb."""
    verb = _verb(caption)
    if verb is None:
        return []
    tag, lemma = phrases.verb(caption, verb)
    found: list[range] = []
    end = len(caption.words)
    for phrase in reversed(phrases.prepositional(caption)):
        whole = phrase.places.stop == end and phrases.closely(caption, phrase.places.start)
        name = phrase.preposition.split()[0] if phrase.preposition.count(" ") == 0 else "long"
        if not whole or not _of_place(caption, phrase) or not phrases.is_plain(caption, phrase):
            break
        if lemma in _COMPLETED[""] | _COMPLETED.get(name, frozenset()) or (tag == "VBN" and name in ("by", "from")):
            break
        start = end = phrase.places.start
        if start > verb and caption.words[start - 1].tag not in ("IN", "JJ", "TO", "CC") and not _held(caption, start):
            found.append(range(start, len(caption.words)))
    return found


def _held(caption: Caption, start: int) -> bool:
    """With a toddler | on the hood: what follows `with` or `to` belongs to its noun."""
    before = [phrase for phrase in phrases.prepositional(caption) if phrase.places.stop == start]
    return any(one.preposition in ("with", "without", "next to") or one.head < 0 for one in before)


def _of_place(caption: Caption, phrase: Phrase) -> bool:
    first = phrase.preposition.split()[0]
    long = " " in phrase.preposition and first != "out" and first != "off"
    worn = phrase.head >= 0 and caption.words[phrase.head].token in _WORN
    return (long or first in _PLACES) and not worn


def _verb(caption: Caption) -> int | None:
    """The verb of a caption that begins with who does it; others may describe who, or go with it by `and` or `to`."""
    words = caption.words
    subject = phrases.noun_group(caption, 0)
    if subject is None or any(word.tag in ("WDT", "WP", "EX", "WRB") for word in words):
        return None
    places = [place for place in range(subject.stop, len(words)) if phrases.verb(caption, place)[0]]
    acting = [place for place in places if words[place].relation not in ("aux", "auxpass", "cop", "amod")]
    if not acting:
        return None
    main = next((place for place in acting if words[place].head < 0), acting[0])
    before, after = [one for one in acting if one < main], [one for one in acting if one > main]
    known = all(words[one].relation in ("acl", "dep") for one in before) and (not before or words[main].head < 0)
    later = all(words[one].tag == "VB" or words[one].relation == "conj" for one in after)
    later = later and not any(words[one].lemma in _COMPLETED[""] for one in after) and "while" not in caption.tokens
    passive = (
        words[main].tag in ("VBN", "VBD") and not _helped(caption, main) and words[main].lemma not in ("gather", "park")
    )
    return main if known and later and not passive else None


def _helped(caption: Caption, verb: int) -> bool:
    return any(caption.words[child].relation == "auxpass" for child in caption.children[verb])


def _clause(caption: Caption) -> range | None:
    """The clause with `while` at the end, if it names its own subject and the rest can stand alone."""
    for place, word in enumerate(caption.words):
        extent = caption.extents[place]
        if word.relation != "advcl" or extent is None or extent.stop != len(caption.words) or extent.start < 3:
            continue
        first = caption.words[extent.start]
        tokens = {one.token for one in caption.words[extent.start :]}
        subject = any(caption.words[child].relation.startswith("nsubj") for child in caption.children[place])
        if first.token in ("while", "as", "when") and subject and not tokens & POINTS_BACK:
            return extent if is_sentence(caption, extent.start) else None
    return None


def is_sentence(caption: Caption, stop: int) -> bool:
    """Do the words up to here hold a finite verb with its subject, and no second `while`?"""
    words = caption.words[:stop]
    finite = [place for place, word in enumerate(words) if word.tag in ("VBZ", "VBP") and word.relation != "amod"]
    if not finite or any(word.token in JOINING for word in words):
        return False
    verb = words[finite[0]]
    governor = verb.head if verb.relation in ("aux", "auxpass", "cop") else finite[0]
    return any(caption.words[child].relation.startswith("nsubj") for child in caption.children[governor])


def shuffled(caption: Caption, strength: int, rng: random.Random) -> Draft:
    """Content words change places among themselves: two of them, half of them, or all."""
    places = [place for place, word in enumerate(caption.words) if word.tag.startswith(_CONTENT)]
    if len(set(_tokens(caption, places))) < 2:
        raise CannotMake("fewer than two different content words")
    count = (2, max(3, (len(places) + 1) // 2), len(places))[strength - 1]
    order = list(range(len(caption.words)))
    while _tokens(caption, order) == caption.tokens:
        chosen = sorted(rng.sample(places, min(count, len(places))))
        order = list(range(len(caption.words)))
        for place, other in zip(chosen, rng.sample(chosen, len(chosen)), strict=True):
            order[place] = other
    moved = [place for number, place in enumerate(order) if place != number]
    return reorder(caption, order, moved, f"shuffled: {', '.join(_tokens(caption, sorted(moved)))}")


def reversed_order(caption: Caption, strength: int, rng: random.Random) -> Draft:
    """Phrase by phrase, each left whole (1), or word by word (2 and 3)."""
    parts = [range(place, place + 1) for place in range(len(caption.words))]
    if strength == 1:
        parts = _cut(caption)
    order = [place for part in parts[::-1] for place in part]
    if _tokens(caption, order) == caption.tokens:
        raise CannotMake("the caption reads the same backwards" if caption.words else "the caption has no words")
    return reorder(caption, order, order, "phrases in reverse order" if strength == 1 else "words in reverse order")


def _cut(caption: Caption) -> list[range]:
    """Cut before each preposition, each verb group and each conjunction."""
    starts = [0]
    for place, word in enumerate(caption.words[1:], 1):
        before = caption.words[place - 1]
        opens = word.relation in ("case", "cc", "mark") or word.tag.startswith("VB")
        joined = before.relation in ("aux", "auxpass", "case", "cc", "mark") or before.end == word.start
        if opens and not joined:
            starts.append(place)
    ends = [*starts[1:], len(caption.words)]
    return [range(start, end) for start, end in zip(starts, ends, strict=True)]


def _tokens(caption: Caption, places: Iterable[int] | Sequence[int]) -> list[str]:
    return [caption.words[place].token for place in places]
