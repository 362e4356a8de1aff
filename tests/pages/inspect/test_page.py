"""The Inspect page, run without a browser."""

from __future__ import annotations

import gc
import io
from typing import Any

import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from capeval_core import CaptionItem, evaluate, figures, registry
from capeval_core.io.dataset import DataSet
from capeval_core.io.workspace import write_zip
from pages.work import samples, share
from pages.work.workspace import VIEWS, Workspace
from tests.pages.app import drawn, html, labelled, settle, start
from tests.pages.client import APP

HOSTILE = ["<b>x</b> <img src=x onerror=alert(1)>", "# $x$ ![](http://evil/x.png)", "שלום עולם", "x " * 4_999, "dog"]


def scored(app: AppTest, seconds: float = 120) -> AppTest:
    return settle(app, "inspect", "blame", "lens", seconds=seconds)


def table(app: AppTest) -> Any:
    return drawn(app, "rows")


@pytest.fixture
def app() -> AppTest:
    return scored(start())


def test_opens_on_the_first_sample_scored_by_every_metric(app: AppTest) -> None:
    assert not app.exception
    data = table(app)
    assert [column["key"] for column in data["columns"]] == list(registry.keys())
    assert [row["caption"] for row in data["rows"]] == list(samples.samples()[0].candidates.values())
    assert not data["pending"]
    shown = evaluate(app.session_state["ws"].items(), ["cider"]).scores["cider"]
    place = list(registry.keys()).index("cider")
    assert [row["cells"][place]["v"] for row in data["rows"]] == pytest.approx(shown.tolist())


def test_every_explanation_is_drawn() -> None:
    assert {spec.explanation for spec in registry.select(None)} <= set(figures.DRAWN_BY)


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_opens(app: AppTest, view: str) -> None:
    app.session_state["ws"].view = view
    scored(app)
    assert not app.exception
    assert app.get("plotly_chart") or view in ("Lens", "Errors")


def test_the_lens_shows_one_caption_under_several_settings(app: AppTest) -> None:
    ws = app.session_state["ws"]
    ws.view, ws.metric, ws.metrics = "Lens", "bleu_4", ["bleu_4", "meteor"]
    scored(app)
    assert "lin-och" in html(app)
    item = ws.item(ws.find(ws.chosen))
    for smoothing in ("none", "lin-och"):
        value = evaluate([item], ["bleu_4"], options={"bleu": {"smoothing": smoothing}}).scores["bleu_4"][0]
        assert f"{value:.3f}" in html(app)
    (code,) = [one.value for one in app.code if "smoothing:lin-och" in one.value]
    assert "smoothing:none" in code
    ws.metric = "meteor"
    assert any("no options" in one.value for one in app.run().info)


def test_an_option_is_scored_with_and_said_beside_the_score_and_in_the_link(app: AppTest) -> None:
    ws = app.session_state["ws"]
    ws.metrics = ["bleu_4"]
    scored(app)
    plain = table(app)["rows"][0]["cells"][0]["v"]
    labelled(app.selectbox, "Smoothing").set_value("lin-och")
    scored(app)
    data = table(app)
    assert data["rows"][0]["cells"][0]["v"] != plain
    assert "lin-och" in data["columns"][0]["options"]
    link = next(one.value for one in app.code if "?w=" in one.value)
    other = AppTest.from_file(APP, default_timeout=120)
    other.query_params["w"] = link.split("?w=")[1]
    assert table(scored(other))["rows"][0]["cells"][0]["v"] == data["rows"][0]["cells"][0]["v"]


def test_picks_another_sample(app: AppTest) -> None:
    other = samples.samples()[1]
    labelled(app.selectbox, "Sample").set_value(other.id)
    data = table(scored(app))
    assert [row["caption"] for row in data["rows"]] == list(other.candidates.values())


def test_without_references_only_some_metrics_score_and_the_rest_say_why(app: AppTest) -> None:
    app.session_state["ws"].set_references([])
    data = table(scored(app))
    assert not app.exception
    assert any("No references" in box.value for box in app.info)
    for column, cell in zip(data["columns"], data["rows"][0]["cells"], strict=True):
        if registry.get(column["key"]).needs_references:
            assert (cell["t"], cell["state"]) == ("–", "nan")
            assert cell["tip"]


def test_an_empty_workspace_teaches(app: AppTest) -> None:
    app.session_state["ws"] = Workspace(view="Evidence", seen={})
    app.run()
    assert not app.exception
    assert any("No candidates yet" in box.value for box in app.info)


def test_hostile_captions_are_text(app: AppTest) -> None:
    ws = app.session_state["ws"]
    ws.candidates = []
    ws.metrics = ["bleu_1", "rouge_l"]
    ws.set_references(HOSTILE)
    ws.add(HOSTILE)
    for view in VIEWS:
        ws.view = view
        scored(app)
        assert not app.exception
        assert not any("onerror" in part.value or "evil" in part.value for part in app.markdown)
        assert not any("<img" in part.proto.body for part in app.get("html"))


def upload(app: AppTest, prefix: str, name: str, data: bytes, kind: str) -> AppTest:
    (found,) = [one for one in app.file_uploader if (one.key or "").startswith(prefix)]
    found.set_value((name, data, kind))
    return app.run()


def test_uploads_an_image_and_refuses_what_is_none(app: AppTest) -> None:
    before = app.session_state["ws"]
    for bad in (b"<svg/>", b"text"):
        upload(app, "image", "x.png", bad, "image/png")
        assert not app.exception
        assert any("this image cannot be used" in text.value for text in app.text)
        assert app.session_state["ws"] is before
    target = io.BytesIO()
    Image.new("RGB", (40, 30), "blue").save(target, "PNG")
    upload(app, "image", "x.png", target.getvalue(), "image/png")
    ws = app.session_state["ws"]
    assert ws.image.startswith(b"\xff\xd8")
    assert ws.candidates == ws.references == []


def test_opens_a_saved_workspace_and_refuses_a_broken_one(app: AppTest) -> None:
    before = app.session_state["ws"]
    captions = [one.caption for one in before.candidates]
    upload(app, "workspace", "w.zip", b"PK broken", "application/zip")
    assert any("this workspace cannot be opened" in text.value for text in app.text)
    assert app.session_state["ws"] is before
    before.candidates[0].caption = "something else"
    saved = write_zip(before.stored())
    before.candidates[0].caption = captions[0]
    upload(app, "workspace", "w.zip", saved, "application/zip")
    assert app.session_state["ws"].candidates[0].caption == "something else"
    assert app.session_state["ws"].image is not None


def test_a_link_opens_its_captions_and_a_cut_one_says_so() -> None:
    ws = Workspace(metrics=["bleu_1"])
    ws.set_references(["a dog", "the dog"])
    ws.add(["a dog runs"])
    packed = share.encode(ws.stored())
    assert packed
    app = AppTest.from_file(APP, default_timeout=120)
    app.query_params["w"] = packed
    data = table(scored(app))
    assert [row["caption"] for row in data["rows"]] == ["a dog runs"]
    assert [column["key"] for column in data["columns"]] == ["bleu_1"]
    app = AppTest.from_file(APP, default_timeout=120)
    app.query_params["w"] = packed[:-5]
    app.run()
    assert any("this link cannot be opened" in text.value for text in app.text)
    assert app.session_state["ws"].sample


def test_three_hundred_candidates_and_ten_thousand_characters_score(app: AppTest) -> None:
    ws = app.session_state["ws"]
    ws.candidates[0].caption = ("a dog and a big red cat ride " * 400)[:10_000].strip()
    ws.add([f"{ws.candidates[n % 3 + 1].caption} {n}" for n in range(296)])
    data = table(scored(app, 400))
    assert not app.exception
    assert len(data["rows"]) == 300
    assert data["pending"] is False
    for row in (data["rows"][0], data["rows"][-1]):
        assert {cell["state"] for cell in row["cells"]} == {"ok"}


def loaded() -> dict[int, str]:
    """The models in memory, by identity."""
    from capeval_core.resources.caption_parser import CaptionParser
    from capeval_core.resources.transformer import Transformer
    from capeval_core.resources.vectors import WordVectors

    kinds = (CaptionParser, Transformer, WordVectors)
    return {id(one): type(one).__name__ for one in gc.get_objects() if type(one) in kinds}


def test_a_second_session_loads_no_model_again(app: AppTest) -> None:
    before = loaded()
    assert set(before.values()) == {"CaptionParser", "Transformer", "WordVectors"}
    other = start()
    other.session_state["ws"].candidates[0].caption = "a caption that nobody has scored before"
    data = table(scored(other))
    assert {cell["state"] for cell in data["rows"][0]["cells"]} == {"ok"}
    assert other.session_state["owner"] != app.session_state["owner"]
    assert loaded() == before


def test_what_stands_in_is_said_on_the_page(app: AppTest) -> None:
    (line,) = [one.value for one in app.caption if one.value.startswith("≈")]
    assert "WMD" in line
    assert "SMURF" in line
    assert "estimated" in line
    assert any("resources fetch distilroberta-base" in one.value for one in app.text)


def test_steps_through_the_images_of_the_open_data_set(app: AppTest) -> None:
    items = tuple(CaptionItem(str(n), f"caption {n}", ("a dog", "a cat"), "m2") for n in range(3))
    app.session_state["data set"].data = DataSet("mine", items)
    ws = app.session_state["ws"]
    ws.metrics = ["rouge_l"]
    app.run()
    assert any(one.value == "none yet of 3 in mine" for one in app.text)
    for step, caption in (("Next image", "caption 0"), ("Next image", "caption 1"), ("Previous image", "caption 0")):
        labelled(app.button, step).click().run()
        assert [row["caption"] for row in table(app)["rows"]] == [caption]
    assert app.session_state["ws"].metrics == ["rouge_l"]
    labelled(app.number_input, "Image").set_value(3).run()
    assert [row["caption"] for row in table(app)["rows"]] == ["caption 2"]
    assert labelled(app.button, "Next image").disabled
