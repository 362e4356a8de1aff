"""What a caption says of things: how many, of which colour, with which attribute; and who does what to whom.

Read from the parts of speech and the words around a noun, with the parser's help: which noun an adjective stands
before is safer than what a tree says of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from capeval_core.explore.attributes import group_of
from capeval_core.explore.reading import NOUNS
from capeval_core.perturb import phrases
from capeval_core.perturb.caption import Caption
from capeval_core.perturb.colours import COLOURS, noun_after
from capeval_core.perturb.wordlists import word_set
from capeval_core.text import lemma_rules

NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "single": 1, "lone": 1, "solo": 1, "both": 2,
}  # fmt: skip
_OF_TWO = word_set("couple")
_AMOUNTS = word_set("couple group crowd pair bunch herd flock number lot row line pile stack dozen set")
_WHO = word_set("man woman boy girl guy lady person child kid")
_VAGUE = word_set(
    "several many some few group groups bunch lots lot crowd row rows herd flock dozens number various multiple crew "
    "team pile stack bunches hundreds numerous"
)
_INSIDE = ("JJ", "JJR", "JJS", "NN", "NNP", "VBN", "VBG", "CD", "RB", "POS")
DRESS = "outfit"  # what `dressed in black` speaks of
_STATES = word_set("be have do")


@dataclass(frozen=True, slots=True)
class Thing:
    place: int  # of its noun
    lemma: str
    count: int | None  # None: not said
    plural: bool
    number: int  # place of the word that counts, or of the noun
    colours: tuple[tuple[str, int], ...] = ()  # colour, its place
    attributes: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Act:
    """A verb, who may be doing it and to whom it may be done."""

    place: int
    lemmas: frozenset[str]  # the verb's; several where the parser took it for a noun
    before: tuple[int, ...]  # nouns that may be its subject
    after: tuple[int, ...]  # nouns that may be its object
    sure: bool  # the parser takes it for a verb that somebody does: no noun, nothing that is done to it


@dataclass(frozen=True, slots=True)
class Facts:
    things: tuple[Thing, ...]
    acts: tuple[Act, ...]


def facts(caption: Caption) -> Facts:
    colours = _colours(caption)
    heads = [place for place in range(len(caption.words)) if is_head(caption, place)]
    things = [_thing(caption, head, colours.pop(head, ())) for head in heads]
    things += [Thing(place, DRESS, None, False, place, own) for place, own in colours.items()]
    return Facts(tuple(things), tuple(_acts(caption, heads)))


def is_head(caption: Caption, place: int) -> bool:
    """A noun that ends its group: not the `tennis` of a tennis racket."""
    words = caption.words
    verb = phrases.is_doing(caption, place) or _is_hidden_verb(caption, place)
    if words[place].tag not in NOUNS or verb or is_colour(caption, place):
        return False
    later = place + 1
    if later < len(words) and words[later].token == "of" and words[place].lemma in _AMOUNTS:
        return False  # a couple of dogs: the dogs are the thing
    return (
        later == len(words)
        or words[later].tag not in NOUNS
        or phrases.is_doing(caption, later)
        or _is_hidden_verb(caption, later)
        or not phrases.closely(caption, later)
    )


def _is_hidden_verb(caption: Caption, place: int) -> bool:
    """A horse rides a woman: the parser takes the verb for the plural of a noun."""
    words = caption.words
    if words[place].tag != "NNS" or not 0 < place < len(words) - 1:
        return False
    before, after = words[place - 1], words[place + 1]
    return before.tag == "NN" and (after.tag in ("DT", "PRP$", "CD") or before.lemma in _WHO)


def is_colour(caption: Caption, place: int) -> bool:
    """A colour, also where it stands as a noun: dressed in black. An orange is a fruit unless a noun follows."""
    word = caption.words[place]
    return word.token in COLOURS and (word.token != "orange" or word.tag not in NOUNS)


def _colours(caption: Caption) -> dict[int, tuple[tuple[str, int], ...]]:
    """Colours by the noun they describe; by their own place where they are all that is said of somebody's dress."""
    found: dict[int, tuple[tuple[str, int], ...]] = {}
    words = caption.words
    for place, word in enumerate(words):
        if not is_colour(caption, place) and (word.token != "orange" or noun_after(caption, place) is None):
            continue
        noun = noun_after(caption, place)
        while noun is not None and (phrases.is_doing(caption, noun) or _is_hidden_verb(caption, noun)):
            noun = noun - 1 if noun - 1 > place else None
        if noun is None:
            noun = next((n for n in caption.children[place] if words[n].relation == "nsubj"), None)
        if noun is None and place and words[place - 1].token not in ("in", "wearing", "and"):
            continue
        home = place if noun is None else noun
        found[home] = (*found.get(home, ()), (word.token, place))
    return found


def _thing(caption: Caption, head: int, colours: tuple[tuple[str, int], ...]) -> Thing:
    words = caption.words
    plural = words[head].tag in ("NNS", "NNPS") or words[head].lemma in ("people", "police", "men", "women")
    count, number = None if plural else 1, head
    attributes = []
    place = head - 1
    while place >= 0 and phrases.closely(caption, place + 1) and head - place <= 7:
        word = words[place]
        if word.token in NUMBERS or (word.tag == "CD" and word.token.isdigit()):
            count, number = NUMBERS.get(word.token) or int(word.token), place
            break
        if word.token in ("of", "dozen") or word.token in _VAGUE:
            count, number = _measured(caption, place)
            break
        if word.tag in ("DT", "PRP$"):
            number = place
            break
        if word.tag not in _INSIDE and not _joins(caption, place):
            break
        if group_of(word.token):
            attributes.append((word.token, place))
        place -= 1
    if count and count > 1 and not plural and number != head - 1:  # a four wheel drive car; but three zebra
        count = None
    attributes += _said_of(caption, head)
    return Thing(head, words[head].lemma, count, plural, number, colours, tuple(attributes))


def _joins(caption: Caption, place: int) -> bool:
    """The `and` of a red and white boat, not that of a man and a boat."""
    words = caption.words
    described = place > 0 and (words[place - 1].tag.startswith("JJ") or words[place - 1].token in COLOURS)
    return words[place].token == "and" and described and words[place + 1].tag.startswith(("JJ", "VBN"))


def _measured(caption: Caption, place: int) -> tuple[int | None, int]:
    """`A couple of dogs` are two; `a group of dogs` are as many as you like."""
    for before in range(place, max(place - 3, -1), -1):
        if caption.words[before].lemma in _OF_TWO:
            return 2, before
    return None, place


def _said_of(caption: Caption, head: int) -> list[tuple[str, int]]:
    """The shirt is dirty."""
    words = caption.words
    above = words[head].head
    if words[head].relation == "nsubj" and above >= 0 and group_of(words[above].token):
        return [(words[above].token, above)]
    return []


def _acts(caption: Caption, heads: list[int]) -> Iterator[Act]:
    words = caption.words
    for place, word in enumerate(words):
        lemmas = _verb_lemmas(caption, place)
        if not lemmas or lemmas & _STATES or word.relation in ("aux", "auxpass", "cop"):
            continue
        tag, _ = phrases.verb(caption, place)
        if tag in ("VBN", "VBD") or word.relation in ("amod", "compound"):
            continue
        before, after = _before(caption, place, heads), _after(caption, place, heads)
        yield Act(place, lemmas, tuple(before), tuple(after), bool(tag))


def _verb_lemmas(caption: Caption, place: int) -> frozenset[str]:
    tag, lemma = phrases.verb(caption, place)
    if tag:
        return frozenset((lemma,))
    if _is_hidden_verb(caption, place):
        return frozenset((lemma_rules.lemma(caption.words[place].token, "VBZ"),))
    return frozenset()


def _before(caption: Caption, verb: int, heads: list[int]) -> Iterator[int]:
    """Who may do it: by the parse, the noun right before it, and the first noun of the clause."""
    words = caption.words
    found = [child for child in caption.children[verb] if words[child].relation == "nsubj"]
    if words[verb].relation in ("acl", "dep", "acl:relcl") and words[verb].head in heads:
        found.append(words[verb].head)
    start = max((n + 1 for n in range(verb) if words[n].token in ("while", "as", "when", "that", "who")), default=0)
    earlier = [head for head in heads if start <= head < verb] or [head for head in heads if head < verb]
    yield from dict.fromkeys([*found, *earlier[-1:], *earlier[:1]])


def _after(caption: Caption, verb: int, heads: list[int]) -> Iterator[int]:
    """To whom: the parser's object and the noun group right behind, with a preposition or without."""
    words = caption.words
    found = [child for child in caption.children[verb] if words[child].relation == "dobj"]
    start = verb + 1
    if start < len(words) and words[start].tag in ("IN", "TO", "RP"):
        start += 1
    group = phrases.noun_group(caption, start) if start < len(words) else None
    if group:
        found.append(group.stop - 1)
    yield from dict.fromkeys(found)
