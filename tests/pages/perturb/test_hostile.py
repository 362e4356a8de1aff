"""Perturb shows a visitor's captions and file names as text, in the grid's views and in the data view."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from capeval_core import CaptionItem
from capeval_core.figures.palette import LIGHT
from capeval_core.io.dataset import DataSet
from capeval_core.perturb.study import study
from pages.perturb import results
from pages.perturb.lab import Lab
from pages.work import dataset
from tests.figures.hostile import ALL, HOSTILE, check_html
from tests.pages import app as running
from tests.pages.safe import check, html_of

KEYS = ["bleu_1", "rouge_l", "meteor"]


@pytest.fixture(scope="module")
def page() -> AppTest:
    lab = Lab(references=[f"a man on a horse {ALL}"], caption=f"a man rides a horse {ALL}", metrics=list(KEYS))
    lab.own = {f"own {n}": f"a man {text}" for n, text in enumerate((*HOSTILE, ALL))}
    lab.given = {"given x": (ALL, ALL)}
    lab.message = ALL
    return running.settle(running.start("perturb", lab=lab), "perturb")


@pytest.mark.parametrize("view", ["Evidence", "Bars"])
@pytest.mark.parametrize("row", ["given x", "own 0", "own 6"])
def test_the_grid_and_what_is_below_it(page: AppTest, view: str, row: str) -> None:
    lab = page.session_state["lab"]
    lab.view, lab.open_row, lab.open_key, lab.message = view, row, "meteor", ALL
    check(page.run())
    shown = "\n".join([*html_of(page), *(one.proto.spec for one in page.get("plotly_chart"))])
    assert "onerror" in shown


def test_a_study_of_hostile_captions() -> None:
    items = [CaptionItem(text, f"a man rides a horse {text}", (f"a man on a horse {text}",), text) for text in HOSTILE]
    found = study(items, ["order", "distractors"], KEYS[:2], samples=20)
    assert "<" not in results.sentence(found)
    check_html(results.table_3(found, LIGHT))
    check_html(results.table_5(found, LIGHT))


def test_the_data_view_names_the_file_as_text() -> None:
    items = [CaptionItem(str(n), "a man rides a horse", ("a man on a horse",)) for n in range(3)]
    app = running.start()
    app.session_state[dataset.KEY] = dataset._Open(DataSet(ALL, tuple(items), notes=(ALL,)), message=ALL)
    app.switch_page("pages/perturb/page.py").run()
    running.labelled(app.get("button_group"), "View").set_value("A whole data set")
    check(app.run())
    assert any("data:" in body and "&lt;img" in body for body in html_of(app))
