"""A visitor's file of captions -> items, through a private folder; one line says what is wrong with it."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from capeval_core import CaptionItem, InvalidInput
from capeval_core.io.readers import read_items
from capeval_core.io.workspace import MAX_REFERENCES

SUFFIXES = ("jsonl", "csv", "tsv", "json")
MAX_BYTES = 25 * 2**20  # what the uploader says too
MAX_ITEMS = 50_000
MAX_CAPTION = 2_000  # characters: each is parsed, changed and scored many times over


def read_upload(name: str, data: bytes) -> list[CaptionItem]:
    suffix = name.rpartition(".")[2].lower()
    shown = " ".join(name.split())[:80] or "the file"
    if suffix not in SUFFIXES:
        raise InvalidInput(f"{shown}: unknown kind of file", expected=", ".join(f".{one}" for one in SUFFIXES))
    if len(data) > MAX_BYTES:
        raise InvalidInput(f"{shown}: too large", expected=f"at most {MAX_BYTES // 2**20} MB", found="more")
    # Readable by this process only, and gone when it has been read. The visitor's name for it never names a file here.
    with tempfile.TemporaryDirectory(prefix="capeval-") as folder:
        path = Path(folder) / f"captions.{suffix}"
        path.write_bytes(data)
        try:
            items = read_items([str(path)])
        except InvalidInput as error:
            raise _renamed(error, str(path), shown) from None
    _check(items, shown)
    return items


def _renamed(error: InvalidInput, path: str, name: str) -> InvalidInput:
    """The reader's words with the visitor's name for the file."""
    said = {part: getattr(error, part).replace(path, name) for part in ("message", "expected", "found", "fix")}
    return InvalidInput(said.pop("message"), **said)


def _check(items: Sequence[CaptionItem], name: str) -> None:
    if len(items) > MAX_ITEMS:
        raise InvalidInput(
            f"{name}: too many captions",
            expected=f"at most {MAX_ITEMS:,}",
            found=f"{len(items):,}",
            fix="split the file",
        )
    for number, item in enumerate(items, 1):
        longest = max(map(len, (item.candidate, *item.references)))
        if longest > MAX_CAPTION:
            expected = f"at most {MAX_CAPTION:,} characters"
            raise InvalidInput(f"{name}: caption {number} is too long", expected=expected, found=f"{longest:,}")
        if len(item.references) > MAX_REFERENCES:
            found = f"{len(item.references):,}"
            raise InvalidInput(
                f"{name}: caption {number}: references", expected=f"at most {MAX_REFERENCES}", found=found
            )
