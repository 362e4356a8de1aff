"""Images from visitors: decoded from an allow-list of formats, sized before they are unpacked, kept small."""

from __future__ import annotations

import io
import re
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import BinaryIO, TypeVar

from PIL import Image, ImageOps, UnidentifiedImageError

from capeval_core.errors import InvalidInput
from capeval_core.io.limits import APP
from capeval_core.io.sources import PICTURES

FORMATS = ("PNG", "JPEG", "WEBP")
SHOWN = 1_200  # pixels of the longer side
SENT = 640  # the same, in a report
CARD = 220  # the same, on a card
T = TypeVar("T")
_COCO = re.compile(r"(?:COCO_[a-z]+\d+_)?0*(\d+)")  # COCO_val2014_000000391895 and 000000391895 are image 391895


def read_image(data: bytes) -> bytes:
    """The picture upright, at most 1,200 pixels wide or high, as a fresh JPEG (PNG where it is see-through)."""
    with _opened(data) as picture, _refusing():
        picture.draft("RGB", (SHOWN, SHOWN))  # a large JPEG is decoded at a fraction of its size
        # Only the picture is kept: no place, no camera, nothing hidden after its end.
        return _encode(ImageOps.exif_transpose(picture))


def small(data: bytes) -> bytes:
    """For a document that is sent around: a JPEG of some tens of kilobytes; what is see-through stands on white."""
    return _jpeg(data, SENT)


def thumbnail(data: bytes) -> bytes:
    """For a card: a JPEG of some kilobytes, in a few milliseconds."""
    return _jpeg(data, CARD)


def _jpeg(data: bytes, side: int) -> bytes:
    with _opened(data) as picture, _refusing():
        picture.draft("RGB", (side, side))  # a large JPEG is decoded at a fraction of its size
        upright = ImageOps.exif_transpose(picture).convert("RGBA")
        upright.thumbnail((side, side))
        target = io.BytesIO()
        Image.alpha_composite(Image.new("RGBA", upright.size, "white"), upright).convert("RGB").save(target, "JPEG")
        return target.getvalue()


def check_image(data: bytes) -> None:
    """Is this a whole image of a known kind and size? Reads its structure and decodes no pixel: thousands a second."""
    with _opened(data) as picture, _refusing():
        if picture.format == "PNG":
            picture.verify()
        elif picture.format == "JPEG" and data.rfind(b"\xff\xd9") < data.rfind(b"\xff\xda"):
            raise OSError("the end mark is missing")
        elif picture.format == "WEBP" and len(data) < int.from_bytes(data[4:8], "little") + 8:
            raise OSError("shorter than it says")


def _opened(data: bytes) -> Image.Image:
    if len(data) > APP.image:
        raise _invalid(f"at most {APP.image // 1_000_000} MB", f"{len(data) / 1e6:.1f} MB")
    with _refusing():
        picture = Image.open(io.BytesIO(data), formats=FORMATS)
        width, height = picture.size
        if width * height > APP.pixels:
            raise _invalid(f"at most {APP.pixels // 1_000_000} million pixels", f"{width} x {height}")
        return picture


@contextmanager
def _refusing() -> Iterator[None]:
    """Whatever Pillow raises becomes one line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # our own limit is lower
            yield
    except Image.DecompressionBombError as error:  # Pillow's own limit, when it reads the size
        raise _invalid(f"at most {APP.pixels // 1_000_000} million pixels", "many more") from error
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise _invalid("a PNG, JPEG or WEBP image", "a file that is none, or a damaged one") from error


def _encode(picture: Image.Image) -> bytes:
    picture.thumbnail((SHOWN, SHOWN))
    see_through = picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info
    target = io.BytesIO()
    if see_through:
        picture.convert("RGBA").save(target, "PNG")
    else:
        picture.convert("RGB").save(target, "JPEG", quality=88)
    return target.getvalue()


def _invalid(expected: str, found: str) -> InvalidInput:
    return InvalidInput("this image cannot be used", expected=expected, found=found)


def match(identifiers: Iterable[str], files: Mapping[str, T]) -> dict[str, T]:
    """Each image id's file: by its path, its name, its name without ending, or COCO's number in it, in this order."""
    indexes: list[dict[str, list[str]]] = [{} for _ in _SPELLINGS]
    for path in files:
        for index, spell in zip(indexes, _SPELLINGS, strict=True):
            if spelled := spell(path):
                index.setdefault(spelled, []).append(path)
    found = {}
    for identifier in identifiers:
        for index, spell in zip(indexes, _SPELLINGS, strict=True):
            paths = index.get(spell(identifier), [])
            if len(paths) > 1:
                raise InvalidInput(f"image {identifier[:80]!r}: two files match", found=f"{paths[0]} and {paths[1]}")
            if paths:
                found[identifier] = files[paths[0]]
                break
    return found


def _name(path: str) -> str:
    return PurePosixPath(path).name


def _stem(path: str) -> str:
    name = _name(path)
    return PurePosixPath(name).stem if name.lower().endswith(PICTURES) else name


def _number(path: str) -> str:
    found = _COCO.fullmatch(_stem(path))
    return found[1] if found else ""


_SPELLINGS: tuple[Callable[[str], str], ...] = (str, _name, _stem, _number)


class Pictures(Mapping[str, bytes]):
    """Images by image id, kept on disk as they came and made ready to show when asked for.

    The file has no name, so nobody else can open it and nothing is left of it when the last user lets go.
    """

    def __init__(self) -> None:
        self._file: BinaryIO = tempfile.TemporaryFile(prefix="capeval-")  # noqa: SIM115 (closed with its last user)
        self._places: dict[str, tuple[int, int]] = {}
        self._lock = threading.Lock()

    def add(self, identifiers: Iterable[str], data: bytes) -> None:
        with self._lock:
            start = self._file.seek(0, io.SEEK_END)
            self._file.write(data)
        self._places |= dict.fromkeys(identifiers, (start, len(data)))

    def original(self, identifier: str) -> bytes:
        start, length = self._places[identifier]
        with self._lock:
            self._file.seek(start)
            return self._file.read(length)

    def __getitem__(self, identifier: str) -> bytes:
        return read_image(self.original(identifier))

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __del__(self) -> None:
        self._file.close()
