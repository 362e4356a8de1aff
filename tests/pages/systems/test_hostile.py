"""Systems shows what a file brings as text: names of captioners and images, captions, references, its own name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from capeval_core import CaptionItem
from capeval_core.io.dataset import DataSet
from pages.systems import state
from pages.systems.state import NEEDED, VIEWS
from pages.work import dataset
from pages.work.jobs import jobs
from tests.figures.hostile import ALL, HOSTILE
from tests.pages import app as running
from tests.pages.safe import check, html_of

KEYS = ["bleu_1", "rouge_l", *NEEDED]


def hostile() -> DataSet:
    items = [
        CaptionItem(f"{image} {ALL}", f"a dog {number} {text}", (f"the dog {ALL}",), text)
        for number, image in enumerate(("one", "two", "three", "four"))
        for text in HOSTILE
    ]
    return DataSet(ALL, tuple(items), notes=(ALL,))


@pytest.fixture(scope="module")
def page() -> Iterator[AppTest]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(state, "first_keys", lambda data: KEYS)
        app = running.start()
        app.session_state[dataset.KEY] = dataset._Open(hostile())
        app.switch_page("pages/systems/page.py").run()
        yield running.settle(app, "systems")
        jobs().want(running.owner(app, "systems"), [])


@pytest.mark.parametrize("view", VIEWS)
def test_every_view(page: AppTest, view: str) -> None:
    page.session_state["systems"].view = view
    check(running.settle(page, "systems"))
    assert any("&lt;img" in one.proto.spec for one in page.get("plotly_chart")) or view == "Degradation"


def test_a_clicked_point_and_another_captioner(page: AppTest) -> None:
    held = page.session_state["systems"]
    held.view, held.point, held.against = VIEWS[0], 3, HOSTILE[2]
    check(running.settle(page, "systems"))
    said = [body for body in html_of(page) if "Captions of" in body]
    assert said
    assert "&lt;img" in said[0]
