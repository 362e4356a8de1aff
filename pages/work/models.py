"""Models that visitors trained, as files a metric can load: put there when one is used, gone when nobody keeps it.

A file is found by the digest of its content only, which is in its owner's session. It goes with the session that is
forgotten, unless somebody else keeps the same content; after a month; and the oldest where there is too much.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from capeval_core import CapEvalError
from capeval_core.resources import trained

DAYS = 30
MOST = 1_000_000_000  # bytes of all


def put(content: bytes, family: str) -> str:
    """The source by which the metric of this family finds it."""
    with tempfile.TemporaryDirectory(prefix="capeval-model-") as folder:
        file = Path(folder) / f"{family}{trained.SUFFIX}"
        file.write_bytes(content)
        source = trained.keep(file, family)
    place = trained.locate(family, source)
    os.utime(place)  # it is wanted again
    tidy(place.parent, place)
    return source


def tidy(folder: Path, wanted: Path) -> None:
    """All but the wanted one that are too old or too much."""
    known = sorted((file.stat().st_mtime, file.stat().st_size, file) for file in folder.glob(f"*{trained.SUFFIX}"))
    total = sum(size for _, size, _ in known)
    for made, size, file in known:
        if file != wanted and (total > MOST or time.time() - made > DAYS * 86_400):
            file.unlink(missing_ok=True)
            total -= size


def drop(digests: Iterable[str]) -> None:
    """The models whose content has one of these digests."""
    for digest in digests:
        with suppress(CapEvalError):  # no such file: it was no model, or nobody has used it
            trained.locate("", trained.OWN + digest[:32]).unlink(missing_ok=True)
