"""Zip files from visitors, read without trust: every entry is checked before the first is unpacked.

Only what is stored or deflated is read: Python unpacks bzip2 and LZMA in one piece, whatever they grow to. No entry is
ever written to a path. An entry that has another size or checksum than it claims is refused.
"""

from __future__ import annotations

import io
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import BinaryIO

from capeval_core.errors import InvalidInput

METHODS = {9: "deflate64", 12: "bzip2", 14: "LZMA", 93: "zstandard", 95: "XZ", 99: "AES encryption"}
ENCRYPTED = 0x1 | 0x40 | 0x2000  # flags: password, strong encryption, hidden directory
DIRECTORY_BYTES = 600  # of one entry in the directory; more only with a very long name or comment
_END, _END_BYTES, _COMMENT_BYTES = b"PK\x05\x06", 22, 65_535
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
    ValueError,
    struct.error,
)


@dataclass(frozen=True)
class Entry:
    name: str
    size: int  # as it claims; reading checks it
    _info: zipfile.ZipInfo
    _file: zipfile.ZipFile
    _what: str

    def open(self) -> BinaryIO:
        return io.BufferedReader(_Checked(self))  # type: ignore[type-var]

    def read(self, limit: int) -> bytes:
        """The whole entry. It cannot become more than it claims, so what it claims is all there is to check."""
        if self.size > limit:
            raise self._refuse(f"{self.name} of at most {limit // 1_000_000} MB", "more")
        with self.open() as file:
            return file.read()

    def _refuse(self, expected: str, found: str) -> InvalidInput:
        return InvalidInput(self._what, expected=expected, found=found)


@contextmanager
def open_zip(file: BinaryIO, what: str, entries: int) -> Iterator[list[Entry]]:
    """The files of an archive, folders left out. `what` begins every error: "this workspace cannot be opened"."""
    try:
        _check_directory(file, what, entries)
        archive = zipfile.ZipFile(file)
    except _DAMAGE as error:
        raise InvalidInput(what, expected="a zip file", found=_damage(error)) from error
    with archive:
        infos = archive.infolist()
        if len(infos) > entries:
            raise InvalidInput(what, expected=f"at most {entries:,} entries", found=f"{len(infos):,}")
        seen: set[str] = set()
        for info in infos:
            expected, found = _fault(info, seen)
            if expected:
                raise InvalidInput(what, expected=expected, found=f"{found} {info.orig_filename[:80]!r}")
        yield [Entry(info.filename, info.file_size, info, archive, what) for info in infos if not info.is_dir()]


def _check_directory(file: BinaryIO, what: str, entries: int) -> None:
    """A directory of millions of entries would fill the memory before anybody could count them."""
    size = file.seek(0, os.SEEK_END)
    start = max(0, size - _END_BYTES - _COMMENT_BYTES)
    file.seek(start)
    tail = file.read()
    # As zipfile looks for it: at the very end, else wherever the last mark is.
    at = len(tail) - _END_BYTES
    if not (tail[max(at, 0) :].startswith(_END) and tail.endswith(b"\0\0")):
        at = tail.rfind(_END)
    if at < 0 or len(tail) < at + _END_BYTES:
        raise zipfile.BadZipFile("no directory")
    count, length, offset = struct.unpack_from("<HII", tail, at + 10)
    if 0xFFFFFFFF in (length, offset) or count == 0xFFFF or tail[max(0, at - 20) :].startswith(b"PK\x06\x07"):
        raise InvalidInput(what, expected="a zip file of fewer than 65,535 entries and 4 GB", found="a zip64 file")
    if length > entries * DIRECTORY_BYTES:
        raise InvalidInput(what, expected=f"at most {entries:,} entries", found="many more")
    file.seek(0)


def _fault(info: zipfile.ZipInfo, seen: set[str]) -> tuple[str, str]:
    """What is wrong with an entry: expected, and what was found there; both empty where nothing is."""
    name, mode = info.orig_filename, info.external_attr >> 16
    normal = PurePosixPath(name).as_posix().casefold()
    if _leads_out(name):
        return "names that stay inside the archive", "an entry named"
    if normal in seen:
        return "each name once", "twice an entry named"
    seen.add(normal)
    if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "plain files", "a link or device named"
    if info.flag_bits & ENCRYPTED:
        return "entries without a password", "an encrypted entry named"
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        method = METHODS.get(info.compress_type, f"method {info.compress_type}")
        return "entries that are stored or deflated", f"{method} in an entry named"
    if info.compress_type == zipfile.ZIP_STORED and info.compress_size != info.file_size:
        return "entries of the size they claim", "another size in an entry named"
    return "", ""


def _leads_out(name: str) -> bool:
    """Absolute, upwards, Windows' paths and drives, or cut by a null character."""
    parts = name.split("/")
    return not name or name.startswith("/") or ".." in parts or "\\" in name or "\0" in name or ":" in parts[0]


class _Checked(io.RawIOBase):
    """An entry's bytes, as many as it claims and no more; damage becomes an InvalidInput."""

    def __init__(self, entry: Entry) -> None:
        self._entry = entry
        self._left = entry.size
        try:
            self._stream = entry._file.open(entry._info)
        except _DAMAGE as error:
            raise self._damaged(error) from error

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        try:
            data = self._stream.read(len(buffer))
        except _DAMAGE as error:  # also a wrong checksum, which zipfile finds at the end
            raise self._damaged(error) from error
        self._left -= len(data)
        if self._left < 0 or (self._left and not data):
            raise self._entry._refuse("entries of the size they claim", f"another in {self._entry.name[:80]!r}")
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed and hasattr(self, "_stream"):
            self._stream.close()
        super().close()

    def _damaged(self, error: BaseException) -> InvalidInput:
        return self._entry._refuse("a zip file", f"{_damage(error)} at {self._entry.name[:80]!r}")


def _damage(error: BaseException) -> str:
    return f"a damaged or foreign file ({type(error).__name__})"
