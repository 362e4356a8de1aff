"""State as JSON and back: all that has a field's type, and nothing that has not."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from capeval_core import CaptionItem
from capeval_core import options as metric_options
from capeval_core.io.dataset import DataSet
from pages.perturb.lab import Lab, Request
from pages.systems.state import Systems
from pages.work.history import History, taken
from pages.work.plain import fill, from_plain, written
from pages.work.workspace import Workspace
from tests.pages.cases import REFERENCES, make

FILES: dict[str, bytes] = {}


def put(content: bytes) -> str:
    FILES[str(len(content))] = content
    return str(len(content))


def back(state: Any, fresh: Any) -> Any:
    fill(fresh, json.loads(json.dumps(written(state, put))), FILES.get)
    return fresh


def test_a_workspace_comes_back_whole() -> None:
    ws = make()
    ws.image, ws.title, ws.view, ws.concept, ws.seen = b"an image", "<b>mine</b>", "Profile", "dog", {"table": 7}
    ws.options = {"bleu": metric_options.make("bleu", {"smoothing": "lin-och"})}
    ws.message = "said once"
    found = back(ws, Workspace())
    assert found.message == ""
    ws.message = ""
    assert found == ws


def test_a_lab_comes_back_with_what_was_typed_over() -> None:
    lab = Lab(source="x", opened=(REFERENCES, (("me", "a dog"),)), references=list(REFERENCES), caption="a dog")
    lab.own, lab.given = {"own 1": "a cat"}, {"given x": ("label", "text")}
    lab.edits = {("synonyms", Request("a dog", REFERENCES, (), 2, 0)): "a hound"}
    assert back(lab, Lab()) == lab


def test_a_history_comes_back() -> None:
    ws = make()
    ws.image = b"image"
    past = History([taken(ws)], [taken(make(["other"]))])
    assert back(past, History()) == past


def test_what_was_chosen_for_another_data_set_stays_away() -> None:
    mine, other = (DataSet("x", (CaptionItem(str(n), "a dog", (), "m2"),)) for n in range(2))
    state = Systems(mine, reference="m2", keys=["rouge_l"], size=2.0)
    assert back(state, Systems(mine)) == state
    assert back(state, Systems(other)) == Systems(other)


@dataclass
class State:
    text: str = "old"
    count: int = 0
    share: float = 0.5
    flag: bool = False
    names: list[str] = field(default_factory=list)
    pair: tuple[str, int] = ("a", 1)
    maybe: int | None = None
    work: Any = None


@pytest.mark.parametrize(
    "content",
    [
        None,
        3,
        [],
        {"text": 3, "count": "3", "share": "x", "flag": 1, "names": "abc", "pair": ["a"], "maybe": "x", "work": [1]},
        {"count": True, "names": [1], "pair": [1, 1], "text": None, "unknown": "x"},
    ],
)
def test_what_does_not_fit_is_not_taken_over(content: Any) -> None:
    state = State()
    fill(state, content, FILES.get)
    assert state == State()


def test_what_cannot_be_written_is_left_out() -> None:
    assert "work" not in written(State(work=object()), put)
    assert back(State("new", 3, 2, True, ["x"], ("b", 2), 4, work=print), State()) == State(
        "new", 3, 2, True, ["x"], ("b", 2), 4
    )


def test_a_file_that_is_gone_is_no_value() -> None:
    with pytest.raises(ValueError, match="not there"):
        from_plain(bytes, {"file": "none"}, FILES.get)
    state = make()
    state.image = b"will be lost"
    FILES.clear()
    content = written(state, put)
    FILES.clear()
    found = Workspace()
    fill(found, content, FILES.get)
    assert found.image is None
    assert found.references == list(REFERENCES)
