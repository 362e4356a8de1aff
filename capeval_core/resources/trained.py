"""Networks that were trained on captions (I2CE, NNEval): shipped, a file of the user's, or one trained in the app.

A source is `shipped`, a path, or `own:DIGEST`: what a visitor trained, kept in the cache folder under the digest of its
content. It is never listed: only who has the name finds it. Every file is safetensors; its metadata entry `family`
says which metric it belongs to.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path

from capeval_core.errors import InvalidInput, MissingResource
from capeval_core.resources import files

SHIPPED, OWN, SUFFIX = "shipped", "own:", ".safetensors"
LARGEST = 500_000_000  # bytes of a file
LARGEST_HEADER = 20_000_000
_DIGEST = re.compile(r"[0-9a-f]{32}")


def locate(family: str, source: str) -> Path:
    """The file behind a source. InvalidInput: there is no such file; MissingResource: the shipped one is gone."""
    if source == SHIPPED:
        return files.locate(_resource(family))
    path = _own(source) if source.startswith(OWN) else Path(source)
    expected = f"{SHIPPED}, or the path of a {SUFFIX} file"
    try:
        size = path.stat().st_size if path.is_file() else -1
    except (OSError, ValueError):  # a name no file can have
        size = -1
    if size < 0 and source.startswith(OWN):
        raise MissingResource("the model that was trained here is gone", fix="train it again, or use the shipped one")
    if size < 0:
        raise InvalidInput(f"no such model: {source!r}", expected=expected)
    if path.suffix != SUFFIX:
        raise InvalidInput(f"{path}: not a trained model", expected=expected, found=path.suffix or "another file")
    if size > LARGEST:
        raise InvalidInput(f"{path}: too large", expected=f"at most {LARGEST:,} bytes", found=f"{size:,}")
    return path


def label(family: str, source: str) -> str:
    """For signatures: its name and what is in it."""
    if source == SHIPPED:
        name = files.label(_resource(family))
        return name if "(" in name else f"{name}({files.RESOURCES[_resource(family)].sha256[:8]})"
    path = locate(family, source)
    digest = _digest(path)[:8]
    return f"own({digest})" if source.startswith(OWN) else f"{path.name}({digest})"


def keep(path: Path, family: str) -> str:
    """Puts a trained file where the app finds it again, and gives its source."""
    if family_of(path) != family:
        raise InvalidInput(f"{path.name}: not a model of {family}", found=family_of(path) or "another file")
    digest = _digest(path)[:32]
    target = _own(OWN + digest)
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not target.is_file():
        partial = target.with_suffix(".partial")
        shutil.copyfile(path, partial)
        partial.replace(target)
    return OWN + digest


def kept(family: str, source: str) -> bool:
    """Is this a model that was trained in the app, of this family, and still there?"""
    return bool(source.startswith(OWN) and _DIGEST.fullmatch(source[len(OWN) :])) and family_of(_own(source)) == family


def family_of(path: Path) -> str:
    """What the file's header says, read without loading anything; nothing where it is no such file."""
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            found = json.loads(file.read(length)) if 0 < length <= LARGEST_HEADER else {}
    except (OSError, ValueError, RecursionError):
        return ""
    metadata = found.get("__metadata__") if isinstance(found, dict) else None
    family = metadata.get("family") if isinstance(metadata, dict) else None
    return family if isinstance(family, str) else ""


def has_shipped(family: str) -> bool:
    return files.find(files.RESOURCES[_resource(family)]) is not None


def _resource(family: str) -> str:
    return family.replace("_", "-")


def _own(source: str) -> Path:
    digest = source.removeprefix(OWN)
    if not _DIGEST.fullmatch(digest):
        raise InvalidInput(f"no such model: {source!r}", expected=f"{OWN} and 32 digits")
    return files.cache_folder() / "trained" / f"{digest}{SUFFIX}"


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
