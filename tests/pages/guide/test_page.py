"""The Guide page, run without a browser."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from capeval_core import CaptionItem, MissingResource, evaluate, registry
from capeval_core.figures.numbers import score
from capeval_core.figures.palette import DARK, LIGHT
from capeval_core.figures.tables import render
from capeval_core.types import StandIn
from pages.guide import guides, views
from pages.work import lessons
from pages.work.cells import Cell, cells
from pages.work.workspace import VIEWS
from tests.figures.hostile import ALL, check_html
from tests.pages.client import APP
from tests.pages.safe import check, html_of

METRICS = sorted({registry.get(key).metric for key in registry.keys()})


def guide_page(**parameters: str) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=120)
    app.query_params.update(parameters)
    app.run()
    return app.switch_page("pages/guide/page.py").run()


def shown(app: AppTest) -> str:
    return "\n".join(html_of(app))


def scored(app: AppTest) -> str:
    """The page when its scores are there."""
    app.run()
    owner = app.session_state["owner"], "guide"
    assert cells().jobs.finish(owner, 120)
    return shown(app.run())


@pytest.fixture(scope="module")
def page() -> AppTest:
    return guide_page()


@pytest.mark.parametrize("metric", METRICS)
def test_the_card_shows_the_examples_scores(page: AppTest, metric: str) -> None:
    page.session_state["guide"].metric = metric
    text, guide = scored(page), guides.guide(metric)
    keys = [key for key in registry.keys() if registry.get(key).metric == metric]
    found = evaluate([CaptionItem("1", caption, guide.references) for caption in guide.captions], keys)
    for key in keys:
        for value in found.scores[key]:
            assert f">{score(float(value))}<" in text
    assert registry.get(keys[0]).paper in text.replace("&#39;", "'")
    assert found.signatures[keys[-1]] in text


def test_an_edited_caption_is_scored_and_shown_as_text(page: AppTest) -> None:
    page.session_state["guide"].metric = "bleu"
    page.run()
    page.text_input(key="toy_A_bleu").set_value("a man rides a horse along the sea")
    assert ">1.000<" in scored(page)
    page.text_input(key="toy_A_bleu").set_value(ALL)
    page.text_area(key="toy_references_bleu").set_value(f"a dog {ALL}")
    scored(page)
    check(page)
    page.text_area(key="toy_references_bleu").set_value("")
    assert "at least one reference" in page.run().info[0].value


def test_a_failed_metric_says_why_as_text(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **more: object) -> None:
        raise MissingResource(f"no such file {ALL}", fix="fetch it")

    monkeypatch.setattr(cells(), "_evaluate", broken)
    page.session_state["guide"].metric = "rouge_l"
    page.run()
    page.text_input(key="toy_A_rouge_l").set_value("a caption that nobody has scored before")
    scored(page)
    assert page.warning[0].value == "This metric could not score."
    assert any(ALL in one.value for one in page.text)
    check(page)
    cells().forget_failures()


def test_the_table_of_sensitivities_has_every_metric(page: AppTest) -> None:
    page.session_state["guide"].view = "Which metric sees what"
    text = shown(page.run())
    values = guides.measured()["sensitivity"]["values"]
    assert set(values) == set(registry.keys()) == set(guides.measured()["human"]["values"])
    assert all(f">{registry.get(key).label}<" in text for key in values)


def test_a_change_is_shaded_and_bold_where_it_is_sure() -> None:
    measured = {
        "kinds": ["Synonyms"],
        "values": {
            "bleu_1": {"Synonyms": {"change": -0.5, "low": -0.6, "high": -0.4}},
            "cider": {"Synonyms": {"change": 0.001, "low": -0.1, "high": 0.1}},
        },
    }
    (_, loss), (_, none) = (row.cells for row in views.changes(measured, LIGHT).rows)
    assert (loss.text, loss.bold, loss.tip) == ("-50%", True, "95 % interval -60% to -40%")
    assert (none.text, none.bold) == ("0%", False)
    assert loss.shade.startswith("rgba(181,67,47")
    check_html(render(views.changes(measured, DARK), DARK))


def test_the_facts_name_range_people_and_stand_in() -> None:
    cell = Cell(0.5, signature="wmd|x", stand_in=StandIn("stand-in", "GloVe", "word2vec", "fetch it"))
    grid = views.facts(registry.get("wmd"), ["wmd"], cell)
    said = {row.cells[0].text: row.cells[1].text for row in grid.rows}
    assert said["Range"] == "0 to 1, higher is better"
    assert said["Signature"] == "wmd|x"
    assert said["Stand-in"] == "stand-in: GloVe in place of word2vec. To use the original: fetch it"
    assert " half of them over " in said["People reach"]


def test_resources_are_listed_with_their_state(page: AppTest) -> None:
    page.session_state["guide"].view = "Resources"
    page.run()
    assert not page.exception
    table = page.dataframe[0].value
    assert "minilm-weights" in set(table["resource"])
    assert set(table["state"]) >= {"ok"}
    assert not table.astype(str).apply(lambda column: column.str.contains("/work|site-packages|^/")).to_numpy().any()


def test_a_lesson_opens_its_page_and_gives_back_what_was_there(page: AppTest) -> None:
    page.session_state["guide"].view = "Lessons"
    page.run()
    assert sum(one.label.startswith("Open in ") for one in page.button) == len(lessons.lessons()) == 6
    before = page.session_state["ws"].title
    one = lessons.find("2_synonym")
    assert one is not None
    page.button(key=f"answer {one.id}").click()
    page.run()
    assert cells().jobs.finish((page.session_state["owner"], f"lesson {one.id}"), 120)
    said = "\n".join(text.value for text in page.run().markdown)
    assert f"A and B both get {score(cells_value(one, 'bleu_4', 'A'))} by BLEU-4" in said
    page.button(key=f"open {one.id}").click().run()
    ws = page.session_state["ws"]
    assert [found.caption for found in ws.candidates] == list(one.captions.values())
    assert (ws.view, ws.metric) == ("Compare two", "wmd")
    assert [ws.find(ws.chosen).system, ws.find(ws.other).system] == ["A", "B"]  # as Compare calls them
    page.switch_page("pages/inspect/page.py").run()
    page.button(key="lesson back").click().run()
    assert not page.exception
    assert page.session_state["ws"].title == before


def cells_value(lesson: lessons.Lesson, key: str, letter: str) -> float:
    return float(evaluate([lesson.item(letter)], [key]).scores[key][0])


@pytest.mark.parametrize("lesson", lessons.lessons(), ids=lambda one: one.id)
def test_a_lesson_is_whole(lesson: lessons.Lesson) -> None:
    assert lesson.question.endswith("?")
    assert lesson.metric in registry.keys()
    assert {lesson.chosen, lesson.other} <= set(lesson.captions)
    assert lesson.view in (*VIEWS, "")
    assert lesson.references
    assert all(one.key in registry.keys() and one.letter in lesson.captions for one in lesson.asked())
    assert "{" not in lesson.answered(lambda one: 0.5)
