"""Which words a resource does not know, and what is said of it."""

from __future__ import annotations

import pytest

from capeval_core.text import unknown
from capeval_core.text.unknown import Unknown, foreign, of_tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [("dog", False), ("läuft", False), ("Собака", True), ("狗", True), ("犬が", True), ("", False), ("42 €", False)],
)
def test_letters_that_are_not_latin(text: str, expected: bool) -> None:
    assert foreign(text) is expected


def spans(*pieces: str) -> tuple[str, list[tuple[int, int]]]:
    """A text and its tokens; a piece that starts with ## belongs to the word before it."""
    text, found = "", list[tuple[int, int]]()
    for piece in pieces:
        text += "" if piece.startswith("##") or not text else " "
        start = len(text)
        text += piece.removeprefix("##")
        found.append((start, len(text)))
    return text, found


def test_tokens_in_no_vocabulary_or_of_another_script_are_unknown() -> None:
    text, places = spans("a", "狗", "runs", "zzz")
    found = of_tokens(text, places, [False, False, False, True], "minilm")
    assert (found.count, found.total, found.noun, found.many) == (2, 4, "tokens", True)


def test_a_text_with_half_its_words_in_pieces_is_unknown() -> None:
    text, places = spans("ein", "hu", "##nd", "lau", "##ft", "am")
    found = of_tokens(text, places, [False] * 6, "minilm")
    assert (found.count, found.total, found.noun, found.many) == (2, 4, "words", True)
    text, places = spans("a", "skate", "##board", "##er", "on", "a", "rail", ".")
    assert not of_tokens(text, places, [False] * 8, "minilm").many


@pytest.mark.parametrize("pieces", [(), ("skate", "##board"), (".",)])
def test_next_to_nothing_is_not_unknown(pieces: tuple[str, ...]) -> None:
    text, places = spans(*pieces)
    assert not of_tokens(text, places, [False] * len(pieces), "minilm").many


def test_the_note_names_the_sides_that_are_unknown() -> None:
    table = {"known": Unknown(0, 5, "glove"), "half": Unknown(3, 6, "glove"), "none": Unknown(4, 4, "glove")}
    assert unknown.note("known", ["known"], table.__getitem__) == ""
    assert unknown.note("half", ["known", "known"], table.__getitem__) == (
        "3 of 6 words of the candidate are unknown to glove: this score says little"
    )
    assert unknown.note("known", ["half", "none"], table.__getitem__) == (
        "7 of 10 words of the references are unknown to glove: this score says little"
    )
    assert unknown.note("none", [], table.__getitem__).startswith("4 of 4 words of the candidate are")


def test_few_unknown_words_are_not_worth_a_note() -> None:
    assert not Unknown(3, 10, "glove").many
    assert Unknown(4, 10, "glove").many
    assert not Unknown(0, 0, "glove").many
