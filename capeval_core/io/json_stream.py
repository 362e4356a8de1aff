"""The entries of a JSON file one by one: a list's, or those of the list `annotations` in COCO's object.

A file of 60 MB is never one tree in memory, and one that is all brackets is refused at its first entry.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from capeval_core.errors import InvalidInput
from capeval_core.io import sources
from capeval_core.io.sources import Meter, Source

ANNOTATIONS = "annotations"
_SPACE = re.compile(r"[ \t\n\r]*")
_NEAR = 20  # characters: a word, number or escape that is cut by the end of a piece begins this close to it


def is_object(source: Source) -> bool:
    """Does it begin with a brace? Then it is COCO's annotation file, or nothing we know."""
    with sources.opened(source) as file:
        return file.read(sources.BLOCK).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")


def entries(source: Source, meter: Meter) -> Iterator[Any]:
    """Of a list."""
    text = _Text(source, meter)
    if text.peek() != "[":
        raise InvalidInput(f"{source.name}: line 1", expected="a list of captions", found=text.kind())
    yield from text.items()
    text.end()


def annotation_entries(source: Source, meter: Meter, field: str = ANNOTATIONS) -> Iterator[Any]:
    """Of the list `annotations` (or another) in an object."""
    text = _Text(source, meter)
    found = "null"
    if text.peek() == "{":
        for name in text.names():
            if name == field and text.peek() == "[":
                found = ""
                yield from text.items()
            else:
                found = text.kind() if name == field else found
                text.skip()
        text.end()
    else:
        found = text.kind()
    if found:
        raise InvalidInput(f"{source.name}: line 1: field {field}", expected="a list", found=found)


class _Text:
    """The part of the file that is being read, and where in the file it begins."""

    def __init__(self, source: Source, meter: Meter) -> None:
        self._name, self._limits = source.name, meter.limits
        self._pieces = sources.texts(source, meter)
        self._text, self._at, self._ended = "", 0, False
        self._line, self._column = 1, 0  # of the first character of _text
        self._decode = json.JSONDecoder().raw_decode
        if not self.peek():
            raise InvalidInput(f"{source.name}: line 1: the file is empty", expected="JSON")

    def _more(self) -> None:
        """Another piece, as long as what is still unread: a value cut again and again is not read again and again."""
        done = self._text[: self._at]
        self._line += done.count("\n")
        self._column = len(done) - done.rfind("\n") - 1 if "\n" in done else self._column + len(done)
        parts, wanted = [self._text[self._at :]], len(self._text) - self._at
        while not self._ended and wanted >= 0:
            piece = next(self._pieces, None)
            self._ended = piece is None
            parts.append(piece or "")
            wanted -= len(piece or "") + 1
        self._text, self._at = "".join(parts), 0

    def peek(self) -> str:
        """The next character that is not space; nothing at the end."""
        while True:
            space = _SPACE.match(self._text, self._at)
            self._at = space.end() if space else self._at
            if self._at < len(self._text) or self._ended:
                return self._text[self._at : self._at + 1]
            self._more()

    def kind(self) -> str:
        names = {"[": "a list", "{": "an object", '"': "text", "n": "null", "t": "true/false", "f": "true/false"}
        return names.get(self.peek(), "a number")

    def value(self) -> Any:
        self.peek()
        while True:
            try:
                found, end = self._decode(self._text, self._at)
                if end < len(self._text) - _NEAR or self._ended:  # else a number may go on in the next piece
                    self._at = end
                    return found
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated string") or error.pos > len(self._text) - _NEAR
                if self._ended or not cut:
                    raise self._broken(error.msg, error.pos) from error
            except (ValueError, RecursionError) as error:  # a number without end, or nested too deeply
                raise self._broken(str(error), self._at) from error
            if len(self._text) - self._at > self._limits.row:
                raise sources.too_long(f"{self._name}: line {self._line}", self._limits)
            self._more()

    def _broken(self, message: str, place: int) -> InvalidInput:
        before = self._text[:place]
        line = self._line + before.count("\n")
        column = place - before.rfind("\n") - 1 if "\n" in before else self._column + place
        return InvalidInput(f"{self._name}: line {line}: broken JSON", found=f"{message} at column {column + 1}")

    def _take(self, expected: str, said: str) -> str:
        found = self.peek()
        if not found or found not in expected:
            raise self._broken(said, self._at)
        self._at += 1
        return found

    def items(self) -> Iterator[Any]:
        """Of the list that begins here."""
        self._take("[", "Expecting a list")
        if self.peek() == "]":
            self._at += 1
            return
        while True:
            yield self.value()
            if self._take(",]", "Expecting ',' delimiter") == "]":
                return

    def names(self) -> Iterator[str]:
        """Of the object that begins here; the caller takes each value before it asks for the next name."""
        self._take("{", "Expecting an object")
        if self.peek() == "}":
            self._at += 1
            return
        while True:
            if self.peek() != '"':
                raise self._broken("Expecting property name enclosed in double quotes", self._at)
            name = self.value()
            self._take(":", "Expecting ':' delimiter")
            yield name
            if self._take(",}", "Expecting ',' delimiter") == "}":
                return

    def skip(self) -> None:
        """The value that begins here; COCO's list of images is longer than any row may be."""
        if self.peek() == "[":
            for place, _ in enumerate(self.items()):
                if place >= self._limits.annotations:
                    raise self._broken(f"a list of more than {self._limits.annotations:,} entries", self._at)
        else:
            self.value()

    def end(self) -> None:
        if self.peek():
            raise self._broken("Extra data", self._at)
