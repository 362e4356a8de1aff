"""Zip files that must not be opened: each trick is one line, and none takes memory."""

from __future__ import annotations

import io
import zipfile

import pytest

from capeval_core import InvalidInput
from capeval_core.io.archives import open_zip
from capeval_core.io.workspace import MANIFEST, read_zip
from tests.io import hostile
from tests.io.hostile import MEGABYTE, memory, zipped

GOOD = zipped({"a.txt": b"hello" * 100, "folder/b.txt": b"there"})
WHAT = "x.zip: cannot be opened"


def read_all(data: bytes, limit: int = 50 * MEGABYTE, entries: int = 100) -> dict[str, bytes]:
    with open_zip(io.BytesIO(data), WHAT, entries) as found:
        return {entry.name: entry.read(limit) for entry in found}


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_what_is_stored_or_deflated_is_read(method: int) -> None:
    content = {"a.txt": b"hello" * 100, "folder/b.txt": b"", "ü.txt": bytes(70_000)}
    assert read_all(zipped({**content, "empty/": b""}, method)) == content


def test_an_entry_is_read_in_pieces() -> None:
    with open_zip(io.BytesIO(zipped({"a": b"one\ntwo\nthree"})), WHAT, 9) as (entry,), entry.open() as file:
        assert file.readline() == b"one\n"
        assert file.read() == b"two\nthree"


TRICKS: dict[str, tuple[bytes, str]] = {
    "bzip2": (hostile.growing("a.txt", zipfile.ZIP_BZIP2), "expected entries that are stored or deflated; found bzip2"),
    "LZMA": (hostile.growing("a.txt", zipfile.ZIP_LZMA), "found LZMA in an entry named 'a.txt'"),
    "deflate64": (hostile.with_method(GOOD, 9), "found deflate64"),
    "zstandard": (hostile.with_method(GOOD, 93), "found zstandard"),
    "another method": (hostile.with_method(GOOD, 98), "found method 98"),
    "encrypted": (hostile.with_flag(GOOD, 0x1), "without a password; found an encrypted entry named 'a.txt'"),
    "strongly encrypted": (hostile.with_flag(GOOD, 0x41), "found an encrypted entry"),
    "climbs out": (zipped({"../../etc/passwd": b"x"}), "an entry named '../../etc/passwd'"),
    "climbs out inside": (zipped({"a/../../b": b"x"}), "names that stay inside the archive"),
    "absolute": (zipped({"/etc/passwd": b"x"}), "an entry named '/etc/passwd'"),
    "Windows path": (zipped({"..\\b.txt": b"x"}), "an entry named"),
    "drive": (zipped({"C:/b.txt": b"x"}), "an entry named 'C:/b.txt'"),
    "null": (zipped({"a.txtXb": b"x"}).replace(b"a.txtXb", b"a.txt\0b"), "an entry named"),
    "link": (hostile.with_link("a.txt", "/etc/passwd"), "expected plain files; found a link or device named 'a.txt'"),
    "twice": (hostile.twice("a.txt", b"x"), "expected each name once; found twice an entry named 'a.txt'"),
    "twice but for the case": (zipped({"a.txt": b"", "A.TXT": b""}), "expected each name once"),
    "claims less": (hostile.with_size(GOOD, 3), "damaged or foreign"),
    "claims more": (hostile.with_size(GOOD, 5_000), "damaged or foreign|another in 'a.txt'"),
    "stored, claims more": (
        hostile.with_size(zipped({"a.txt": b"hello"}, zipfile.ZIP_STORED), 6),
        "entries of the size they claim; found another size",
    ),
    "many entries": (zipped({f"{n}": b"" for n in range(101)}), "expected at most 100 entries; found 101"),
    "millions of entries": (hostile.crowded(1_000_000), "expected at most 100 entries; found many more"),
    "grows": (hostile.growing("a.txt", zipfile.ZIP_DEFLATED), "expected a.txt of at most 10 MB; found more"),
    "damaged": (GOOD.replace(b"PK\x03\x04", b"PK\x03\x05"), "damaged or foreign"),
    "cut": (GOOD[:-30], "expected a zip file; found a damaged or foreign file"),
    "damaged inside": (GOOD[:40] + bytes([GOOD[40] ^ 255]) + GOOD[41:], "damaged or foreign"),
    "not a zip": (b"hello", "expected a zip file"),
    "empty": (b"", "expected a zip file"),
    "zip64": (GOOD[:-12] + b"\xff\xff\xff\xff" + GOOD[-8:], "found a zip64 file"),
}


@pytest.mark.parametrize("trick", TRICKS)
def test_a_trick_is_refused_in_one_line_and_little_memory(trick: str) -> None:
    data, said = TRICKS[trick]
    with memory(25 * MEGABYTE), pytest.raises(InvalidInput, match=said) as caught:
        read_all(data, limit=10 * MEGABYTE)
    assert str(caught.value).startswith(WHAT)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, zipfile.ZIP_DEFLATED])
def test_a_workspace_of_a_few_hundred_bytes_stays_small(method: int) -> None:
    """bzip2 and LZMA were unpacked in one piece, 368 bytes to 615 MB, before anybody looked at the size."""
    data = hostile.growing(MANIFEST, method)
    assert len(data) < 100_000
    with memory(30 * MEGABYTE), pytest.raises(InvalidInput, match="this workspace cannot be opened; expected"):
        read_zip(data)


@pytest.mark.parametrize("trick", TRICKS)
def test_no_trick_opens_a_workspace(trick: str) -> None:
    with memory(60 * MEGABYTE), pytest.raises(InvalidInput, match="this workspace cannot be opened"):
        read_zip(TRICKS[trick][0])
