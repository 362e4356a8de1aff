"""Lemmas by suffix."""

from __future__ import annotations

import pytest

from capeval_core.text.lemma_rules import lemma

CASES = {
    "NNS": "dogs dog, ladies lady, dishes dish, foxes fox, horses horse, tomatoes tomato, firemen fireman, skis ski",
    "VBG": "walking walk, hiking hike, running run, rolling roll, eating eat, leaving leave, tying tie, bring bring",
    "VBD": "walked walk, hiked hike, carried carry, stopped stop, decided decide, captured capture, tied tie",
    "VBN": "sitting sit, covered cover, divided divide",
    "VBZ": "rides ride, watches watch, flies fly, passes pass",
    "VB": "feed feed, sled sled, ride ride",
    "JJR": "older older",
    "NN": "standing standing, bus bus",
    "NNP": "Paris Paris",
}
PAIRS = [(*pair.split(), tag) for tag, pairs in CASES.items() for pair in pairs.split(", ")]


@pytest.mark.parametrize(("word", "expected", "tag"), PAIRS)
def test_lemma(word: str, expected: str, tag: str) -> None:
    assert lemma(word, tag) == expected
