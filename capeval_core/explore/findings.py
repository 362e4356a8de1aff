"""What Explore finds of one caption, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Span = tuple[int, int]  # first and last+1 character in CaptionFindings.text


@dataclass(frozen=True, slots=True)
class WordSupport:
    """How far the references back one content word of the candidate."""

    word: str  # as written
    value: float  # 0 to 1
    closest: str  # the references' word that backs it most; empty without references
    counted: bool  # a noun that counts in `noun_support`
    span: Span


@dataclass(frozen=True, slots=True)
class Missed:
    """A thing of the references that the candidate does not back."""

    word: str
    people: float  # share of the references that mention it, 0 to 1
    support: float  # by the candidate's words, 0 to 1


@dataclass(frozen=True, slots=True)
class Error:
    kind: str  # a key of kinds.KINDS
    words: str  # the caption's words (of a missed object: the references' word)
    strength: float  # 0 to 1
    evidence: str  # one sentence, with the references' words
    spans: tuple[Span, ...] = ()  # the words to mark; empty where nothing stands in the caption
    reference: int | None = None  # the reference that shows it best


@dataclass(frozen=True, slots=True)
class CaptionFindings:
    image_id: str
    system: str
    candidate: str
    text: str  # what spans point into: the candidate, or its tokens where they cannot be found in it
    support: tuple[WordSupport, ...] = ()  # content words in the order of the text
    noun_support: float | None = None  # mean over the counted nouns; None where there are none
    missed: tuple[Missed, ...] = ()  # most mentioned first
    errors: tuple[Error, ...] = ()  # strongest first
    telling: int | None = None  # the reference to show beside it
    note: str = ""  # why something could not be judged
    concepts: tuple[str, ...] = ()  # things that at least two references mention (with one reference: that it mentions)
    agreeing: int = 0  # the most references that mention one and the same thing
    size: int = 0  # words of the caption

    @property
    def strength(self) -> float:
        """Of the strongest error; 0 without errors."""
        return self.errors[0].strength if self.errors else 0.0

    @property
    def kinds(self) -> frozenset[str]:
        return frozenset(error.kind for error in self.errors)

    def row(self) -> dict[str, Any]:
        """The line of `explore --rows`: these fields, in this order."""
        return {
            "image_id": self.image_id,
            "system": self.system,
            "candidate": self.candidate,
            "support": [[one.word, one.value] for one in self.support],
            "noun_support": self.noun_support,
            "errors": [
                {"kind": one.kind, "words": one.words, "strength": one.strength, "evidence": one.evidence}
                for one in self.errors
            ],
        }


@dataclass(frozen=True, slots=True)
class Exploration:
    """The findings of every caption in input order, and of every reference against its image's other references."""

    findings: tuple[CaptionFindings, ...]
    people: tuple[CaptionFindings, ...] = ()
