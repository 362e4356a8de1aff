"""Which words two captions share."""

from __future__ import annotations

import time

import pytest

from capeval_core.figures.compare import only, word_diff
from capeval_core.figures.differences import changed, cut, shared


@pytest.mark.parametrize(
    ("before", "after", "marked"),
    [
        ("a man in a boat", "a guy in a boat", ["guy"]),
        ("A man.", "a man", []),
        ("a man", "a tall man in red", ["tall", "in red"]),
        ("a man", "", []),
        ("", "two dogs", ["two dogs"]),
        ("a b c d", "c d a b", ["c d"]),
        ("a  man", "a\tman", []),
    ],
)
def test_changed_words_are_marked(before: str, after: str, marked: list[str]) -> None:
    pieces = cut(after, changed(before, after))
    assert [text for text, mark in pieces if mark] == marked
    assert "".join(text for text, _ in pieces) == after


def test_both_sides_say_what_they_share() -> None:
    assert shared("A dog runs.", "a big dog runs") == ((True, True, True), (True, False, True, True))


def test_words_are_marked_by_what_the_references_say() -> None:
    references = ["a dog is running", "the big Dog!"]
    left, right = word_diff("A dog runs.", "a big cat", references, ({"runs": "stem of “running”"}, {}))
    assert [(word.text, word.kind) for word in left.words] == [("A", "matched"), ("dog", "matched"), ("runs.", "near")]
    assert [word.kind for word in right.words] == ["matched", "matched", "extra"]
    assert left.words[1].hint == "in 2 of 2 references; the other does not say it"
    assert left.words[2].hint == "stem of “running”; the other does not say it"
    assert left.words[0].weight < left.words[1].weight  # both say "a"
    assert only("A dog is.", "a big cat", references, {"is"}) == (["dog"], ["big"])


def test_neighbours_are_one_change_in_any_order() -> None:
    assert cut("on a lake now", [(3, 4), (0, 2), (5, 9)]) == (("on a lake", True), (" now", False))


def test_very_long_captions_cost_nothing() -> None:
    long = " ".join(f"w{n % 7}" for n in range(5_000))
    started = time.thread_time()
    assert shared(long, long[3:])[1] == (False,) * 4_999
    assert all(shared(long, long.upper())[0])
    assert changed(long, long) == ()
    assert time.thread_time() - started < 1
