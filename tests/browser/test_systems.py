"""Systems in a real browser: the samples, a click through to Inspect, results files, a bad file."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from pages.systems.data import from_samples

IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"
PATIENCE = 120_000  # models load on the first visit, on a busy machine
IMAGES = 2_000
WHO = ("a man", "a woman", "two dogs", "a child", "an old sailor", "three horses", "a cyclist", "a cat")
DOES = ("runs along", "waits near", "looks at", "sleeps beside", "jumps over", "walks past")
WHAT = (
    "a river",
    "the red bus",
    "a market stall",
    "an empty bench",
    "the harbour wall",
    "a snowy field",
    "a kitchen table",
)


@pytest.fixture
def page(browser: Browser, server: str) -> Iterator[Page]:
    """Systems as a first visit finds it; leaving checks that nothing went wrong or left the machine."""
    outside: list[str] = []
    found = browser.new_page(viewport={"width": 1440, "height": 1000})
    inside = (server, server.replace("http", "ws"), "data:", "blob:")
    found.on("request", lambda one: None if one.url.startswith(inside) else outside.append(one.url))
    found.goto(f"{server}/systems")
    found.wait_for_selector(".js-plotly-plot", timeout=PATIENCE)
    yield found
    assert found.get_by_test_id("stException").count() == 0
    assert outside == []
    found.close()


def load(page: Page, files: list[Path]) -> None:
    page.get_by_role("button", name="Load captions").click()
    expect(page.locator("input[type=file]")).to_have_count(1)  # a page drawn anew may still show the old one too
    page.locator("input[type=file]").set_input_files(files)
    for file in files:
        expect(page.get_by_text(file.name)).to_be_visible(timeout=30_000)
    page.get_by_role("button", name="Load them").click()


def results(folder: Path, seed: int) -> list[Path]:
    """Two captioners' results with their annotation file, of words of our own."""
    chance = random.Random(seed)

    def caption() -> str:
        return f"{chance.choice(WHO)} {chance.choice(DOES)} {chance.choice(WHAT)}"

    paths = []
    for name in ("first", "second"):
        rows = [{"image_id": image, "caption": caption()} for image in range(IMAGES)]
        paths.append(folder / f"{name}.json")
        paths[-1].write_text(json.dumps(rows), encoding="utf-8")
    people = [{"image_id": image, "caption": caption()} for image in range(IMAGES) for _ in range(4)]
    paths.append(folder / "captions.json")
    paths[-1].write_text(json.dumps({"annotations": people}), encoding="utf-8")
    return paths


def test_a_point_of_the_samples_opens_in_inspect(page: Page) -> None:
    expect(page.get_by_text("is most like human")).to_be_visible(timeout=PATIENCE)
    page.locator(".js-plotly-plot .points path.point").nth(5).click(force=True)
    button = page.get_by_role("button", name="Open in Inspect")
    expect(button).to_be_visible(timeout=PATIENCE)
    said = page.locator("tr[style*='600'] td").nth(1).inner_text()
    item = next(one for one in from_samples().items if one.candidate == said)
    button.click()
    expect(page.locator("tr.chosen").get_by_text(item.candidate)).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("textbox", name="reference 1", exact=True)).to_have_text(item.references[0])
    assert not page.url.endswith("/systems")


def test_two_results_files_of_2000_captions(page: Page, tmp_path: Path) -> None:
    load(page, results(tmp_path, seed=1))
    expect(page.get_by_text("4,000 captions of 2,000 images by 2 captioners; all scores are in")).to_be_visible(
        timeout=PATIENCE
    )
    expect(page.get_by_text("of its ellipse lies inside")).to_be_visible()
    expect(page.get_by_role("row", name="Ellipse overlap")).to_be_visible()
    assert page.locator(".js-plotly-plot .points path.point").count() >= 200  # 100 images of each, and two centroids
    page.get_by_role("radio", name="Distributions").click()
    expect(page.locator(".js-plotly-plot")).to_have_count(3, timeout=20_000)


def test_a_bad_file_is_named_and_changes_nothing(page: Page, tmp_path: Path) -> None:
    bad = tmp_path / "broken.json"
    bad.write_text('[{"image_id": 1, "caption": "a dog"},', encoding="utf-8")
    load(page, [bad])
    expect(page.get_by_text("broken.json: line 1: broken JSON")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("is most like human")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("What was here is still here.")).to_be_visible()
