"""Systems in a real browser: the samples, a click through to Inspect, results files, a bad file."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from pages.work.dataset import from_samples
from tests.browser import places
from tests.browser.visitor import Visitor

IMAGES = 2_000
WHO = ("a man", "a woman", "two dogs", "a child", "an old sailor", "three horses", "a cyclist", "a cat")
DOES = ("runs along", "waits near", "looks at", "sleeps beside", "jumps over", "walks past")
WHAT = ("a river", "the red bus", "a market stall", "an empty bench", "the harbour wall", "a snowy field", "a table")


@pytest.fixture
def systems(visitor: Visitor) -> Visitor:
    """As a first visit finds it."""
    visitor.open("/systems")
    return visitor


def results(folder: Path, seed: int) -> list[Path]:
    """Two captioners' results with their annotation file, of words of our own."""
    chance = random.Random(seed)

    def caption() -> str:
        return f"{chance.choice(WHO)} {chance.choice(DOES)} {chance.choice(WHAT)}"

    content = {
        f"{name}.json": [{"image_id": image, "caption": caption()} for image in range(IMAGES)]
        for name in ("first", "second")
    }
    people = [{"image_id": image, "caption": caption()} for image in range(IMAGES) for _ in range(4)]
    for name, data in {**content, "captions.json": {"annotations": people}}.items():
        (folder / name).write_text(json.dumps(data), encoding="utf-8")
    return [folder / name for name in (*content, "captions.json")]


def test_a_point_of_the_samples_opens_in_inspect(systems: Visitor) -> None:
    assert systems.sees(places.words("not whether they are true"))
    systems.click(places.nth(places.POINT, 5), force=True)
    said = systems.text(places.first(places.CLICKED))
    item = next(one for one in from_samples().items if one.candidate == said)
    systems.click(places.button("Open in Inspect"))
    assert item.candidate in systems.text(places.CHOSEN)
    assert systems.text(places.textbox("reference 1")) == item.references[0]
    assert not systems.path.startswith("/systems")


def test_two_results_files_of_2000_captions(systems: Visitor, tmp_path: Path) -> None:
    systems.open_data(*results(tmp_path, seed=1))
    assert "4,000 captions, 2 captioners, 2,000 images" in systems.text(places.DATA)
    assert systems.sees(places.words("Points: 200 of 4,000 captions, those of a random sample of 100 of 2,000 images"))
    assert systems.sees("role=row[name*='Ellipse overlap']")
    assert systems.count(places.POINT) >= 200  # 100 images of each, and two centroids
    systems.click(places.radio("Distributions"))
    assert systems.count(places.CHART) >= 3


def test_a_bad_file_is_named_and_changes_nothing(systems: Visitor, tmp_path: Path) -> None:
    bad = tmp_path / "broken.json"
    bad.write_text('[{"image_id": 1, "caption": "a dog"},', encoding="utf-8")
    before = systems.text(places.DATA)
    systems.open_data(bad)
    assert systems.sees(places.words("broken.json: line 1: broken JSON"))
    assert systems.sees(places.words("not whether they are true"))
    assert systems.sees(places.words("What was open still is."))
    assert systems.text(places.DATA) == before
