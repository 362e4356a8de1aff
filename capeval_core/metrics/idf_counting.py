"""CIDEr's document frequencies of captions that come in pieces: the tables that Cider.resolve() makes of them at once.

Two readings. The first says which images each captioner has; the second counts each image's references once, whoever
has it. Images that the same captioners have are a group: counts are kept by n-gram and group, so that a captioner's
table is the sum of its groups. What does not fit into memory goes to files, by n-gram, and is summed file by file.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from capeval_core.errors import InvalidInput
from capeval_core.metrics.ngram_counts import Counted, NgramCounts, count_documents
from capeval_core.resources import idf
from capeval_core.resources.idf import DocumentFrequencies, MappedFrequencies
from capeval_core.shared import Shared
from capeval_core.text.ngrams import Ints
from capeval_core.types import CaptionItem

ENOUGH_IMAGES = 50


@dataclass(frozen=True, slots=True)
class IdfContext:
    """The idf tables of one evaluation: one for all captioners, or one each."""

    tables: Mapping[str, DocumentFrequencies]
    everyone: DocumentFrequencies | None = None

    def signature(self) -> dict[str, str]:
        found = [self.everyone] if self.everyone else list(self.tables.values())
        names = {f"{table.name}({table.images} images,{table.digest})": None for table in found}
        return {"idf": "+".join(names)}

    def table(self, system: str) -> DocumentFrequencies:
        table = self.everyone or self.tables.get(system)
        if table is None:
            raise InvalidInput(
                f"no idf table for system {system!r}",
                expected=f"one of {sorted(self.tables)}",
                fix="pass the context of the evaluation that scored this item",
            )
        return table

    def whole(self) -> IdfContext:
        """Without tables that lie in a folder of this machine."""
        one = {id(table): table.whole() for table in self.tables.values() if isinstance(table, MappedFrequencies)}
        return IdfContext({name: one.get(id(table), table) for name, table in self.tables.items()}, self.everyone)


@dataclass(frozen=True, slots=True)
class Documents:
    """Images of a piece that are counted, as work for another process: their references, and each one's group."""

    references: list[tuple[str, ...]]
    groups: Ints

    def count(self, shared: Shared) -> Counted:
        return count_documents([list(map(shared.tokens, texts)) for texts in self.references], self.groups)


class IdfCounting:
    """`look` at every piece, then `pick` from every piece what is to be counted and `add` that; then the context."""

    def __init__(self, source: str, folder: Path) -> None:
        self.name = f"idf:{source}"  # metrics whose counting has one name share it
        self._source, self._folder = source, folder
        self._systems: dict[str, int] = {}
        self._images: list[set[str]] = []  # of each captioner, until there are enough
        self._seen_documents, self._seen_systems = array("Q"), array("L")
        self._documents = np.empty(0, dtype=np.uint64)  # distinct, sorted; the next two are in this order
        self._groups = np.empty(0, dtype=np.int64)
        self._done = np.empty(0, dtype=bool)
        self._members: list[tuple[int, ...]] = []  # the captioners of each group
        self._counts = NgramCounts(folder / "counting")

    def look(self, items: Sequence[CaptionItem]) -> None:
        for item in items:
            if item.references:
                number = self._systems.setdefault(item.system, len(self._systems))
                if number == len(self._images):
                    self._images.append(set())
                if len(self._images[number]) < ENOUGH_IMAGES:
                    self._images[number].add(item.image_id)
                self._seen_documents.append(_digest(item))
                self._seen_systems.append(number)

    @property
    def counts(self) -> bool:
        """Is there anything to pick? Only after the last look."""
        if self._source != "auto":
            return bool(self._systems)
        return bool(self._images) and all(len(images) >= ENOUGH_IMAGES for images in self._images)

    def pick(self, items: Sequence[CaptionItem]) -> Documents | None:
        if self._seen_documents:
            self._group()
        chosen = [item for item in items if item.references]
        wanted = np.array([_digest(item) for item in chosen], dtype=np.uint64)
        places, firsts = np.unique(np.searchsorted(self._documents, wanted), return_index=True)
        new = ~self._done[places]
        self._done[places] = True
        found = [chosen[row].references for row in firsts[new].tolist()]
        return Documents(found, self._groups[places[new]]) if found else None

    def _group(self) -> None:
        documents = np.frombuffer(self._seen_documents, dtype=np.uint64)
        systems = np.array(self._seen_systems, dtype=np.int64)
        order = np.lexsort((systems, documents))
        documents, systems = documents[order], systems[order]
        first = np.append(True, (documents[1:] != documents[:-1]) | (systems[1:] != systems[:-1]))[: len(order)]
        documents, systems = documents[first], systems[first]
        starts = np.flatnonzero(np.append(True, documents[1:] != documents[:-1])[: len(documents)])
        # The set of a document's captioners as one number: the sum of one arbitrary number for each.
        marks = np.random.default_rng(0).integers(0, 2**63, len(self._systems), dtype=np.uint64)
        sets = np.add.reduceat(marks[systems], starts) if len(starts) else np.empty(0, dtype=np.uint64)
        _, firsts, self._groups = np.unique(sets, return_index=True, return_inverse=True)
        ends = np.append(starts[1:], len(documents))
        self._members = [tuple(systems[starts[at] : ends[at]].tolist()) for at in firsts.tolist()]
        self._documents = documents[starts]
        self._done = np.zeros(len(starts), dtype=bool)
        self._seen_documents, self._seen_systems = array("Q"), array("L")

    def add(self, counted: Counted) -> None:
        self._counts.add(counted)

    def context(self) -> IdfContext:
        if not self.counts:
            return IdfContext({}, idf.open_table("coco")) if self._source == "auto" else IdfContext({})
        sizes = np.bincount(self._groups, minlength=len(self._members))
        made: dict[tuple[int, ...], DocumentFrequencies] = {}
        tables = {}
        for system, number in self._systems.items():
            groups = tuple(group for group, members in enumerate(self._members) if number in members)
            if groups not in made:
                table = self._counts.table(groups, int(sizes[list(groups)].sum()), "corpus")
                made[groups] = idf.save_mapped(table, self._folder / f"table-{len(made)}")
            tables[system] = made[groups]
        self._counts.clear()
        return IdfContext(tables)


def _digest(item: CaptionItem) -> int:
    parts = [item.image_id, *item.references]
    text = "\0".join([*(str(len(part)) for part in parts), *parts])
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
