"""What one file of captions holds, collected row by row and checked against the limits on the way."""

from __future__ import annotations

import math
from collections.abc import Set
from dataclasses import dataclass, field
from typing import Any

from capeval_core.errors import InvalidInput
from capeval_core.io import columns, rows
from capeval_core.io.columns import Value
from capeval_core.io.limits import Limits
from capeval_core.io.rows import References
from capeval_core.io.sources import Source
from capeval_core.types import CaptionItem

ADD_REFERENCES = 'add it ("references": [] where there are none), or give a COCO annotation file too'
MORE = "use the command line"


@dataclass(frozen=True)
class Wanted:
    """What is taken from rows, and by which rules."""

    keys: frozenset[str] = frozenset()  # metrics whose columns are scores
    extras: bool = True  # ratings and columns of any name
    known: References | None = None  # a COCO annotation file's captions
    replace: bool = False  # they go before a row's own references


@dataclass
class Pool:
    """Equal texts are kept once: the references of an image come back with every captioner."""

    texts: dict[str, str] = field(default_factory=dict)
    lists: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)

    def text(self, given: str) -> str:
        return self.texts.setdefault(given, given)

    def list(self, given: tuple[str, ...]) -> tuple[str, ...]:
        found = self.lists.get(given)
        if found is None:
            found = tuple(map(self.text, given))
            self.lists[found] = found
        return found


class Part:
    def __init__(self, source: Source, wanted: Wanted, limits: Limits, pool: Pool, fallback: str = "") -> None:
        self.source, self.fallback = source, fallback  # the captioner of rows that name none
        self.items: list[CaptionItem] = []
        self.scores: dict[str, list[float]] = {}
        self.ratings: list[tuple[float, ...]] = []
        self.columns: dict[str, list[Value]] = {}
        self.rated = False
        self._wanted, self._limits, self._pool = wanted, limits, pool
        self._table = source.kind in (".csv", ".tsv")
        self._missing: InvalidInput | None = None  # the first row without references

    def add(self, row: Any, where: str) -> None:
        self.items.append(self.item(row, where))
        if self._wanted.keys or self._wanted.extras:
            self._add_rest(row, where, {"image_id", rows.caption_field(row, where), "references", "system"})

    def item(self, row: Any, where: str) -> CaptionItem:
        """The row's caption, checked."""
        if not isinstance(row, dict):
            raise InvalidInput(where, expected="an object with image_id, candidate, references", found=rows.kind(row))
        image = rows.identifier(row, where)
        caption = rows.caption_field(row, where)
        candidate = rows.text(row[caption], f"{where}: field {caption}")
        references = self._references(row, image, where)
        named = row.get("system") if self.source.system is None else self.source.system
        system = ("" if named is None else rows.text(named, f"{where}: field system")) or self.fallback
        pool = self._pool
        item = CaptionItem(pool.text(image), candidate, pool.list(references), pool.text(system))
        check(item, where, self._limits)
        return item

    def _references(self, row: dict[str, Any], image: str, where: str) -> tuple[str, ...]:
        known = self._wanted.known
        if known is not None and (self._wanted.replace or "references" not in row):
            if image in known:
                return known[image]
            raise InvalidInput(f"{where}: field image_id: no reference for image {image[:80]!r} in the references file")
        if "references" in row:
            return rows.references(row["references"], where)
        self._missing = self._missing or self._without_references(row, where)
        if not self._wanted.keys:
            raise self._missing
        return ()  # fine where scores came along: `finish` looks

    def _without_references(self, row: dict[str, Any], where: str) -> InvalidInput:
        if not self._table:
            return InvalidInput(f"{where}: field references is missing", fix=ADD_REFERENCES)
        return InvalidInput(
            f"{self.source.name}: line 1: field references is missing",
            expected="a column references, or reference_1, reference_2, ..., or a COCO annotation file",
            found=", ".join(row)[:200],
        )

    def _add_rest(self, row: dict[str, Any], where: str, used: Set[str]) -> None:
        number = len(self.items) - 1
        for key in self._wanted.keys & row.keys():
            if key not in self.scores:
                self.scores[key] = [math.nan] * number
            self.scores[key].append(rows.number(row[key], f"{where}: field {key}"))
        for values in self.scores.values():
            if len(values) == number:
                values.append(math.nan)
        if self._wanted.extras:
            rating = "ratings" if "ratings" in row else "rating"
            self.rated = self.rated or rating in row
            found = rows.numbers(row[rating], f"{where}: field {rating}") if rating in row else ()
            if len(found) > self._limits.references:
                raise InvalidInput(f"{where}: field {rating}: too many", expected=f"at most {self._limits.references}")
            self.ratings.append(found)
            self._add_columns(row, where, self._wanted.keys | used | {rating}, number)

    def _add_columns(self, row: dict[str, Any], where: str, used: Set[str], number: int) -> None:
        for name, found in row.items():
            if name not in used:
                if name not in self.columns:
                    self._add_column(name, where, number)
                # A table's cells are told apart when the whole column is there.
                value = found if self._table else columns.kept(found, f"{where}: field {name[:80]}")
                self.columns[name].append(value)
        for column in self.columns.values():
            if len(column) == number:
                column.append(None)

    def _add_column(self, name: str, where: str, number: int) -> None:
        rows.text(name, f"{where}: a field's name")
        if len(name) > self._limits.name:
            expected = f"at most {self._limits.name} characters"
            raise InvalidInput(f"{where}: a field's name is too long", expected=expected, found=name[:80])
        if len(self.columns) >= self._limits.columns:
            expected = f"at most {self._limits.columns} besides captions and scores"
            raise InvalidInput(f"{where}: too many fields", expected=expected, fix="leave out what is not needed")
        self.columns[name] = [None] * number

    def finish(self) -> None:
        if not self.items:
            raise no_rows(self.source)
        if self._missing and not self.scores:
            raise self._missing
        if self._table:
            cells = {name: [value if isinstance(value, str) else None for value in column]
                     for name, column in self.columns.items()}  # fmt: skip
            self.columns = {name: columns.decode(column) for name, column in cells.items()}


def no_rows(source: Source) -> InvalidInput:
    return InvalidInput(f"{source.name}: line 1: the file has no rows", expected="at least one caption", found="none")


def check(item: CaptionItem, where: str, limits: Limits) -> None:
    if len(item.references) > limits.references:
        expected, found = f"at most {limits.references}", f"{len(item.references):,}"
        raise InvalidInput(f"{where}: field references: too many", expected=expected, found=found)
    if max(map(len, (item.candidate, *item.references))) > limits.characters:
        raise InvalidInput(f"{where}: a caption is too long", expected=f"at most {limits.characters:,} characters")
    if max(len(item.image_id), len(item.system)) > limits.name:
        expected = f"at most {limits.name} characters"
        raise InvalidInput(f"{where}: the name of an image or captioner is too long", expected=expected)
