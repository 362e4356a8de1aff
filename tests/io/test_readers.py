"""Reading captions: every format, and what is said of a broken file."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from capeval_core import CaptionItem, InvalidInput
from capeval_core.io.readers import read_items

ROW = {"image_id": 7, "candidate": "a dog", "references": ["the dog", "dog"], "system": "m2"}
ITEM = CaptionItem("7", "a dog", ("the dog", "dog"), "m2")
ANNOTATIONS = {
    "annotations": [
        {"image_id": 7, "id": 1, "caption": "the dog"},
        {"image_id": "8", "id": 2, "caption": "a cat"},
        {"image_id": "7", "id": 3, "caption": "dog"},
    ]
}


def write(folder: Path, name: str, content: object) -> Path:
    path = folder / name
    data = content if isinstance(content, bytes) else content if isinstance(content, str) else json.dumps(content)
    raw = data if isinstance(data, bytes) else data.encode()
    path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    return path


def read(folder: Path, name: str, content: object) -> list[CaptionItem]:
    return read_items([str(write(folder, name, content))])


def test_jsonl_plain_gzipped_with_mark_and_blank_lines(tmp_path: Path) -> None:
    text = "\ufeff" + json.dumps(ROW) + "\n\n" + json.dumps({**ROW, "image_id": "x", "system": None}) + "\n"
    expected = [ITEM, CaptionItem("x", "a dog", ("the dog", "dog"))]
    assert read(tmp_path, "a.jsonl", text) == read(tmp_path, "a.jsonl.gz", text) == expected


def test_caption_stands_in_for_candidate(tmp_path: Path) -> None:
    row = {"image_id": 7, "caption": "a dog", "references": [], "tokens": "ignored"}
    assert read(tmp_path, "a.jsonl", json.dumps(row)) == [CaptionItem("7", "a dog")]


def test_json_list(tmp_path: Path) -> None:
    assert read(tmp_path, "a.json", [ROW, ROW]) == [ITEM, ITEM]


def test_csv_and_tsv_with_a_json_list_or_numbered_columns(tmp_path: Path) -> None:
    listed = 'image_id,candidate,references,system\n7,a dog,"[""the dog"", ""dog""]",m2\n'
    numbered = "image_id,system,reference_2,reference_10,candidate,reference_1\n7,m2,dog,,a dog,the dog\n"
    assert read(tmp_path, "a.csv", listed) == [ITEM]
    assert read(tmp_path, "b.csv", numbered) == [ITEM]
    assert read(tmp_path, "a.tsv", numbered.replace(",", "\t")) == [ITEM]


def test_coco_results_in_any_order_with_ids_of_either_kind(tmp_path: Path) -> None:
    references = write(tmp_path, "ann.json", ANNOTATIONS)
    results = write(tmp_path, "r.json", [{"image_id": "8", "caption": "cats"}, {"image_id": 7, "caption": "a dog"}])
    items = read_items([str(results)], references)
    assert items == [CaptionItem("8", "cats", ("a cat",)), CaptionItem("7", "a dog", ("the dog", "dog"))]


def test_several_results_files_carry_their_names(tmp_path: Path) -> None:
    references = write(tmp_path, "ann.json.gz", ANNOTATIONS)
    for name in ("a", "b"):
        write(tmp_path, f"{name}.json", [{"image_id": 7, "caption": name}, {"image_id": 7, "caption": "other"}])
    items = read_items([f"m2={tmp_path / 'a.json'}", str(tmp_path / "b.json")], references)
    assert [(item.system, item.candidate) for item in items] == [
        ("m2", "a"),
        ("m2", "other"),
        ("b", "b"),
        ("b", "other"),
    ]
    with pytest.raises(InvalidInput, match="two inputs are named 'm2'"):
        read_items([f"m2={tmp_path / 'a.json'}", f"m2={tmp_path / 'b.json'}"], references)


def line(row: object) -> str:
    return json.dumps(row) + "\n"


GOOD = line(ROW) * 6
WITHOUT = {name: {key: value for key, value in ROW.items() if key != name} for name in ROW}
BROKEN = {
    "broken JSON": ("a.jsonl", GOOD + '{"image_id": 7,\n' + GOOD, "a.jsonl: line 7: broken JSON"),
    "no candidate": ("a.jsonl", GOOD + line(WITHOUT["candidate"]), "line 7: field candidate is missing"),
    "no image_id": ("a.jsonl", GOOD + line(WITHOUT["image_id"]), "line 7: field image_id is missing"),
    "no references": ("a.jsonl", GOOD + line(WITHOUT["references"]), "line 7: field references is missing"),
    "candidate a number": ("a.jsonl", GOOD + line({**ROW, "candidate": 3}), "line 7: field candidate; expected text"),
    "candidate null": (
        "a.jsonl",
        line({**ROW, "candidate": None}),
        "line 1: field candidate; expected text; found null",
    ),
    "references text": ("a.jsonl", line({**ROW, "references": "x"}), "field references; expected a list of texts"),
    "reference a number": ("a.jsonl", line({**ROW, "references": ["x", 3]}), r"field references\[1\]; expected text"),
    "image_id true": ("a.jsonl", line({**ROW, "image_id": True}), "field image_id; expected text or a whole number"),
    "image_id a list": ("a.jsonl", line({**ROW, "image_id": [1]}), "field image_id; expected"),
    "system a number": ("a.jsonl", line({**ROW, "system": 3}), "field system; expected text"),
    "row a list": ("a.jsonl", "[1]\n", "line 1; expected an object"),
    "half a character": ("a.jsonl", line({**ROW, "candidate": "\ud800"}), "field candidate: not valid Unicode"),
    "nested too deeply": ("a.jsonl", "[" * 100_000 + "\n", "line 1: broken JSON"),
    "a number without end": ("a.jsonl", '{"image_id": ' + "9" * 5000 + "}\n", "line 1: broken JSON"),
    "empty": ("a.jsonl", "", "a.jsonl: line 1: the file has no rows"),
    "only blank lines": ("a.jsonl", "\n\n", "a.jsonl: line 1: the file has no rows"),
    "empty list": ("a.json", [], "the file has no rows"),
    "empty JSON": ("a.json", "", "line 1: the file is empty"),
    "broken JSON file": ("a.json", '[\n{"image_id":\n', "a.json: line 3: broken JSON"),
    "annotations alone": ("a.json", ANNOTATIONS, "references only, no captions.*--references"),
    "JSON entry": ("a.json", [ROW, WITHOUT["candidate"]], r"entry \[1\]: field candidate is missing"),
    "not UTF-8": ("a.jsonl", GOOD.encode() + b'{"image_id": "\xff"}', "line 7: not UTF-8; found byte 0xff"),
    "not gzip": ("a.jsonl.gz", b"", "no rows"),
    "empty CSV": ("a.csv", "", "no rows"),
    "CSV without references": ("a.csv", "image_id,candidate\n7,a\n", "line 1: field references is missing"),
    "CSV without candidate": ("a.csv", "image_id,reference_1\n7,a\n", "line 2: field candidate is missing"),
    "CSV with short row": ("a.csv", "image_id,candidate,reference_1\n7\n", "line 2: field candidate; expected text"),
    "CSV with long row": ("a.csv", "image_id,candidate,reference_1\n7,a,b,c\n", "line 2; expected 3 cells; found more"),
    "CSV with broken list": (
        "a.csv",
        "image_id,candidate,references\n7,a,[x\n",
        "line 2: field references: broken JSON",
    ),
    "CSV with empty list": (
        "a.csv",
        "image_id,candidate,references\n7,a,\n",
        "line 2: field references; expected a list",
    ),
    "CSV with open quote": ("a.csv", 'image_id,candidate,references\n7,"a,[]\n', "line 2: broken table"),
    "unknown kind": ("a.docx", "x", "unknown kind of file"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files_are_named_to_the_line_and_field(name: str, tmp_path: Path) -> None:
    file, content, message = BROKEN[name]
    with pytest.raises(InvalidInput, match=message) as caught:
        read(tmp_path, file, content)
    assert file in str(caught.value)
    assert "\n" not in str(caught.value)


def test_truncated_gzip(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl.gz", GOOD * 1000)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InvalidInput, match="broken gzip file"):
        read_items([str(path)])
    path.write_bytes(b"plain text")
    with pytest.raises(InvalidInput, match="broken gzip file"):
        read_items([str(path)])


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="No such file"):
        read_items([str(tmp_path / "a.jsonl")])
    (tmp_path / "b.jsonl").mkdir()
    with pytest.raises(InvalidInput, match="no file of captions in this folder"):
        read_items([str(tmp_path / "b.jsonl")])


@pytest.mark.parametrize(
    ("annotations", "message"),
    [
        ([], "field annotations; expected a list"),
        ({"images": []}, "field annotations; expected a list; found null"),
        ({"annotations": [1]}, r"annotations\[0\]; expected an object"),
        ({"annotations": [{"image_id": 1}]}, r"annotations\[0\]: field caption is missing"),
        ({"annotations": [{"caption": "x"}]}, r"annotations\[0\]: field image_id is missing"),
        (
            {"annotations": [{"image_id": 9, "caption": "x"}]},
            "r.json: entry .0.: field image_id: no reference for image '7'",
        ),
    ],
)
def test_broken_annotations(annotations: object, message: str, tmp_path: Path) -> None:
    references = write(tmp_path, "ann.json", annotations)
    results = write(tmp_path, "r.json", [{"image_id": 7, "caption": "a"}])
    with pytest.raises(InvalidInput, match=message):
        read_items([str(results)], references)
