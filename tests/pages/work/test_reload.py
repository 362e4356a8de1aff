"""A reload, or a restart of the server, gives every page back as it was: what was set, typed, opened, measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from capeval_core import CapEvalError
from capeval_core.perturb.study import Study, study
from pages.guide import guides
from pages.perturb import measuring, stored
from pages.work import keeping, lessons, samples
from pages.work.jobs import Jobs, jobs
from tests.pages.app import drawn, html, labelled, said, settle
from tests.pages.client import Client
from tests.pages.test_walk import QUICK
from tests.pages.work.test_keeping import again, kept, ran, start, turned


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(keeping.SETTING, str(tmp_path / "sessions"))


def in_view(view: str, **fields: object) -> AppTest:
    app = start()
    for name, value in {"view": view, **fields}.items():
        setattr(app.session_state["ws"], name, value)
    return ran(app)


def test_the_lens_shows_the_same_settings() -> None:
    app = in_view("Lens", metric="bleu_1")
    (settings,) = [one for one in app.pills if one.label == "Settings"]
    wanted = settings.options[-1:]
    settings.set_value(wanted).run()
    found = labelled(again(app).pills, "Settings")
    assert found.value == wanted != labelled(in_view("Lens", metric="bleu_1").pills, "Settings").value


def test_the_table_is_sorted_as_it_was() -> None:
    app = start()
    app.session_state["ws"].sort = ("rouge_l", -1)
    ran(app)
    assert drawn(again(app), "rows")["sort"] == ["rouge_l", -1]


def test_the_guide_keeps_its_view_its_metric_and_what_was_typed() -> None:
    app = turned(start(), "guide")
    labelled(app.pills, "Metric").set_value("rouge_l").run()
    app.text_input(key="toy_A_rouge_l").set_value("a caption of mine").run()
    app.text_area(key="toy_references_rouge_l").set_value("first\nsecond").run()
    other = turned(again(app), "guide")
    assert other.text_input(key="toy_A_rouge_l").value == "a caption of mine"
    assert other.text_area(key="toy_references_rouge_l").value == "first\nsecond"
    assert other.text_input(key="toy_B_rouge_l").value == guides.guide("rouge_l").captions[1]
    other.button(key="toy reset").click().run()
    assert other.text_input(key="toy_A_rouge_l").value == guides.guide("rouge_l").captions[0]
    assert other.button(key="toy reset").disabled
    labelled(other.get("button_group"), "View").set_value("Lessons").run()
    assert sum(one.label.startswith("Open in ") for one in turned(again(other), "guide").button) == 6
    third = turned(turned(other, "inspect"), "guide")  # from page to page too
    assert sum(one.label.startswith("Open in ") for one in third.button) == 6


def test_a_link_to_a_metric_shows_its_card_whatever_was_read_before() -> None:
    app = turned(start(), "guide")
    labelled(app.get("button_group"), "View").set_value("Lessons").run()
    app = turned(app, "inspect")
    del app.query_params["view"]  # as a browser does when it follows a link
    app.query_params["metric"] = "meteor"
    assert labelled(turned(app, "guide").pills, "Metric").value == "meteor"


def lesson_on(page: str) -> lessons.Lesson:
    return next(one for one in lessons.lessons() if one.page == page)


def test_a_lesson_goes_on_and_gives_back_what_was_there_before() -> None:
    app = start()
    app.session_state["ws"].candidates[0].caption = "my own work"
    app.session_state["ws"].metrics = list(QUICK)
    app = turned(ran(app), "guide")
    labelled(app.get("button_group"), "View").set_value("Lessons").run()
    app.button(key=f"open {lesson_on('inspect').id}").click().run()
    turned(app, "inspect")
    app.button(key=f"answer {lesson_on('inspect').id}").click().run()
    other = again(app)
    assert lesson_on("inspect").question in " ".join(one.value for one in other.markdown)
    assert [one.label for one in other.button if one.key == f"answer {lesson_on('inspect').id}"] == ["Hide the answer"]
    other.button(key="lesson back").click().run()
    ws = other.session_state["ws"]
    assert (ws.candidates[0].caption, ws.metrics) == ("my own work", list(QUICK))
    assert again(other).session_state["ws"].candidates[0].caption == "my own work"


def test_a_lesson_on_perturb_keeps_the_rows_it_brought() -> None:
    lesson = lesson_on("perturb")
    app = turned(start(), "guide")
    labelled(app.get("button_group"), "View").set_value("Lessons").run()
    app.button(key=f"open {lesson.id}").click().run()
    rows = list(turned(app, "perturb").session_state["lab"].own.values())
    assert rows
    assert list(turned(again(app), "perturb").session_state["lab"].own.values()) == rows


def test_what_was_opened_is_open() -> None:
    app = start()
    app.session_state["inspect provenance expander"] = True
    held = app.session_state["expanders"].open
    held["inspect provenance"] = True
    other = again(ran(app))
    assert other.session_state["inspect provenance expander"] is True
    assert ran(start()).session_state["inspect provenance expander"] is False


CHART = """
import plotly.graph_objects as go
from capeval_core.figures.evidence import Chart
from capeval_core.figures.palette import LIGHT
from pages.widgets import evidence
from pages.work import keeping
keeping.keep()
figure = go.Figure(go.Scatter(x=[1, 2], y=[1, 2], customdata=["one", "two"], mode="markers"))
evidence.chart(Chart("", figure, {"one": "this is one", "two": "this is two"}), LIGHT, "chart")
"""


def test_the_point_last_read_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "chart.py").write_text(CHART)
    client = Client(script=str(tmp_path / "chart.py"))
    client.run()
    chart: Any = client.app.get("plotly_chart")[0]
    client.select(chart, [{"point_index": 1, "customdata": ["two"]}])
    assert [one.value for one in client.app.text] == ["this is two"]
    other = Client({keeping.PARAMETER: kept(client.app).id}, str(tmp_path / "chart.py"))
    other.run()
    assert [one.value for one in other.app.text] == ["this is two"]


# Perturb over a data set


@pytest.fixture(scope="module")
def small() -> Study:
    return study(samples.as_items()[:6], ["reversed", "synonyms"], ["bleu_1", "rouge_l"], samples=50)


def test_a_study_is_the_same_after_packing(small: Study) -> None:
    small.skipped["wmd"] = CapEvalError("no vectors", fix="fetch them")
    found = stored.unpack(stored.pack(small))
    assert found is not None
    assert (found.items, list(found.variants), found.variants.missing) == (
        small.items,
        list(small.variants),
        small.variants.missing,
    )
    assert repr(found.cells) == repr(small.cells)
    assert {key: values.tolist() for key, values in found.scores.items()} == {
        key: values.tolist() for key, values in small.scores.items()
    }
    assert (found.signatures, str(found.skipped["wmd"])) == (small.signatures, str(small.skipped.pop("wmd")))


def test_what_is_no_study_is_none(small: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in (b"", b"x" * 99, stored.pack(small)[:-40]):
        assert stored.unpack(wrong) is None
    monkeypatch.setattr(stored, "MOST", 10)
    assert stored.pack(small) == b""


def measured() -> AppTest:
    app = turned(start(), "perturb")
    app.session_state["perturb"].view = "A whole data set"
    ran(app)
    held = app.session_state["measurement"]
    held.families, held.count, held.metrics = ["order"], 4, ["bleu_1", "rouge_l"]
    labelled(ran(app).button, "Measure").click().run()
    settle(app, "measure")
    assert "lowers the scores most" in html(app)
    return app


def forget_results(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a server that has just started."""
    monkeypatch.setattr(jobs(), "_outcomes", Jobs()._outcomes)


def test_a_measured_data_set_is_there_again_without_scoring(monkeypatch: pytest.MonkeyPatch) -> None:
    app = measured()
    app.session_state["measurement"].view = "Changed captions"
    ran(app)
    forget_results(monkeypatch)
    monkeypatch.setattr(measuring, "study", lambda *args, **more: pytest.fail("it was scored again"))
    other = settle(turned(again(app), "perturb"), "measure")
    assert said(other) == said(app)
    assert drawn(other, "columns") == drawn(app, "columns")


def test_a_result_that_is_no_longer_kept_is_measured_again_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    app = measured()
    identity = app.session_state["measurement"].result
    for file in (keeping.folder() or Path()).glob("files/*"):
        if file.name == identity:
            file.write_bytes(b"damaged")
    forget_results(monkeypatch)
    other = settle(turned(again(app), "perturb"), "measure")
    assert said(other) == said(app)


def test_another_data_set_leaves_the_result_and_says_when_it_cannot_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    app = measured()
    held = app.session_state["measurement"]
    held.asked = measuring.Asked("other", "other.jsonl", 4, ("reversed",), ("bleu_1",), 2, {})
    held.result = ""
    settle(app, "measure")
    assert "other.jsonl is no longer kept" in said(app)
