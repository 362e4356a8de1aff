"""A workspace (image, captions, chosen metrics) as a zip file, and as JSON for links. Reading trusts nobody.

The zip holds `workspace.json` and at most one `image.png`, `image.jpg` or `image.webp`. Anything else in it (another
name, what `archives` refuses, an entry that unpacks to more than it may) is refused; nothing is written to disk.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from capeval_core.errors import InvalidInput
from capeval_core.io import archives
from capeval_core.io.limits import APP
from capeval_core.version import VERSION

FORMAT = 1
MANIFEST = "workspace.json"
IMAGES = ("image.png", "image.jpg", "image.webp")
MAX_CAPTION = APP.characters
MAX_CANDIDATES = APP.candidates
MAX_REFERENCES = APP.references
MAX_NAME = APP.name
WHAT = "this workspace cannot be opened"


@dataclass(frozen=True, slots=True)
class StoredWorkspace:
    references: tuple[str, ...]
    candidates: tuple[tuple[str, str], ...]  # captioner, caption
    metrics: tuple[str, ...] = ()  # none: all
    title: str = ""
    credit: str = ""
    sample: str = ""  # the sample whose image it shows
    image: bytes | None = None
    options: Mapping[str, Any] = field(default_factory=dict)  # by metric name, as capeval_core.options.to_plain writes

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
            "options": dict(self.options),
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
    if len(data) > APP.workspace:
        raise _invalid(f"at most {APP.workspace // 1_000_000} MB", f"{len(data) / 1e6:.0f} MB")
    with archives.open_zip(io.BytesIO(data), WHAT, APP.entries) as entries:
        found = {entry.name: entry for entry in entries}
        for name in found:
            if name not in (MANIFEST, *IMAGES):
                raise _invalid(f"only {MANIFEST} and one image", f"an entry named {name[:80]!r}")
        if MANIFEST not in found:
            raise _invalid(f"a {MANIFEST}", "none in the file")
        if len(found) > 2:
            raise _invalid("one image at most", f"{len(found) - 1}")
        manifest = found.pop(MANIFEST).read(APP.manifest)
        image = next((entry.read(APP.image) for entry in found.values()), None)
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
    options = content.get("options", {})
    if not isinstance(options, Mapping):
        raise _invalid("options: an object", type(options).__name__)
    return StoredWorkspace(
        references=tuple(_text(text, f"references[{n}]", MAX_CAPTION) for n, text in enumerate(references)),
        candidates=tuple(candidates),
        options=options,
        metrics=tuple(_text(text, f"metrics[{n}]", MAX_NAME) for n, text in enumerate(metrics)),
        title=_text(content.get("title", ""), "title", MAX_NAME),
        credit=_text(content.get("credit", ""), "credit", 1_000),
        sample=_text(content.get("sample", ""), "sample", MAX_NAME),
        image=image,
    )


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
    return InvalidInput(WHAT, expected=expected, found=found)
