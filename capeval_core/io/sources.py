"""Where bytes come from: a file on disk, what a visitor sent, an entry of a zip; .gz is unpacked on the way.

Everything is counted as it is unpacked, so that a small file cannot become a huge one.
"""

from __future__ import annotations

import codecs
import gzip
import io
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from capeval_core.errors import InvalidInput
from capeval_core.io import archives
from capeval_core.io.limits import NONE, Limits, megabytes

KINDS = (".jsonl", ".json", ".csv", ".tsv", ".parquet")
PICTURES = (".png", ".jpg", ".jpeg", ".webp")
ARCHIVES = (".zip", ".tar", ".tgz", ".7z", ".rar", ".bz2", ".xz", ".zst", ".jar")
BESIDE = (".md", ".txt", ".pdf", ".license")  # what people put into an archive for people
BLOCK = 1 << 20


@dataclass(frozen=True)
class Source:
    name: str  # as errors call it
    open: Callable[[], BinaryIO]  # a new stream of its bytes, from the start
    system: str | None = None  # the captioner, where the caller named one
    origin: str = ""  # the file that was given: the archive or folder it lies in, or itself
    part: bool = False  # of a folder: its files are parts of one

    @property
    def packed(self) -> bool:
        return self.name.lower().endswith(".gz")

    @property
    def path(self) -> PurePosixPath:
        """Its name without .gz and without the archive's."""
        name = self.name.removeprefix(f"{self.origin}: ").replace("\\", "/")
        return PurePosixPath(name[:-3] if self.packed else name)

    @property
    def kind(self) -> str:
        return self.path.suffix.lower()


def at(path: Path, system: str | None = None) -> Source:
    """A file on this machine ("-": standard input)."""
    name = str(path)
    return Source(name, lambda: sys.stdin.buffer if name == "-" else path.open("rb"), system, name)


def within(path: Path, system: str | None = None) -> list[Source]:
    """The file; of a folder the files of rows in it, in the order of their names."""
    if not path.is_dir():
        return [at(path, system)]
    found = [replace(at(one, system), origin=str(path), part=True) for one in sorted(path.iterdir())]
    parts = [one for one in found if one.kind in KINDS and not one.path.name.startswith(".")]
    if not parts:
        raise InvalidInput(f"{path}: no file of captions in this folder", expected=f"one of {', '.join(KINDS)}")
    return parts


def of_bytes(name: str, data: bytes) -> Source:
    return Source(name, lambda: io.BytesIO(data), origin=name)


class Meter:
    """How much may still be unpacked."""

    def __init__(self, limits: Limits = NONE) -> None:
        self.limits = limits
        self._room = limits.unpacked

    def take(self, count: int, name: str) -> None:
        self._room -= count
        if self._room < 0:
            most = f"at most {megabytes(self.limits.unpacked)} in all, unpacked"
            raise InvalidInput(f"{name}: too much to load here", expected=most, fix="use the command line")


@contextmanager
def opened(source: Source) -> Iterator[BinaryIO]:
    """Its bytes, unpacked; what goes wrong while reading them is one line."""
    try:
        with source.open() as raw:
            yield cast(BinaryIO, gzip.GzipFile(fileobj=raw)) if source.packed else raw
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InvalidInput(f"{source.name}: broken gzip file", found=str(error)) from error
    except OSError as error:
        raise InvalidInput(f"{source.name}: cannot be read", found=error.strerror or str(error)) from error


def lines(source: Source, meter: Meter) -> Iterator[tuple[int, str]]:
    """Its lines with their numbers. A byte-order mark is dropped."""
    number, blank, limits = 0, 0, meter.limits
    with opened(source) as file:
        while raw := file.readline(limits.row + 1):
            number += 1
            meter.take(len(raw), source.name)
            blank += len(raw) < 3 and not raw.strip()
            if len(raw) > limits.row:
                raise too_long(f"{source.name}: line {number}", limits)
            if blank > limits.captions:
                raise InvalidInput(f"{source.name}: line {number}", expected="captions", found="blank lines only")
            try:
                yield number, raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise _not_utf8(f"{source.name}: line {number}", error.object[error.start], error.start) from error


def texts(source: Source, meter: Meter) -> Iterator[str]:
    """Its text in pieces, for files that may be one long line."""
    decode, line, name = codecs.getincrementaldecoder("utf-8-sig")().decode, 1, source.name
    with opened(source) as file:
        while block := file.read(BLOCK):
            meter.take(len(block), name)
            try:
                text = decode(block)
            except UnicodeDecodeError as error:
                line += error.object.count(b"\n", 0, error.start)
                raise _not_utf8(f"{name}: line {line}", error.object[error.start], None) from error
            line += text.count("\n")
            yield text
        try:
            yield decode(b"", True)
        except UnicodeDecodeError as error:
            raise _not_utf8(f"{name}: line {line}", error.object[error.start], None) from error


def copied(source: Source, meter: Meter, target: BinaryIO) -> None:
    with opened(source) as file:
        while block := file.read(BLOCK):
            meter.take(len(block), source.name)
            target.write(block)


def too_long(where: str, limits: Limits) -> InvalidInput:
    return InvalidInput(f"{where}: too long", expected=f"rows of at most {megabytes(limits.row)}")


def _not_utf8(where: str, byte: int, column: int | None) -> InvalidInput:
    at = "" if column is None else f" at column {column + 1}"
    return InvalidInput(f"{where}: not UTF-8", found=f"byte {byte:#04x}{at}", fix="save the file as UTF-8")


@contextmanager
def unzipped(sources: Sequence[Source], meter: Meter) -> Iterator[tuple[list[Source], dict[str, Source]]]:
    """Files of rows, and images by their path; archives are opened, and closed at the end."""
    rows: list[Source] = []
    pictures: dict[str, Source] = {}
    with ExitStack() as stack:
        for source in sources:
            found = [source]
            if source.kind == ".zip" and not source.packed:
                file = stack.enter_context(opened(source))
                entries = archives.open_zip(file, f"{source.name}: cannot be opened", meter.limits.entries)
                found = [_entry(one, source) for one in stack.enter_context(entries) if not _junk(one.name)]
            for one in found:
                if one.kind in PICTURES:
                    pictures[str(one.path)] = one
                elif one.kind in KINDS:
                    rows.append(one)
                elif one is source or one.kind not in BESIDE:
                    raise _unknown(one)
        if len(rows) > meter.limits.files:
            most = f"at most {meter.limits.files} files of captions"
            raise InvalidInput(f"{rows[-1].name}: too many files", expected=most, found=f"{len(rows):,}")
        yield rows, pictures


def _entry(entry: archives.Entry, archive: Source) -> Source:
    return Source(f"{archive.name}: {entry.name}", entry.open, archive.system, archive.name)


def _junk(path: str) -> bool:
    """What operating systems leave in archives."""
    parts = path.split("/")
    return parts[0] == "__MACOSX" or parts[-1].startswith(".") or parts[-1].lower() in ("thumbs.db", "desktop.ini")


def _unknown(source: Source) -> InvalidInput:
    where = f"{source.name}: unknown kind of file"
    if source.kind in ARCHIVES or source.path.name.lower().endswith(ARCHIVES):
        return InvalidInput(f"{source.name}: an archive inside an archive", fix="unpack it first")
    expected = f"{', '.join(KINDS)} (also with .gz), or a .zip of these with images"
    return InvalidInput(where, expected=expected, found=source.path.name[:80])
