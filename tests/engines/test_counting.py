"""What a corpus decides, counted in pieces: the very tables that resolve() makes of it at once."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from capeval_core import CaptionItem
from capeval_core.io.readers import read_items
from capeval_core.metrics import cider, ngram_counts
from capeval_core.metrics.idf_counting import IdfContext, IdfCounting
from capeval_core.metrics.token_counting import TokenCounting
from capeval_core.resources.idf import MappedFrequencies
from capeval_core.resources.token_weights import TokenWeights, count
from capeval_core.shared import Shared
from tests.engines.cases import write_captions


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> list[CaptionItem]:
    """Three captioners: one misses images of the others, and some items repeat."""
    path = write_captions(tmp_path_factory.mktemp("in") / "captions.jsonl", 400, ("human", "m2", "google"))
    found = read_items([str(path)])
    return [*found, *found[:40], CaptionItem("alone", "a dog", ("a dog", "été 犬"), "m2")]


def counted(items: list[CaptionItem], source: str, folder: Path, size: int = 37) -> IdfContext:
    counting, shared = IdfCounting(source, folder), Shared("cpu")
    pieces = [items[start : start + size] for start in range(0, len(items), size)]
    for piece in pieces:
        counting.look(piece)
    if counting.counts:
        for piece in pieces:
            if (work := counting.pick(piece)) is not None:
                counting.add(pickle.loads(pickle.dumps(work)).count(shared))
    return counting.context()


@pytest.mark.parametrize("in_memory", [10**9, 100], ids=["in memory", "in files"])
@pytest.mark.parametrize("source", ["corpus", "auto"])
def test_idf_is_that_of_the_whole(
    items: list[CaptionItem], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, in_memory: int
) -> None:
    monkeypatch.setattr(ngram_counts, "IN_MEMORY", in_memory)
    with_references = [item for item in items if item.references]
    whole = cider.Cider.resolve(cider.Options(idf=source), with_references, Shared("cpu"))
    found = counted(items, source, tmp_path / "work")
    assert found.signature() == whole.signature()  # with a digest of every table
    assert list(found.tables) == list(whole.tables)
    for system, table in whole.tables.items():
        mine = found.table(system)
        assert (mine.images, list(mine.index.words)) == (table.images, list(table.index.words))
        assert np.array_equal(mine.counts, table.counts)
    assert not (tmp_path / "work" / "counting").exists()


def test_few_images_take_the_shipped_table(items: list[CaptionItem], tmp_path: Path) -> None:
    found = counted([item for item in items if item.system != "m2"][:60], "auto", tmp_path)
    assert found.everyone is not None
    assert found.everyone.name == "coco-val2014"


def test_no_references_at_all(tmp_path: Path) -> None:
    assert counted([CaptionItem("1", "a dog")], "corpus", tmp_path).tables == {}


def test_a_mapped_table_is_sent_as_a_place_and_whole_to_other_machines(
    items: list[CaptionItem], tmp_path: Path
) -> None:
    found = counted(items, "corpus", tmp_path / "work")
    table = found.table("human")
    assert isinstance(table, MappedFrequencies)
    assert len(pickle.dumps(table)) < 1_000
    assert pickle.loads(pickle.dumps(table)).digest == table.digest
    sent = pickle.loads(pickle.dumps(found.whole())).table("human")
    assert not isinstance(sent, MappedFrequencies)
    assert sent.digest == table.digest


class _Tokens:
    """In place of a transformer: its tokens are words."""

    def encode(self, text: str) -> _Tokens:
        self.tokens = text.split()
        return self


def test_token_weights_are_those_of_the_whole(items: list[CaptionItem], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Shared, "transformer", lambda self, model: _Tokens())
    counting, shared = TokenCounting("minilm", "minilm"), Shared("cpu")
    for start in range(0, len(items), 50):
        counting.add(counting.pick(items[start : start + 50]).count(shared))  # type: ignore[union-attr]
    references = [text for item in items for text in item.references]
    whole: TokenWeights = count((text.split() for text in references), f"references({len(references)})")
    assert counting.context().weights.label == whole.label
