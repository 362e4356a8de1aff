"""METEOR's paraphrase table as a memory-mapped index: built once per machine, opened in a millisecond.

File: magic, number of phrases and of entries, then three arrays: numbers of the phrases (paraphrase_table.py), sorted;
for each phrase the place of its first target; the targets of each phrase as places among the numbers, in the order
of the table, since METEOR's alignment depends on it.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
import tempfile
import threading
import time
import zlib
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from capeval_core import pace
from capeval_core.errors import MissingResource
from capeval_core.resources import files
from capeval_core.resources.loading import load_once
from capeval_core.resources.paraphrase_table import Ids, Numbers, Progress, read_table

FORMAT = 1
_MAGIC = f"CapEval phrases{FORMAT}".encode()  # 16 bytes: what follows stays aligned
_HEADER = len(_MAGIC) + 2 * 8
_STALE_AFTER = 3600.0  # seconds; a build takes well under a minute
_BUILDING = threading.Lock()  # threads wait for the one that builds; opening takes a millisecond and needs no load_once


@dataclass(frozen=True, slots=True)
class ParaphraseIndex:
    numbers: Numbers  # sorted
    first_target: npt.NDArray[np.uint32]  # one more than there are phrases
    targets: npt.NDArray[np.uint32]

    def find(self, numbers: Numbers) -> Ids:
        """The count of each phrase in the table, -1 where it is not there. Sorted numbers are looked up fastest."""
        if not len(self.numbers):
            return np.full(len(numbers), -1, dtype=np.int64)
        places = np.searchsorted(self.numbers, numbers)
        places[places == len(self.numbers)] = 0
        return np.where(self.numbers[places] == numbers, places, -1)

    def paraphrases(self, sources: Ids) -> tuple[Ids, Ids, Ids]:
        """All entries of these phrases: positions in `sources`, targets, and each target's rank among its source's."""
        starts = self.first_target[sources].astype(np.int64)
        lengths = self.first_target[sources + 1].astype(np.int64) - starts
        rows = np.repeat(np.arange(len(sources)), lengths)
        ranks = np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return rows, self.targets[starts[rows] + ranks].astype(np.int64), ranks


def index_path() -> Path:
    """Where the index of the table in use lies, built or not. Another table or format gives another name."""
    return files.cache_folder() / f"paraphrases-{_source_checksum()[:16]}-v{FORMAT}.index"


@dataclass(frozen=True, slots=True)
class IndexState:
    path: Path
    size: int
    state: str  # 'ok', 'not built' or 'damaged'


def describe() -> IndexState:
    """For `resources` and the doctor: nothing is built or repaired here."""
    path = index_path()
    if not path.is_file():
        return IndexState(path, 0, "not built")
    return IndexState(path, path.stat().st_size, "damaged" if load(path) is None else "ok")


def open_index(on_progress: Progress | None = None) -> ParaphraseIndex:
    """The index of METEOR's table; built first if this machine has none, or has a damaged one."""
    path = index_path()
    index = load(path)
    if index is None:
        with _BUILDING, pace.unwatched():
            index = load(path) or load(build(path=path, on_progress=on_progress))
    if index is None:
        raise MissingResource(f"the paraphrase index {path} cannot be read after building it", fix=_fix(path))
    return index


def load(path: Path) -> ParaphraseIndex | None:
    """None if the file is not there, not an index, or cut short."""
    try:
        content = np.asarray(np.memmap(path, dtype=np.uint8, mode="r"))
    except (OSError, ValueError):  # ValueError: an empty file cannot be mapped
        return None
    if len(content) < _HEADER or content[: len(_MAGIC)].tobytes() != _MAGIC:
        return None
    phrases, entries = content[len(_MAGIC) : _HEADER].view(np.uint64).tolist()
    ends = list(accumulate([_HEADER, 8 * phrases, 4 * (phrases + 1), 4 * entries]))
    if len(content) != ends[-1]:
        return None
    numbers, first_target, targets = (content[start:end] for start, end in pairwise(ends))
    return ParaphraseIndex(numbers.view(np.uint64), first_target.view(np.uint32), targets.view(np.uint32))


def build(source: Path | None = None, path: Path | None = None, on_progress: Progress | None = None) -> Path:
    """Write the index of `source` to `path`, by default METEOR's table's to its place.

    Builds running side by side, or killed half-way, do no harm: the file appears whole, by renaming.
    """
    source, path = source or files.locate("meteor-paraphrases"), path or index_path()
    try:
        numbers, first_target, targets = read_table(source, on_progress)
    except (ValueError, EOFError, gzip.BadGzipFile, zlib.error) as error:
        fix = files.RESOURCES["meteor-paraphrases"].fix
        raise MissingResource(f"{source} is not a METEOR paraphrase table: {error}", fix=fix) from error
    try:
        _remove_stale_files(path)
        _write(ParaphraseIndex(numbers, first_target.astype(np.uint32), targets.astype(np.uint32)), path)
    except OSError as error:
        raise MissingResource(f"the paraphrase index {path} cannot be written: {error}", fix=_fix(path)) from error
    return path


def _fix(path: Path) -> str:
    return f"make room (60 MB) and rights in {path.parent}, or set CAPEVAL_CACHE to another folder"


@load_once()
def _source_checksum() -> str:
    """The recorded checksum: reading the 60 MB table to name its index would cost more than opening the index."""
    resource = files.RESOURCES["meteor-paraphrases"]
    own = os.environ.get(resource.variable)
    if not own:
        return resource.sha256
    with files.locate("meteor-paraphrases").open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write(index: ParaphraseIndex, path: Path) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_MAGIC)
            file.write(np.array([len(index.numbers), len(index.targets)], dtype=np.uint64).tobytes())
            for array in (index.numbers, index.first_target, index.targets):
                array.tofile(file)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)  # mkstemp lets only its user read
        Path(name).replace(path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            Path(name).unlink()


def _remove_stale_files(path: Path) -> None:
    for leftover in path.parent.glob(f"{path.name}*.tmp"):
        with contextlib.suppress(FileNotFoundError):  # another process cleans too
            if time.time() - leftover.stat().st_mtime > _STALE_AFTER:
                leftover.unlink()
