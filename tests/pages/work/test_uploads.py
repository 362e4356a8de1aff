"""The door for visitors' files: sized by kind, named as the visitor named them, one line for what is wrong."""

from __future__ import annotations

import io
import json
import tempfile
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec

from capeval_core import InvalidInput
from capeval_core.io import sources
from capeval_core.io.limits import APP
from capeval_core.io.workspace import StoredWorkspace, write_zip
from pages.work import uploads
from tests.io.hostile import SVG, bomb, growing, photograph, picture, zipped
from tests.io.test_dataset import ANNOTATIONS, RESULTS, ROWS, lines

STORED = StoredWorkspace(("a dog",), (("m2", "a dog runs"),), image=photograph("PNG"))


class Large:
    """A file that says its size, and must not be read."""

    name = "large.jsonl"

    def __init__(self, size: int, name: str = "large.jsonl") -> None:
        self.size, self.name = size, name

    def getvalue(self) -> bytes:
        raise AssertionError("it was read")


def files(**given: Any) -> list[uploads.File]:
    return [
        (name.replace("__", "."), data if isinstance(data, bytes) else json.dumps(data).encode())
        for name, data in given.items()
    ]


def test_files_become_one_data_set() -> None:
    found = uploads.read_dataset(files(m2__json=RESULTS, xt__json=RESULTS, val__json=ANNOTATIONS))
    assert list(found.systems) == ["m2", "xt"]
    assert found.items[0].references == ("a dog", "the dog")
    assert not found.samples


@pytest.mark.parametrize("name", ["../../etc/cron.d/x.json", "..\\x.json", "/etc/x.json", "C:\\tmp\\x.json"])
def test_a_name_with_a_path_is_its_last_part(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    results = (name, json.dumps(RESULTS).encode())
    assert list(uploads.read_dataset([results, *files(val__json=ANNOTATIONS)]).systems) == ["x"]
    assert list(tmp_path.iterdir()) == []


def test_a_long_or_odd_name_keeps_its_kind() -> None:
    for name in ("x" * 300 + ".jsonl", "a\u202egnp.jsonl", "two\nlines.jsonl", "\x00.jsonl"):
        found = uploads.read_dataset([(name, lines(ROWS))])
        assert len(found.title) <= uploads.LONGEST
        assert found.title.endswith(".jsonl")
        assert found.title.isprintable()


BAD: dict[str, tuple[list[Any], str]] = {
    "none": ([], "files to load; expected 1 to 30; found 0"),
    "many": (files(**{f"a{n}__jsonl": lines(ROWS) for n in range(31)}), "files to load; expected 1 to 30; found 31"),
    "one name twice": ([("a.jsonl", lines(ROWS)), ("b/a.jsonl", lines(ROWS))], "a.jsonl: two files have this name"),
    "too large": ([Large(APP.upload + 1)], "large.jsonl: too large; expected at most 200 MB"),
    "image too large": (
        [*files(a__jsonl=lines(ROWS)), Large(APP.image + 1, "1.png")],
        "1.png: too large; expected at most 10 MB",
    ),
    "another kind": (files(m2__exe=b"MZ"), "m2.exe: unknown kind of file"),
    "a bad line": ([("x/m2.jsonl", b"{oops")], "m2.jsonl: line 1: broken JSON"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_one_line_that_names_it(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    given, said = BAD[case]
    with pytest.raises(InvalidInput) as caught:
        uploads.read_dataset(given)
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)
    assert str(tmp_path) not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_an_image_is_made_ready_to_show() -> None:
    data = uploads.read_image(("x.png", picture("PNG", (2_400, 1_200))))
    with Image.open(io.BytesIO(data)) as found:
        assert (found.format, found.size) == ("JPEG", (1_200, 600))
    for bad in (SVG, bomb(), b""):
        with pytest.raises(InvalidInput, match="this image cannot be used"):
            uploads.read_image(("x.png", bad))
    large: Any = Large(APP.image + 1)
    with pytest.raises(InvalidInput, match="this image: too large; expected at most 10 MB"):
        uploads.read_image(large)


def test_a_workspace_comes_back_with_an_image_to_show() -> None:
    found = uploads.read_workspace(("w.zip", write_zip(STORED)))
    assert (found.references, found.candidates) == (STORED.references, STORED.candidates)
    assert found.image is not None
    assert found.image.startswith(b"\xff\xd8")
    with pytest.raises(InvalidInput, match="this image cannot be used"):
        uploads.read_workspace(("w.zip", write_zip(StoredWorkspace((), (), image=SVG))))
    for bad in (b"", growing("workspace.json", zipfile.ZIP_BZIP2), zipped({"../workspace.json": b"{}"})):
        with pytest.raises(InvalidInput, match="this workspace cannot be opened"):
            uploads.read_workspace(("w.zip", bad))
    large: Any = Large(APP.workspace + 1)
    with pytest.raises(InvalidInput, match="this workspace: too large; expected at most 20 MB"):
        uploads.read_workspace(large)


def test_a_large_file_is_read_where_it_lies() -> None:
    """Streamlit holds an upload in memory once; opening it makes no second copy."""
    rows = (
        json.dumps({"image_id": 1, "candidate": "a dog", "references": ["a dog runs"], "note": "x" * 1_000_000}) + "\n"
    )
    data = (rows * 30).encode()
    file = UploadedFile(UploadedFileRec("1", "large.jsonl", "application/json", data), FileURLs())
    tracemalloc.start()
    try:
        content = uploads._content(file, "large.jsonl", APP.upload)
        source = sources.of_bytes("large.jsonl", content)
        with source.open() as stream:
            assert stream.read(9) == b'{"image_i'
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < len(data) / 20
