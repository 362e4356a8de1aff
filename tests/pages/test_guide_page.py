"""The Guide page, run without a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from capeval_core import CaptionItem, evaluate, registry
from pages.guide import guides
from pages.widgets import formats

ROOT = Path(__file__).parents[2]
METRICS = sorted({registry.get(key).metric for key in registry.keys()})


def guide_page(**parameters: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app.query_params.update(parameters)
    app.run()
    return app.switch_page("pages/guide/page.py").run()


def shown(app: AppTest) -> str:
    assert not app.exception
    return "\n".join(str(element.proto.body) for element in app.get("html"))


@pytest.fixture(scope="module")
def page() -> AppTest:
    return guide_page()


@pytest.mark.parametrize("metric", METRICS)
def test_the_card_shows_the_examples_scores(page: AppTest, metric: str) -> None:
    page.session_state["guide_metric"] = metric
    text, guide = shown(page.run()), guides.guide(metric)
    keys = [key for key in registry.keys() if registry.get(key).metric == metric]
    found = evaluate([CaptionItem("1", caption, guide.references) for caption in guide.captions], keys)
    for key in keys:
        for value in found.scores[key]:
            assert f">{formats.score(float(value))}<" in text
    assert registry.get(keys[0]).paper in text.replace("&#x27;", "'")


def test_an_edited_caption_is_scored_and_markup_is_escaped(page: AppTest) -> None:
    page.session_state["guide_metric"] = "bleu"
    page.run()
    page.text_input(key="toy_A_bleu").set_value("a man rides a horse along the sea")
    assert ">1.000<" in shown(page.run())
    page.text_input(key="toy_A_bleu").set_value("<img src=x onerror=alert(1)>")
    assert "<img" not in shown(page.run())
    page.text_area(key="toy_references_bleu").set_value("")
    assert "at least one reference" in page.run().info[0].value


def test_the_table_of_sensitivities_has_every_metric(page: AppTest) -> None:
    page.session_state["guide_view"] = "Which metric sees what"
    text = shown(page.run())
    values = guides.measured()["sensitivity"]["values"]
    assert set(values) == set(registry.keys()) == set(guides.measured()["human"]["values"])
    assert all(f">{registry.get(key).label}<" in text for key in values)


def test_resources_are_listed_with_their_state(page: AppTest) -> None:
    page.session_state["guide_view"] = "Resources"
    page.run()
    assert not page.exception
    table = page.dataframe[0].value
    assert "minilm-weights" in set(table["resource"])
    assert set(table["state"]) >= {"ok"}
