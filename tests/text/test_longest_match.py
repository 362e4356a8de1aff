"""The longest-match scanner against trying every prefix with `re`."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capeval_core.text.longest_match import NO_RULE, Scanner

ALPHABET = frozenset("abABnN-.\t")
PATTERNS = [
    r"a|ab",
    r"(?i:ab)+",
    r"[^a\x62]{2,3}",
    r"(a|b)*n?-{2}",
    r"[A-B.-]+|\.(a\.){1,2}",
    r"a[\t-]?b(?i:[n.])",
    r"b(a(b|n)*)?",
]


def by_trying(text: str, start: int) -> tuple[int, int]:
    found = [(end, -rule) for rule, p in enumerate(PATTERNS) for end in range(start + 1, len(text) + 1)
             if re.fullmatch(p, text[start:end])]  # fmt: skip
    end, rule = max(found, default=(start, -NO_RULE))
    return -rule, end


@given(st.text(sorted(ALPHABET), max_size=12))
def test_longest_wins_then_the_first_listed(text: str) -> None:
    scanner, hopeless = Scanner(PATTERNS, ALPHABET), set[tuple[int, int]]()
    for start in range(len(text)):
        assert scanner.longest(text, start, hopeless) == by_trying(text, start)


def test_reading_in_vain_is_remembered() -> None:
    scanner, hopeless = Scanner(["a", "a[ab]*n"], ALPHABET), set[tuple[int, int]]()
    text = "a" * 500
    assert [scanner.longest(text, start, hopeless) for start in range(500)] == [(0, start + 1) for start in range(500)]
    assert 400 < len(hopeless) < 600  # one entry for each place, not one for each place and start
    assert scanner.longest(text + "n", 0, set()) == (1, 501)


@pytest.mark.parametrize("pattern", ["(a", "a)", "x", "[ax]"])
def test_a_bad_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="Expected"):
        Scanner([pattern], ALPHABET)
