"""Variant: a caption with its words changed, what was changed, and how it came about; all plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

Span = tuple[int, int]  # first and last+1 character


@dataclass(frozen=True, slots=True)
class Variant:
    item: int  # which of the items handed in
    kind: str
    text: str
    spans: tuple[Span, ...]  # the new or moved words, as characters of `text`; empty where words only went away
    change: str  # in plain words: "man -> guy"
    strength: int
    seed: int
    number: int = 0  # of several variants of one kind


class Variants(list[Variant]):
    """The variants in order of item, kind and number; `missing` says why a kind could not be made for an item."""

    def __init__(self) -> None:
        super().__init__()
        self.missing: dict[tuple[int, str], str] = {}  # (item, kind) -> reason


@dataclass(frozen=True, slots=True)
class Draft:
    """What one way of changing a caption hands back."""

    text: str
    change: str
    spans: tuple[Span, ...] = field(default=())


class CannotMake(Exception):
    """This change has nothing to work on in this caption; the message says what is missing, for people."""
