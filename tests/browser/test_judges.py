"""Judges in a real browser: the first view, a ratings file, a bad file, five images rated by keyboard."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.browser import places
from tests.browser.visitor import Visitor

WORDS = ("a dog", "a dog runs", "a dog runs over grass")
IMAGES = 6


@pytest.fixture
def judges(visitor: Visitor) -> Visitor:
    """As a first visit finds it."""
    visitor.open("/judges")
    return visitor


def captions(**more: Any) -> list[dict[str, Any]]:
    """Three captions of each image, with scores: nothing has to be scored."""
    return [
        {
            "image_id": f"photo {place // 3}",
            "system": f"captioner {place % 3}",
            "candidate": f"{WORDS[place % 3]} {place}",
            "references": ["a dog runs over the grass"],
            "cider": place % 3 + place / 100,
            "rouge_l": place % 5 / 5,
            **{name: value[place] for name, value in more.items()},
        }
        for place in range(3 * IMAGES)
    ]


def write(folder: Path, name: str, rows: list[dict[str, Any]]) -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_the_first_view_and_one_click_to_the_others(judges: Visitor) -> None:
    assert judges.sees(places.words("Which metric agrees best with people?"))
    assert judges.count("tr:has-text('SPICE') .bar") >= 4  # a bar for each of the four data sets
    for view, question in (
        ("Real differences", "Which differences are real?"),
        ("Metrics alike", "Which metrics say the same?"),
        ("Score by rating", "Do captions that people rate higher get higher scores?"),
    ):
        judges.click(places.radio(view))
        assert judges.sees(places.words(question))
        assert judges.count(places.CHART) >= 1
    judges.click(places.radio("Pairs by group"))
    assert judges.sees(places.words("Which metric prefers the caption that people prefer?"))
    assert judges.count("tr:has-text('METEOR')") == 1


def test_a_ratings_file_its_export_and_a_row_that_opens_in_inspect(judges: Visitor, tmp_path: Path) -> None:
    judges.click(places.radio("Your ratings"))
    assert judges.sees(places.words("Nobody has rated these captions yet"))
    ratings = [[place % 3 + 1, place % 4 + 1] for place in range(3 * IMAGES)]
    judges.open_data(write(tmp_path, "rated.jsonl", captions(ratings=ratings)))
    assert "references, scores, ratings" in judges.text(places.DATA)
    assert judges.sees(places.words("CIDEr, with Kendall tau-c"))
    judges.click(places.popover("Export"))
    saved = judges.download(places.button("Table (CSV)")).read_text(encoding="utf-8")
    assert saved.splitlines()[1].startswith("cider,")
    judges.close()
    judges.click(places.radio("Raters"))
    assert judges.sees(places.words("How well do people agree with each other?"))
    judges.click(places.radio("Where they differ"))
    said = judges.text(places.nth(places.RATED, 0))
    judges.click(places.nth(places.RATED, 0))
    assert said in judges.text(places.CHOSEN)
    assert not judges.path.startswith("/judges")


def test_a_bad_file_is_named_and_changes_nothing(judges: Visitor, tmp_path: Path) -> None:
    judges.click(places.radio("Your ratings"))
    bad = captions(rating=[1] * 2 + ["good"] + [1] * (3 * IMAGES - 3))
    judges.open_data(write(tmp_path, "bad.jsonl", bad))
    assert judges.sees(places.words("bad.jsonl: line 3: field rating; expected a number"))
    assert judges.sees(places.words("What was open still is."))
    assert "the samples" in judges.text(places.DATA)


def test_five_images_rated_by_keyboard_revealed_saved_and_gone_on_with(judges: Visitor, tmp_path: Path) -> None:
    file = write(tmp_path, "captions.jsonl", captions())
    judges.click(places.radio("Rate here"))
    judges.open_data(file)
    assert judges.count(places.RATE_ROWS) == 3
    assert "captioner" not in judges.text(places.RATE)
    judges.press_on(places.RATE, "s")
    judges.press_on(places.RATE, "u")
    for place in range(15):  # as many keys as captions of five images: 1 2 3 4 5 1 2 ...
        judges.press_on(places.RATE, str(place % 5 + 1))
    assert judges.sees(places.words("15 of 18 captions done, 5 images so far"))
    judges.reload()
    assert judges.sees(places.words("15 of 18 captions done, 5 images so far"))
    judges.click(places.button("Reveal"))
    assert judges.sees(places.words("You judged 15 captions of 5 images."))
    assert judges.sees(places.words("Which metric agrees best with people?"))
    judges.click(places.radio("Where they differ"))
    assert judges.sees(places.words("Where do you and the metric differ most?"))
    judges.click(places.button("Rate on"))
    judges.click(places.popover("Save or go on later"))
    saved = judges.download(places.button("Save my ratings"))
    rows = [json.loads(line) for line in saved.read_text(encoding="utf-8").splitlines()]
    assert [row["rating"] for row in rows] == [place % 5 + 1 for place in range(15)]
    mine = tmp_path / "mine.jsonl"
    mine.write_bytes(saved.read_bytes())
    judges.open("/judges")  # another day
    judges.click(places.radio("Rate here"))
    judges.open_data(file)
    judges.click(places.popover("Save or go on later"))
    judges.upload(mine, place=places.LAST_CHOOSER)
    judges.click(places.button("Go on with it"))
    assert judges.sees(places.words("15 of 18 captions done, 5 images so far"))
    judges.press_on(places.RATE, "5")
    assert judges.sees(places.words("16 of 18 captions done, 6 images so far"))
