"""One caption as Explore tells it: its errors, the words they are about, and how far people back each word.

Cards, Inspect's view "Errors" and the report draw with it, so one caption is told the same way everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from capeval_core.explore.findings import CaptionFindings, Error
from capeval_core.explore.kinds import KINDS
from capeval_core.figures import explore
from capeval_core.figures.evidence import Caption, Evidence, Part, Table, Word
from capeval_core.figures.words import MOST_REFERENCES, clean, listing, plural, quoted, short

Span = tuple[int, int]  # first character, and the one after the last
Piece = tuple[str, str, str]  # a part of a text, its kind of word (palette.KINDS), what it says when pointed at


def error_pieces(found: CaptionFindings) -> tuple[Piece, ...]:
    """The caption in parts; the words of its errors are marked, each with its evidence."""
    marks = [(span, "extra", f"{KINDS[one.kind].label}: {one.evidence}") for one in found.errors for span in one.spans]
    return cut(found.text, marks)


def reference_pieces(text: str, found: CaptionFindings) -> tuple[Piece, ...]:
    """A reference in parts; what the caption misses is marked."""
    missed = {one.words.lower() for one in found.errors if one.kind == "missed_object"}
    places = [match.span() for match in re.finditer(r"[^\W_]+", text) if _named(match[0].lower(), missed)]
    return cut(text, [(place, "missed", "the caption does not say it") for place in places])


def _named(word: str, missed: set[str]) -> bool:
    return any(word in (one, f"{one}s", f"{one}es") for one in missed)


def cut(text: str, marks: Sequence[tuple[Span, str, str]]) -> tuple[Piece, ...]:
    """A browser counts characters otherwise than Python, so it gets parts and no places. Where marks overlap, the
    first one given has the words."""
    owner = [-1] * len(text)
    for number, ((start, end), _, _) in enumerate(marks):
        for place in range(max(start, 0), min(end, len(text))):
            owner[place] = number if owner[place] < 0 else owner[place]
    pieces: list[Piece] = []
    start = 0
    for place in range(1, len(text) + 1):
        if place == len(text) or owner[place] != owner[start]:
            _, kind, hint = marks[owner[start]] if owner[start] >= 0 else ((0, 0), "neutral", "")
            pieces.append((clean(text[start:place]), kind, clean(hint)))
            start = place
    return tuple(pieces)


def chip(error: Error) -> str:
    """An error in a few words: (nobody mentions: wall)."""
    label = KINDS[error.kind].label
    return f"{label}: {short(error.words, 40)}" if error.words else label


def sentence(found: CaptionFindings) -> str:
    """What a student reads first."""
    if not found.errors:
        end = "" if found.noun_support is None else f" Its nouns have a mean support of {found.noun_support:.2f}."
        return f"No error was found in this caption.{end}"
    labels = dict.fromkeys(KINDS[one.kind].label.lower() for one in found.errors)
    worst = found.errors[0]
    kind = KINDS[worst.kind].label.lower()
    strongest = f"{quoted(worst.words)} ({kind})" if worst.words else kind
    others = "" if len(found.errors) == 1 else f" The strongest: {strongest}."
    return f"{plural(len(found.errors), 'error')} found: {listing(list(labels))}.{others}"


def draw(found: CaptionFindings, references: Sequence[str]) -> Evidence:
    """The caption by errors and support; the errors with their evidence; the references with what was missed."""
    parts: list[Part] = [explore.caption(found)]
    if found.errors:
        parts.append(_errors(found))
    shown = list(enumerate(references[:MOST_REFERENCES], 1))
    shown.sort(key=lambda one: one[0] - 1 != found.telling)  # the most telling first
    parts += [_caption(f"reference {number}", reference_pieces(text, found)) for number, text in shown]
    return Evidence(sentence(found), tuple(parts), tuple(_details(found)))


def _caption(label: str, pieces: Sequence[Piece]) -> Caption:
    return Caption(label, tuple(_words(pieces)))


def _words(pieces: Sequence[Piece]) -> list[Word]:
    words = []
    for text, kind, hint in pieces:
        words += [Word(text.strip(), kind, 0.6, hint)] if kind != "neutral" else [Word(one) for one in text.split()]
    return [word for word in words if word.text]


def _errors(found: CaptionFindings) -> Table:
    columns: dict[str, Sequence[Any]] = {
        "error": [KINDS[one.kind].label for one in found.errors],
        "words": [one.words for one in found.errors],
        "strength": [float(one.strength) for one in found.errors],
        "why": [one.evidence for one in found.errors],
    }
    return Table("", columns)


def _details(found: CaptionFindings) -> list[Part]:
    parts: list[Part] = []
    columns: dict[str, Sequence[Any]]
    if found.support:
        columns = {
            "word": [one.word for one in found.support],
            "support": [float(one.value) for one in found.support],
            "closest word of a person": [one.closest for one in found.support],
            "counts as a noun": [one.counted for one in found.support],
        }
        parts.append(Table("Support of each content word, 0 to 1", columns))
    if found.missed:
        columns = {
            "word": [one.word for one in found.missed],
            "people who say it": [f"{one.people:.0%}" for one in found.missed],
            "support by the caption": [float(one.support) for one in found.missed],
        }
        parts.append(Table("What people mention and the caption does not", columns))
    return parts
