"""One row of a file -> one CaptionItem, or an error that names file, line and field."""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, cast

from capeval_core.errors import InvalidInput
from capeval_core.types import CaptionItem

References = Mapping[str, tuple[str, ...]]  # by image id
_KINDS = {dict: "an object", list: "a list", str: "text", int: "a number", float: "a number", bool: "true/false"}


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """The file's lines ("-": standard input's) with their numbers; .gz is unpacked. A byte-order mark is dropped."""
    number = 0
    try:
        with _open(path) as file:
            for number, raw in enumerate(file, 1):
                yield number, raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"{path}: line {number}: not UTF-8",
            found=f"byte {error.object[error.start]:#04x} at column {error.start + 1}",
            fix="save the file as UTF-8",
        ) from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InvalidInput(f"{path}: line {number + 1}: broken gzip file", found=str(error)) from error
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read", found=error.strerror or str(error)) from error


def _open(path: Path) -> BinaryIO:
    if str(path) == "-":
        return sys.stdin.buffer
    return cast(BinaryIO, gzip.open(path, "rb")) if path.suffix == ".gz" else path.open("rb")


def parse_json(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = "" if ": line " in where else f": line {error.lineno}"
        raise InvalidInput(f"{where}{line}: broken JSON", found=f"{error.msg} at column {error.colno}") from error
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{where}: broken JSON", found=str(error) or "nested too deeply") from error


def item(row: Any, where: str, system: str | None, references: References | None) -> CaptionItem:
    """`where` is "file: line 7"; `system`, when given, overrides the row's; so do `references`."""
    if not isinstance(row, dict):
        raise InvalidInput(where, expected="an object with image_id, candidate, references", found=kind(row))
    image = identifier(row, where)
    name = "candidate" if "candidate" in row else "caption"
    if name not in row:
        raise InvalidInput(f"{where}: field candidate is missing", fix="add it (or caption)")
    candidate = text(row[name], f"{where}: field {name}")
    if references is None:
        found = _references(row, where)
    elif image in references:
        found = references[image]
    else:
        raise InvalidInput(f"{where}: field image_id: no reference for image {image!r} in the references file")
    named = row.get("system") if system is None else system
    return CaptionItem(image, candidate, found, "" if named is None else text(named, f"{where}: field system"))


def identifier(row: Mapping[str, Any], where: str) -> str:
    """Image ids may be numbers or text; 7 and "7" are the same image."""
    if "image_id" not in row:
        raise InvalidInput(f"{where}: field image_id is missing")
    found = row["image_id"]
    if isinstance(found, bool) or not isinstance(found, int | str):
        raise InvalidInput(f"{where}: field image_id", expected="text or a whole number", found=kind(found))
    return text(str(found), f"{where}: field image_id")


def text(found: Any, where: str) -> str:
    if not isinstance(found, str):
        raise InvalidInput(where, expected="text", found=kind(found))
    try:
        found.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"{where}: not valid Unicode", found=f"half a character at position {error.start}"
        ) from error
    return found


def _references(row: Mapping[str, Any], where: str) -> tuple[str, ...]:
    if "references" not in row:
        raise InvalidInput(
            f"{where}: field references is missing", fix='add it ("references": [] where there are none)'
        )
    found = row["references"]
    if not isinstance(found, list):
        raise InvalidInput(f"{where}: field references", expected="a list of texts", found=kind(found))
    return tuple(text(one, f"{where}: field references[{place}]") for place, one in enumerate(found))


def kind(found: Any) -> str:
    return "null" if found is None else _KINDS.get(type(found), type(found).__name__)
