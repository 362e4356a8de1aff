"""SPICE's scene graphs: which words become one object, and that the oldest wins a tie."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capeval_core.metrics.spice import scene
from capeval_core.metrics.spice.scene import Concept, Scene, build_scene, concept, similar
from capeval_core.metrics.spice.tuples import Tuple
from tests.cases import golden

CASES = golden("spice_rules")["scene"]
NOUNS = st.sampled_from(
    ("dog", "bike", "motorcycle", "bicycle", "man", "person", "people", "kid", "child", "xyzzy", "")
)
OTHERS = st.sampled_from(("red", "big", "large", "two", "2", "on", "be on", "sit on", "ride", "in front of", " up"))
TUPLES = st.lists(
    st.one_of(st.tuples(NOUNS), st.tuples(NOUNS, OTHERS), st.tuples(NOUNS, OTHERS, NOUNS)), max_size=12
).map(tuple)

Senses = Callable[..., None]


def shown(found: Scene) -> list[str]:
    return [",".join(map(str, parts)) for parts in found.tuples()]


@pytest.fixture
def senses(monkeypatch: pytest.MonkeyPatch) -> Iterator[Senses]:
    """A WordNet of our own: senses(cat={1, 2}) says which synsets a word has; other words have none."""
    table: dict[str, set[int]] = {}
    monkeypatch.setattr(scene, "synsets", lambda key: frozenset(table.get(key, ())))
    concept.cache_clear()
    yield lambda **words: table.update(words)
    concept.cache_clear()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_golden(case: Any) -> None:
    found = build_scene(map(tuple, case["tuples"]))
    assert shown(found) == [",".join(parts) for parts in case["scene"]]


def test_the_most_similar_object_takes_a_word(senses: Senses) -> None:
    senses(far={1, 2, 3, 4}, near={5, 6}, new={1, 5, 6})  # 1/6 against 2/3
    objects = build_scene([("far",), ("near",), ("new",)]).objects
    assert [set(c.words) for c in objects] == [{"far"}, {"near", "new"}]


def test_similarity_counts_what_is_not_shared(senses: Senses) -> None:
    senses(wide={1, 3, 4, 5, 6, 7}, narrow={2}, new={1, 2})  # 1/7 against 1/2
    objects = build_scene([("wide",), ("narrow",), ("new",)]).objects
    assert [set(c.words) for c in objects] == [{"wide"}, {"narrow", "new"}]


def test_the_oldest_wins_a_tie(senses: Senses) -> None:
    senses(b={1, 3}, a={2, 4}, tied={1, 2})
    assert [c.synsets for c in build_scene([("b",), ("a",), ("tied",)]).objects] == [{1, 2, 3}, {2, 4}]
    assert [c.synsets for c in build_scene([("a",), ("b",), ("tied",)]).objects] == [{1, 2, 4}, {1, 3}]


def test_attributes_and_predicates_join_the_oldest_similar_one_not_the_most_similar(senses: Senses) -> None:
    senses(b={1, 3, 4, 5}, a={2}, new={1, 2})
    attributes = build_scene([("x", "b"), ("x", "a"), ("x", "new")]).attributes
    assert [set(a.words) for _, a in attributes] == [{"b", "new"}, {"a"}]
    relations = build_scene([("x", "b", "y"), ("x", "a", "y"), ("x", "new", "y")]).relations
    assert [set(p.words) for _, p, _ in relations] == [{"b", "new"}, {"a"}]


def test_later_words_meet_the_grown_concept(senses: Senses) -> None:
    senses(one={1}, bridge={1, 2}, two={2})
    assert len(build_scene([("one",), ("bridge",), ("two",)]).objects) == 1
    assert len(build_scene([("one",), ("two",), ("bridge",)]).objects) == 2


def test_a_word_without_synsets_meets_itself_only(senses: Senses) -> None:
    found = build_scene([("blorp",), ("florp",), ("blorp", "red")])
    assert shown(found) == ["blorp", "florp", "blorp,red"]


def test_keys_are_trimmed_lower_case_and_joined(senses: Senses) -> None:
    senses(in_front_of={7})
    assert concept(" In front of") == Concept((" In front of",), frozenset({7}))


def test_display_order_is_that_of_a_java_set() -> None:
    # As the original shows them, whichever came first.
    for pair in (("motorcycle", "bike"), ("toilet", "bathroom"), ("plane", "airplane")):
        for order in (pair, pair[::-1]):
            assert shown(build_scene([(word,) for word in order])) == ["/".join(pair)]


@given(TUPLES)
def test_a_scene_holds_every_word_and_points_inside_itself(tuples: tuple[Tuple, ...]) -> None:
    found = build_scene(tuples)
    words = {word for c in found.objects for word in c.words}
    assert words == {parts[0] for parts in tuples} | {parts[2] for parts in tuples if len(parts) == 3}
    assert all(place < len(found.objects) for place, _ in found.attributes)
    assert all(max(s, o) < len(found.objects) for s, _, o in found.relations)
    assert len(found.tuples()) == len(found.objects) + len(found.attributes) + len(found.relations)
    assert len(found.objects) <= len(words)


@given(TUPLES)
def test_concepts_have_their_words_synsets(tuples: tuple[Tuple, ...]) -> None:
    for parts in build_scene(tuples).tuples():
        for part in parts:
            assert part.synsets == frozenset().union(*(concept(word).synsets for word in part.words))


@given(TUPLES)
def test_no_tuple_is_there_twice(tuples: tuple[Tuple, ...]) -> None:
    found = build_scene([*tuples, *tuples])
    assert len(set(found.tuples())) == len(found.tuples())


@given(NOUNS, NOUNS)
def test_similarity_is_mutual(one: str, other: str) -> None:
    assert similar(concept(one), concept(other)) == similar(concept(other), concept(one))
    assert similar(concept(one), concept(one))
