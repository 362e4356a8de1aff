"""Files of captions as strangers bring them: read, named, or refused in one line with nothing left behind."""

from __future__ import annotations

import gzip
import io
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from capeval_core import InvalidInput
from pages.systems import data as systems_data
from pages.systems.data import HUMAN, Loaded, from_samples, read_files
from pages.work.samples import SYSTEMS, samples

RESULTS = [{"image_id": 1, "caption": "a dog runs"}, {"image_id": 2, "caption": "a cat sits"}]
ANNOTATIONS = {
    "annotations": [
        {"image_id": 1, "caption": "a dog"},
        {"image_id": 2, "caption": "a cat"},
        {"image_id": 1, "caption": "the dog"},
    ]
}
ROWS = [{"image_id": "1", "candidate": "a dog", "references": ["the dog"], "system": name} for name in ("m2", "human")]


def load(**files: Any) -> Loaded:
    return read_files([(name.replace("__", "."), io.BytesIO(_bytes(name, data))) for name, data in files.items()])


def _bytes(name: str, data: Any) -> bytes:
    if isinstance(data, bytes | str):
        return data if isinstance(data, bytes) else data.encode()
    return _lines(data) if name.endswith("jsonl") else json.dumps(data).encode()


def _lines(rows: Any) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def test_the_samples_take_one_person_out_of_the_references() -> None:
    found = from_samples()
    assert list(found.systems) == [HUMAN, *SYSTEMS]
    assert {len(rows) for rows in found.systems.values()} == {len(samples())}
    assert {len(item.references) for item in found.items} == {4}
    assert len({item.references for item in found.items}) == len(samples())  # the same four for everybody
    places = []
    for row, scene in zip(found.systems[HUMAN], samples(), strict=True):
        item = found.items[row]
        assert item.candidate not in item.references
        assert sorted((item.candidate, *item.references)) == sorted(scene.references)
        places.append(scene.references.index(item.candidate))
    assert {places.count(place) for place in range(5)} == {len(samples()) // 5}


def test_coco_results_are_named_by_their_files() -> None:
    found = load(m2__json=RESULTS, xt__json=RESULTS, val__json=ANNOTATIONS)
    assert list(found.systems) == ["m2", "xt"]
    assert found.images == {"1": [0, 2], "2": [1, 3]}
    assert found.items[0].references == ("a dog", "the dog")
    assert found.title == "m2.json and 1 more"
    alone = read_files([("m2.json.gz", io.BytesIO(gzip.compress(_bytes("", RESULTS)))), ("a.json", _file(ANNOTATIONS))])
    assert list(alone.systems) == ["m2"]


def _file(data: Any) -> io.BytesIO:
    return io.BytesIO(json.dumps(data).encode())


def test_rows_name_their_captioners_and_people_are_the_reference() -> None:
    found = load(all__jsonl=ROWS)
    assert list(found.systems) == ["m2", "human"]
    assert found.first_reference() == "human"
    table = "image_id,candidate,reference_1,reference_2\n1,a dog,the dog,\n"
    assert [item.system for item in load(ours__csv=table).items] == ["ours"]
    assert load(ours__csv=table).items[0].references == ("the dog",)


def test_what_score_wrote_is_not_scored_again() -> None:
    rows = [{"image_id": "1", "system": name, "candidate": "a dog", "sparcs": 0.5, "cider": None} for name in "ab"]
    found = load(scores__jsonl=rows)
    assert set(found.given) == {"sparcs", "cider"}
    np.testing.assert_array_equal(found.given["sparcs"], [0.5, 0.5])
    assert np.isnan(found.given["cider"]).all()
    assert found.items[0].references == ()
    both = load(scores__jsonl=rows, plain__jsonl=ROWS)
    assert both.given == {}  # half a column would compare captioners with nothing
    assert len(both.items) == 4


def test_equal_content_has_one_digest() -> None:
    digests = {load(m2__json=RESULTS, val__json=ANNOTATIONS).digest for _ in range(2)}
    assert len(digests) == 1
    assert load(m3__json=RESULTS, val__json=ANNOTATIONS).digest not in digests
    shifted = [{"image_id": "1", "candidate": "a", "references": ["b c"], "system": "s"}]
    other = [{"image_id": "1", "candidate": "a", "references": ["b", "c"], "system": "s"}]
    assert load(a__jsonl=shifted).digest != load(a__jsonl=other).digest


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no results": ({"val__json": ANNOTATIONS}, r"^val.json: references only. Fix: load it together with"),
    "broken JSON": ({"m2__json": '[{"image_id": 1,]'}, r"^m2.json: line 1: broken JSON; found"),
    "line of JSONL": ({"a__jsonl": _lines(ROWS) + b"nonsense\n"}, r"^a.jsonl: line 3: broken JSON"),
    "an image without references": (
        {"m2__json": [{"image_id": 9, "caption": "a"}], "val__json": ANNOTATIONS},
        r"^m2.json: entry \[0\]: field image_id: no reference for image '9'",
    ),
    "results alone": ({"m2__json": RESULTS}, r"^m2.json: entry \[0\]: field references is missing.*annotation file"),
    "empty": ({"m2__jsonl": b""}, r"^m2.jsonl: line 1: the file has no rows"),
    "two annotations": ({"a__json": ANNOTATIONS, "b__json": ANNOTATIONS, "c__json": RESULTS}, r"^b.json: a second"),
    "a picture": ({"m2__json": b"\x89PNG\r\n\x1a\n"}, r"^m2.json: line 1: not UTF-8"),
    "another kind": ({"m2__xml": b"<a/>"}, r"^m2.xml: unknown kind of file"),
    "not gzip": ({"m2__json__gz": b"plain"}, r"^m2.json.gz: broken gzip file"),
    "too many captioners": (
        {"a__jsonl": [ROWS[0] | {"system": str(n)} for n in range(systems_data.MAX_SYSTEMS + 1)]},
        r"^too many captioners; expected at most 24; found 25",
    ),
    "a score that is no number": ({"a__jsonl": [ROWS[0] | {"cider": "high"}]}, r"^a.jsonl: line 1: field cider"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_one_line_and_leaves_nothing(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    files, expected = BAD[name]
    with pytest.raises(InvalidInput, match=expected) as caught:
        load(**files)
    assert str(tmp_path) not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_small_file_that_unpacks_to_a_huge_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(systems_data, "MAX_UNPACKED", 3_000_000)
    bomb = gzip.compress(b" " * 5_000_000)
    assert len(bomb) < 10_000
    with pytest.raises(InvalidInput, match=r"m2\.json\.gz: too much to load here; expected at most 3 MB"):
        load(m2__json__gz=bomb)


def test_too_many_captions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(systems_data, "MAX_CAPTIONS", 1)
    with pytest.raises(InvalidInput, match="expected at most 1 captions"):
        load(a__jsonl=ROWS)


@pytest.mark.parametrize("name", ["../../etc/cron.d/x.json", "..\\x.json", "/etc/x.json"])
def test_a_name_with_a_path_stays_in_the_folder(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert list(read_files([(name, _file(RESULTS)), ("val.json", _file(ANNOTATIONS))]).systems) == ["x"]
    assert list(tmp_path.iterdir()) == []


def test_two_files_of_one_name_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"m2\.json: two files have this name"):
        read_files([("m2.json", _file(RESULTS)), ("m2.json", _file(RESULTS))])
