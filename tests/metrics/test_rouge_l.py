"""ROUGE-L's subsequence against a plain dynamic programme, and its evidence."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capeval_core import CaptionItem, explain
from capeval_core.metrics.rouge_l import RougeLExplanation, lcs_links, lcs_rows, word_places

words = st.lists(st.sampled_from("abcd"), max_size=70)


def textbook_lcs(left: Sequence[str], right: Sequence[str]) -> int:
    row = [0] * (len(right) + 1)
    for word in left:
        diagonal = 0
        for j, other in enumerate(right, 1):
            diagonal, row[j] = row[j], diagonal + 1 if word == other else max(row[j], row[j - 1])
    return row[-1]


@given(words, words)
def test_bit_parallel_length_equals_the_textbook(left: list[str], right: list[str]) -> None:
    rows = lcs_rows(left, word_places(right), len(right))
    assert (len(right) - rows[-1].bit_count() if rows else 0) == textbook_lcs(left, right)


@given(words, words)
def test_links_are_a_longest_common_subsequence(left: list[str], right: list[str]) -> None:
    links = lcs_links(left, right)
    assert len(links) == textbook_lcs(left, right)
    assert all(left[i] == right[j] for i, j in links)
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(links))


def test_evidence_per_reference() -> None:
    item = CaptionItem("1", "A boy kicks the ball.", ("A boy", "A young boy in red kicks the ball"))
    found = explain(item, "rouge_l")
    assert isinstance(found, RougeLExplanation)
    first, second = found.references
    assert (first.links, first.precision, first.recall) == (((0, 0), (1, 1)), 2 / 5, 1.0)
    assert (second.links[-1], second.precision, second.recall) == ((4, 7), 1.0, 5 / 8)
    assert (found.precision, found.recall) == (1.0, 1.0)  # the best of each, from two references
    assert found.value == pytest.approx(1.0)
