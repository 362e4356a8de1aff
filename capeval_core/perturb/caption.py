"""Caption: a text with its words found in it and parsed, and the two ways to change one: edit in place, or reorder.

The parser reads COCO tokens (lower case, no punctuation). Each token is found again in the text, so that what is not
changed keeps its case and punctuation; where a token is written otherwise in the text, the tokens become the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from capeval_core.perturb.variant import Draft, Span
from capeval_core.text.parse import Parse

Edit = tuple[int, int, str]  # first and last+1 character, and what stands there instead
# "an" goes by a word's sound, not by its letter: an hour, a uniform, a one-man band.
_VOWEL = re.compile(r"[aeiou]|hour|honest|heir", re.I)
_BRACKETS = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}"}
_CONSONANT = re.compile(r"eu|uni|use|usual|utensil|ukulele|one|once", re.I)


@dataclass(frozen=True, slots=True)
class Word:
    text: str  # as written
    start: int
    end: int
    token: str  # as the parser reads it
    tag: str
    lemma: str
    head: int  # position of the governor, -1 for a root
    relation: str


@dataclass(frozen=True)
class Caption:
    text: str
    words: tuple[Word, ...]

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        found: list[list[int]] = [[] for _ in self.words]
        for place, word in enumerate(self.words):
            if word.head >= 0:
                found[word.head].append(place)
        return tuple(map(tuple, found))

    @cached_property
    def extents(self) -> tuple[range | None, ...]:
        """What each word governs, itself included: the words from first to last; None where others lie between."""
        reach: list[tuple[int, int, int]] = [(place, place, 1) for place in range(len(self.words))]
        for place in self._bottom_up():
            head = self.words[place].head
            if head >= 0:
                (a, b, n), (c, d, m) = reach[head], reach[place]
                reach[head] = (min(a, c), max(b, d), n + m)
        return tuple(range(a, b + 1) if b + 1 - a == n else None for a, b, n in reach)

    def _bottom_up(self) -> list[int]:
        order = [place for place, word in enumerate(self.words) if word.head < 0]
        for place in order:
            order += self.children[place]
        return order[::-1]

    def phrase(self, places: Iterable[int]) -> str:
        """The text from the first to the last of some neighbouring words."""
        found = sorted(places)
        return self.text[self.words[found[0]].start : self.words[found[-1]].end]

    @property
    def tokens(self) -> list[str]:
        return [word.token for word in self.words]

    @cached_property
    def lemmas(self) -> frozenset[str]:
        return frozenset(word.lemma for word in self.words)

    @cached_property
    def spellings(self) -> frozenset[str]:
        """Every word as it stands there and as its lemma."""
        return self.lemmas.union(self.tokens)

    @property
    def ending(self) -> str:
        """The full stop after the last word, or nothing: a quotation mark belongs to words that may be gone."""
        return "".join(mark for mark in self.text[self.words[-1].end :] if mark in ".!?")

    @property
    def capitalised(self) -> bool:
        return self.words[0].text[:1].isupper()


def read(text: str, parses: Sequence[Parse]) -> Caption:
    """A caption of several windows gets one list of words."""
    tokens = [word for parse in parses for word in parse.words]
    places = _find(text, tokens)
    if places is None:
        text = " ".join(_BRACKETS.get(token, token) for token in tokens)
        places = _find(text, tokens) or []
    words: list[Word] = []
    for parse in parses:
        offset = len(words)
        columns = zip(parse.words, parse.tags, parse.lemmas, parse.heads, parse.relations, strict=True)
        for number, (token, tag, lemma, head, relation) in enumerate(columns, offset):
            start, end = places[number]
            governor = offset + head - 1 if head else -1
            words.append(Word(text[start:end], start, end, token, tag, lemma, governor, relation))
    return Caption(text, tuple(words))


def _find(text: str, tokens: Sequence[str]) -> list[Span] | None:
    lowered = text.lower()
    if len(lowered) != len(text):  # a few letters change their length
        return None
    places, cursor = [], 0
    for token in tokens:
        written = _BRACKETS.get(token, token)
        start = lowered.find(written, cursor)
        # Between two tokens there may be punctuation, which the tokenizer drops, but no letters.
        if start < 0 or any(letter.isalnum() for letter in lowered[cursor:start]):
            return None
        cursor = start + len(written)
        places.append((start, cursor))
    return None if any(letter.isalnum() for letter in lowered[cursor:]) else places


def edit(caption: Caption, edits: Iterable[Edit], change: str) -> Draft:
    """Edits in place; an empty replacement takes the space before it along."""
    parts, spans, cursor, size = [], [], 0, 0
    for start, end, new in sorted(edits):
        if not new and start and caption.text[start - 1 : start].isspace():
            start -= 1
        before = caption.text[cursor:start]
        size += len(before)
        if new.strip():
            lead = len(new) - len(new.lstrip())
            spans.append((size + lead, size + len(new)))
        size += len(new)
        parts += [before, new]
        cursor = end
    text = "".join([*parts, caption.text[cursor:]])
    kept = text.lstrip()
    shift = len(text) - len(kept)
    if caption.capitalised and kept[:1].islower():
        kept = kept[0].upper() + kept[1:]
    return Draft(kept, change, tuple((max(a - shift, 0), b - shift) for a, b in spans))


def replace(caption: Caption, new: Mapping[int, str], change: str) -> Draft:
    """Words in place of words, each with the case of the old one; `a` before a new word becomes `an` and back."""
    edits = []
    for place, text in new.items():
        word = caption.words[place]
        edits.append((word.start, word.end, match_case(word.text, text)))
        if article := _article(caption, place, new):
            edits.append(article)
    return edit(caption, edits, change)


def replace_span(caption: Caption, places: range, new: str, change: str) -> Draft:
    """A phrase in place of a phrase, which begins small unless the caption begins with it."""
    edits: list[Edit] = [(caption.words[places.start].start, caption.words[places.stop - 1].end, new)]
    return edit(caption, edits, change)


def match_case(old: str, new: str) -> str:
    if old.isupper() and len(old) > 1:
        return new.upper()
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


def _article(caption: Caption, place: int, new: Mapping[int, str]) -> Edit | None:
    if not place or place - 1 in new or caption.words[place - 1].token not in ("a", "an"):
        return None
    before = caption.words[place - 1]
    right = article_for(new[place])
    return None if right == before.token else (before.start, before.end, match_case(before.text[:1], right))


def article_for(word: str) -> str:
    return "an" if _VOWEL.match(word) and not _CONSONANT.match(word) else "a"


def reorder(caption: Caption, order: Sequence[int], moved: Iterable[int], change: str, pause: int = 0) -> Draft:
    """The same words in another order; a comma stays between two words that stay together, the full stop at the end.

    `pause`: after so many words a comma is put in.
    """
    chosen, parts, spans, size = set(moved), [], [], 0
    for number, place in enumerate(order):
        text = _uncapitalised(caption, place)
        gap = _gap(caption, order[number - 1], place) if number else ""
        gap = ", " if pause and number == pause else gap
        if number == 0 and caption.capitalised:
            text = text[:1].upper() + text[1:]
        if place in chosen:
            spans.append((size + len(gap), size + len(gap) + len(text)))
        parts.append(gap + text)
        size += len(gap) + len(text)
    return Draft("".join(parts) + caption.ending, change, tuple(spans))


def _gap(caption: Caption, before: int, place: int) -> str:
    """What stands between two words: as it was where they stood together; `'s` follows any word closely."""
    word = caption.words[place]
    if before == place - 1:
        between = caption.text[caption.words[before].end : word.start]
        return between if not between.strip(" ,-") else " "
    return "" if word.token.startswith("'") else " "


def _uncapitalised(caption: Caption, place: int) -> str:
    word = caption.words[place]
    starts = (place == 0 and word.text[1:].islower()) or word.text in ("A", "An")
    return word.text.lower() if starts and word.tag not in ("NNP", "NNPS") else word.text
