"""In how many documents each n-gram occurs, added up from pieces of a corpus, in bounded memory.

An n-gram is up to four numbers of words, packed into two 64-bit integers. Its count goes to one of a few boxes by its
first two words; when the boxes hold too much they are emptied into files. A table is then made box by box.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from capeval_core import pace
from capeval_core.resources.idf import DocumentFrequencies
from capeval_core.text.ngrams import ORDER, Ints, NgramIndex, NgramTable

BOXES = 64
IN_MEMORY = 6_000_000  # counts of 24 bytes
COUNT = np.dtype([("front", "<u8"), ("back", "<u8"), ("group", "<u4"), ("count", "<u4")])
Counts = npt.NDArray[np.void]
Unsigned = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Counted:
    """Of some documents."""

    words: list[str]
    grams: npt.NDArray[np.int32]  # (n-grams, 4): numbers of words, counted from 1; 0 where there is none
    groups: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int32]


def count_documents(documents: Sequence[Sequence[str]], groups: Ints) -> Counted:
    """Of tokenized captions, document by document; the same n-gram in two groups is two counts."""
    captions = [(number, caption) for number, texts in enumerate(documents) for caption in texts]
    table = NgramTable(caption for _, caption in captions)
    owners = np.array([number for number, _ in captions], dtype=np.int64)
    rows, sentences = table.rows(np.array([table.position[caption] for _, caption in captions], dtype=np.int64))
    size, several = max(table.index.size, 1), int(groups.max(initial=0)) + 1
    pairs = np.unique(owners[sentences] * size + table.grams(rows))
    keys, counts = np.unique((pairs % size) * several + groups[pairs // size], return_counts=True)
    spelled = _spelled(table.index)[keys // several]
    return Counted(list(table.index.words), spelled, (keys % several).astype(np.int32), counts.astype(np.int32))


def _spelled(index: NgramIndex) -> npt.NDArray[np.int32]:
    found = np.zeros((index.size, ORDER), dtype=np.int32)
    found[: len(index.words), 0] = np.arange(1, len(index.words) + 1)
    for level, codes in enumerate(index.codes, 1):
        parents, lasts = np.divmod(codes, max(len(index.words), 1))
        here = slice(index.starts[level], index.starts[level + 1])
        found[here] = found[index.starts[level - 1] + parents]
        found[here, level] = lasts + 1
    return found


class NgramCounts:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._words: dict[str, int] = {}  # numbered from 1
        self._boxes: list[list[Counts]] = [[] for _ in range(BOXES)]
        self._held = 0

    def add(self, counted: Counted) -> None:
        numbers = [0, *(self._words.setdefault(word, len(self._words) + 1) for word in counted.words)]
        grams = np.array(numbers, dtype=np.uint64)[counted.grams]
        found = np.empty(len(grams), dtype=COUNT)
        shift = np.uint64(32)
        found["front"] = grams[:, 0] << shift | grams[:, 1]
        found["back"] = grams[:, 2] << shift | grams[:, 3]
        found["group"], found["count"] = counted.groups, counted.counts
        box = (found["front"] * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(58)  # spread evenly over 2 ** 6 boxes
        order = np.argsort(box, kind="stable")
        ends = np.searchsorted(box[order], np.arange(1, BOXES + 1, dtype=np.uint64))
        for number, part in enumerate(np.split(found[order], ends[:-1])):
            if len(part):
                self._boxes[number].append(part)
        self._held += len(found)
        if self._held > IN_MEMORY:
            self._empty()

    def _empty(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        for number, parts in enumerate(self._boxes):
            with (self._folder / str(number)).open("ab") as file:
                for part in parts:
                    file.write(part.tobytes())
        self._boxes = [[] for _ in range(BOXES)]
        self._held = 0

    def clear(self) -> None:
        self._boxes = [[] for _ in range(BOXES)]
        if self._folder.exists():
            shutil.rmtree(self._folder)

    def _box(self, number: int) -> Counts:
        path = self._folder / str(number)
        stored = [np.fromfile(path, dtype=COUNT)] if path.exists() else []
        return np.concatenate([np.empty(0, dtype=COUNT), *stored, *self._boxes[number]])

    def table(self, groups: Sequence[int], documents: int, name: str) -> DocumentFrequencies:
        """Of the documents of these groups; canonical, as capeval_core.resources.idf makes it."""
        kept = [_summed(self._box(number), groups) for number in pace.each(range(BOXES))]
        fronts, backs, counts = (np.concatenate(column) for column in zip(*kept, strict=True))
        del kept
        low = np.uint64(0xFFFFFFFF)
        shift = np.uint64(32)
        orders = (fronts & low > 0).astype(np.int8) + (backs > 0) + (backs & low > 0)
        singles = orders == 0
        used = (fronts[singles] >> shift).astype(np.int64)
        names = list(self._words)
        words = sorted(names[number - 1] for number in used.tolist())
        renumbered = np.full(len(names) + 1, -1)
        renumbered[[self._words[word] for word in words]] = np.arange(len(words))
        by_word = np.zeros(len(words), dtype=np.int64)
        by_word[renumbered[used]] = counts[singles]
        codes, found = list[Ints](), [by_word]
        for order in range(1, ORDER):
            pace.look()
            chosen = orders == order
            front, back = fronts[chosen], backs[chosen]
            node = renumbered[front >> shift]
            lasts = (front & low, back >> shift, back & low)[:order]
            for level, last in enumerate(lasts):
                node = node * len(words) + renumbered[last]
                if level < order - 1:  # the number of the n-gram without its last words
                    node = np.searchsorted(codes[level], node)
            place = np.argsort(node)
            codes.append(node[place])
            found.append(counts[chosen][place])
        return DocumentFrequencies(name, documents, NgramIndex(words, codes), np.concatenate(found))


def _summed(box: Counts, groups: Sequence[int]) -> tuple[Unsigned, Unsigned, Ints]:
    """The n-grams of two documents or more."""
    chosen = box[np.isin(box["group"], list(groups))]
    chosen = chosen[np.lexsort((chosen["back"], chosen["front"]))]
    front, back = chosen["front"], chosen["back"]
    firsts = np.flatnonzero(np.append(True, (front[1:] != front[:-1]) | (back[1:] != back[:-1]))[: len(chosen)])
    counts = np.add.reduceat(chosen["count"].astype(np.int64), firsts) if len(firsts) else np.empty(0, dtype=np.int64)
    often = counts > 1
    return front[firsts[often]], back[firsts[often]], counts[often]
