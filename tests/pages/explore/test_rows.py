"""Filters and sorting: pure functions over arrays, and quick with many captions."""

from __future__ import annotations

import time

import numpy as np
import pytest

from capeval_core.explore.kinds import KINDS
from pages.explore import rows
from pages.explore.rows import APART, Query, Table
from tests.pages.explore.made import captions, finding

ITEMS = captions(8)
FINDINGS = [
    finding(ITEMS[0], ("invented_object", "wall", 0.9), ("wrong_colour", "dog", 0.2)),
    finding(ITEMS[1]),
    finding(ITEMS[2], ("wrong_colour", "dog", 0.7)),
    finding(ITEMS[3], ("missed_object", "grass", 0.4)),
    finding(ITEMS[4], ("repetition", "a", 0.8)),
    finding(ITEMS[5]),
    finding(ITEMS[6]),
    finding(ITEMS[7]),
]
SCORES = {
    "cider": np.array([0.5, 0.1, 0.3, 0.2, np.nan, 0.4, 0.9, 0.0]),
    "spice": np.array([0.1, 0.2, 0.9, 0.4, 0.5, 0.6, 0.0, 0.8]),
}


@pytest.fixture(scope="module")
def table() -> Table:
    return rows.table(ITEMS, FINDINGS)


def found(table: Table, query: Query) -> list[int]:
    listed: list[int] = rows.find(table, query, SCORES).tolist()
    return listed


def test_one_captioner_strongest_error_first(table: Table) -> None:
    assert found(table, Query("old")) == [0, 4, 2, 6]
    assert found(table, Query("new")) == [3, 1, 5, 7]
    assert found(table, Query("nobody")) == []


def test_one_kind_of_error_by_its_own_strength(table: Table) -> None:
    assert found(table, Query("old", kind="wrong_colour")) == [2, 0]
    assert found(table, Query("old", kind="swapped_roles")) == []


def test_words_are_searched_in_caption_errors_and_image(table: Table) -> None:
    assert found(table, Query("new", words="Grass")) == [3]  # a word that was missed
    assert found(table, Query("old", words="i1 WALL")) == [2]
    assert found(table, Query("old", words="zebra")) == []


def test_a_range_has_both_its_ends_and_no_undefined_score(table: Table) -> None:
    assert found(table, Query("old", ranges={"cider": (0.3, 0.5)})) == [0, 2]
    assert found(table, Query("old", ranges={"cider": (-9, 9)})) == [0, 2, 6]
    assert found(table, Query("old", ranges={"meteor": (0, 0)})) == [0, 4, 2, 6]  # its scores are not there yet


def test_a_slice_and_all_filters_together(table: Table) -> None:
    assert found(table, Query("old", rows=np.array([2, 3, 6]))) == [2, 6]
    both = Query("old", kind="wrong_colour", rows=np.array([0, 4]), ranges={"spice": (0, 0.5)}, words="dog")
    assert found(table, both) == [0]


def test_by_metric_the_worst_first_and_undefined_last(table: Table) -> None:
    assert found(table, Query("old", sort="cider")) == [2, 0, 6, 4]


def test_by_disagreement_of_two_metrics(table: Table) -> None:
    listed = found(table, Query("old", sort=APART, between=("cider", "spice")))
    assert listed[0] == 6  # the best of all by CIDEr, the worst by SPICE
    assert listed[-1] == 4  # undefined by one of them
    assert found(table, Query("old", sort=APART, between=("cider", "none"))) == [0, 2, 4, 6]
    assert found(table, Query("old", sort=APART, between=("n-gram", "scene graph"))) == listed  # groups of one each


def test_a_side_is_a_metric_or_a_group_of_several() -> None:
    keys = ["bleu_4", "cider", "spice"]
    assert rows.sides(keys) == [*keys, "n-gram"]
    assert rows.members("n-gram", keys) == ["bleu_4", "cider"]
    assert rows.members("spice", keys) == ["spice"]


def test_places_go_from_0_to_1_and_equal_scores_share_one() -> None:
    assert rows.places("cider", np.array([3.0, 1.0, 1.0, np.nan, 5.0])) == pytest.approx(
        [2 / 3, 1 / 6, 1 / 6, np.nan, 1.0], nan_ok=True
    )


def test_a_histogram_counts_every_defined_score() -> None:
    counts, low, high = rows.histogram(SCORES["cider"])
    assert (sum(counts), low, high) == (7, 0.0, 0.9)
    assert rows.histogram(np.array([1.0, 1.0, np.nan])) == ([], 0.0, 0.0)


def test_fifty_thousand_captions_in_a_moment() -> None:
    """The page promises 0.3 s for 10,000; filters are a small part of that."""
    chance = np.random.default_rng(0)
    count = 50_000
    strengths = np.where(chance.random((count, len(KINDS))) < 0.1, chance.random((count, len(KINDS))), 0)
    texts = [f"a dog runs over the grass near a wall {place}" for place in range(count)]
    table = Table({"m": np.arange(count)}, strengths, texts)
    scores = {key: chance.random(count) for key in ("cider", "spice")}
    query = Query(
        "m", "wrong_colour", np.arange(0, count, 2), {"cider": (0.1, 0.9)}, "dog wall", APART, ("cider", "spice")
    )
    start = time.process_time()
    listed = rows.find(table, query, scores)
    assert time.process_time() - start < 0.3
    assert 1_500 < len(listed) < 2_500
