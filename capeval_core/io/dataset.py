"""A data set: captions of images by captioners, with whatever came along: scores, ratings, columns, images."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from capeval_core.errors import InvalidInput
from capeval_core.io.columns import Json, Value
from capeval_core.types import Array, CaptionItem


@dataclass(frozen=True, slots=True)
class Pairs:
    """Which of two captions people prefer, by rows of the data set."""

    first: tuple[int, ...] = ()
    second: tuple[int, ...] = ()
    winners: tuple[str, ...] = ()  # "first", "second", "tie"
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class DataSet:
    title: str
    items: tuple[CaptionItem, ...]
    scores: Mapping[str, Array] = field(default_factory=dict)  # that the files brought, by metric; NaN where none
    # People's, per caption, NaN where a rater did not answer; None: the files have no such column.
    ratings: tuple[tuple[float, ...], ...] | None = None
    columns: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)  # all others, by name; None where empty
    images: Mapping[str, bytes] = field(default_factory=dict)  # by image id, ready to show; read when asked for
    notes: tuple[str, ...] = ()  # what was left out while loading, and why
    samples: bool = False  # it is the scenes that come with the app
    pairs: Pairs | None = None  # of the captions, where the files have pairs of them

    @cached_property
    def digest(self) -> str:
        """Of everything but the title and the notes: equal digests, equal results."""
        state = hashlib.sha256()

        def add(parts: Iterable[str]) -> None:
            state.update("\0".join(f"{len(part)}:{part}" for part in parts).encode() + b"\1")

        for item in self.items:
            add((item.image_id, item.system, item.candidate, *item.references))
        for key, values in sorted(self.scores.items()):
            add((key, values.tobytes().hex()))
        for rating in self.ratings or ():
            add(map(repr, rating))
        if self.pairs:
            for first, second, winner, group in _rows(self.pairs):
                add((str(first), str(second), winner, group))
        for name, column in sorted(self.columns.items()):
            add((name, *(f"{type(value).__name__} {_spelled(value)}" for value in column)))
        for image in sorted(self.images):
            add((image, hashlib.sha256(_original(self.images, image)).hexdigest()))
        return state.hexdigest()

    @cached_property
    def systems(self) -> dict[str, list[int]]:
        """The rows of each captioner."""
        return _places(item.system for item in self.items)

    @cached_property
    def images_rows(self) -> dict[str, list[int]]:
        """The rows of each image."""
        return _places(item.image_id for item in self.items)

    def image(self, identifier: str) -> bytes | None:
        """The picture, ready to show. None where no whole one came along: damage inside it shows only now."""
        try:
            return self.images.get(identifier)
        except InvalidInput:
            return None

    def original(self, identifier: str) -> bytes:
        """The image as it came; KeyError where there is none."""
        return _original(self.images, identifier)

    @cached_property
    def carries(self) -> tuple[str, ...]:
        """What there is besides captions, in words."""
        several = len(self.columns)
        parts = {
            "references": any(item.references for item in self.items),
            "scores": bool(self.scores),
            "ratings": self.ratings is not None,
            "pairs with winners": self.pairs is not None,
            "images": bool(self.images),
            _count(several, "extra column"): several > 0,
        }
        return tuple(name for name, there in parts.items() if there)

    @property
    def size(self) -> str:
        """10,000 captions, 4 captioners, 2,500 images"""
        counts = {"caption": len(self.items), "captioner": len(self.systems), "image": len(self.images_rows)}
        return ", ".join(_count(count, noun) for noun, count in counts.items())

    def facts(self) -> str:
        """10,000 captions, 4 captioners, 2,500 images; references, scores"""
        return f"{self.size}; {', '.join(self.carries)}" if self.carries else self.size


def _rows(pairs: Pairs) -> Iterable[tuple[int, int, str, str]]:
    return zip(pairs.first, pairs.second, pairs.winners, pairs.groups, strict=True)


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _places(names: Iterable[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        found.setdefault(name, []).append(row)
    return found


def _spelled(value: Value) -> str:
    return value.text if isinstance(value, Json) else repr(value)


def _original(images: Mapping[str, bytes], identifier: str) -> bytes:
    """As it came, where the mapping keeps that: making thousands ready to show would take a minute."""
    original = getattr(images, "original", images.__getitem__)
    found: bytes = original(identifier)
    return found
