"""The Perturb page, run without a browser."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from capeval_core import InvalidInput
from capeval_core.perturb import KINDS
from pages.perturb import data as perturb_data
from pages.perturb import sources as perturb_sources
from pages.perturb.bench import Bench, bench
from pages.perturb.lab import CANDIDATE, ORIGINAL, Lab, kinds_of
from pages.work import samples
from pages.work.workspace import Workspace

APP = str(Path(__file__).parents[2] / "app.py")
ROW = {"image_id": 1, "candidate": "a dog", "references": ["a dog runs"]}
CHEAP = ["bleu_4", "rouge_l", "cider"]
HOSTILE = [
    "<b>x</b> <img src=x onerror=alert(1)>",
    "# $x$ ![](http://evil/x.png)",
    "שלום \u202eעולם",
    "x " * 4_999,
    ".",
]


def silent(stage: str, done: int, total: int) -> None: ...


def paper_lab(metrics: Sequence[str] = CHEAP) -> Lab:
    lab = Lab(metrics=list(metrics))
    perturb_sources.open_source(lab, perturb_sources.find(perturb_sources.PAPER, Workspace()))
    return lab


def opened(lab: Lab | None = None) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=120)
    app.session_state["lab"] = lab or paper_lab()
    app.run().switch_page("pages/perturb/page.py")
    return filled(app)


def filled(app: AppTest) -> AppTest:
    """Run, fill the grid as its task does, run again: what the browser's polls do."""
    app.run()
    assert not app.exception
    if app.session_state["lab"].caption:
        bench().fill(app.session_state["lab"], silent)
    app.run()
    assert not app.exception
    return app


def grid(app: AppTest) -> Any:
    return next(data for one in app.get("bidi_component") if "missing" in (data := json.loads(one.proto.json)))


def html(app: AppTest) -> str:
    return " ".join(str(one.proto.body) for one in app.get("html"))


def test_the_papers_example_has_published_numbers_and_reasons() -> None:
    app = opened()
    data = grid(app)
    assert [row["label"] for row in data["rows"]] == ["original", "candidate", "synonyms", "redundancy", "word order"]
    assert data["rows"][2]["cells"][0]["paper"] == "0.20"
    assert "The paper smooths BLEU" in html(app)
    assert "word order lowers BLEU-4, ROUGE-L and CIDEr notably" in html(app)
    assert len(app.get("plotly_chart")) >= 2  # both evidences
    app.session_state["lab"].caption = "a dog"
    app = filled(app)
    assert "paper" not in grid(app)["rows"][1]["cells"][0]
    assert "The paper smooths BLEU" not in html(app)


def test_kinds_strength_seed_and_metrics_change_the_grid() -> None:
    app = opened()
    app.selectbox(key="lab source").set_value("canoe")
    app = filled(app)
    first = grid(app)
    assert {row["id"] for row in first["rows"]} >= {ORIGINAL, CANDIDATE, "synonyms", "extra_phrase", "reversed"}
    assert any("cannot" not in one["reason"] and one["reason"] for one in first["missing"])
    app.segmented_control(key="lab strength").set_value(1)
    app = filled(app)
    assert app.session_state["lab"].strength == 1
    assert [row["text"] for row in grid(app)["rows"]] != [row["text"] for row in first["rows"]]
    app.pills(key="lab families").set_value(["distractors"])
    app = filled(app)
    assert {row["id"] for row in grid(app)["rows"]} - {ORIGINAL, CANDIDATE} <= set(kinds_of(["distractors"]))
    app.pills(key="lab metrics n-gram").set_value(["rouge_l"])
    app = filled(app)
    assert [column["key"] for column in grid(app)["columns"]] == ["rouge_l"]


@pytest.mark.parametrize("caption", HOSTILE, ids=["html", "markdown", "rtl", "long", "dot"])
def test_hostile_captions_leave_the_page_whole(caption: str) -> None:
    lab = paper_lab(["bleu_1", "rouge_l"])
    lab.caption, lab.references = caption, [caption, "a dog"]
    lab.own = {f"own {place}": text for place, text in enumerate(HOSTILE)}
    lab.kinds = list(KINDS)
    app = opened(lab)
    assert len(grid(app)["rows"]) >= 2 + len(HOSTILE)
    if len(caption) > 1_000:
        assert {one["reason"] for one in grid(app)["missing"]} == {"the caption has more than 100 words"}
    assert "<img src=x" not in html(app)
    assert "![](" not in " ".join(one.value for one in [*app.markdown, *app.caption])
    app.segmented_control(key="lab view").set_value("Bars").run()
    assert not app.exception


def test_without_references_or_metrics_or_caption_it_says_so() -> None:
    lab = paper_lab(["rouge_l"])
    lab.references, lab.given = [], {}
    app = opened(lab)
    assert grid(app)["rows"][0]["id"] == CANDIDATE
    assert grid(app)["rows"][0]["cells"][0]["state"] == "nan"
    lab.metrics = []
    assert any("No metric" in box.value for box in app.run().info)
    lab.metrics, lab.caption = ["rouge_l"], ""
    assert any("No caption" in box.value for box in app.run().info)


def test_a_grid_that_cannot_be_scored_says_so_and_stops_asking(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Bench, lab: Lab, report: object) -> None:
        raise InvalidInput("no such thing", found="<b>x</b>")

    monkeypatch.setattr(Bench, "fill", fail)
    lab = paper_lab(["rouge_l"])
    lab.own = {"own 1": "a caption that nobody has scored"}
    app = AppTest.from_file(APP, default_timeout=120)
    app.session_state["lab"] = lab
    app.run().switch_page("pages/perturb/page.py").run()
    app.run()
    assert not app.exception
    assert any("no such thing; found <b>x</b>" in one.value for one in app.text)
    assert not grid(app)["pending"]


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
    app = opened(Lab(metrics=["rouge_l"], source=perturb_sources.INSPECT))
    lab, ws = app.session_state["lab"], app.session_state["ws"]
    assert lab.caption == ws.candidates[0].caption
    lab.own = {"own 1": "a dog"}
    app.run()
    assert lab.own  # nothing changed there: nothing changes here
    ws.add(["a cat on a mat"])
    ws.chosen = ws.candidates[-1].id
    app = filled(app)
    assert (app.session_state["lab"].caption, app.session_state["lab"].own) == ("a cat on a mat", {})


def test_a_data_set_is_measured_in_the_background() -> None:
    app = opened()
    app.segmented_control(key="perturb_view").set_value("A whole data set").run()
    held = app.session_state["lab data"]
    assert len(held["items"]) == len(samples.as_items())
    held["metrics"], held["count"] = ["bleu_1", "rouge_l"], 8
    app.pills(key="lab data families").set_value(["order", "distractors"]).run()
    app.number_input[0].set_value(8).run()
    app.button(key="lab measure").click().run()
    assert not app.exception
    assert app.session_state["lab study task"].wait(60)
    app.run()
    assert not app.exception
    assert "moves the scores most" in html(app)
    assert app.get("plotly_chart")
    result = next(one for one in app.segmented_control if "Distractors" in one.options)
    result.set_value("Distractors").run()
    assert "Replace person" in html(app)


def test_a_bad_file_is_explained_and_the_data_stays() -> None:
    app = opened()
    app.segmented_control(key="perturb_view").set_value("A whole data set").run()
    app.file_uploader[0].set_value(("<b>.jsonl", b"{oops", "application/json")).run()
    assert not app.exception
    assert any("<b>.jsonl: line 1: broken JSON" in one.value for one in app.text)
    assert app.session_state["lab data"]["name"] == perturb_data.SAMPLES
    app.file_uploader[0].set_value(("<b>.jsonl", json.dumps(ROW).encode(), "application/json")).run()
    assert "&lt;b&gt;.jsonl" in html(app)
