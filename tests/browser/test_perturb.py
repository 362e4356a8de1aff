"""Perturb in a real browser. The link carries three metrics that need no model: what is tested here is the page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from capeval_core.io.workspace import StoredWorkspace
from pages.work import share
from pages.work.samples import samples

IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"
PATIENCE = 90_000  # the parser loads on the first visit, on a busy machine
METRICS = ("bleu_4", "rouge_l", "cider")


def link() -> str:
    canoe = samples()[0]
    packed = share.encode(
        StoredWorkspace(
            references=canoe.references, candidates=tuple(canoe.candidates.items()), metrics=METRICS, sample=canoe.id
        )
    )
    return f"/perturb?{share.PARAMETER}={packed}"


class Visitor:
    def __init__(self, browser: Browser, url: str) -> None:
        self.outside: list[str] = []
        self.page: Page = browser.new_page(viewport={"width": 1440, "height": 1200})
        inside = (url, url.replace("http", "ws"), "data:", "blob:")
        self.page.on("request", lambda one: None if one.url.startswith(inside) else self.outside.append(one.url))
        self.page.goto(url + link())
        self.scored()

    def scored(self) -> None:
        self.page.wait_for_selector(".root[data-pending=no]", timeout=PATIENCE)
        self.page.wait_for_selector(IDLE, timeout=PATIENCE)

    def row(self, name: str) -> Locator:
        return self.page.locator(f'tr[data-row="{name}"]')

    def cell(self, row: str, key: str) -> Locator:
        return self.row(row).locator(f"td[data-key={key}]")

    def leave(self) -> None:
        assert self.page.get_by_test_id("stException").count() == 0
        assert self.outside == []
        self.page.close()


@pytest.fixture
def visitor(browser: Browser, server: str) -> Iterator[Visitor]:
    found = Visitor(browser, server)
    yield found
    found.leave()


def test_the_grid_opens_changes_and_shows_both_evidences(visitor: Visitor) -> None:
    page = visitor.page
    expect(visitor.cell("candidate", "rouge_l").locator(".value")).to_have_text("0.822")
    expect(visitor.cell("original", "rouge_l").locator(".value")).to_have_text("1.000")
    expect(visitor.cell("reversed", "rouge_l").locator(".change")).to_contain_text("-0.")
    expect(visitor.row("synonyms").locator("mark").first).to_be_visible()
    expect(page.get_by_text("cannot be made:").first).to_be_visible()

    before = visitor.row("synonyms").locator(".text").inner_text()
    page.get_by_role("radio", name="1 little").click()
    expect(visitor.row("synonyms").locator(".text")).not_to_have_text(before, timeout=PATIENCE)
    visitor.scored()

    page.get_by_role("textbox", name="add a row").fill("a man in a <b>canoe</b> on a lake")
    page.get_by_role("textbox", name="add a row").press("Enter")
    expect(visitor.cell("own 1", "rouge_l").locator(".value")).to_contain_text("0.", timeout=PATIENCE)
    expect(visitor.row("own 1").locator(".text")).to_have_text("a man in a <b>canoe</b> on a lake")

    visitor.cell("own 1", "cider").click()
    expect(page.get_by_text("CIDEr is")).to_have_count(2, timeout=PATIENCE)
    expect(page.get_by_text("candidate beside your own")).to_be_visible()

    edited = visitor.row("candidate").get_by_role("textbox")
    edited.fill("a man on a lake")
    edited.press("Enter")
    expect(visitor.cell("candidate", "rouge_l").locator(".value")).not_to_have_text("0.822", timeout=PATIENCE)
    visitor.scored()
    expect(page.get_by_role("combobox", name="Caption to disturb")).to_have_value(re.compile("as typed in the grid"))


def test_the_papers_example_then_inspect(visitor: Visitor) -> None:
    page = visitor.page
    page.get_by_role("button", name="The paper's example").click()
    expect(visitor.cell("given synonyms", "bleu_4")).to_contain_text("paper 0.20", timeout=PATIENCE)
    expect(page.get_by_text("The paper smooths BLEU")).to_be_visible(timeout=PATIENCE)
    visitor.scored()
    page.get_by_role("radio", name="Bars").click()
    expect(page.locator(".js-plotly-plot .bars").first).to_be_attached(timeout=PATIENCE)
    visitor.cell("given word order", "rouge_l").click()
    page.wait_for_selector(IDLE)
    page.get_by_role("button", name="Open in Inspect").click()
    expect(page.locator("tr.caption.chosen")).to_contain_text("in a small boat on a lake a man", timeout=PATIENCE)
    expect(page.locator("tr.caption")).to_have_count(4)


def upload(page: Page, file: Path) -> None:
    chooser = page.locator("input[type=file]")
    expect(chooser).to_have_count(1, timeout=PATIENCE)  # while the page is drawn anew the old one may still be there
    chooser.set_input_files(file)


def test_a_data_set_and_a_bad_file(visitor: Visitor, tmp_path: Path) -> None:
    page = visitor.page
    page.get_by_role("radio", name="A whole data set").click()
    bad, good = tmp_path / "bad.jsonl", tmp_path / "good.jsonl"
    bad.write_text('{"image_id": 1, "candidate": "a dog"}\n')
    rows = [
        {"image_id": n, "candidate": f"a man rides {n} horses on a beach", "references": ["a man"]} for n in range(6)
    ]
    good.write_text("".join(json.dumps(row) + "\n" for row in rows * 60))
    upload(page, bad)
    expect(page.get_by_text("bad.jsonl: line 1: field references is missing")).to_be_visible(timeout=PATIENCE)
    upload(page, good)
    expect(page.get_by_text("360 captions of 6 images")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("field references is missing")).to_have_count(0)
    count = page.get_by_role("spinbutton", name="Captions to change")
    count.fill("12")
    count.press("Enter")
    page.wait_for_selector(IDLE)
    page.get_by_role("button", name="Measure").click()
    expect(page.get_by_text("moves the scores most")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".js-plotly-plot .bars").first).to_be_attached(timeout=PATIENCE)
    page.wait_for_selector(IDLE)
    page.get_by_role("radio", name="Distractors").click()
    expect(page.get_by_role("columnheader", name="worst")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Profile (CSV)").click()
    assert waiting.value.path().read_text().startswith("kind,metric,pairs,candidate")
