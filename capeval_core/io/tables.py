"""Rows of tables: CSV and TSV, whose cells are text, and Parquet, whose cells are values."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from capeval_core.errors import InvalidInput
from capeval_core.io import columns, parquet_rows, rows, sources
from capeval_core.io.limits import NONE, Limits
from capeval_core.io.sources import Meter, Source

Rows = Iterator[tuple[str, Any]]
BESIDES = 100  # columns with a name of ours: captions and scores
_DIGITS = re.compile("[0-9]{1,9}")


def delimited(source: Source, meter: Meter) -> Rows:
    csv.field_size_limit(sys.maxsize)
    text = _Lines(source, meter)
    reader = csv.reader(iter(text), delimiter="\t" if source.kind == ".tsv" else ",", strict=True)
    try:
        names = [columns.unguard(name) for name in next(reader, [])]
        _check_names(names, source.name, meter.limits)
        numbered = numbered_references(names)
        for cells in reader:
            where = f"{source.name}: line {reader.line_num}"
            text.size = 0
            if len(cells) > len(names):
                expected = f"{len(names)} cells"
                raise InvalidInput(where, expected=expected, found="more", fix="quote cells with commas")
            if cells:
                filled: list[str | None] = [*map(columns.unguard, cells), *[None] * (len(names) - len(cells))]
                yield where, with_references(dict(zip(names, filled, strict=True)), numbered, where)
    except csv.Error as error:
        raise InvalidInput(f"{source.name}: line {reader.line_num}: broken table", found=str(error)) from error


def _check_names(names: Sequence[str], where: str, limits: Limits) -> None:
    most = limits.columns + limits.references + BESIDES
    if len(names) > most:
        raise InvalidInput(f"{where}: line 1: too many columns", expected=f"at most {most}", found=f"{len(names):,}")
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InvalidInput(f"{where}: line 1: two columns are named {name[:80]!r}")
        seen.add(name)


class _Lines:
    """A file's lines; a cell that goes on for ever (an open quote) is stopped at the length of a row."""

    def __init__(self, source: Source, meter: Meter) -> None:
        self._source, self._meter = source, meter
        self.size = 0  # characters since the last whole row

    def __iter__(self) -> Iterator[str]:
        for number, line in sources.lines(self._source, self._meter):
            self.size += len(line)
            if self.size > self._meter.limits.row:
                raise sources.too_long(f"{self._source.name}: line {number}", self._meter.limits)
            yield line


def numbered_references(names: Sequence[str]) -> list[str]:
    """reference_1, reference_2, ... in the order of their numbers; none where a column `references` is there."""
    numbers = {name: name.removeprefix("reference_") for name in names}
    found = sorted((int(rest), name) for name, rest in numbers.items() if rest != name and _DIGITS.fullmatch(rest))
    return [] if "references" in numbers else [name for _, name in found]


def with_references(row: dict[str, Any], numbered: Sequence[str], where: str) -> dict[str, Any]:
    """References come as one column with a JSON list, or as numbered ones, of which the empty are skipped."""
    listed = row.get("references")
    if isinstance(listed, str):
        row["references"] = rows.parse_json(listed or "null", f"{where}: field references")
    if numbered:
        cells = [row.pop(name) for name in numbered]
        row["references"] = [cell for cell in cells if cell is not None and str(cell).strip()]
    return row


def parquet(source: Source, meter: Meter) -> Rows:
    with tempfile.TemporaryFile(prefix="capeval-") as copy:
        sources.copied(source, meter, copy)
        copy.seek(0)
        for number, line in enumerate(_decoded(copy, source.name, meter), 1):
            where = f"{source.name}: line {number}"
            row = rows.parse_json(line, where)
            yield where, with_references(row, numbered_references(list(row)), where)


def _decoded(file: BinaryIO, name: str, meter: Meter) -> Iterator[str]:
    """Its rows as JSON, made by a process of its own."""
    limits = meter.limits
    memory = 0 if limits == NONE else limits.memory
    command = [sys.executable, "-P", str(Path(parquet_rows.__file__)), str(memory)]
    child = subprocess.Popen(command, stdin=file, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert child.stdout is not None
    failed = ""
    try:
        while raw := child.stdout.readline(limits.row + 1):
            line = raw.decode()
            meter.take(len(raw), name)
            if len(raw) > limits.row:
                raise sources.too_long(name, limits)
            if line.startswith(parquet_rows.FAILED):
                failed = line[1:].strip()
                break
            yield line
        else:
            failed = "" if child.wait() == 0 else "a file that its reader breaks on"
    finally:
        child.kill()
        child.stdout.close()
        child.wait()
    if failed:
        raise InvalidInput(f"{name}: cannot be read", expected="a Parquet file", found=failed)
