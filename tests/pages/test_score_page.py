"""The first page, run without a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from capeval_core import CaptionItem, evaluate, registry

APP = Path(__file__).parents[2] / "app.py"


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_file(str(APP), default_timeout=120).run()


def test_opens_scored(app: AppTest) -> None:
    assert not app.exception
    table = app.dataframe[0].value
    assert table["metric"].tolist() == [registry.get(key).label for key in registry.keys()]


def test_scores_a_typed_caption(app: AppTest) -> None:
    app.text_input[0].set_value("two cats sleep")
    app.text_area[0].set_value("two cats sleeping\n\n  a pair of cats  ")
    table = app.run().dataframe[0].value
    expected = evaluate([CaptionItem("typed", "two cats sleep", ("two cats sleeping", "a pair of cats"))]).scores
    assert table["score"].tolist() == [values[0] for values in expected.values()]


def test_says_what_to_do_without_references(app: AppTest) -> None:
    app.text_area[0].set_value("  \n ")
    app.run()
    assert not app.exception
    assert "Add at least one reference" in app.info[0].value
