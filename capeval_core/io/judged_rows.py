"""Judgements in a file of their own, laid beside the captions they are about."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from capeval_core.errors import InvalidInput
from capeval_core.io import judgements, readers, rows, sources
from capeval_core.io.dataset import DataSet, Pairs
from capeval_core.io.judgements import Judgements
from capeval_core.io.limits import Limits
from capeval_core.io.sources import Meter, Source

NAMES = ("image_id", "system", "candidate")


def join(found: Judgements, given: Sequence[Source], limits: Limits) -> Judgements:
    """What the captions' own file says stays; a rater who did not see a caption has no rating of it."""
    meter, captions, answers = Meter(limits), _Captions(found.data), _Answers()
    for row, own in enumerate(found.data.ratings or ()):
        answers.add(row, own, found.data.title, "")
    pairs: list[tuple[int, int, str, str]] = []
    captioners: dict[str, tuple[float, ...]] = {}
    with sources.unzipped(given, meter) as (files, _):
        for source in files:
            name = source.path.stem if len(files) > 1 else ""
            for where, row in readers.read_rows(source, meter):
                if not isinstance(row, dict):
                    raise InvalidInput(where, expected="an object with image_id and rating", found=rows.kind(row))
                if judgements.is_pair(row):
                    pairs.append(_pair(row, where, captions))
                elif "system" in row and not {"image_id", "candidate", "caption"} & row.keys():
                    captioners[captions.captioner(row, where)] = rating(row, where)
                else:
                    answers.add_row(captions.find(row, where), row, where, name)
    if pairs:
        first, second, winners, groups = zip(*pairs, strict=True)
        return replace(found, pairs=Pairs(first, second, winners, groups))
    data = replace(found.data, ratings=answers.table(len(found.data.items))) if answers.raters else found.data
    return replace(found, data=data, captioners=captioners, raters=answers.names)


def rating(row: Mapping[str, Any], where: str) -> tuple[float, ...]:
    name = "ratings" if "ratings" in row else "rating"
    if name not in row:
        raise InvalidInput(f"{where}: field rating is missing", expected="a number")
    return rows.numbers(row[name], f"{where}: field {name}")


def _pair(row: Mapping[str, Any], where: str, captions: _Captions) -> tuple[int, int, str, str]:
    image = {"image_id": rows.identifier(row, where)}
    first, second = (captions.find(image | {"candidate": row[side]}, where, side)[0] for side in ("first", "second"))
    return first, second, judgements.winner(row, where), judgements.group(row, where)


class _Captions:
    """The rows of a data set by any of image, captioner and caption."""

    def __init__(self, data: DataSet) -> None:
        self._items = data.items
        self._systems = data.systems
        self._places: dict[tuple[str, ...], dict[tuple[str, ...], list[int]]] = {}

    def find(self, row: Mapping[str, Any], where: str, caption: str = "candidate") -> list[int]:
        """At least one; the error names the field that fits nothing."""
        image = rows.identifier(row, where)
        wanted = {"image_id": image}
        if row.get("system") is not None:
            wanted["system"] = rows.text(row["system"], f"{where}: field system")
        if "candidate" in row or "caption" in row:
            field = rows.caption_field(row, where)
            wanted["candidate"] = rows.text(row[field], f"{where}: field {field if field == 'caption' else caption}")
        places: list[int] = []
        for count in range(1, len(wanted) + 1):
            names = tuple(wanted)[:count]
            places = self._by(names).get(tuple(wanted[name] for name in names), [])
            if not places:
                name = caption if names[-1] == "candidate" else names[-1]
                said = repr(wanted[names[-1]][:80])
                expected = "one of the captions'" if count == 1 else f"one that image {image[:80]!r} has"
                raise InvalidInput(f"{where}: field {name} matches nothing", expected=expected, found=said)
        return places

    def captioner(self, row: Mapping[str, Any], where: str) -> str:
        name = rows.text(row["system"], f"{where}: field system")
        if name not in self._systems:
            expected = f"one of {', '.join(map(repr, self._systems))}"[:300]
            raise InvalidInput(f"{where}: field system matches nothing", expected=expected, found=repr(name[:80]))
        return name

    def _by(self, names: tuple[str, ...]) -> dict[tuple[str, ...], list[int]]:
        if names not in self._places:
            found: dict[tuple[str, ...], list[int]] = {}
            for row, item in enumerate(self._items):
                found.setdefault(tuple(getattr(item, name) for name in names), []).append(row)
            self._places[names] = found
        return self._places[names]


@dataclass
class _Answers:
    """Who rated what."""

    raters: dict[tuple[str, str, int], dict[int, float]] = field(default_factory=dict)  # file, person, place -> ratings
    anonymous: bool = False  # some caption was rated twice by rows that name nobody

    def add_row(self, places: Sequence[int], row: Mapping[str, Any], where: str, file: str) -> None:
        person, given = row.get("rater", ""), rating(row, where)
        person = str(person) if isinstance(person, int) else rows.text(person or "", f"{where}: field rater")
        for place in places:
            if not self.add(place, given, file, person) and person:
                raise InvalidInput(f"{where}: field rater: {person[:80]!r} has rated this caption before")

    def add(self, row: int, given: Sequence[float], file: str, person: str) -> bool:
        """False where the same place has a rating already; it then takes the next free one."""
        fresh, at = True, 0
        for value in given:
            while row in self.raters.get((file, person, at), {}):
                at, fresh = at + 1, False
            self.raters.setdefault((file, person, at), {})[row] = value
            at += 1
        self.anonymous |= not fresh
        return fresh

    def table(self, count: int) -> tuple[tuple[float, ...], ...]:
        columns = list(self.raters.values())
        return tuple(tuple(column.get(row, math.nan) for column in columns) for row in range(count))

    @property
    def names(self) -> tuple[str, ...]:
        """None where the same place was taken by several people."""
        if self.anonymous or len(self.raters) < 2:
            return ()
        several = {(file, person) for file, person, at in self.raters if at}
        return tuple(_name(file, person, at, (file, person) in several) for file, person, at in self.raters)


def _name(file: str, person: str, at: int, several: bool) -> str:
    parts = list(dict.fromkeys(part for part in (file, person) if part))
    return " ".join([*parts, *([f"rater {at + 1}"] if several or not parts else [])])
