"""Document frequencies: counting, saving, loading."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from capeval_core.resources import files, idf
from tests.cases import SHARED, needs_shared


def known(table: idf.DocumentFrequencies) -> dict[str, int]:
    return {" ".join(table.index.text(gram)): int(count) for gram, count in enumerate(table.counts)}


DOCUMENTS = [["a dog", "a big dog"], ["a dog", "dog dog"], ["the cat"], [""]]


def test_counts_images_not_captions_and_drops_single_ones() -> None:
    table = idf.count(DOCUMENTS, "test")
    assert table.images == 4
    assert known(table) == {"a": 2, "dog": 2, "a dog": 2}


def test_round_trip(tmp_path: Path) -> None:
    table = idf.count(DOCUMENTS, "test")
    idf.save(table, tmp_path / "t.npz")
    again = idf.load(tmp_path / "t.npz", "test")
    assert known(again) == known(table)
    assert (again.images, again.digest) == (table.images, table.digest)


def test_empty_corpus_round_trips(tmp_path: Path) -> None:
    idf.save(idf.count([["a"], ["b"]], "none"), tmp_path / "t.npz")
    assert idf.load(tmp_path / "t.npz", "none").counts.size == 0


def test_shipped_table_is_small_and_opens_fast() -> None:
    path = files.locate("coco-val-df")
    start = time.thread_time()
    table = idf.load(path, "coco")
    assert time.thread_time() - start < 0.5
    assert path.stat().st_size < 2_000_000
    assert table.images == 40_504
    assert table.index.size > 340_000
    assert known(table)["a"] == int(table.counts.max())


@needs_shared
@pytest.mark.skipif(not (SHARED / "coco").is_dir(), reason="no COCO captions")
def test_shipped_table_is_what_the_script_builds() -> None:
    from capeval_core.io.readers import read_annotations
    from capeval_core.text import ptb

    images = read_annotations(SHARED / "coco" / "captions_val2014.json.gz").values()
    built = idf.count([[ptb.tokenize(caption) for caption in captions] for captions in images], "built")
    assert built.digest == idf.open_table("coco").digest
