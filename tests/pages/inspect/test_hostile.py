"""Inspect shows a visitor's texts as text, whatever stands in them: names, captions, references, title, credit."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from capeval_core.io.workspace import StoredWorkspace
from pages.inspect import report
from pages.work.cells import cells
from pages.work.workspace import VIEWS, Workspace, restore
from tests.figures.hostile import ALL, HOSTILE, read
from tests.pages.cases import ME, NGRAM, finish, picture, store
from tests.pages.client import APP
from tests.pages.safe import check

KEYS = (*NGRAM, "meteor", "cider", "sparcs")


def hostile() -> Workspace:
    candidates = ((ALL[:200], ALL), *((text, f"a dog {text}") for text in HOSTILE))
    stored = StoredWorkspace((ALL, f"a dog {ALL}"), candidates, KEYS, title=ALL, credit=ALL)
    ws = restore(stored)
    ws.image = picture("PNG")
    return ws


@pytest.fixture(scope="module")
def page() -> AppTest:
    app = AppTest.from_file(APP, default_timeout=120)
    app.session_state["ws"] = hostile()
    app.run()
    ws = app.session_state["ws"]
    items = [*ws.items(), *ws.human_items()]
    assert cells().wait(items, ws.metrics, ws.options, 120) == []
    return app


@pytest.mark.parametrize("view", VIEWS)
def test_every_view(page: AppTest, view: str) -> None:
    page.session_state["ws"].view = view
    for _ in range(3):  # what is scored on demand comes with a later run
        page.run()
        cells().jobs.finish((page.session_state["owner"], view.split()[0].lower()), 60)
    check(page.run())


@pytest.mark.parametrize("key", KEYS)
def test_the_evidence_of_every_metric(page: AppTest, key: str) -> None:
    ws = page.session_state["ws"]
    ws.view, ws.metric = "Evidence", key
    check(page.run())


def test_the_report() -> None:
    ws, scores = hostile(), store()
    finish(scores, ws)
    tags, text = read(report.build(ws, scores, ME))
    names = {name for _, attributes in tags for name in attributes}
    assert not any(name.startswith("on") for name in names)
    images = [attributes["src"] for tag, attributes in tags if "src" in attributes]
    assert len(images) == 1
    assert str(images[0]).startswith("data:image/")
    assert all(str(attributes["href"]).startswith("#") for _, attributes in tags if "href" in attributes)
    kept = "".join(sign for sign in ALL if sign not in "\u202e\u2067\u2066")
    assert text.count(kept) > 5
