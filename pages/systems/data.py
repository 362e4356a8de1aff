"""Captions of several captioners: the samples, or files a visitor brought."""

from __future__ import annotations

import csv
import gzip
import hashlib
import tempfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import BinaryIO

import numpy as np

from capeval_core import CaptionItem, InvalidInput, registry
from capeval_core.io import readers, rows
from capeval_core.io.scores import ScoreTable, read_scores
from capeval_core.types import Array
from pages.work import samples

HUMAN = "human"
MAX_CAPTIONS = 50_000
MAX_SYSTEMS = 24
MAX_FILES = 30
MAX_UNPACKED = 64_000_000  # bytes of all files, unpacked
BLOCK = 1_000_000


@dataclass(frozen=True)
class Loaded:
    title: str
    items: tuple[CaptionItem, ...]
    given: Mapping[str, Array] = field(default_factory=dict)  # scores that the files brought, by metric
    samples: bool = False

    @cached_property
    def digest(self) -> str:
        """Of everything a result can depend on."""
        state = hashlib.sha256()
        for item in self.items:
            parts = (item.image_id, item.system, item.candidate, *item.references)
            state.update("\0".join(f"{len(part)}:{part}" for part in parts).encode() + b"\1")
        for key, values in sorted(self.given.items()):
            state.update(key.encode() + values.tobytes())
        return state.hexdigest()

    @cached_property
    def systems(self) -> dict[str, list[int]]:
        """The rows of each captioner."""
        return _places([item.system for item in self.items])

    @cached_property
    def images(self) -> dict[str, list[int]]:
        """The rows of each image."""
        return _places([item.image_id for item in self.items])

    def first_reference(self) -> str:
        """The captioner to compare with: people, where a name says so."""
        named = [name for name in self.systems if HUMAN in name.lower() or "reference" in name.lower()]
        return (named or list(self.systems))[0]


def _places(names: Sequence[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        found.setdefault(name, []).append(row)
    return found


@cache
def from_samples() -> Loaded:
    """The sample scenes with a person among the captioners.

    As in the paper one person's caption is taken out of the references and everybody, machine or not, is scored
    against the other four. Whose caption it is goes round from scene to scene: no one person stands for people.
    """
    items = []
    for number, scene in enumerate(samples.samples()):
        place = number % len(scene.references)
        others = scene.references[:place] + scene.references[place + 1 :]
        captions = {HUMAN: scene.references[place], **scene.candidates}
        items += [CaptionItem(scene.id, caption, others, system) for system, caption in captions.items()]
    return Loaded("the samples", tuple(items), samples=True)


def read_files(files: Sequence[tuple[str, BinaryIO]]) -> Loaded:
    """Name and content of each. A COCO annotation file among them gives the references of those that have none."""
    if not files or len(files) > MAX_FILES:
        raise InvalidInput("files to load", expected=f"1 to {MAX_FILES}", found=str(len(files)))
    # A private folder, gone afterwards; the readers tell files apart by name.
    with tempfile.TemporaryDirectory(prefix="capeval-") as folder:
        try:
            return _read(_unpack(files, Path(folder)))
        except InvalidInput as error:
            message = error.message.replace(f"{folder}/", "")
            fix = error.fix.replace("pass it with --references", "load it together with the results files")
            if "field references is missing" in message:
                fix = f"{fix}, or load a COCO annotation file with it"
            raise InvalidInput(message, expected=error.expected, found=error.found, fix=fix) from error


def _unpack(files: Sequence[tuple[str, BinaryIO]], folder: Path) -> list[Path]:
    paths, room = [], MAX_UNPACKED
    for number, (given, content) in enumerate(files):
        name = Path(given.replace("\\", "/")).name.replace("\0", "") or f"file {number + 1}"
        packed = name.lower().endswith(".gz")
        path = folder / (name[:-3] if packed else name)
        if path.exists():
            raise InvalidInput(f"{name}: two files have this name", fix="rename one: a captioner is called by it")
        source = gzip.GzipFile(fileobj=content) if packed else content
        try:
            with path.open("wb") as target:
                while block := source.read(BLOCK):
                    room -= len(block)
                    if room < 0:
                        most = f"at most {MAX_UNPACKED // 1_000_000} MB in all, unpacked"
                        raise InvalidInput(f"{name}: too much to load here", expected=most, fix="use the command line")
                    target.write(block)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise InvalidInput(f"{name}: broken gzip file", found=str(error)) from error
        except OSError as error:  # a name the disk refuses
            raise InvalidInput(f"{name[:40]}: cannot be read", found=error.strerror or str(error)) from error
        paths.append(path)
    return paths


def _read(paths: Sequence[Path]) -> Loaded:
    annotations = [path for path in paths if _is_annotations(path)]
    captions = [path for path in paths if path not in annotations]
    if len(annotations) > 1:
        raise InvalidInput(f"{annotations[1]}: a second annotation file", expected="one")
    known = readers.read_annotations(annotations[0]) if annotations else None
    if not captions:
        raise InvalidInput(f"{paths[0]}: references only", fix="load it together with the captioners' results files")
    items: list[CaptionItem] = []
    tables: list[tuple[int, ScoreTable | None]] = []
    for path in captions:
        table = read_scores([str(path)], registry.keys())
        found = _items(path, known, table)
        tables.append((len(found), table))
        items += found
        if len(items) > MAX_CAPTIONS:
            most = f"at most {MAX_CAPTIONS:,} captions"
            raise InvalidInput(f"{path}: too much to load here", expected=most, fix="use the command line")
    loaded = Loaded(_title(captions), tuple(items), _given(tables))
    if len(loaded.systems) > MAX_SYSTEMS:
        raise InvalidInput("too many captioners", expected=f"at most {MAX_SYSTEMS}", found=str(len(loaded.systems)))
    return loaded


def _is_annotations(path: Path) -> bool:
    if path.suffix.lower() != ".json":
        return False
    with path.open("rb") as file:
        return file.read(BLOCK).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")


def _items(path: Path, known: rows.References | None, table: ScoreTable | None) -> list[CaptionItem]:
    """The file's captions. One that names no captioner is called by its file."""
    own = _has_references(path)
    if table is not None and known is None and not own:
        found: list[CaptionItem] = list(table.items)  # what `score` wrote: the scores are there already
    else:
        references = None if own else known
        found = [rows.item(row, where, None, references) for where, row in readers.read_rows(path, references)]
    if not found:
        raise InvalidInput(f"{path}: line 1: the file has no rows", expected="at least one caption", found="none")
    return [item if item.system else replace(item, system=path.stem[:80]) for item in found]


def _has_references(path: Path) -> bool:
    """Does its first row bring references?"""
    if path.suffix.lower() in (".csv", ".tsv"):
        with path.open("r", encoding="utf-8-sig", errors="replace", newline="") as file:
            columns = next(csv.reader(file, delimiter="\t" if path.suffix.lower() == ".tsv" else ","), [])
        return "references" in columns or "reference_1" in columns
    first = next(iter(readers.read_rows(path, None)), ("", None))[1]
    return isinstance(first, dict) and "references" in first


def _given(tables: Sequence[tuple[int, ScoreTable | None]]) -> dict[str, Array]:
    """The columns that every file brought: half a column would compare captioners with nothing."""
    shared = [key for key in registry.keys() if all(table and key in table.scores for _, table in tables)]
    return {key: np.concatenate([table.scores[key] for _, table in tables if table]) for key in shared}


def _title(paths: Sequence[Path]) -> str:
    return paths[0].name if len(paths) == 1 else f"{paths[0].name} and {len(paths) - 1} more"
