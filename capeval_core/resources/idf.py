"""Document frequencies for CIDEr: in how many images each n-gram occurs, and over how many images that was counted.

The shipped table (`data/coco_val_df.npz`) was counted on the captions of all 40,504 COCO val2014 images; what the
literature calls coco-val-df. `python -m capeval_core resources build-idf` makes one from any COCO annotation file. An
n-gram of a single image is not stored: CIDEr treats a frequency of 1 like none.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from capeval_core.errors import InvalidInput
from capeval_core.resources import files
from capeval_core.resources.loading import load_once
from capeval_core.text.ngrams import ORDER, Ints, NgramIndex, NgramTable

IMAGES_AT_ONCE = 5_000


@dataclass(frozen=True, eq=False)
class DocumentFrequencies:
    """Canonical: words in alphabetical order, only n-grams of two images or more: equal content, equal arrays."""

    name: str
    images: int
    index: NgramIndex
    counts: Ints  # one per n-gram of the index

    def of(self, other: NgramIndex) -> Ints:
        """The frequency of each n-gram of another index; 0 for one that is unknown here."""
        found = self.index.translate(other)
        return np.where(found < 0, 0, self.counts[found]) if len(self.counts) else np.zeros_like(found)

    @cached_property
    def digest(self) -> str:
        """A short hash of the content, for signatures."""
        content = hashlib.sha256(json.dumps([self.images, list(self.index.words)]).encode())
        for numbers in (*self.index.codes, self.counts):
            content.update(np.ascontiguousarray(numbers, dtype="<i8").tobytes())
        return content.hexdigest()[:8]


def count(documents: Iterable[Sequence[str]], name: str) -> DocumentFrequencies:
    """Counts the n-grams of tokenized captions; a document is the captions of one image."""
    captions = [(image, caption) for image, texts in enumerate(documents) for caption in texts]
    table = NgramTable(caption for _, caption in captions)
    sentences = np.array([table.position[caption] for _, caption in captions], dtype=np.int64)
    return count_in(table, sentences, np.array([image for image, _ in captions], dtype=np.int64), name)


def count_in(table: NgramTable, sentences: Ints, images: Ints, name: str) -> DocumentFrequencies:
    """The same for sentences of a table and the image of each: numbers from 0, each image's captions together."""
    size = max(table.index.size, 1)
    counts = np.zeros(table.index.size, dtype=np.int64)
    total = int(images.max(initial=-1)) + 1
    ends = np.searchsorted(images, np.arange(0, total + IMAGES_AT_ONCE, IMAGES_AT_ONCE))
    for start, end in pairwise(ends):
        rows, owners = table.rows(sentences[start:end])
        pairs = np.unique(images[start:end][owners] * size + table.grams(rows))
        counts += np.bincount(pairs % size, minlength=table.index.size)
    return _canonical(name, total, table.index, counts)


def _canonical(name: str, images: int, index: NgramIndex, counts: Ints) -> DocumentFrequencies:
    """Every prefix of an n-gram of two images is one too, so what is kept is still a whole index."""
    kept_words = [number for number in np.argsort(np.array(index.words)).tolist() if counts[number] > 1]
    renumbered = np.full(len(index.words), -1)
    renumbered[kept_words] = np.arange(len(kept_words))
    words, previous, codes, kept = renumbered, renumbered, [], [counts[kept_words]]
    for level, old in enumerate(index.codes, 1):
        level_counts = counts[index.starts[level] : index.starts[level + 1]]
        chosen = np.flatnonzero(level_counts > 1)
        parents, lasts = np.divmod(old[chosen], max(len(index.words), 1))
        new = previous[parents] * len(kept_words) + words[lasts]
        order = np.argsort(new)
        codes.append(new[order])
        kept.append(level_counts[chosen[order]])
        previous = np.full(len(old), -1)
        previous[chosen[order]] = np.arange(len(chosen))
    names = [index.words[number] for number in kept_words]
    return DocumentFrequencies(name, images, NgramIndex(names, codes), np.concatenate(kept))


def save(frequencies: DocumentFrequencies, path: Path) -> None:
    """Parents are stored as steps and words as small integers: that is what deflate packs well."""
    index = frequencies.index
    arrays: dict[str, Any] = {
        "images": np.int64(frequencies.images),
        "words": np.frombuffer("\n".join(index.words).encode(), dtype=np.uint8),
        "counts": frequencies.counts.astype(np.uint32),
    }
    for level, codes in enumerate(index.codes, 2):
        parents, lasts = np.divmod(codes, max(len(index.words), 1))
        arrays[f"parents_{level}"] = np.diff(parents, prepend=0).astype(np.uint32)
        arrays[f"lasts_{level}"] = lasts.astype(np.uint32)
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)


def load(path: Path, name: str) -> DocumentFrequencies:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            text = arrays["words"].tobytes().decode()
            words = text.split("\n") if text else []
            steps = [(arrays[f"parents_{n}"], arrays[f"lasts_{n}"]) for n in range(2, ORDER + 1)]
            codes = [np.cumsum(parents, dtype=np.int64) * len(words) + lasts for parents, lasts in steps]
            counts, images = arrays["counts"].astype(np.int64), int(arrays["images"])
    except (OSError, KeyError, ValueError, TypeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise InvalidInput(
            f"{path}: not a document-frequency table",
            expected="a file made by 'resources build-idf'",
            found=str(error) or type(error).__name__,
        ) from error
    index = NgramIndex(words, codes)
    if len(counts) != index.size or images < 1 or counts.max(initial=0) > images:
        raise InvalidInput(f"{path}: the document-frequency table contradicts itself", fix="build it again")
    return DocumentFrequencies(name, images, index, counts)


class MappedFrequencies(DocumentFrequencies):
    """A table in a folder, read where it is needed: processes that open it share one copy in memory, and what is sent
    to another process is where it lies."""

    folder: Path

    def __reduce__(self) -> tuple[Any, ...]:
        return open_mapped, (self.folder,)

    def whole(self) -> DocumentFrequencies:
        """The table itself, for a machine that does not see the folder."""
        index = NgramIndex(self.index.words, list(map(np.array, self.index.codes)))
        return DocumentFrequencies(self.name, self.images, index, np.array(self.counts))


def save_mapped(table: DocumentFrequencies, folder: Path) -> MappedFrequencies:
    folder.mkdir(parents=True)
    about = {"name": table.name, "images": table.images, "words": list(table.index.words)}
    (folder / "about.json").write_text(json.dumps(about), encoding="utf-8")
    for name, numbers in zip(_MAPPED, (*table.index.codes, table.counts), strict=True):
        np.save(folder / name, numbers)
    return open_mapped(folder)


def open_mapped(folder: Path) -> MappedFrequencies:
    about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    *codes, counts = (np.load(folder / name, mmap_mode="r") for name in _MAPPED)
    found = MappedFrequencies(about["name"], about["images"], NgramIndex(about["words"], codes), counts)
    object.__setattr__(found, "folder", folder)
    return found


_MAPPED = (*(f"codes_{n}.npy" for n in range(2, ORDER + 1)), "counts.npy")


@load_once(keep=4)
def _open(path: Path, name: str, _stamp: int) -> DocumentFrequencies:
    return load(path, name)


def open_table(source: str) -> DocumentFrequencies:
    """'coco' for the shipped table, else the path of one; loaded once for each state of the file."""
    path = files.locate("coco-val-df") if source == "coco" else Path(source)
    if not path.is_file():
        raise InvalidInput(f"{path}: no such idf table", expected="coco, corpus or the path of a table")
    return _open(path, "coco-val2014" if source == "coco" else path.name, path.stat().st_mtime_ns)
