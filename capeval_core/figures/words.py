"""Words for people: captions made safe to show, kept short, and counted in plain English."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from html import escape

from capeval_core.figures.evidence import Caption, Word

MOST_WORDS = 80  # of a caption with marked words
MOST_REFERENCES = 12  # drawn one by one
LONGEST = 28  # characters of a word


def clean(text: str) -> str:
    """What a browser can show: no half characters or control codes, nothing that turns the line around."""
    if text.isascii() and text.isprintable():
        return text
    kept = []
    for character in text:
        if unicodedata.bidirectional(character) in ("RLO", "LRO", "RLE", "LRE", "PDF", "RLI", "LRI", "FSI", "PDI"):
            continue
        kept.append("\ufffd" if unicodedata.category(character) in ("Cc", "Cs", "Co") else character)
    return "".join(kept)


def short(text: str, longest: int = LONGEST) -> str:
    text = clean(text)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def label(text: str, longest: int = LONGEST) -> str:
    """For plotly, which reads some HTML in every text."""
    return escape(short(text, longest))


def quoted(text: str) -> str:
    return f"“{short(text)}”"


def listing(parts: Sequence[str], last: str = "and") -> str:
    """a, b and c"""
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}" if len(parts) > 1 else "".join(parts)


def plural(count: int, noun: str, nouns: str = "") -> str:
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"


def with_note(sentence: str, note: str) -> str:
    """The metric's own remark (what was left out, why it is 0) follows."""
    if not note:
        return sentence
    note = note[0].upper() + note[1:]
    return f"{sentence} {note if note.endswith('.') else note + '.'}"


def caption(label: str, tokens: Sequence[str], mark: Callable[[int], Word], name: str = "") -> Caption:
    """The tokens as marked words; of a very long caption the first ones, and its label says so."""
    shown = tuple(mark(place) for place in range(min(len(tokens), MOST_WORDS)))
    return Caption(noted(label, len(tokens), MOST_WORDS), shown, name)


def noted(name: str, count: int, most: int, noun: str = "word") -> str:
    return name if count <= most else f"{name} (the first {most} of {plural(count, noun)})"


def first(parts: Iterable[str], most: int) -> list[str]:
    """The first few, and how many more there are."""
    found = list(parts)
    return found if len(found) <= most else [*found[:most], f"{len(found) - most} more"]
