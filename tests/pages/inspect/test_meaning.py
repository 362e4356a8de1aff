"""Style and meaning on Inspect: every caption scored against the others, the chosen one in words, its own ellipse."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from capeval_core import CaptionItem, evaluate
from capeval_core.analysis.people import KEYS, people
from capeval_core.figures import meaning as figures
from pages.inspect import meaning, report
from pages.work import keeping
from pages.work.cells import cells
from pages.work.workspace import Candidate
from tests.pages.app import html, labelled, settle, start
from tests.pages.cases import ME, finish, make, store
from tests.pages.client import APP

VIEW = "Style and meaning"


@pytest.fixture(scope="module")
def app() -> AppTest:
    found = start()
    ws = found.session_state["ws"]
    ws.view, ws.metrics = VIEW, ["bleu_1"]  # the view asks for what it needs itself
    return settle(found, "inspect", "style")


def test_points_are_people_s_standard_deviations_of_the_scores(app: AppTest) -> None:
    ws = app.session_state["ws"]
    items = [*ws.items(), *(CaptionItem("x", *one) for one in others(ws.references))]
    scores = evaluate(items, KEYS).scores
    found = meaning.collect(ws, cells(), 1.15)
    assert [one.caption for one in found.placed] == [item.candidate for item in items]
    for key, name in (("sparcs", "meaning"), ("spurts", "style"), ("mima", "grammar")):
        expected = people().scales[key].standardise(scores[key]).tolist()
        assert [getattr(one, name) for one in found.placed] == pytest.approx(expected, abs=1e-6)


def others(references: list[str]) -> list[tuple[str, tuple[str, ...]]]:
    return [(one, tuple(references[:n] + references[n + 1 :])) for n, one in enumerate(references)]


def test_the_chosen_caption_is_said_in_words(app: AppTest) -> None:
    ws = app.session_state["ws"]
    for one in ws.candidates[:2]:
        ws.chosen = one.id
        app.run()
        found = meaning.collect(ws, cells(), 1.15)
        placed = next(row for row in found.placed if row.key == str(one.id))
        assert figures.sentence(placed, people()) in html(app).replace("&#39;", "'")
        assert f"{one.system} says" in html(app)


def test_five_references_have_an_ellipse_of_their_own_and_four_have_none(app: AppTest) -> None:
    ws = app.session_state["ws"]
    found = meaning.collect(ws, cells(), 1.15)
    own = np.array(found.own)
    points = np.array([(one.meaning, one.style) for one in found.placed if one.reference])
    assert own.mean(axis=0).tolist() == pytest.approx(points.mean(axis=0).tolist(), abs=1e-6)
    wide = np.array(meaning.own_outline(found.placed, 2.3))
    assert (wide - points.mean(axis=0)).tolist() == pytest.approx(2 * (own - points.mean(axis=0)), abs=1e-6)
    four = [one for one in found.placed if one.name != "ref 5"]
    assert meaning.own_outline(four, 1.15) == ()


def test_the_slider_sets_the_size_and_the_note_follows(app: AppTest) -> None:
    before = html(app)
    labelled(app.slider, "Ellipse size").set_value(2.0).run()
    assert f"{people().inside(2.0):.0%} of them lie inside" in html(app)
    assert html(app) != before


def test_without_references_it_says_what_it_needs(app: AppTest) -> None:
    ws = app.session_state["ws"]
    kept = list(ws.references)
    ws.set_references([])
    app.run()
    assert any("needs references" in box.value for box in app.info)
    ws.set_references(kept)


def test_names_tell_candidates_apart() -> None:
    ws = make()
    ws.candidates = [Candidate(1, "m2", "a"), Candidate(2, "m2", "b"), Candidate(3, "", "c"), Candidate(4, "x", "d")]
    assert list(meaning.candidate_names(ws).values()) == ["candidate 1", "candidate 2", "candidate 3", "x"]


def test_other_options_than_people_were_measured_with_are_said() -> None:
    assert meaning._remark({key: one.replace("v:", "v:9") for key, one in people().signatures.items()}) == ""
    assert "other options of SPURTS" in meaning._remark({"spurts": "spurts|model:another|v:1"})


def test_it_is_part_of_the_report() -> None:
    own, ws = store(), make(["a dog runs", "a cat sleeps"], ["sparcs", "spurts", "mima"])
    finish(own, ws)
    text = report.build(ws, own, ME)
    assert f"<h2>{VIEW}</h2>" in text
    found = meaning.collect(ws, own, 1.15)
    assert meaning.sentence(ws, found, people()) in text.replace("&#39;", "'")
    assert all(corner in text for corner in figures.CORNERS)


def test_a_reload_brings_back_the_ellipse_and_the_point_that_was_read(
    app: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(keeping.SETTING, str(tmp_path))
    first = start()
    ws = first.session_state["ws"]
    ws.view, ws.metrics = VIEW, ["bleu_1"]
    settle(first, "inspect", "style")
    labelled(first.slider, "Ellipse size").set_value(2.0).run()
    first.session_state[meaning.KEY].point = "reference 2"
    first.run()
    other = AppTest.from_file(APP, default_timeout=120)
    other.query_params[keeping.PARAMETER] = first.session_state[keeping.KEY].id
    settle(other, "inspect", "style")
    assert labelled(other.slider, "Ellipse size").value == 2.0
    assert html(other) == html(first) != html(app)
    assert f"ref 2: {ws.references[1]}" in [one.value for one in other.text]
