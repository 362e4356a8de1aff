"""Data sets in every format: read, joined, named, with everything that came along."""

from __future__ import annotations

import gzip
import io
import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from capeval_core import CaptionItem, InvalidInput, registry
from capeval_core.io import readers, sources
from capeval_core.io.columns import Json
from capeval_core.io.dataset import DataSet
from capeval_core.io.limits import APP
from tests.cases import SHARED, needs_shared
from tests.io.hostile import photograph, zipped

ROWS: list[dict[str, Any]] = [
    {"image_id": "1", "system": "m2", "candidate": "a dog", "references": ["the dog", "dog"], "cider": 0.5, "n": 3},
    {"image_id": "2", "system": "m2", "candidate": "a cat", "references": ["cat"], "cider": None, "n": None},
    {"image_id": "1", "system": "human", "candidate": "dog", "references": ["the dog", "dog"], "cider": 1.25, "n": 7},
]
RESULTS = [{"image_id": 1, "caption": "a dog runs"}, {"image_id": 2, "caption": "a cat sits"}]
ANNOTATIONS = {
    "info": {"year": 2014},
    "images": [{"id": 1, "file_name": "1.jpg"}],
    "annotations": [
        {"image_id": 1, "caption": "a dog"},
        {"image_id": 2, "caption": "a cat"},
        {"image_id": 1, "caption": "the dog"},
    ],
}


def lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def table(rows: list[dict[str, Any]], separator: str = ",") -> bytes:
    flat = [row | {"references": json.dumps(row["references"])} for row in rows]
    return pd.DataFrame(flat).astype({"n": "Int64"}).to_csv(index=False, sep=separator).encode()


def parquet(rows: list[dict[str, Any]]) -> bytes:
    target = io.BytesIO()
    pd.DataFrame(rows).astype({"n": "Int64"} if "n" in rows[0] else {}).to_parquet(target, index=False)
    return target.getvalue()


def load(**files: Any) -> DataSet:
    """Files by name (a__b for a.b), as a visitor gives them."""
    given = []
    for name, data in files.items():
        content = data if isinstance(data, bytes) else json.dumps(data).encode()
        given.append(sources.of_bytes(name.replace("__", "."), content))
    return readers.read_dataset(given, keys=registry.keys(), limits=APP, named=True)


FORMATS: dict[str, Callable[[], DataSet]] = {
    "JSONL": lambda: load(a__jsonl=lines(ROWS)),
    "JSON": lambda: load(a__json=ROWS),
    "CSV": lambda: load(a__csv=table(ROWS)),
    "TSV": lambda: load(a__tsv=table(ROWS, "\t")),
    "Parquet": lambda: load(a__parquet=parquet(ROWS)),
    "JSONL.gz": lambda: load(a__jsonl__gz=gzip.compress(lines(ROWS))),
    "CSV.gz": lambda: load(a__csv__gz=gzip.compress(table(ROWS))),
    "Parquet.gz": lambda: load(a__parquet__gz=gzip.compress(parquet(ROWS))),
    "zip": lambda: load(a__zip=zipped({"data/a.jsonl": lines(ROWS)})),
    "gz in zip": lambda: load(a__zip=zipped({"a.csv.gz": gzip.compress(table(ROWS))})),
    "two files": lambda: load(a__jsonl=lines(ROWS[:2]), b__parquet=parquet(ROWS[2:])),
    "capitals": lambda: load(A__JSONL=lines(ROWS)),
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_data_set(name: str) -> None:
    found = FORMATS[name]()
    assert [item.candidate for item in found.items] == ["a dog", "a cat", "dog"]
    assert found.items[0] == CaptionItem("1", "a dog", ("the dog", "dog"), "m2")
    assert found.systems == {"m2": [0, 1], "human": [2]}
    assert found.images_rows == {"1": [0, 2], "2": [1]}
    assert set(found.scores) == {"cider"}
    np.testing.assert_array_equal(found.scores["cider"], [0.5, np.nan, 1.25])
    assert found.columns == {"n": (3, None, 7)}
    assert found.facts() == "3 captions, 2 captioners, 2 images; references, scores, 1 extra column"
    assert found.digest == FORMATS["JSONL"]().digest


def test_coco_results_are_named_by_their_files() -> None:
    found = load(m2__json=RESULTS, xt__json=RESULTS, val__json=ANNOTATIONS)
    assert list(found.systems) == ["m2", "xt"]
    assert found.items[0].references == ("a dog", "the dog")
    assert found.title == "m2.json and 1 more"
    packed = {
        "m2.json": json.dumps(RESULTS).encode(),
        "ann/val.json.gz": gzip.compress(json.dumps(ANNOTATIONS).encode()),
    }
    assert load(m2__zip=zipped(packed)).items == found.items[:2]


def test_files_of_one_name_in_two_folders_are_two_captioners() -> None:
    row = lines([{"image_id": 1, "candidate": "a", "references": []}])
    assert list(load(x__zip=zipped({"a/r.jsonl": row, "b/r.jsonl": row})).systems) == ["a/r", "b/r"]


def test_rows_own_references_go_before_the_annotation_files() -> None:
    found = load(a__jsonl=lines(ROWS[:1]), m2__json=RESULTS, val__json=ANNOTATIONS)
    assert [item.references for item in found.items] == [("the dog", "dog"), ("a dog", "the dog"), ("a cat",)]


def test_what_score_wrote_needs_no_references() -> None:
    rows = [{"image_id": "1", "system": name, "candidate": "a dog", "sparcs": 0.5, "cider": None} for name in "ab"]
    found = load(scores__jsonl=lines(rows))
    np.testing.assert_array_equal(found.scores["sparcs"], [0.5, 0.5])
    assert np.isnan(found.scores["cider"]).all()
    assert found.items[0].references == ()
    assert found.facts() == "2 captions, 2 captioners, 1 image; scores"


def test_half_a_column_of_scores_is_left_out_and_said() -> None:
    found = load(a__jsonl=lines(ROWS), b__jsonl=lines([{"image_id": 1, "candidate": "x", "references": []}]))
    assert found.scores == {}
    assert found.notes == ("Not every file has scores of cider: they are left out.",)


def test_ratings_are_one_number_or_a_list() -> None:
    rows = [row | {"rating": 4} for row in ROWS[:2]] + [ROWS[2] | {"ratings": [1, 2.5, None]}]
    found = load(a__jsonl=lines(rows))
    assert found.ratings == ((4.0,), (4.0,), (1.0, 2.5, math.nan))
    assert "rating" not in found.columns
    assert "ratings" in found.carries
    assert load(a__jsonl=lines(ROWS)).ratings is None
    both = load(a__jsonl=lines([ROWS[0] | {"ratings": [1, 3], "rating": 2}]))
    assert (both.ratings, both.columns["rating"]) == (((1.0, 3.0),), (2,))
    cells = b"image_id,candidate,reference_1,rating\n1,a,b,3\n2,c,d,\n"
    assert load(a__csv=cells).ratings == ((3.0,), ())


def test_columns_of_any_kind_are_kept() -> None:
    odd = {"text": "x", "truth": True, "list": [1, {"a": None}], "half": 0.5, "nothing": None, "far": float("inf")}
    found = load(a__jsonl=lines([ROWS[0] | odd, ROWS[1]])).columns
    assert found["text"] == ("x", None)
    assert found["truth"] == (True, None)
    assert found["list"] == (Json('[1,{"a":null}]'), None)
    assert found["nothing"] == (None, None)
    assert found["far"] == ("inf", None)
    assert Json('[1,{"a":null}]').load() == [1, {"a": None}]


def test_images_come_with_their_captions() -> None:
    pictures = {"pics/000000000001.jpg": photograph("JPEG"), "2.webp": photograph("WEBP"), "other.png": b"not read"}
    junk = {"__MACOSX/._2.webp": b"x", ".DS_Store": b"x", "README.md": b"hello", "pics/": b""}
    found = load(a__zip=zipped({"a.jsonl": lines(ROWS), **pictures, **junk}))
    assert sorted(found.images) == ["1", "2"]
    assert found.carries == ("references", "scores", "images", "1 extra column")
    image = found.image("1")
    assert image is not None
    assert image.startswith(b"\xff\xd8")
    assert found.image("3") is None
    assert found.notes == ("1 of 3 images have no caption: no image_id is like the file's name.",)
    assert found.digest != load(a__jsonl=lines(ROWS)).digest
    loose = readers.read_dataset(
        [sources.of_bytes("a.jsonl", lines(ROWS)), sources.of_bytes("1.jpg", photograph("JPEG"))], limits=APP
    )
    assert list(loose.images) == ["1"]


def test_an_image_that_is_damaged_inside_is_no_image() -> None:
    whole = photograph("PNG")
    damaged = {"1.jpg": photograph("JPEG")[:300] + bytes(200) + photograph("JPEG")[500:], "2.png": whole}
    found = load(a__zip=zipped({"a.jsonl": lines(ROWS), **damaged}))
    assert found.image("2")
    found.images.add(["3"], whole[:-60])  # type: ignore[attr-defined]
    assert found.image("3") is None


def test_equal_content_has_one_digest_and_any_change_another() -> None:
    digests = {
        load(a__jsonl=lines(rows)).digest
        for rows in (
            ROWS,
            ROWS[::-1],
            [row | {"n": "3"} for row in ROWS],
            [row | {"n": 3} for row in ROWS],
            [row | {"n": 3.0} for row in ROWS],
            [row | {"n": [3]} for row in ROWS],
            [row | {"n": "[3]"} for row in ROWS],
            [row | {"m": 3} for row in ROWS],
            [row | {"cider": 0.25} for row in ROWS],
            [row | {"rating": 1} for row in ROWS],
            [row | {"references": ["the dog dog"]} for row in ROWS],
            [row | {"references": ["the dog", "dog"]} for row in ROWS],
        )
    }
    assert len(digests) == 12
    assert load(a__jsonl=lines(ROWS)).digest == load(b__jsonl=lines(ROWS)).digest


@pytest.mark.parametrize("name", ["system", "candidate", "image_id"])
def test_a_captioner_without_a_name_is_called_by_its_file(name: str) -> None:
    rows = [{key: value for key, value in row.items() if key != name} for row in ROWS]
    if name == "system":
        assert list(load(ours__jsonl=lines(rows)).systems) == ["ours"]
    else:
        with pytest.raises(InvalidInput, match=f"ours.jsonl: line 1: field {name} is missing"):
            load(ours__jsonl=lines(rows))


@needs_shared
def test_karpathy_as_it_is() -> None:
    path = SHARED / "karpathy" / "karpathy_a.jsonl.gz"
    found = readers.read_dataset([sources.at(path)], keys=registry.keys(), limits=APP, named=True)
    assert found.size == "10,000 captions, 4 captioners, 2,500 images"
    assert list(found.columns) == ["tokens", "reference_tokens", "scores"]
    scores = found.columns["scores"][0]
    assert isinstance(scores, Json)
    assert scores.load()["SPARCS"] == 0.28


@needs_shared
def test_cocos_own_annotation_file() -> None:
    path = SHARED / "coco" / "captions_val2014.json.gz"
    results = sources.of_bytes("m2.json", json.dumps([{"image_id": 391895, "caption": "a man"}]).encode())
    found = readers.read_dataset([results, sources.at(path)], limits=APP, named=True)
    assert len(found.items[0].references) == 5
