"""Words that a metric's resource does not know: a score made of them says little, and that is said beside it.

A metric with such a resource has a method `unknown(caption)`; the service asks it, and writes notes and remarks.
English captions have hardly any: of 6,000 by people (COCO) none has an unknown token in MiniLM's vocabulary, and none
has half of its words in pieces there.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

MANY = 0.3  # a share of unknown words worth a note
PIECES = 0.5  # a share of words in pieces worth one


@dataclass(frozen=True, slots=True)
class Unknown:
    """Of one caption or several."""

    count: int
    total: int
    source: str  # what does not know them
    noun: str = "words"

    @property
    def many(self) -> bool:
        return self.count > MANY * self.total


Ask = Callable[[str], Unknown]


def foreign(text: str) -> bool:
    """Does it hold a letter that is not Latin? A model of English knows such letters, but hardly a word of them."""
    return not text.isascii() and any(
        letter.isalpha() and not unicodedata.name(letter, "").startswith("LATIN") for letter in text
    )


def of_tokens(text: str, spans: Sequence[tuple[int, int]], lost: Sequence[bool], source: str) -> Unknown:
    """Of a transformer's tokens, its own ([CLS]) aside; `lost`: in no vocabulary. A text of which it knows the pieces
    but hardly a word is unknown too."""
    count = sum(gone or foreign(text[start:end]) for (start, end), gone in zip(spans, lost, strict=True))
    tokens = Unknown(count, len(spans), source, "tokens")
    words = _pieces(text, spans)
    broken = sum(pieces > 1 for pieces in words)
    if tokens.many or len(words) < 2 or broken < PIECES * len(words):
        return tokens
    return Unknown(broken, len(words), source)


def _pieces(text: str, spans: Sequence[tuple[int, int]]) -> list[int]:
    """How many tokens each word is made of; punctuation is no word."""
    found: list[int] = []
    last = -1
    for start, end in spans:
        if not any(map(str.isalnum, text[start:end])):
            last = -1
        elif start == last:
            found[-1] += 1
            last = end
        else:
            found.append(1)
            last = end
    return found


def note(candidate: str, references: Sequence[str], ask: Ask) -> str:
    """What is said beside a score; nothing where most words are known."""
    said = ask(candidate)
    sides = {"the candidate": said} | ({"the references": _together(map(ask, references))} if references else {})
    parts = [f"{one.count} of {one.total} {one.noun} of {side}" for side, one in sides.items() if one.many]
    return f"{' and '.join(parts)} are unknown to {said.source}: this score says little" if parts else ""


def remark(source: str) -> str:
    """What is said of a batch, with room for two counts: of items with such words, and of all."""
    return f"{{0}} of {{1}} items have many words that {braced(source)} does not know: their scores say little"


def braced(name: str) -> str:
    """A name inside a sentence with room for counts."""
    return name.replace("{", "{{").replace("}", "}}")


def _together(found: Iterable[Unknown]) -> Unknown:
    every = list(found)
    nouns = {one.noun for one in every if one.many} or {every[0].noun}
    return Unknown(
        sum(one.count for one in every),
        sum(one.total for one in every),
        every[0].source,
        nouns.pop() if len(nouns) == 1 else "words",
    )
