"""Workspaces come back as they were; hostile ones are refused with a reason."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest

from capeval_core import InvalidInput
from capeval_core.io.limits import APP
from capeval_core.io.workspace import StoredWorkspace, from_json, read_zip, write_zip

STORED = StoredWorkspace(
    references=("a dog", "<b>$x$</b> ![](http://x/y.png)"),
    candidates=(("m2", "a dog runs"), ("", "שלום")),
    metrics=("bleu_1",),
    title="dog",
    image=b"\x89PNG not decoded here",
)


def zipped(**entries: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in entries.items():
            file.writestr(name, data)
    return target.getvalue()


def test_comes_back_as_it_was() -> None:
    assert read_zip(write_zip(STORED)) == STORED


MANIFEST = json.dumps(STORED.to_json()).encode()


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "damaged or foreign"),
        (b"PK\x03\x04 nonsense", "damaged or foreign"),
        (write_zip(STORED)[:-30], "damaged or foreign"),
        (zipped(**{"../../etc/passwd": b"x", "workspace.json": MANIFEST}), "etc/passwd"),
        (zipped(**{"/tmp/x": b"x", "workspace.json": MANIFEST}), "/tmp/x"),
        (zipped(**{"image.png": b"x"}), "none in the file"),
        (zipped(**{"workspace.json": b"{"}), "not JSON"),
        (zipped(**{"workspace.json": b"[" * 100_000}), "not JSON"),
        (zipped(**{"workspace.json": b"[]"}), "expected an object"),
        (zipped(**{"workspace.json": MANIFEST, "image.png": bytes(APP.image + 1)}), "at most 10 MB"),
        (zipped(**{"workspace.json": MANIFEST, "image.png": b"", "image.jpg": b""}), "one image at most"),
        (bytes(20_000_001), "at most 20 MB"),
    ],
)
def test_a_hostile_file_is_refused(data: bytes, found: str) -> None:
    with pytest.raises(InvalidInput, match=found):
        read_zip(data)


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"references": "a"},
        {"references": [1]},
        {"references": ["a"] * 201},
        {"references": ["\ud800"]},
        {"candidates": [{"system": "x"}]},
        {"candidates": ["a"]},
        {"candidates": [{"caption": "x" * 10_001}]},
        {"metrics": {}},
        {"title": None},
    ],
)
def test_a_wrong_field_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="cannot be opened; expected"):
        from_json(STORED.to_json() | change)
