"""The Perturb page, run without a browser."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from streamlit.testing.v1 import AppTest

from capeval_core import InvalidInput
from capeval_core.perturb import KINDS
from pages.perturb import sources, variants
from pages.perturb.lab import CANDIDATE, ORIGINAL, Lab, kinds_of
from pages.work import dataset
from pages.work.workspace import Workspace
from tests.pages.app import grid_of, html, labelled, settle, start

ROW = {"image_id": 1, "candidate": "a dog", "references": ["a dog runs"]}
CHEAP = ["bleu_4", "rouge_l", "cider"]
HOSTILE = [
    "<b>x</b> <img src=x onerror=alert(1)>",
    "# $x$ ![](http://evil/x.png)",
    "שלום \u202eעולם",
    "x " * 4_999,
    ".",
]


def paper_lab(metrics: Sequence[str] = CHEAP) -> Lab:
    lab = Lab(metrics=list(metrics))
    sources.open_source(lab, sources.find(sources.PAPER, Workspace()))
    return lab


def opened(lab: Lab | None = None) -> AppTest:
    return filled(start("perturb", lab=lab or paper_lab()))


def filled(app: AppTest) -> AppTest:
    return settle(app, "perturb")


def test_the_papers_example_has_published_numbers_and_reasons() -> None:
    app = opened()
    data = grid_of(app)
    assert [row["label"] for row in data["rows"]] == ["original", "candidate", "synonyms", "redundancy", "word order"]
    assert data["rows"][2]["cells"][0]["paper"] == "0.20"
    assert "The paper smooths BLEU" in html(app)
    assert "word order lowers BLEU-4, ROUGE-L and CIDEr notably" in html(app)
    assert len(app.get("plotly_chart")) >= 2  # both evidences
    app.session_state["lab"].caption = "a dog"
    app = filled(app)
    assert "paper" not in grid_of(app)["rows"][1]["cells"][0]
    assert "The paper smooths BLEU" not in html(app)


def test_kinds_strength_seed_and_metrics_change_the_grid() -> None:
    app = opened()
    labelled(app.selectbox, "Image").set_value("canoe")
    app = filled(app)
    first = grid_of(app)
    assert {row["id"] for row in first["rows"]} >= {ORIGINAL, CANDIDATE, "synonyms", "extra_phrase", "reversed"}
    assert any("cannot" not in one["reason"] and one["reason"] for one in first["missing"])
    labelled(app.segmented_control, "Strength").set_value(1)
    app = filled(app)
    assert app.session_state["lab"].strength == 1
    assert [row["text"] for row in grid_of(app)["rows"]] != [row["text"] for row in first["rows"]]
    labelled(app.pills, "Kinds of change").set_value(["distractors"])
    app = filled(app)
    assert {row["id"] for row in grid_of(app)["rows"]} - {ORIGINAL, CANDIDATE} <= set(kinds_of(["distractors"]))
    labelled(app.pills, "n-gram").set_value(["rouge_l"])
    app = filled(app)
    assert [column["key"] for column in grid_of(app)["columns"]] == ["rouge_l"]


@pytest.mark.parametrize("caption", HOSTILE, ids=["html", "markdown", "rtl", "long", "dot"])
def test_hostile_captions_leave_the_page_whole(caption: str) -> None:
    lab = paper_lab(["bleu_1", "rouge_l"])
    lab.caption, lab.references = caption, [caption, "a dog"]
    lab.own = {f"own {place}": text for place, text in enumerate(HOSTILE)}
    lab.kinds = list(KINDS)
    app = opened(lab)
    assert len(grid_of(app)["rows"]) >= 2 + len(HOSTILE)
    if len(caption) > 1_000:
        assert {one["reason"] for one in grid_of(app)["missing"]} == {"the caption has more than 100 words"}
    assert "<img src=x" not in html(app)
    assert "![](" not in " ".join(one.value for one in [*app.markdown, *app.caption])
    labelled(app.segmented_control, "Below the grid").set_value("Bars").run()
    assert not app.exception


def test_without_references_or_metrics_or_caption_it_says_so() -> None:
    lab = paper_lab(["rouge_l"])
    lab.references, lab.given = [], {}
    app = opened(lab)
    assert grid_of(app)["rows"][0]["id"] == CANDIDATE
    assert grid_of(app)["rows"][0]["cells"][0]["state"] == "nan"
    lab.metrics = []
    assert any("No metric" in box.value for box in app.run().info)
    lab.metrics, lab.caption = ["rouge_l"], ""
    assert any("No caption" in box.value for box in app.run().info)


def test_rows_that_cannot_be_made_say_so_and_the_page_stops_asking(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise InvalidInput("no such thing", found="<b>x</b>")

    monkeypatch.setattr(variants, "perturb", fail)
    lab = paper_lab(["rouge_l"])
    lab.caption, lab.kinds = "a caption that nobody has changed", ["reversed"]
    app = opened(lab)
    assert any("no such thing; found <b>x</b>" in one.value for one in app.text)
    assert not grid_of(app)["pending"]


def choose_image(app: AppTest, identity: str) -> AppTest:
    labelled(app.selectbox, "Image").set_value(identity)
    return filled(app)


def test_another_image_and_then_anything_else() -> None:
    app = choose_image(opened(), "canoe")
    labelled(app.selectbox, "Original: the reference in the first row").set_value(3)
    app = choose_image(filled(app), "dog")
    assert app.session_state["lab"].original == 0
    labelled(app.number_input, "Seed").set_value(4)
    app = filled(app)
    lab = app.session_state["lab"]
    assert (type(lab.original), type(lab.seed), type(lab.strength)) == (int, int, int)
    assert lab.caption in dict(sources.find("dog", Workspace()).captions).values()


def test_the_papers_example_and_then_a_kind_keeps_its_candidate() -> None:
    app = choose_image(opened(), "canoe")
    labelled(app.button, "The paper's example").click()
    app = filled(app)
    before = app.session_state["lab"].caption
    labelled(app.pills, "Kinds of change").set_value(["order"])
    app = filled(app)
    assert app.session_state["lab"].caption == before
    assert "paper" in grid_of(app)["rows"][1]["cells"][0]  # the published numbers are still there
    kinds = [one for one in app.pills if one.label == "word order"]
    assert kinds[0].value == [kind for kind in kinds_of(["order"]) if kind in app.session_state["lab"].kinds]


def test_rows_open_in_inspect() -> None:
    app = opened()
    lab = app.session_state["lab"]
    lab.open_row, lab.open_key = "given word order", "cider"
    app.button(key="lab to inspect").click().run()
    assert not app.exception
    ws = app.session_state["ws"]
    assert [one.system for one in ws.candidates] == ["candidate", "synonyms", "redundancy", "word order"]
    assert ws.references == list(lab.references)
    chosen = ws.find(ws.chosen)
    assert (chosen.system, ws.metric, ws.metrics) == ("word order", "cider", CHEAP)


def test_what_changed_in_inspect_is_opened_anew() -> None:
    app = opened(Lab(metrics=["rouge_l"], source=sources.INSPECT))
    lab, ws = app.session_state["lab"], app.session_state["ws"]
    assert lab.caption == ws.candidates[0].caption
    lab.own = {"own 1": "a dog"}
    app.run()
    assert lab.own  # nothing changed there: nothing changes here
    ws.add(["a cat on a mat"])
    ws.chosen = ws.candidates[-1].id
    app = filled(app)
    assert (app.session_state["lab"].caption, app.session_state["lab"].own) == ("a cat on a mat", {})


def whole_data_set() -> AppTest:
    app = opened()
    labelled(app.segmented_control, "View").set_value("A whole data set").run()
    return app


def test_a_data_set_is_measured_in_the_background() -> None:
    app = whole_data_set()
    held = app.session_state["measurement"]
    assert held.digest == dataset.from_samples().digest
    held.metrics = ["bleu_1", "rouge_l"]
    labelled(app.pills, "Kinds of change").set_value(["order", "distractors"]).run()
    labelled(app.number_input, "Captions to change, from the top").set_value(8).run()
    labelled(app.button, "Measure").click().run()
    settle(app, "measure")
    assert "lowers the scores most" in html(app)
    assert app.get("plotly_chart")
    labelled(app.segmented_control, "Result").set_value("Distractors").run()
    assert "Replace person" in html(app)
    labelled(app.segmented_control, "Shape of the table").set_value("One row per task").run()
    assert "Overall" in html(app)


def test_a_measurement_can_be_stopped() -> None:
    app = whole_data_set()
    app.session_state["measurement"].metrics = ["rouge_l"]
    labelled(app.button, "Measure").click().run()
    app.session_state["measurement"].stopped = True
    app.run()
    assert any("Stopped" in one.value for one in app.warning)


def test_a_bad_file_is_explained_and_the_data_stays() -> None:
    app = whole_data_set()
    for name, data in (("<b>.jsonl", b"{oops"), ("<b>.jsonl", json.dumps(ROW).encode())):
        app.file_uploader[0].set_value([(name, data, "application/json")])
        labelled(app.button, "Open them").click().run()
        assert not app.exception
        if data == b"{oops":
            assert any("<b>.jsonl: line 1: broken JSON" in one.value for one in app.text)
            assert "the samples" in html(app)
    assert "&lt;b&gt;.jsonl" in html(app)
