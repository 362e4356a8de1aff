"""The link: what is written is read again, and nonsense is left out."""

from __future__ import annotations

from urllib.parse import parse_qsl

from capeval_core.io.dataset import DataSet
from pages.explore import link
from pages.explore.state import COMPARE, Explore, follow
from tests.pages.explore.made import captions


def opened() -> Explore:
    found = Explore(DataSet("mine.jsonl", tuple(captions(8))))
    found.load(found.data)
    return found


def test_all_of_the_state_comes_back() -> None:
    sent = opened()
    sent.tab, sent.system, sent.kind, sent.slice = COMPARE, "new", "wrong_colour", "dog & cat; <b>"
    sent.words, sent.sort, sent.newer = "a wall?", "cider", "old"
    sent.ranges, sent.between = {"cider": (0.1 + 0.2, 1.5)}, ("meteor", "cider")
    query = dict(parse_qsl(link.write("mine.jsonl", sent, opened())))
    got = opened()
    got.linked = link.read(query)
    assert link.is_for(got.linked, "mine.jsonl")
    follow(got)
    for name in link.FIELDS:
        assert getattr(got, name) == getattr(sent, name), name
    assert got.linked == {}


def test_a_first_visit_needs_only_names() -> None:
    assert dict(parse_qsl(link.write("x", opened(), opened()))) == {"data": "x", "captioner": "old"}


def test_nonsense_is_left_out() -> None:
    assert link.read({"error": "wrong_colour"}) == {}
    got = opened()
    names = {"data": "mine.jsonl", "captioner": "<script>", "error": "x", "sort": "y", "view": "z", "between": "a"}
    ranges = "cider:1:0;cider:nan:1;cider:1;none:0:1;spice:0:1"
    got.linked = link.read(names | {"ranges": ranges, "slice": "s" * 9_000})
    follow(got)
    assert (got.system, got.kind, got.sort, got.tab) == ("old", "", "strength", "Errors")
    assert got.ranges == {"spice": (0.0, 1.0)}
    assert len(got.slice) == link.LONGEST
