"""The integer n-gram table against plain counting."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from capeval_core.text.ngrams import ORDER, NgramTable

sentences = st.lists(st.lists(st.sampled_from(["a", "b", "c", "dd"]), max_size=9).map(" ".join), min_size=1, max_size=6)


def count(sentence: str) -> Counter[tuple[str, ...]]:
    words = sentence.split()
    return Counter(tuple(words[i : i + n]) for n in range(1, ORDER + 1) for i in range(len(words) - n + 1))


@given(sentences)
def test_rows_hold_every_ngram_with_its_count(texts: list[str]) -> None:
    table = NgramTable(texts)
    for text, place in table.position.items():
        rows, _ = table.rows(np.array([place]))
        assert {table.index.text(int(table.grams(np.array([row]))[0])): table.counts[row] for row in rows} == count(
            text
        )
        assert (table.sentences(rows) == place).all()


@given(sentences, sentences)
def test_translate_finds_the_same_ngrams_in_another_index(left: list[str], right: list[str]) -> None:
    ours, theirs = NgramTable(left).index, NgramTable(right).index
    found = ours.translate(theirs)
    known = {ours.text(gram): gram for gram in range(ours.size)}
    assert [known.get(theirs.text(gram), -1) for gram in range(theirs.size)] == found.tolist()


@given(sentences)
def test_find_returns_rows_or_minus_one(texts: list[str]) -> None:
    table = NgramTable(texts)
    for text, place in table.position.items():
        found = table.find(np.full(table.index.size, place), np.arange(table.index.size))
        expected = [count(text)[table.index.text(gram)] for gram in range(table.index.size)]
        assert np.where(found < 0, 0, table.counts[found]).tolist() == expected if table.index.size else True
