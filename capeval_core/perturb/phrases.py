"""Phrases as they stand in the text: noun groups and prepositional phrases, found from the parts of speech alone.

Which word a phrase belongs to is what a parser gets wrong most often; where a phrase begins and ends is not. The kinds
that move or drop whole phrases take them from here and decide by the words around them.
"""

from __future__ import annotations

from dataclasses import dataclass

from capeval_core.perturb.caption import Caption
from capeval_core.perturb.wordlists import word_set
from capeval_core.text import lemma_rules

# Prepositions of several words; the phrase after them is whole only with all of them.
_LONG = tuple(
    tuple(text.split())
    for text in (
        "in front of", "on top of", "in the middle of", "in the back of", "in the front of", "on the side of",
        "at the side of", "on the edge of", "at the top of", "on the top of", "at the bottom of", "at the edge of",
        "by the side of", "at the end of", "inside of", "outside of", "next to", "close to", "in between", "out of",
        "off of", "along with", "in the midst of", "on either side of", "in the center of", "at the foot of",
    )
)  # fmt: skip
SHORT = word_set(
    "in on at near by through down up along across over outside inside beside around into onto towards toward under "
    "behind above past among beneath off with without during against between from below underneath beyond amid amidst "
    "before after for"
)
_INNER = ("JJ", "JJR", "JJS", "VBN", "CD", "NN", "NNS", "NNP", "NNPS", "POS", "RB", "VBG")
_OPENS = ("DT", "PRP$", "PDT")
_NOUNS = ("NN", "NNS", "NNP", "NNPS")
_NOT_PLAIN = word_set("it them him her he she they each other another others itself themselves himself herself one")


# No noun follows these closely but by a mistake of the parser: a man search, a boy smile.
_ALONE = word_set("man woman boy girl guy lady person people child kid couple")
_NOUNS_IN_ING = word_set(
    "building painting clothing ceiling wedding railing string swing spring evening morning awning pudding icing "
    "stuffing crossing parking dressing living lighting siding topping marking opening landing meeting gathering "
    "bedding earring clearing drawing flooring fencing shopping training writing setting bowling boxing thing "
    "something wrestling carving covering netting paneling seating housing"
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A prepositional phrase, with the `of` phrases that follow its noun."""

    places: range
    preposition: str
    head: int  # the noun right after the preposition; -1 for a pronoun


def noun_group(caption: Caption, start: int) -> range | None:
    """A determiner, what describes the noun, and the noun: a small wooden boat; with an owner: a groom's suit."""
    words, place = caption.words, start
    if place < len(words) and words[place].tag in _OPENS:
        place += 1
    last = -1
    while place < len(words) and words[place].tag in _INNER and (place == start or closely(caption, place)):
        tag = words[place].tag
        if tag == "VBG" and (last >= 0 or not _describes(caption, place)):
            break
        if last >= 0 and (is_doing(caption, place) or words[last].lemma in _ALONE):
            break
        if tag in ("RB", "VBN", "JJ", "CD") and last >= 0 and words[place - 1].tag != "POS":
            break
        last = place if tag in _NOUNS else last
        place += 1
    return range(start, last + 1) if last >= start else None


def is_doing(caption: Caption, place: int) -> bool:
    """`Girl blowing`: the parser takes it for a noun, which few words in -ing are."""
    word, before = caption.words[place], caption.words[place - 1].tag if place else ""
    long = word.token.endswith("ing") and len(word.token) > 4 and word.token not in _NOUNS_IN_ING
    return long and word.tag == "NN" and before in (*_NOUNS, "RB")


def verb(caption: Caption, place: int) -> tuple[str, str]:
    """The tag and the lemma of a verb, also where the parser takes it for a noun; empty for any other word."""
    word = caption.words[place]
    if is_doing(caption, place):
        return "VBG", lemma_rules.lemma(word.token, "VBG")
    return (word.tag, word.lemma) if word.tag.startswith("VB") else ("", "")


def _describes(caption: Caption, place: int) -> bool:
    """A swimming pool; not a girl blowing bubbles."""
    words = caption.words
    before = words[place - 1].tag if place else ""
    after = words[place + 1].tag if place + 1 < len(words) else ""
    return before in ("DT", "PRP$", "JJ", "CD") and after in _NOUNS


def closely(caption: Caption, place: int) -> bool:
    """Nothing but white space or a hyphen between the word before and this one."""
    return not caption.text[caption.words[place - 1].end : caption.words[place].start].strip(" \t-")


def whole_group(caption: Caption, start: int) -> range | None:
    """A noun group with `of hay` behind it and with `and a hat`."""
    found = noun_group(caption, start)
    while found:
        more = _more(caption, found)
        if more is None:
            return found
        found = range(start, more.stop)
    return None


def _more(caption: Caption, found: range) -> range | None:
    end, words = found.stop, caption.words
    if end + 1 >= len(words) or words[end].token not in ("of", "and", "or") or not closely(caption, end):
        return None
    group = noun_group(caption, end + 1)
    return group if group and closely(caption, end + 1) else None


def prepositional(caption: Caption) -> list[Phrase]:
    """Every prepositional phrase, in order; none inside another but the `of` phrases."""
    found: list[Phrase] = []
    place = 0
    while place < len(caption.words):
        phrase = _phrase_at(caption, place)
        if phrase:
            found.append(phrase)
        place = phrase.places.stop if phrase else place + 1
    return found


def to_the_end(caption: Caption, stop: int) -> int:
    """Over the phrases that follow one another from here."""
    for phrase in prepositional(caption):
        if phrase.places.start == stop:
            stop = phrase.places.stop
    return stop


def _phrase_at(caption: Caption, place: int) -> Phrase | None:
    size = _preposition(caption, place)
    if not size or place + size >= len(caption.words):
        return None
    start = place + size
    name = " ".join(word.token for word in caption.words[place:start])
    if caption.words[start].token in _NOT_PLAIN and noun_group(caption, start) is None:
        return Phrase(range(place, start + 1), name, -1)
    group, whole = noun_group(caption, start), whole_group(caption, start)
    if group is None or whole is None:
        return None
    return Phrase(range(place, whole.stop), name, group.stop - 1)


def _preposition(caption: Caption, place: int) -> int:
    """How many words from here are a preposition."""
    tokens = tuple(word.token for word in caption.words[place : place + 4])
    for long in _LONG:
        if tokens[: len(long)] == long:
            return len(long)
    word = caption.words[place]
    return int(word.token in SHORT and word.tag in ("IN", "RP", "TO", "RB", "JJ"))


def is_plain(caption: Caption, phrase: Phrase) -> bool:
    """It names a thing and points at nothing else in the caption (in it, on their laps, each other)."""
    if phrase.head < 0:
        return False
    words = [caption.words[place] for place in phrase.places]
    return not any(word.token in _NOT_PLAIN or word.tag in ("PRP", "PRP$", "WDT", "WP") for word in words)


def singular_alone(caption: Caption, group: range) -> bool:
    """One countable thing without an article: `stage`, which is no phrase by itself."""
    words = [caption.words[place] for place in group]
    opened = words[0].tag in (*_OPENS, "CD") or any(word.tag == "POS" for word in words)
    return words[-1].tag == "NN" and not opened and words[-1].lemma not in MASS


MASS = word_set(
    "snow water grass sand dirt mud ice surf traffic food bread meat cheese hay furniture equipment luggage clothing "
    "wood glass paper fruit rice rain air shade sunlight darkness"
)
