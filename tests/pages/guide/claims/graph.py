"""SPICE and SPIDEr."""

from __future__ import annotations

import pytest

from capeval_core import registry
from tests.pages.guide.claims.facts import moved, people, toy, toy_why, value, why

BEACH = "a brown dog runs on the beach"


def _facts(caption: str) -> set[tuple[str, ...]]:
    return {one.parts for one in why("spice", caption, BEACH).candidate_tuples}


def spice_graph() -> None:
    graph = why("spice", BEACH, BEACH).candidate_graph
    assert {word for one in graph.objects for word in one.words} >= {"dog", "beach"}
    assert any(one.attributes for one in graph.objects)
    assert graph.relations


def spice_share() -> None:
    found = toy_why("spice", "A").categories[0]
    precision, recall = found.matched / found.candidate, found.matched / found.references
    assert toy("spice")[0] == pytest.approx(2 * precision * recall / (precision + recall), abs=1e-6)


def spice_facts() -> None:
    assert _facts(BEACH) >= {("dog",), ("dog", "brown")}
    assert any(one[0] == "dog" and one[-1] == "beach" for one in _facts(BEACH))
    assert value("spice", "a sofa", "a couch") == 1


def spice_wrong_colour() -> None:
    extra = [one.parts for one in toy_why("spice", "A").candidate_tuples if not one.matched]
    assert extra == [("dress", "blue")]
    assert value("spice", "a white cat runs on the beach", BEACH) < value("spice", BEACH, BEACH)


def spice_fronted() -> None:
    assert abs(moved("spice", "Fronted phrase")) < abs(moved("bleu_4", "Fronted phrase")) / 2


def spice_no() -> None:
    assert value("spice", "no brown dog runs on the beach", BEACH) == value("spice", BEACH, BEACH) == 1


def spice_list() -> None:
    assert toy("spice")[1] > 0.2


def spice_people() -> None:
    assert people("spice") < 0.25


def spice_parser() -> None:
    """What is no sentence is not read as the sentence it stands for."""
    objects = [
        {word for one in why("spice", text, BEACH).candidate_graph.objects for word in one.words}
        for text in ("girl umbrella rain holds dress yellow", "a girl in a yellow dress holds an umbrella in the rain")
    ]
    assert objects[0] != objects[1]


def spice_toy() -> None:
    one, two = toy("spice")
    assert one > two > 0


def spider_mean() -> None:
    found = toy_why("spider", "A")
    assert found.value == pytest.approx((found.spice.value + found.cider.value) / 2)


def spider_paper() -> None:
    assert "Policy Gradient optimization of SPIDEr" in registry.get("spider").paper


def spider_scales() -> None:
    assert registry.get("cider").bounds[1] == 10 * registry.get("spice").bounds[1]
    one, two = (toy_why("spider", letter) for letter in "AB")
    assert abs(one.cider.value - two.cider.value) > 3 * abs(one.spice.value - two.spice.value)


def spider_two_views() -> None:
    assert moved("spider", "Wrong colour") < -0.05
    assert moved("spider", "Synonyms") < -0.05


def spider_cider_part() -> None:
    assert people("cider") > 3 * people("spice")


def spider_toy() -> None:
    for letter in "AB":
        found = toy_why("spider", letter)
        assert found.value == pytest.approx((found.spice.value + found.cider.value) / 2)
