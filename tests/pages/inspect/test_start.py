"""How a visitor starts on Inspect: three ways, boxes that say what they take, popovers that close."""

from __future__ import annotations

import io
import json

import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from pages.work import samples
from tests.pages.app import html, labelled, start


@pytest.fixture
def app() -> AppTest:
    found = start()
    found.session_state["ws"].metrics = ["bleu_1"]
    return found.run()


def upload(app: AppTest, prefix: str, name: str, data: bytes, kind: str) -> None:
    (found,) = [one for one in app.file_uploader if (one.key or "").startswith(prefix)]
    found.set_value((name, data, kind))
    app.run()


def test_popovers_close_when_their_work_is_done_also_where_it_failed(app: AppTest) -> None:
    def shut(name: str) -> str:
        return next(str(one.proto.id) for one in app.get("popover") if f"{name} popover" in str(one.proto.id))

    before = shut("image")
    upload(app, "image", "x.png", b"text", "image/png")
    assert shut("image") != before
    before = shut("paste")
    app.text_area(key="pasted candidates").set_value("a dog")
    labelled(app.button, "Use them").click().run()
    assert shut("paste") != before
    before = shut("workspace")
    labelled(app.button, "Start empty").click().run()
    assert shut("workspace") != before


def test_boxes_for_files_say_the_limit_that_holds(app: AppTest) -> None:
    limits = {one.key.split()[0]: one.proto.max_upload_size_mb for one in app.file_uploader if one.key}
    assert limits == {"image": 10, "workspace": 20, "data": 200}


def test_an_uploaded_image_is_called_by_its_file(app: AppTest) -> None:
    target = io.BytesIO()
    Image.new("RGB", (40, 30), "blue").save(target, "PNG")
    upload(app, "image", "my dog.png", target.getvalue(), "image/png")
    assert app.session_state["ws"].title == "my dog.png"


def test_three_ways_to_start(app: AppTest) -> None:
    assert "See why an image caption got its score" in html(app)
    labelled(app.button, "a sample").click().run()
    assert app.session_state["ws"].sample == samples.samples()[1].id
    labelled(app.button, "your own image and captions").click().run()
    ws = app.session_state["ws"]
    assert (ws.sample, ws.image, ws.candidates, ws.references) == ("", None, [], [])
    rows = '{"image_id": "7", "system": "m2", "candidate": "a dog", "references": ["the dog"]}'
    app.file_uploader(key="data files").set_value([("mine.jsonl", rows.encode(), "application/json")])
    labelled(app.button, "Open them").click().run()
    assert [one.caption for one in app.session_state["ws"].candidates] == ["a dog"]
    app.file_uploader(key="data files").set_value([("mine.jsonl", b"{", "application/json")])
    labelled(app.button, "Open them").click().run()
    assert any("mine.jsonl: line 1" in one.value for one in app.text)
    assert [one.caption for one in app.session_state["ws"].candidates] == ["a dog"]


def test_the_formats_of_a_data_set_stand_in_view_with_two_lines_of_example(app: AppTest) -> None:
    (example,) = [one.value for one in app.code if one.value.startswith('{"image_id"')]
    assert [set(json.loads(line)) for line in example.splitlines()] == [
        {"image_id", "system", "candidate", "references"}
    ] * 2
    assert any(".gz** works" in one.value for one in app.caption)
