"""Word order: the same words, moved (Table 2's last row: a phrase in front), swapped, shuffled or reversed."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from capeval_core.perturb.caption import Caption, reorder
from capeval_core.perturb.chunks import noun_phrase
from capeval_core.perturb.variant import CannotMake, Draft

_JOINING = ("while", "as", "when", "because", "before", "after", "since", "although", "where")
_CONTENT = ("NN", "VB", "JJ", "RB", "CD")


def fronted(caption: Caption, strength: int, rng: random.Random) -> Draft:
    """Prepositional phrases or a clause go to the front; strength is how many, where there are so many."""
    turned = _turned_around(caption)
    options: list[range] = [] if turned else _movable(caption)
    if not turned and not options:
        raise CannotMake("no prepositional phrase or clause that could go to the front")
    if turned:
        order, moved = turned
    else:
        chosen: list[range] = []
        for phrase in rng.sample(options, len(options)):
            apart = all(phrase.stop <= other.start or other.stop <= phrase.start for other in chosen)
            if apart and len(chosen) < strength:
                chosen.append(phrase)
        chosen.sort(key=lambda phrase: phrase.start)
        moved = [place for phrase in chosen for place in phrase]
        order = moved + _without(caption, moved)
    return reorder(caption, order, moved, f"to the front: {' '.join(caption.words[p].token for p in moved)}")


def _turned_around(caption: Caption) -> tuple[list[int], list[int]] | None:
    """A man wearing a jacket is in a boat -> in a boat a man is wearing a jacket."""
    for root, word in enumerate(caption.words):
        below = caption.children[root]
        roles = {caption.words[child].relation: child for child in below}
        if word.head >= 0 or not {"cop", "case", "nsubj"} <= roles.keys():
            continue
        subject, copula = caption.extents[roles["nsubj"]], roles["cop"]
        if subject is None or subject.stop > copula or roles["case"] != copula + 1:
            continue
        phrase = list(range(roles["case"], len(caption.words)))
        acting = [
            child
            for child in caption.children[roles["nsubj"]]
            if caption.words[child].tag == "VBG" and child > roles["nsubj"]
        ]
        rest = [p for p in range(copula) if p not in subject]
        split = acting[0] if acting else subject.stop
        named = [place for place in subject if place < split]
        doing = [place for place in subject if place >= split]
        if rest:
            continue
        return (phrase + named + [copula] + doing if doing else [*phrase, copula, *named]), phrase
    return None


def _movable(caption: Caption) -> list[range]:
    """Phrases with their preposition, and clauses with their `while`, that hang on a verb and stand after it."""
    found: list[range] = []
    for place, word in enumerate(caption.words):
        extent = caption.extents[place]
        if extent is None or word.head < 0 or len(extent) < 2 or extent.start <= word.head:
            continue
        first = caption.words[extent.start]
        governor = caption.words[word.head].tag
        phrase = word.relation == "nmod" and first.relation == "case" and first.token not in ("of", "by", "to")
        clause = word.relation == "advcl" and first.token in _JOINING
        if (phrase and governor.startswith(("VB", "NN")) and _loose(caption, word.head)) or clause:
            found.append(extent)
    # `with` often belongs to the noun before it; another phrase goes first if there is one.
    return [phrase for phrase in found if caption.words[phrase.start].token != "with"] or found


def _loose(caption: Caption, governor: int) -> bool:
    """A phrase of the main noun or of any verb can go; one deep inside another phrase reads as if it were elsewhere."""
    word = caption.words[governor]
    return word.tag.startswith("VB") or word.head < 0


def swapped_clauses(caption: Caption, strength: int, rng: random.Random) -> Draft:
    """Two coordinated parts, or a clause and its `while` clause, change places."""
    options = [*_while_clauses(caption), *_coordinated(caption)]
    if not options:
        raise CannotMake("no two coordinated parts that could change places")
    first, second = rng.choice(options)
    order = [*range(first.start), *second, *range(first.stop, second.start), *first]
    order += range(second.stop, len(caption.words))
    change = f"swapped: {caption.phrase(first)} | {caption.phrase(second)}"
    return reorder(caption, order, [*first, *second], change)


def _while_clauses(caption: Caption) -> Iterable[tuple[range, range]]:
    for place, word in enumerate(caption.words):
        extent = caption.extents[place]
        if word.relation != "advcl" or extent is None or len(extent) < 3 or extent.stop != len(caption.words):
            continue
        subject = any(caption.words[child].relation.startswith("nsubj") for child in caption.children[place])
        if caption.words[extent.start].token in _JOINING and subject and extent.start > 1:
            yield range(0, extent.start), range(extent.start + 1, extent.stop)


def _coordinated(caption: Caption) -> Iterable[tuple[range, range]]:
    """X and Y, where X starts at its own noun phrase or verb, and Y is whole."""
    for place, word in enumerate(caption.words):
        second = caption.extents[place]
        if word.relation != "conj" or second is None or word.head < 0 or second.start <= word.head:
            continue
        joint = second.start - 1
        if caption.words[joint].tag != "CC" or caption.words[joint].token == "but" or _own_clause(caption, place):
            continue
        head = caption.words[word.head]
        start = noun_phrase(caption, word.head).start if head.tag.startswith("NN") else word.head
        if caption.words[second.start].relation in ("aux", "auxpass"):  # is wearing | and is holding
            helpers = [
                child for child in caption.children[word.head] if caption.words[child].relation.startswith("aux")
            ]
            start = min([start, *helpers])
        same = head.tag[:2] == word.tag[:2] and head.tag[:2] in ("NN", "VB", "JJ")
        first = range(start, joint)
        comma = "," in caption.text[caption.words[joint - 1].end : caption.words[joint].start]
        if same and first and not comma and _tokens(caption, first) != _tokens(caption, second):
            yield first, second


def _own_clause(caption: Caption, place: int) -> bool:
    """A part with a subject or a preposition of its own does not fit where the other part stood."""
    return any(caption.words[child].relation in ("nsubj", "nsubjpass", "case") for child in caption.children[place])


def _tokens(caption: Caption, places: Iterable[int]) -> list[str]:
    return [caption.words[place].token for place in places]


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
    phrases = [range(place, place + 1) for place in range(len(caption.words))]
    if strength == 1:
        phrases = _phrases(caption)
    order = [place for phrase in phrases[::-1] for place in phrase]
    if _tokens(caption, order) == caption.tokens:
        raise CannotMake("the caption reads the same backwards" if caption.words else "the caption has no words")
    return reorder(caption, order, order, "phrases in reverse order" if strength == 1 else "words in reverse order")


def _phrases(caption: Caption) -> list[range]:
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


def _without(caption: Caption, moved: Sequence[int]) -> list[int]:
    gone = set(moved)
    return [place for place in range(len(caption.words)) if place not in gone]
