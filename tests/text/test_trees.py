"""Trees from scores, against trying every tree."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from capeval_core.text import trees


def is_tree(heads: tuple[int, ...]) -> bool:
    for word in range(1, len(heads) + 1):
        way = [word]
        while way[-1] and len(way) <= len(heads):
            way.append(heads[way[-1] - 1])
        if way[-1]:
            return False
    arcs = [sorted(arc) for arc in enumerate(heads, 1)]
    crossing = any(a < c < b < d for a, b in arcs for c, d in arcs)
    return heads.count(0) == 1 and not crossing


@pytest.mark.parametrize("words", [1, 2, 3, 4, 5])
def test_against_all_trees(words: int) -> None:
    everything = list(product(range(words + 1), repeat=words))
    good = [heads for heads in everything if is_tree(heads)]
    found = trees.are_trees(np.array(everything))
    assert [heads for heads, ok in zip(everything, found, strict=True) if ok] == good
    for seed in range(20):
        scores = np.random.default_rng(seed).normal(size=(words, words + 1))
        best = max(good, key=lambda heads: sum(scores[word, head] for word, head in enumerate(heads)))
        assert tuple(trees.best_tree(scores)) == best


def test_choose_heads_repairs_only_what_is_no_tree() -> None:
    tree = [[9.0, 0, 0], [0, 9, 0]]
    cycle = [[1.0, 0, 9], [0.5, 9, 0]]  # each word is the other's head
    itself = [[0.0, 99, 1], [2, 0, 99]]
    assert trees.choose_heads(np.array([tree, cycle, itself])).tolist() == [[0, 1], [0, 1], [2, 0]]


def test_equal_scores_give_a_tree() -> None:
    assert trees.are_trees(trees.choose_heads(np.zeros((2, 30, 31)))).all()
