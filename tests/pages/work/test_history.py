"""Undo and redo: every change of captions, references or image, and nothing else, is a step."""

from __future__ import annotations

import pytest

from pages.work import history as module
from pages.work.history import History, Step, difference, taken
from pages.work.workspace import Workspace
from tests.pages.cases import REFERENCES, make


def walked(ws: Workspace, captions: list[str]) -> tuple[History, Step]:
    past = History()
    step = past.record(None, ws)
    for caption in captions:
        ws.candidates[0].caption = caption
        step = past.record(step, ws)
    return past, step


def test_steps_lead_back_and_forth() -> None:
    ws = make()
    first = taken(ws)
    past, _ = walked(ws, ["one", "two"])
    last = taken(ws)
    past.undo(ws)
    assert ws.candidates[0].caption == "one"
    assert past.undo(ws) == taken(ws) == first
    assert past.undo(ws) == first  # nothing before it
    past.redo(ws)
    assert past.redo(ws) == taken(ws) == last
    assert past.redo(ws) == last


def test_a_change_after_undo_is_where_it_goes_on() -> None:
    ws = make()
    past, _ = walked(ws, ["one", "two"])
    step = past.undo(ws)
    assert past.record(step, ws) == step  # the undo itself is no change
    ws.set_references(["another"])
    past.record(step, ws)
    assert past.future == []
    past.undo(ws)
    assert (ws.references, ws.candidates[0].caption) == (list(REFERENCES), "one")


def test_what_is_looked_at_is_no_step() -> None:
    ws = make()
    past = History()
    step = past.record(None, ws)
    ws.view, ws.metric, ws.metrics, ws.concept = "Profile", "bleu_2", ["bleu_2"], "dog"
    past.record(step, ws)
    assert past.past == []


def test_a_removed_candidate_comes_back_as_it_was_and_new_ones_get_new_numbers() -> None:
    ws = make()
    past = History()
    step = past.record(None, ws)
    ids = [one.id for one in ws.candidates]
    ws.candidates.clear()
    ws.settle()
    past.record(step, ws)
    past.undo(ws)
    assert [one.id for one in ws.candidates] == ids
    assert ws.chosen in ids
    ws.add(["a third"])
    assert len({one.id for one in ws.candidates}) == 3


def test_it_is_bounded_by_steps_by_characters_and_by_images(monkeypatch: pytest.MonkeyPatch) -> None:
    ws = make()
    past, step = walked(ws, [str(number) for number in range(200)])
    assert len(past.past) == module.MOST
    monkeypatch.setattr(module, "MOST_CHARACTERS", 3_000)
    ws.candidates[0].caption = "x" * 1_000
    step = past.record(step, ws)
    for number in range(10):
        ws.candidates[0].caption = "x" * (1_000 + number)
        step = past.record(step, ws)
    assert 1 <= len(past.past) <= 3
    monkeypatch.setattr(module, "MOST_BYTES", 100)
    for number in range(10):
        ws.image = bytes([number]) * 60
        step = past.record(step, ws)
    assert len(past.past) == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda ws: ws.add(["new"]), "candidates added"),
        (lambda ws: ws.candidates.pop(), "candidates removed"),
        (lambda ws: setattr(ws.candidates[0], "system", "me"), "a candidate changed"),
        (lambda ws: ws.references.append("new"), "references added"),
        (lambda ws: ws.set_references(["new", *REFERENCES[1:]]), "a reference changed"),
        (lambda ws: setattr(ws, "image", b"new"), "another image"),
        (lambda ws: (ws.references.clear(), ws.candidates.clear()), "references and candidates"),
    ],
)
def test_a_step_says_what_it_changed(change: object, said: str) -> None:
    ws = make()
    before = taken(ws)
    assert callable(change)
    change(ws)
    assert difference(before, taken(ws)) == said
