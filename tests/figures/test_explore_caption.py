"""One caption as Explore tells it: marked words, chips, the sentence, the references with what was missed."""

from __future__ import annotations

from dataclasses import replace

from capeval_core import CaptionItem
from capeval_core.explore.findings import CaptionFindings, Error
from capeval_core.figures import explore_caption as told
from capeval_core.figures.evidence import Caption, Table
from tests.pages.explore.made import finding

ITEM = CaptionItem("1", "a dog near a wall", ("a brown dog", "two dogs on the grass"), "m")


def test_words_of_errors_are_marked_with_their_evidence() -> None:
    found = finding(ITEM, ("invented_object", "wall", 0.9))
    assert told.error_pieces(found) == (
        ("a dog near a ", "neutral", ""),
        ("wall", "extra", "Nobody mentions it: nobody says wall"),
    )


def test_pieces_give_the_text_again_whatever_the_spans() -> None:
    text = "ein Löwe 🦁 im\u202e Zoo"
    spans = ((4, 8), (6, 11), (-3, 2), (10, 900), (5, 5))
    errors = tuple(Error("invented_object", "x", 0.5, "why", (span,)) for span in spans)
    found = CaptionFindings("1", "m", text, text, errors=errors)
    assert "".join(piece for piece, _, _ in told.error_pieces(found)) == text.replace("\u202e", "")
    assert told.error_pieces(CaptionFindings("1", "m", "", "")) == ()


def test_what_was_missed_is_marked_in_the_reference() -> None:
    found = finding(ITEM, ("missed_object", "dog", 0.5))
    marked = [
        [text for text, kind, _ in told.reference_pieces(one, found) if kind == "missed"] for one in ITEM.references
    ]
    assert marked == [["dog"], ["dogs"]]


def test_the_sentence_counts_and_names_the_strongest() -> None:
    assert told.sentence(finding(ITEM)) == "No error was found in this caption. Its nouns have a mean support of 0.50."
    one = finding(ITEM, ("invented_object", "wall", 0.9))
    assert told.sentence(one) == "1 error found: nobody mentions it."
    two = finding(ITEM, ("invented_object", "wall", 0.9), ("repetition", "a", 0.2))
    assert told.sentence(two) == (
        "2 errors found: nobody mentions it and repetition. The strongest: “wall” (nobody mentions it)."
    )


def test_the_drawing_has_the_caption_its_errors_and_the_references_most_telling_first() -> None:
    found = finding(ITEM, ("missed_object", "grass", 0.9))
    parts = told.draw(replace(found, telling=1), ITEM.references).parts
    assert isinstance(parts[1], Table)
    assert list(parts[1].columns["words"]) == ["grass"]
    labels = [part.label for part in parts if isinstance(part, Caption)]
    assert labels == ["candidate", "reference 2", "reference 1"]
