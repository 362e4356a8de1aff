"""Explore in a real browser: a bar filters, a card opens in Inspect and back, two captioners, images, link, export."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from tests.browser import places
from tests.browser.visitor import Visitor

IMAGES = 30
PEOPLE = ("a dog runs over the grass", "a brown dog runs in a park", "a dog on green grass")
SAID = {"old": "a red bus near a wall", "new": "a dog runs over the grass"}


@pytest.fixture
def explore(visitor: Visitor) -> Visitor:
    """As a first visit finds it."""
    visitor.open("/explore")
    return visitor


def captions(folder: Path) -> Path:
    """Two captioners with scores: nothing has to be scored."""
    rows = [
        {"image_id": f"photo {number}", "system": system, "candidate": f"{text} {number}", "references": PEOPLE}
        | {"cider": number / 10 + (system == "new"), "spice": (number * 7 % IMAGES) / IMAGES}
        | {"place": "park" if number < 20 else "city"}  # 20 captions: large enough for a slice
        for number in range(IMAGES)
        for system, text in SAID.items()
    ]
    path = folder / "captions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def pictures(folder: Path, bad: str = "") -> Path:
    """A zip with an image for each; `bad` is an entry that is no image, whatever it is called."""
    path = folder / "photos.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(IMAGES):
            target = io.BytesIO()
            Image.new("RGB", (60, 40), (8 * number, 90, 40)).save(target, "JPEG")
            archive.writestr(f"photo {number}.jpg", target.getvalue())
        if bad:
            archive.writestr(bad, "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")
    return path


def test_a_bar_filters_and_a_card_opens_in_inspect_and_back(explore: Visitor) -> None:
    assert explore.sees(places.words("The references are not the image"))
    explore.choose("Captioner", "hallucinating")
    everything = explore.text(places.PAGER)
    explore.click(places.bar("invented_object"))
    assert explore.text(places.PAGER) != everything
    assert all("Nobody mentions it" in text for text in explore.texts(".card .chips"))
    explore.choose("Sort by", "worst CIDEr first")
    listed = explore.texts(places.CARDS)
    explore.click(places.nth(places.CARDS, 2))
    assert listed[2] in explore.text(places.CHOSEN)
    assert explore.count(places.PICTURE) == 1
    explore.click(places.radio("Errors"))
    assert explore.sees(places.words("nobody mentions it"))
    explore.click(places.link("Back to Explore"))
    assert explore.texts(places.CARDS) == listed
    assert listed[2] in explore.text(places.NOW)
    explore.reload()
    assert explore.texts(places.CARDS) == listed
    explore.click(places.bar("invented_object"))
    assert explore.text(places.PAGER) == everything


def test_arrow_keys_walk_and_turn_pages(explore: Visitor, tmp_path: Path) -> None:
    explore.open_data(captions(tmp_path))
    explore.choose("Captioner", "old")
    listed = explore.texts(places.CARDS)
    assert explore.text(places.PAGER) == "1 to 20 of 30 captions"
    explore.press_on(places.NOW, "ArrowDown")
    assert listed[1] in explore.text(places.NOW)
    for _ in range(19):
        explore.press("ArrowDown")
    assert explore.text(places.PAGER) == "21 to 30 of 30 captions"
    explore.press("ArrowUp")
    assert explore.text(places.PAGER) == "1 to 20 of 30 captions"
    assert listed[-1] in explore.text(places.NOW)
    explore.press("Enter")
    assert listed[-1] in explore.text(places.CHOSEN)
    explore.back()
    assert listed[-1] in explore.text(places.NOW)


def test_two_captioners_with_images_and_every_tab(explore: Visitor, tmp_path: Path) -> None:
    explore.open_data(captions(tmp_path), pictures(tmp_path))
    assert "images" in explore.text(places.DATA)
    explore.choose("Captioner", "old")
    assert explore.count(places.THUMBS) == 20
    explore.click(places.radio("Compare two captioners"))
    assert explore.sees(places.words("Nobody mentions it"))
    assert explore.sees(places.words("Fixed (30)"))
    first = explore.texts(places.nth(places.CARD_LIST, 0))[0]
    assert SAID["old"] in first
    assert SAID["new"] in first
    explore.click(places.radio("Broken (0)"))
    assert explore.sees(places.words("In no image"))
    explore.click(places.radio("Where metrics disagree"))
    assert "puts it above" in explore.texts(".card .why")[0]
    explore.click(places.radio("Wording"))
    assert explore.sees(places.words("captions are distinct"))
    explore.click(places.radio("Slices"))
    explore.click(places.nth(places.RATED, 0))
    assert explore.text(places.PAGER) == "1 to 20 of 20 captions"
    explore.click(places.button("Show all"))
    assert explore.text(places.PAGER) == "1 to 20 of 30 captions"


def test_a_link_leads_another_visitor_to_the_same_captions(explore: Visitor, other: Visitor, tmp_path: Path) -> None:
    explore.choose("Captioner", "hallucinating")
    explore.click(places.bar("wrong_colour"))
    explore.fill(places.textbox("Words"), "a")
    listed = explore.texts(places.CARDS)
    explore.click(places.popover("Link"))
    link = explore.text("[data-testid=stCode] code")
    explore.close()
    other.open(link.removeprefix(other.server.url))
    assert other.texts(places.CARDS) == listed
    assert other.value(places.textbox("Words")) == "a"
    other.open("/explore?data=captions.jsonl&captioner=old&error=invented_object")
    assert other.sees(places.words("about another data set"))
    other.open_data(captions(tmp_path))
    assert other.text(places.PAGER) == "1 to 20 of 30 captions"
    assert SAID["old"] in other.texts(places.CARDS)[0]


def test_the_list_is_taken_away_as_csv_and_as_a_report(explore: Visitor) -> None:
    explore.choose("Captioner", "hallucinating")
    explore.click(places.bar("wrong_colour"))
    listed = explore.texts(places.CARDS)
    explore.click(places.popover("Export"))
    saved = explore.download(places.button("Filtered captions (CSV)")).read_text(encoding="utf-8")
    assert [row["candidate"] for row in csv.DictReader(io.StringIO(saved))] == listed
    report = explore.download(places.button("Report (HTML)")).read_text(encoding="utf-8")
    assert "The references are not the image" in report
    assert 'src="http' not in report


@pytest.mark.parametrize("bad", ["../photo 1.jpg", "photo 99.svg"])
def test_a_hostile_zip_changes_nothing(explore: Visitor, tmp_path: Path, bad: str) -> None:
    explore.choose("Captioner", "hallucinating")
    listed = explore.texts(places.CARDS)
    explore.open_data(captions(tmp_path), pictures(tmp_path, bad))
    assert explore.sees(places.words("What was open still is."))
    assert explore.texts(places.CARDS) == listed
