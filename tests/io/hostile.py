"""Files that lie, climb out or grow without end, and how much memory reading them takes."""

from __future__ import annotations

import io
import lzma
import random
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PIL import Image

LINK = 0o120777 << 16
MEGABYTE = 1_000_000


def zipped(entries: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as file:
        for name, data in entries.items():
            file.writestr(name, data)
    return target.getvalue()


def growing(name: str, method: int, size: int = 60 * MEGABYTE) -> bytes:
    """A few hundred bytes that claim to be, and unpack to, many megabytes."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as file, file.open(name, "w") as entry:
        for _ in range(size // MEGABYTE):
            entry.write(bytes(MEGABYTE))
    return target.getvalue()


def changed(data: bytes, change: Callable[[bytearray, int, int], None]) -> bytes:
    """Edit the first entry in place: `change` gets the file, where its local header is, and where its directory one."""
    found = bytearray(data)
    change(found, found.index(b"PK\x03\x04"), found.index(b"PK\x01\x02"))
    return bytes(found)


def with_method(data: bytes, method: int) -> bytes:
    def change(found: bytearray, local: int, central: int) -> None:
        struct.pack_into("<H", found, local + 8, method)
        struct.pack_into("<H", found, central + 10, method)

    return changed(data, change)


def with_flag(data: bytes, flag: int) -> bytes:
    def change(found: bytearray, local: int, central: int) -> None:
        for place in (local + 6, central + 8):
            struct.pack_into("<H", found, place, struct.unpack_from("<H", found, place)[0] | flag)

    return changed(data, change)


def with_size(data: bytes, size: int) -> bytes:
    """Claims another size unpacked."""

    def change(found: bytearray, local: int, central: int) -> None:
        struct.pack_into("<I", found, local + 22, size)
        struct.pack_into("<I", found, central + 24, size)

    return changed(data, change)


def with_link(name: str, target: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        info = zipfile.ZipInfo(name)
        info.create_system, info.external_attr = 3, LINK
        file.writestr(info, target)
    return stream.getvalue()


def twice(name: str, data: bytes) -> bytes:
    """Two entries of one name; written under another and renamed, for zipfile warns."""
    other = name[:-1] + ("x" if name[-1] != "x" else "y")
    return zipped({name: data, other: data}).replace(other.encode(), name.encode())


def crowded(entries: int) -> bytes:
    """A directory of many entries that all point at one."""
    data = zipped({"a.txt": b"a"})
    start = data.index(b"PK\x01\x02")
    end = data.index(b"PK\x05\x06")
    directory = data[start:end] * entries
    tail = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, entries % 65_535, entries % 65_535, len(directory), start, 0)
    return data[:start] + directory + tail


def picture(kind: str, size: tuple[int, int] = (30, 20)) -> bytes:
    target = io.BytesIO()
    Image.new("RGB", size, "red").save(target, kind)
    return target.getvalue()


def photograph(kind: str) -> bytes:
    """Not of one colour: its bytes are spread over the file."""
    target = io.BytesIO()
    Image.frombytes("RGB", (120, 90), random.Random(0).randbytes(120 * 90 * 3)).save(target, kind)
    return target.getvalue()


def bomb() -> bytes:
    """A PNG of 1 KB that claims 50,000 x 50,000 pixels."""
    head = struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(bytes(1_000))), (b"IEND", b"")]
    chunks = [struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in parts]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


SVG = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'><image href='http://evil.example/x.png'/></svg>"


@contextmanager
def memory(most: int) -> Iterator[None]:
    """No more than so many bytes at once, of what Python allocates."""
    lzma.compress(b"")  # what importing costs is not counted
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < most, f"{peak / MEGABYTE:.0f} MB at once"
