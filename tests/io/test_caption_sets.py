"""Captions by image, to learn from: every format, what is held out, and what is said of a bad file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from capeval_core import InvalidInput
from capeval_core.io import caption_sets
from tests.io.test_readers import ANNOTATIONS, write

TWO = {"0:7": ("the dog", "dog"), "0:8": ("a cat",)}


def test_coco_annotations_with_and_without_a_list_of_images(tmp_path: Path) -> None:
    assert caption_sets.read([write(tmp_path, "a.json", ANNOTATIONS)]) == TWO
    images = [{"id": 7, "held_out": True}, {"id": 8, "held_out": False}, {"id": 9}]
    held = write(tmp_path, "b.json.gz", {"images": images, **ANNOTATIONS})
    assert caption_sets.read([held]) == {"0:8": ("a cat",)}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", '{"image_id": 7, "captions": ["the dog", "dog"]}\n{"image_id": 8, "captions": ["a cat"]}'),
        (
            "b.jsonl",
            '{"image_id": 7, "caption": "the dog"}\n{"image_id": "8", "caption": "a cat"}\n'
            '{"image_id": "7", "caption": "dog"}\n{"image_id": "9", "caption": "x", "held_out": true}',
        ),
        ("c.csv", 'image_id,candidate,references\n7,machine,"[""the dog"", ""dog""]"\n8,m,"[""a cat""]"\n'),
        (
            "d.csv",
            "image_id,candidate,reference_1,reference_2\n7,machine,the dog,dog\n7,other,the dog,dog\n8,m,a cat,\n",
        ),
    ],
)
def test_rows_give_what_people_wrote_each_caption_once(tmp_path: Path, name: str, content: str) -> None:
    assert caption_sets.read([write(tmp_path, name, content)]) == TWO


def test_two_files_have_different_images(tmp_path: Path) -> None:
    one, two = write(tmp_path, "a.json", ANNOTATIONS), write(tmp_path, "b.json", ANNOTATIONS)
    assert list(caption_sets.read([one, two])) == ["0:7", "0:8", "1:7", "1:8"]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.jsonl", '{"image_id": 7}', "line 1: no captions; expected captions"),
        ("a.jsonl", '{"captions": ["x"]}', "line 1: field image_id is missing"),
        ("a.jsonl", '{"image_id": 7, "captions": "x"}', "line 1: field captions; expected a list"),
        ("a.jsonl", "[1]", "line 1; expected an object"),
        ("a.jsonl", "", "no captions to learn from"),
        ("a.json", json.dumps({"images": [{"id": 7, "held_out": True}], "annotations": []}), "no captions to learn"),
        ("a.json", '{"images": [', "broken JSON"),
        ("a.txt", "a dog", "a.txt"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, name: str, content: str, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        caption_sets.read([write(tmp_path, name, content)])
