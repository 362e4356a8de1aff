"""Captions in pieces: files of any length, read from the start as often as needed, never all in memory.

What is small is kept: reading it a second time would only cost time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from capeval_core.io import json_stream, readers, sources
from capeval_core.io.limits import NONE
from capeval_core.io.part import Part, Pool, Wanted, no_rows
from capeval_core.io.sources import Meter, Source
from capeval_core.types import CaptionItem

KEPT = 20_000  # captions: 20 MB
Rows = Iterator[tuple[str, CaptionItem]]


@dataclass(frozen=True, slots=True)
class Piece:
    number: int
    items: tuple[CaptionItem, ...]
    first: str  # where its first caption stands ("file: line 7"), and its last
    last: str

    @property
    def place(self) -> str:
        return self.first if self.first == self.last else f"{self.first} to {self.last}"

    @property
    def digest(self) -> str:
        state = hashlib.blake2b(digest_size=16)
        for item in self.items:
            parts = (item.image_id, item.system, item.candidate, *item.references)
            text = "\0".join([*(str(len(part)) for part in parts), *parts])
            state.update(text.encode("utf-8", "surrogatepass") + b"\1")
        return state.hexdigest()


class Stream:
    """The captions of the inputs as the command line names them: see readers.read_items()."""

    def __init__(self, inputs: Sequence[str], references: Path | None = None) -> None:
        self._given = [source for name, path in readers.split_names(inputs) for source in sources.within(path, name)]
        self._references = None if references is None else sources.at(references)
        self._wanted: Wanted | None = None
        self._kept: list[tuple[str, CaptionItem]] | None = None

    def __iter__(self) -> Rows:
        if self._kept is not None:
            yield from self._kept
            return
        kept: list[tuple[str, CaptionItem]] | None = []
        for row in self._read():
            if kept is not None:
                kept.append(row)
                kept = kept if len(kept) <= KEPT else None
            yield row
        self._kept = kept

    def is_longer_than(self, count: int) -> bool:
        return any(place >= count for place, _ in enumerate(self))

    def pieces(self, size: int) -> Iterator[Piece]:
        rows: list[tuple[str, CaptionItem]] = []
        number = 0
        for row in self:
            rows.append(row)
            if len(rows) == size:
                yield _piece(number, rows)
                number, rows = number + 1, []
        if rows:
            yield _piece(number, rows)

    def _read(self) -> Rows:
        meter = Meter(NONE)
        with sources.unzipped(self._given, meter) as (files, pictures):
            annotations = [source for source in files if source.kind == ".json" and json_stream.is_object(source)]
            captions = [source for source in files if source not in annotations]
            readers.check_files(captions, [*([self._references] if self._references else []), *annotations], pictures)
            wanted = self._rules(self._references or next(iter(annotations), None), meter)
            for source, fallback in zip(captions, readers.fallbacks(captions, wanted), strict=True):
                found = 0
                for found, (where, row) in enumerate(readers.read_rows(source, meter), 1):
                    # A pool for a thousand rows: references that follow each other are kept once, and none for ever.
                    if found % 1_000 == 1:
                        part = Part(source, wanted, NONE, Pool(), fallback)
                    yield where, part.item(row, where)
                if not found:
                    raise no_rows(source)

    def _rules(self, references: Source | None, meter: Meter) -> Wanted:
        if self._wanted is None:
            known = readers.annotations_of(references, meter) if references else None
            self._wanted = Wanted(frozenset(), False, known, replace=self._references is not None)
        return self._wanted


def _piece(number: int, rows: Sequence[tuple[str, CaptionItem]]) -> Piece:
    return Piece(number, tuple(item for _, item in rows), rows[0][0], rows[-1][0])
