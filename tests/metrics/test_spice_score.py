"""SPICE's matches, counts and F-scores, given tuples; and the original's numbers, given its parses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capeval_core.metrics.spice.score import CATEGORIES, Link, SceneTuple, Tuples, explain, measures, statistics
from capeval_core.metrics.spice.tuples import propose
from capeval_core.types import Array
from tests.cases import golden, needs_shared, rows
from tests.metrics.test_spice_collapse import parse_from
from tests.metrics.test_spice_scene import TUPLES

CASES = golden("spice_rules")["score"]


def as_tuples(found: list[list[str]]) -> Tuples:
    return tuple(tuple(parts) for parts in found)


def f_scores(candidate: Tuples, *references: Tuples) -> dict[str, float]:
    f_score = measures(statistics([candidate], [references]))[2][0]
    return dict(zip(CATEGORIES, f_score.tolist(), strict=True))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_golden(case: Any) -> None:
    candidate, references = as_tuples(case["candidate"]), tuple(map(as_tuples, case["references"]))
    counts = statistics([candidate], [references])[0]
    assert dict(zip(CATEGORIES, counts.astype(int).tolist(), strict=True)) == case["counts"]
    assert {name: list(row) for name, row in explain(candidate, references).counts.items()} == case["counts"]


def test_measures() -> None:
    counts = np.array(
        [[(1, 2, 4)] * 7, [(0, 3, 0)] * 7, [(0, 0, 3)] * 7, [(0, 0, 0)] * 7, [(2, 2, 1)] * 7], dtype=float
    )
    precision, recall, f_score = measures(counts)
    assert (precision[0, 0], recall[0, 0], f_score[0, 0]) == (0.5, 0.25, pytest.approx(1 / 3))
    for values in (precision, recall, f_score):
        assert values[1, 0] == values[2, 0] == values[3, 0] == 0  # All is never NaN
        assert np.isnan(values[1, 1:]).all()
        assert np.isnan(values[3, 1:]).all()
        assert (values[2] == 0).all()
    assert f_score[4, 0] == pytest.approx(4 / 3)  # two candidate tuples on one reference tuple: the original's, above 1
    assert counts[0, 0].tolist() == [1, 2, 4]


def test_no_items() -> None:
    counts = statistics([], [])
    assert counts.shape == (0, 7, 3)
    assert measures(counts)[2].shape == (0, 7)


def test_evidence_names_the_words_and_the_synset() -> None:
    found = explain((("bike", "red"),), ((("motorcycle", "red"), ("dog",)),))
    assert found.candidate == (
        SceneTuple(("bike",), "Object", "", True),
        SceneTuple(("bike", "red"), "Attribute", "Color", True),
    )
    assert [part.matched for part in found.references] == [True, False, True]
    objects, attributes = found.matches
    assert (objects.candidate, objects.reference) == (0, 0)
    link = objects.links[0]
    assert (link.candidate, link.reference) == ("bike", "motorcycle")
    assert link.synset in found.candidate_scene.objects[0].synsets & found.reference_scene.objects[0].synsets
    assert attributes.links == (link, Link("red", "red"))


def test_the_first_reference_tuple_in_sorted_order_is_credited() -> None:
    # "bike" meets both; neither comes first by age in both orders.
    for order in (("motorcycle", "bicycle"), ("bicycle", "motorcycle")):
        found = explain((("bike",),), (tuple((word,) for word in order),))
        assert [part.parts[0] for part in found.references if part.matched] == ["bicycle"]


@given(TUPLES, st.lists(TUPLES, max_size=3).map(tuple))
def test_laws(candidate: Tuples, references: tuple[Tuples, ...]) -> None:
    counts = statistics([candidate, candidate], [references, references])
    assert (counts[0] == counts[1]).all()
    matched, ours, theirs = counts[0].T
    assert (matched <= ours).all()
    assert (counts[0, 0] == counts[0, 1:4].sum(axis=0)).all()
    assert (counts[0, 4:].sum(axis=0)[1:] <= counts[0, 2, 1:]).all()
    precision, recall, f_score = measures(counts)
    assert ((precision[0] >= 0) & (precision[0] <= 1) | np.isnan(precision[0])).all()
    assert (np.isnan(f_score[0, 1:]) == (theirs[1:] == 0)).all()
    if (matched <= theirs).all():
        assert np.nanmax(f_score[0], initial=0) <= 1
        assert np.nanmax(recall[0], initial=0) <= 1
    assert np.nanmin(f_score[0]) >= 0


@given(TUPLES)
def test_a_caption_matches_itself(tuples: Tuples) -> None:
    f_score = f_scores(tuples, tuples)
    assert f_score["All"] == (1 if tuples else 0)
    assert all(value == 1 or np.isnan(value) for name, value in f_score.items() if name != "All")


@given(TUPLES, st.lists(TUPLES, max_size=3).map(tuple))
def test_evidence_agrees_with_the_counts(candidate: Tuples, references: tuple[Tuples, ...]) -> None:
    found = explain(candidate, references)
    matched, ours, theirs = statistics([candidate], [references])[0, 0]
    assert sum(part.matched for part in found.candidate) == len(found.matches) == matched
    assert (len(found.candidate), len(found.references)) == (ours, theirs)
    for match in found.matches:
        one, other = found.candidate[match.candidate], found.references[match.reference]
        assert one.matched
        assert other.matched
        for link, here, there in zip(match.links, one.parts, other.parts, strict=True):
            assert link.candidate in here.split("/")
            assert link.reference in there.split("/")
            assert (link.synset is None) == (link.candidate == link.reference)
    assert {match.reference for match in found.matches} == {
        n for n, part in enumerate(found.references) if part.matched
    }


@dataclass(frozen=True)
class Original:
    """karpathy_a: our tuples from the original's parses, and what the original made of them."""

    candidates: list[Tuples]
    references: list[tuple[Tuples, ...]]
    spice: Array
    rows: list[Any]


@cache
def original() -> Original:
    proposed = {r["caption"]: propose([parse_from(s) for s in r["sentences"]]) for r in rows("spice/parses_a.jsonl.gz")}
    items = list(rows("karpathy/karpathy_a.jsonl.gz"))
    return Original(
        [proposed[item["tokens"]] for item in items],
        [tuple(proposed[caption] for caption in item["reference_tokens"]) for item in items],
        np.array([item["scores"]["SPICE"] for item in items]),
        list(rows("spice/tuples_a.jsonl.gz")),
    )


@needs_shared
def test_parity_of_all_scores() -> None:
    data = original()
    f_score = measures(statistics(data.candidates, data.references))[2]
    assert len(f_score) == 10000
    np.testing.assert_allclose(f_score[:, 0], data.spice, rtol=0, atol=1e-9)
    expected = np.array([[row["scores"].get(name) for name in CATEGORIES] for row in data.rows], dtype=float)
    np.testing.assert_allclose(f_score, expected, rtol=0, atol=1e-9)  # NaN where the original has null


@needs_shared
def test_parity_of_tuples_and_truth_values() -> None:
    data = original()
    differ: dict[str, list[int]] = {"candidate": [], "references": []}
    for number, (candidate, references, row) in enumerate(
        zip(data.candidates, data.references, data.rows, strict=True)
    ):
        found = explain(candidate, references)
        for side, parts in (("candidate", found.candidate), ("references", found.references)):
            ours = {(*part.parts, part.matched) for part in parts}
            if ours != set(map(tuple, row[side])):
                differ[side].append(number)
    # One caption whose "u" the original calls "u."; one image (four captioners) where three attributes of scissors,
    # color, colored and colorful, tie and the original's arbitrary choice is another than the oldest.
    assert (len(differ["candidate"]), len(differ["references"])) == (1, 4)
