"""Chunks: noun phrases found from the parse, and which of them name the person and the scene of a caption.

As in the binary forced-choice data (Hodosh and Hockenmaier 2016), the person is the first phrase that names people and
the scene is a phrase that names a place and follows a preposition; neither includes what comes after its noun.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from capeval_core.perturb.caption import Caption, Word
from capeval_core.perturb.wordlists import SCENES, word_set
from capeval_core.resources import wordnet

BEFORE_NOUN = frozenset(("det", "amod", "nummod", "compound", "nmod:poss", "advmod", "det:predet", "nn", "neg"))
MALE = word_set(
    "man boy guy gentleman father dad son brother husband groom grandfather businessman policeman fireman priest "
    "king cowboy lad waiter fisherman uncle monk male boyfriend grandpa salesman fellow dude"
)
FEMALE = word_set(
    "woman girl lady mother mom daughter sister wife bride grandmother businesswoman waitress nun queen nurse "
    "ballerina female girlfriend aunt grandma lass bridesmaid cheerleader housewife"
)
_PEOPLE = (
    word_set(
        "person people child kid baby toddler infant adult teenager teen youth couple crowd family someone somebody "
        "folk individual worker player rider team crew band friend athlete runner biker cyclist skier snowboarder "
        "surfer swimmer climber hiker skater skateboarder dancer musician guitarist drummer singer performer soldier "
        "officer cop police firefighter chef cook doctor student teacher tourist pedestrian passenger spectator "
        "audience shopper customer vendor bicyclist clown artist painter photographer driver batter pitcher catcher "
        "goalie golfer wrestler boxer gymnast acrobat juggler jogger farmer worshiper parent sibling twin elder "
        "senior youngster guard racer kayaker rower sailor pilot coach referee opponent competitor protester "
        "demonstrator marcher biologist scientist"
    )
    | MALE
    | FEMALE
)
_GROUPS = word_set("group couple crowd bunch pair number team family crew line band gathering trio lot row")
_AMOUNTS = word_set("dozen hundred thousand lot plenty bunch couple pair majority rest number")
_PASSENGERS_OF = word_set("train trains bus plane planes jet car cars ferry ship truck horse elephant giraffe hydrant")
_MASS = word_set("snow water grass sand dirt mud ice surf")
_BARE = _MASS  # said without an article: in snow
PLACE_PREPOSITIONS = word_set(
    "in on at near by through down up along across over outside inside beside around into onto towards toward "
    "under behind above past among beneath off"
)
# WordNet numbers its nouns file by file; persons lie between these.
_PERSON_NUMBERS = range(9_604_981, 10_805_000)


@dataclass(frozen=True, slots=True)
class Chunk:
    places: range
    head: int
    text: str
    lemma: str
    plural: bool
    preposition: str = ""  # of a scene


@lru_cache(maxsize=1 << 15)
def names_people(lemma: str) -> bool:
    """Listed, or a person in most of the word's senses."""
    if lemma in _PEOPLE:
        return True
    numbers = wordnet.synsets(lemma) if lemma.endswith(("er", "or", "ist", "man", "woman", "ian", "ess")) else ()
    return bool(numbers) and sum(number in _PERSON_NUMBERS for number in numbers) > len(numbers) / 2


def names_place(lemma: str) -> bool:
    return lemma in SCENES


def is_noun(caption: Caption, place: int) -> bool:
    return caption.words[place].tag in ("NN", "NNS")


def noun_phrase(caption: Caption, head: int) -> range:
    """The noun with what stands before it: a small wooden boat."""
    first = head
    wanted = {place for place in caption.children[head] if caption.words[place].relation in BEFORE_NOUN}
    inner = {below for place in wanted for below in (caption.extents[place] or (place,))}
    while first > 0 and (first - 1 in wanted | inner or _belongs(caption, first)) and _joined(caption, first - 1):
        first -= 1
        if caption.words[first].tag in ("DT", "PRP$"):
            break
    return range(first, head + 1)


def _belongs(caption: Caption, first: int) -> bool:
    """An article or adjective right before a noun is the noun's, whatever the parser made of it."""
    word = caption.words[first - 1]
    return word.tag in ("DT", "PRP$", "CD", "JJ", "VBN") and word.relation in ("det", "amod", "nummod", "nmod:poss")


def _joined(caption: Caption, place: int) -> bool:
    """Is only white space, or nothing, between this word and the next?"""
    between = caption.text[caption.words[place].end : caption.words[place + 1].start]
    return not between.strip(" \t-")


def chunk(caption: Caption, head: int, preposition: str = "") -> Chunk:
    places = noun_phrase(caption, head)
    word = caption.words[head]
    many = word.tag == "NNS" or word.lemma in ("people", "police", "couple")
    return Chunk(places, head, small(caption, places), word.lemma, many, preposition)


def small(caption: Caption, places: range) -> str:
    """The text of a chunk as it stands in the middle of a sentence."""
    text = caption.phrase(places)
    first = caption.words[places.start]
    if places.start == 0 and first.tag not in ("NNP", "NNPS") and (text[1:2].islower() or first.token == "a"):
        return text[0].lower() + text[1:]
    return text


def person(caption: Caption) -> Chunk | None:
    """The first phrase that names people, with `and a woman`, and with `of children` after `a group`."""
    for head, word in enumerate(caption.words):
        if not is_noun(caption, head) or word.relation == "nmod:poss" or _only_modifies(caption, head):
            continue
        members = _members(caption, head)
        if members is None and not names_people(word.lemma):
            continue
        if not _stands_alone(caption, head, members):
            continue
        found = chunk(caption, head)
        if members is not None:
            found = _extend(caption, found, noun_phrase(caption, members), members)
        return _with_others(caption, found)
    return None


def _stands_alone(caption: Caption, head: int, members: int | None) -> bool:
    """Not the passenger of a train, not dozens of people, not a couple of giraffes, nor one that only a part names."""
    words = caption.words
    after = words[head + 1] if head + 1 < len(words) else None
    if after and members is None:
        if after.token == "of" or (after.tag in ("NN", "NNS", "POS") and _joined(caption, head) and not _doing(after)):
            return False
        if after.token in _PASSENGERS_OF:  # where the parser takes the train for a verb
            return False
    start = noun_phrase(caption, head).start
    before = words[start - 1] if start else None
    if words[start].token == "no":
        return False
    if before and (before.token in ("of", "about", "around") and words[max(start - 2, 0)].lemma in _AMOUNTS):
        return False
    if before and before.token in ("about", "approximately", "around"):
        return False
    return before is None or before.tag not in ("JJ", "DT", "CD", "NN") or not _joined(caption, start - 1)


def _doing(word: Word) -> bool:
    return word.token.endswith("ing") or word.tag == "NNS"


def number(caption: Caption, found: Chunk) -> bool:
    """Many or one. Of a group both are said, and the verb, which stays, tells: a family stand, a group of men is."""
    if not any(caption.words[place].lemma in _GROUPS for place in found.places):
        return found.plural
    for word in caption.words[found.places.stop :]:
        if word.tag in ("VBZ", "VBP"):
            return word.tag == "VBP"
    return found.plural


def _only_modifies(caption: Caption, place: int) -> bool:
    """The police in `police officer`; but in `a man rides` the parser often takes the verb for a noun."""
    word = caption.words[place]
    if word.relation != "compound" or word.head < 0:
        return word.relation == "compound"
    head = caption.words[word.head]
    verb = word.head == place + 1 and (head.token.endswith("ing") or head.tag == "NNS") and word.lemma in MALE | FEMALE
    return not verb or names_people(head.lemma)


def _members(caption: Caption, head: int) -> int | None:
    """Who is in `a group of ...`: the position of the noun after `of`, where that names people."""
    words = caption.words
    if words[head].lemma not in _GROUPS or head + 1 >= len(words) or words[head + 1].token != "of":
        return None
    for place in range(head + 2, min(head + 7, len(words))):
        if is_noun(caption, place) and words[place].relation != "compound":
            inside = noun_phrase(caption, place).start == head + 2
            return place if inside and names_people(words[place].lemma) else None
    return None


def _with_others(caption: Caption, found: Chunk) -> Chunk:
    """A man | and a woman."""
    stop, words = found.places.stop, caption.words
    if stop >= len(words) or words[stop].token != "and" or not _joined(caption, stop - 1):
        return found
    for place in range(stop + 1, min(stop + 5, len(words))):
        if is_noun(caption, place) and words[place].relation != "compound":
            other = noun_phrase(caption, place)
            if other.start == stop + 1 and names_people(words[place].lemma):
                return _extend(caption, found, other, found.head)
            break
    return found


def _extend(caption: Caption, found: Chunk, more: range, head: int) -> Chunk:
    places = range(found.places.start, more.stop)
    return Chunk(places, head, small(caption, places), caption.words[head].lemma, True)


def scenes(caption: Caption) -> list[Chunk]:
    """Every phrase that names a place and stands right after a preposition of place; the last is the widest."""
    taken = person(caption)
    found = []
    for head, word in enumerate(caption.words):
        if not is_noun(caption, head) or word.lemma not in SCENES or word.relation in ("compound", "nmod:poss"):
            continue
        if head + 1 < len(caption.words) and caption.words[head + 1].token in ("'s", "of"):
            continue
        made = chunk(caption, head)
        start = made.places.start
        before = caption.words[start - 1].token if start else ""
        apart = taken is None or start >= taken.places.stop or made.places.stop <= taken.places.start
        if before in PLACE_PREPOSITIONS and apart and _joined(caption, start - 1) and _is_place(caption, made):
            found.append(chunk(caption, head, before))
    return found


def _is_place(caption: Caption, made: Chunk) -> bool:
    """With its article, and the place itself: not `splashed by water`, not a snow covered park."""
    words, stop = caption.words, made.places.stop
    first, last = words[made.places.start], words[made.head]
    if last.tag == "NN" and first.tag not in ("DT", "PRP$", "CD") and last.lemma not in _BARE:
        return False
    if last.lemma in _MASS and first.token in ("a", "an"):
        return False
    after = words[stop] if stop < len(words) else None
    if after and (after.tag in ("NN", "NNS") or after.token in ("covered", "filled")) and _joined(caption, stop - 1):
        return False
    governor = words[made.places.start - 2] if made.places.start > 1 else None
    return not (governor and governor.tag in ("VBN", "VBD") and words[made.places.start - 1].token == "by")


def scene(caption: Caption) -> Chunk | None:
    found = scenes(caption)
    return found[-1] if found else None
