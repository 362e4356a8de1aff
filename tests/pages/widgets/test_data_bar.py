"""The data bar: says what is open, opens every format, refuses in front, closes."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from capeval_core.io.limits import APP
from tests.io.hostile import SVG, photograph, zipped
from tests.io.test_dataset import ANNOTATIONS, RESULTS, ROWS, lines, parquet, table

HOSTILE = "<img src=x onerror=alert(1)> **b** $x$.jsonl"


def script() -> None:
    import streamlit as st

    from pages.widgets import data_bar
    from pages.work import dataset

    data_bar.show()
    st.text(f"digest {dataset.current().digest}")


@pytest.fixture
def page() -> AppTest:
    return AppTest.from_function(script, default_timeout=60).run()


def give(page: AppTest, *files: tuple[str, bytes]) -> AppTest:
    uploader: Any = page.get("file_uploader")[0]
    uploader.set_value([(name, data, "application/octet-stream") for name, data in files])
    next(one for one in page.button if one.label == "Open them").click()
    page.run()
    assert not page.exception
    return page


def bar(page: AppTest) -> str:
    return next(str(one.proto.body) for one in page.get("html") if 'class="data-bar"' in str(one.proto.body))


def texts(page: AppTest) -> list[str]:
    return [one.value for one in page.text if not one.value.startswith("digest")]


def test_opens_on_the_samples_with_formats_and_limits_in_view(page: AppTest) -> None:
    assert "<b>the samples</b>" in bar(page)
    assert "5 captioners" in bar(page)
    assert "references, images" in bar(page)
    assert page.button(key="data close").disabled
    assert page.button(key="data samples").disabled
    example = page.code[0].value.splitlines()
    assert len(example) == 2
    assert all({"image_id", "candidate", "references"} <= set(json.loads(line)) for line in example)
    said = " ".join(one.value for one in page.caption)
    for word in ("JSONL", "CSV", "TSV", "Parquet", "COCO", "score --out", ".gz", ".zip", "200 MB", "50,000 captions"):
        assert word in said
    assert page.get("file_uploader")[0].proto.max_upload_size_mb == APP.upload // 1_000_000


COCO = [("m2.json", RESULTS), ("xt.json", RESULTS), ("val.json", ANNOTATIONS)]
FORMATS: dict[str, list[tuple[str, bytes]]] = {
    "JSONL": [("a.jsonl", lines(ROWS))],
    "JSON": [("a.json", json.dumps(ROWS).encode())],
    "CSV": [("a.csv", table(ROWS))],
    "TSV": [("a.tsv", table(ROWS, "\t"))],
    "Parquet": [("a.parquet", parquet(ROWS))],
    "gz": [("a.csv.gz", gzip.compress(table(ROWS)))],
    "zip": [("a.zip", zipped({"a.jsonl": lines(ROWS)}))],
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_opens(page: AppTest, name: str) -> None:
    give(page, *FORMATS[name])
    assert f"<b>{FORMATS[name][0][0]}</b>" in bar(page)
    assert "3 captions, 2 captioners, 2 images" in bar(page)
    assert "references, scores, 1 extra column" in bar(page)
    assert not page.error
    assert not page.button(key="data close").disabled


def test_several_files_and_images_open(page: AppTest) -> None:
    give(page, *((name, json.dumps(data).encode()) for name, data in COCO), ("1.jpg", photograph("JPEG")))
    assert "<b>m2.json and 1 more</b>" in bar(page)
    assert "4 captions, 2 captioners, 2 images" in bar(page)
    assert "references, images" in bar(page)


def test_close_and_samples_lead_back(page: AppTest) -> None:
    first = page.text[-1].value
    for key in ("data close", "data samples"):
        give(page, *FORMATS["JSONL"])
        assert page.text[-1].value != first
        page.button(key=key).click().run()
        assert page.text[-1].value == first
        assert "<b>the samples</b>" in bar(page)


BAD = {
    "broken": (("m2.json", b"[{"), "m2.json: line 1: broken JSON"),
    "another kind": (("m2.docx", b"x"), "m2.docx: unknown kind of file"),
    "zip in a zip": (("a.zip", zipped({"b.zip": b""})), "a.zip: b.zip: an archive inside an archive"),
    "bad image": (("a.zip", zipped({"a.jsonl": lines(ROWS), "1.png": SVG})), "a.zip: 1.png: this image cannot be used"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_said_once_in_front_and_nothing_is_lost(page: AppTest, case: str) -> None:
    give(page, *FORMATS["JSONL"])
    popover = page.get("popover")[0].proto.id
    before = page.text[-1].value
    file, said = BAD[case]
    give(page, file)
    assert [one.value for one in page.error] == ["These files were not opened. What was open still is."]
    assert texts(page)[0].startswith(said)
    assert page.text[-1].value == before
    assert page.get("popover")[0].proto.id != popover  # another one: the open one, which would hide this, is closed
    page.run()
    assert not page.error
    assert texts(page) == []


def test_nothing_given_is_said(page: AppTest) -> None:
    next(one for one in page.button if one.label == "Open them").click()
    page.run()
    assert texts(page) == [f"files to load; expected 1 to {APP.files}; found 0"]


def test_names_are_text(page: AppTest) -> None:
    give(page, (HOSTILE, lines(ROWS)))
    assert "<img" not in bar(page)
    assert "&lt;img src=x onerror=alert(1)&gt; **b** $x$.jsonl" in bar(page)
    give(page, (HOSTILE, b"{"))
    assert texts(page)[0].startswith(HOSTILE)  # as text, not as markdown


def test_what_was_left_out_is_said(page: AppTest) -> None:
    give(page, ("a.zip", zipped({"a.jsonl": lines(ROWS), "9.png": photograph("PNG")})))
    assert texts(page) == ["1 of 1 images have no caption: no image_id is like the file's name."]
