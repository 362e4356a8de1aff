"""A workspace (image, captions, chosen metrics) as a zip file, and as JSON for links. Reading trusts nobody.

The zip holds `workspace.json` and at most one `image.png`, `image.jpg` or `image.webp`. Anything else in it (another
name, a path that climbs out, an entry that unpacks to more than it may) is refused; nothing is written to disk.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from capeval_core.errors import InvalidInput
from capeval_core.version import VERSION

FORMAT = 1
MANIFEST = "workspace.json"
IMAGES = ("image.png", "image.jpg", "image.webp")
MAX_ZIP = 20_000_000
MAX_MANIFEST = 8_000_000
MAX_IMAGE = 15_000_000
MAX_CAPTION = 10_000  # characters
MAX_CANDIDATES = 1_000
MAX_REFERENCES = 200
MAX_NAME = 200


@dataclass(frozen=True, slots=True)
class StoredWorkspace:
    references: tuple[str, ...]
    candidates: tuple[tuple[str, str], ...]  # captioner, caption
    metrics: tuple[str, ...] = ()  # none: all
    title: str = ""
    credit: str = ""
    sample: str = ""  # the sample whose image it shows
    image: bytes | None = None

    def to_json(self) -> dict[str, Any]:
        """All but the image."""
        return {
            "capeval": VERSION,
            "format": FORMAT,
            "title": self.title,
            "credit": self.credit,
            "sample": self.sample,
            "references": list(self.references),
            "candidates": [{"system": system, "caption": caption} for system, caption in self.candidates],
            "metrics": list(self.metrics),
        }


def write_zip(workspace: StoredWorkspace) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(MANIFEST, json.dumps(workspace.to_json(), ensure_ascii=False, indent=1))
        if workspace.image is not None:
            file.writestr(_image_name(workspace.image), workspace.image)
    return target.getvalue()


def read_zip(data: bytes) -> StoredWorkspace:
    """The workspace in a zip file; InvalidInput says what is wrong with it. The image's bytes are not decoded here."""
    if len(data) > MAX_ZIP:
        raise _invalid(f"at most {MAX_ZIP // 1_000_000} MB", f"{len(data) / 1e6:.0f} MB")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            names = file.namelist()
            for name in names:
                if name not in (MANIFEST, *IMAGES) or names.count(name) > 1:
                    raise _invalid(f"only {MANIFEST} and one image", f"an entry named {name[:80]!r}")
            if MANIFEST not in names:
                raise _invalid(f"a {MANIFEST}", "none in the file")
            manifest = _unpack(file, MANIFEST, MAX_MANIFEST)
            images = [name for name in names if name in IMAGES]
            if len(images) > 1:
                raise _invalid("one image at most", f"{len(images)}")
            image = _unpack(file, images[0], MAX_IMAGE) if images else None
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError) as error:
        raise _invalid("a zip file saved by CapEval", f"a damaged or foreign file ({type(error).__name__})") from error
    try:
        content = json.loads(manifest)
    except (ValueError, RecursionError) as error:
        raise _invalid(f"JSON in {MANIFEST}", "text that is not JSON") from error
    return from_json(content, image)


def from_json(content: Any, image: bytes | None = None) -> StoredWorkspace:
    """What `to_json` wrote, every field checked."""
    if not isinstance(content, Mapping):
        raise _invalid("an object", type(content).__name__)
    if content.get("format") != FORMAT:
        raise _invalid(f"format {FORMAT}", repr(content.get("format"))[:40])
    candidates = []
    for place, row in enumerate(_list(content, "candidates", MAX_CANDIDATES)):
        where = f"candidates[{place}]"
        if not isinstance(row, Mapping):
            raise _invalid(f"{where}: an object with system and caption", type(row).__name__)
        system = _text(row.get("system", ""), f"{where}.system", MAX_NAME)
        candidates.append((system, _text(row.get("caption"), f"{where}.caption", MAX_CAPTION)))
    references = _list(content, "references", MAX_REFERENCES)
    metrics = _list(content, "metrics", 100)
    return StoredWorkspace(
        references=tuple(_text(text, f"references[{n}]", MAX_CAPTION) for n, text in enumerate(references)),
        candidates=tuple(candidates),
        metrics=tuple(_text(text, f"metrics[{n}]", MAX_NAME) for n, text in enumerate(metrics)),
        title=_text(content.get("title", ""), "title", MAX_NAME),
        credit=_text(content.get("credit", ""), "credit", 1_000),
        sample=_text(content.get("sample", ""), "sample", MAX_NAME),
        image=image,
    )


def _unpack(file: zipfile.ZipFile, name: str, limit: int) -> bytes:
    """An entry's bytes; reading stops at the limit, whatever size the file claims."""
    with file.open(name) as entry:
        data = entry.read(limit + 1)
    if len(data) > limit:
        raise _invalid(f"{name} of at most {limit // 1_000_000} MB", "more")
    return data


def _list(content: Mapping[str, Any], name: str, limit: int) -> list[Any]:
    found = content.get(name, [])
    if not isinstance(found, list):
        raise _invalid(f"{name}: a list", type(found).__name__)
    if len(found) > limit:
        raise _invalid(f"{name}: at most {limit}", str(len(found)))
    return found


def _text(found: Any, where: str, limit: int) -> str:
    if not isinstance(found, str):
        raise _invalid(f"{where}: text", type(found).__name__)
    if len(found) > limit:
        raise _invalid(f"{where}: at most {limit} characters", str(len(found)))
    try:
        found.encode()
    except UnicodeEncodeError as error:
        raise _invalid(f"{where}: valid Unicode", f"half a character at position {error.start}") from error
    return found


def _image_name(image: bytes) -> str:
    if image.startswith(b"\x89PNG"):
        return IMAGES[0]
    return IMAGES[1] if image.startswith(b"\xff\xd8") else IMAGES[2]


def _invalid(expected: str, found: str) -> InvalidInput:
    return InvalidInput("this workspace cannot be opened", expected=expected, found=found)
