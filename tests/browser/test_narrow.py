"""Inspect on a phone, at 900 pixels, and by keyboard alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from capeval_core import registry
from pages.shell.navigation import PAGES
from pages.work.workspace import VIEWS
from tests.browser import places
from tests.browser.visitor import Visitor

PHONE = (390, 844)
TOOLS = ("Upload image", "Paste captions", "Open", "Metrics", "Options", "Share", "Export")


@pytest.fixture(scope="module")
def phone(screen: Callable[..., Visitor]) -> Visitor:
    return screen(width=PHONE[0], height=PHONE[1])


def test_a_score_stands_on_the_first_screen_of_a_phone(phone: Visitor) -> None:
    phone.open()
    box = phone.box(places.score(0, "bleu_1"))
    assert box["y"] + box["height"] < PHONE[1]
    assert box["x"] + box["width"] < PHONE[0]
    assert phone.box(places.PICTURE)["y"] < PHONE[1]


@pytest.mark.parametrize("name", TOOLS)
def test_buttons_show_their_words_on_a_phone(phone: Visitor, name: str) -> None:
    words = phone.box(f"{places.popover(name)} >> p")
    assert words["width"] > 6 * len(name) * 0.7  # in one line, not a letter below the other
    assert words["height"] < 30
    assert words["x"] + words["width"] < PHONE[0]


def test_no_page_is_wider_than_a_phone(phone: Visitor) -> None:
    for place, row in enumerate(PAGES):
        phone.open(f"/{row[3]}" if place else "")
        assert phone.overflow() <= 0, row[1]


def test_alignments_keep_their_width_and_scroll(phone: Visitor) -> None:
    phone.open()
    chart = phone.box(places.first(places.CHART))
    assert chart["width"] >= 600
    no_words_overlap(phone, places.CHART)
    assert phone.overflow() <= 0


def no_words_overlap(visitor: Visitor, chart: str) -> None:
    words = visitor.boxes(f"{chart} >> .textpoint text")
    assert len(words) > 10
    for one in words:
        same_line = [other for other in words if other != one and abs(other["y"] - one["y"]) < 5]
        assert not any(one["x"] < other["x"] < one["x"] + one["width"] - 1 for other in same_line)


def test_nothing_disappears_at_900(screen: Callable[..., Visitor]) -> None:
    visitor = screen(width=900)
    for name in TOOLS:
        assert visitor.sees(places.popover(name)), name
    for view in VIEWS:
        assert visitor.sees(places.radio(view)), view
    for name in ("Undo", "Redo"):
        assert visitor.sees(places.button(name)), name
    assert visitor.overflow() <= 0
    table = visitor.box("table:has(tr.scores)")
    assert table["x"] + table["width"] <= 900
    visitor.click(places.radio("Compare two"))
    for side in range(2):
        no_words_overlap(visitor, places.nth(places.CHART, side))


def test_the_keyboard_leads_to_the_scores_through_them_and_to_the_evidence(inspect: Visitor) -> None:
    inspect.press("Tab")
    assert inspect.focused() == "Skip to the candidates"
    inspect.press("Enter")
    assert inspect.focused().startswith("careful, BLEU-1 1.000")
    last = registry.get(registry.keys()[-1]).label
    for key, name in (("ArrowRight", "careful, BLEU-2"), ("ArrowDown", "generic, BLEU-2"), ("End", f"generic, {last}"),
                      ("Home", "generic, BLEU-1"), ("ArrowUp", "careful, BLEU-1"), ("ArrowLeft", "careful, BLEU-1"),
                      ("ArrowDown", "generic, BLEU-1")):  # fmt: skip
        inspect.press(key)
        assert inspect.focused().startswith(name), key
    inspect.press("Enter")
    assert "a man in a boat" in inspect.text(places.CHOSEN)
    assert inspect.checked(places.radio("BLEU-1"))
    assert "st-key-inspect-views" in inspect.focused()
    inspect.press("Escape")
    assert inspect.focused().startswith("generic, BLEU-1")
    inspect.press("Tab")
    assert "BLEU" not in inspect.focused()  # one stop for all scores


def test_escape_closes_a_popover(inspect: Visitor) -> None:
    inspect.click(places.popover("Share"))
    assert inspect.sees(places.words("an image of your own is not"))
    inspect.press("Escape")
    assert not inspect.sees(places.words("an image of your own is not"))
