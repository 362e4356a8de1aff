"""Inspect in a real browser: what a visitor does in the first minutes."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Download, Locator, Page, expect

from capeval_core import registry
from tests.browser.conftest import ROOT

IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"
PATIENCE = 120_000  # models load on the first visit, on a busy machine
REFERENCES = ["a man riding a wave on a surfboard", "A surfer rides a big wave.", "someone surfing in the ocean"]


class Visitor:
    """A page, with what it asked of others; leaving checks that nothing went wrong on the way."""

    def __init__(self, browser: Browser, url: str, path: str = "", width: int = 1440) -> None:
        self.outside: list[str] = []
        self.page: Page = browser.new_page(viewport={"width": width, "height": 1000})
        inside = (url, url.replace("http", "ws"), "data:", "blob:")
        self.page.on("request", lambda one: None if one.url.startswith(inside) else self.outside.append(one.url))
        self.page.goto(url + path)
        self.scored()

    def scored(self) -> None:
        self.page.wait_for_selector(".root[data-pending=no]", timeout=PATIENCE)
        self.page.wait_for_selector(IDLE, timeout=PATIENCE)

    def cell(self, row: int, key: str) -> Locator:
        return self.page.locator("tr.scores").nth(row).locator(f"td[data-key={key}] .value")

    def edit(self, name: str, text: str) -> None:
        field = self.page.get_by_role("textbox", name=name, exact=True)
        field.fill(text)
        field.press("Enter")

    def leave(self) -> None:
        assert self.page.get_by_test_id("stException").count() == 0
        assert self.outside == []
        self.page.close()


@pytest.fixture
def visitor(browser: Browser, server: str) -> Iterator[Visitor]:
    found = Visitor(browser, server)
    yield found
    found.leave()


def picture() -> bytes:
    target = io.BytesIO()
    Image.new("RGB", (640, 400), "#3b5bdb").save(target, "PNG")
    return target.getvalue()


def cli_score(candidate: str, folder: Path) -> dict[str, float]:
    source, target = folder / "in.jsonl", folder / "out.jsonl"
    source.write_text(json.dumps({"image_id": 1, "candidate": candidate, "references": REFERENCES}) + "\n")
    keys = "bleu_1,rouge_l,meteor,cider"
    command = [sys.executable, "-m", "capeval_core", "score", str(source), "--metrics", keys, "--out", str(target)]
    subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
    found: dict[str, float] = json.loads(target.read_text())
    return found


def test_first_visit_shows_scores_and_every_evidence_view(visitor: Visitor) -> None:
    page = visitor.page
    assert page.locator("tr.scores").count() == 4
    expect(visitor.cell(0, "rouge_l")).to_have_text("0.822")
    expect(page.locator("tr.scores td.best").first).to_be_visible()
    for key in registry.keys():
        visitor.cell(0, key).click()
        expect(page.get_by_role("radio", name=registry.get(key).label, exact=True)).to_be_checked(timeout=30_000)
        page.wait_for_selector(IDLE, timeout=30_000)
        assert page.get_by_test_id("stException").count() == 0
        assert page.get_by_text("could not be drawn").count() == 0, key


def test_other_views_open(visitor: Visitor) -> None:
    for view in ("Blame map", "Compare two", "Profile"):
        visitor.page.get_by_role("radio", name=view).click()
        expect(visitor.page.locator(".js-plotly-plot").first).to_be_visible(timeout=60_000)
        visitor.page.wait_for_selector(IDLE, timeout=60_000)
        assert visitor.page.get_by_test_id("stException").count() == 0


def test_own_image_and_captions_score_as_the_command_line_says(visitor: Visitor, tmp_path: Path) -> None:
    page = visitor.page
    page.get_by_role("button", name="Upload image").click()
    page.locator("input[type=file]").first.set_input_files(
        {"name": "x.png", "mimeType": "image/png", "buffer": picture()}
    )
    expect(page.get_by_text("No candidates yet")).to_be_visible(timeout=30_000)
    expect(page.locator("li")).to_have_count(0, timeout=30_000)
    page.keyboard.press("Escape")
    for text in REFERENCES:
        count = page.locator("li").count()
        page.get_by_label("add a reference").fill(text)
        page.keyboard.press("Enter")
        expect(page.locator("li")).to_have_count(count + 1, timeout=30_000)
    page.get_by_label("add a candidate").fill("a man surfs a wave")
    page.keyboard.press("Enter")
    expect(page.locator("tr.scores")).to_have_count(1, timeout=30_000)
    visitor.scored()
    for key, value in cli_score("a man surfs a wave", tmp_path).items():
        if key in registry.keys():
            expect(visitor.cell(0, key)).to_have_text(f"{value:.3f}")
    visitor.edit("candidate 1", "a surfer rides a big wave")
    visitor.scored()
    expect(visitor.cell(0, "bleu_1")).to_have_text(f"{cli_score('a surfer rides a big wave', tmp_path)['bleu_1']:.3f}")


def test_a_click_in_the_flow_matrix_is_read_out(visitor: Visitor) -> None:
    page = visitor.page
    visitor.cell(0, "wmd").click()
    hint = page.get_by_text("Click a point or a cell to read it.").first
    expect(hint).to_be_visible(timeout=30_000)
    chart = page.locator(".js-plotly-plot", has=page.locator(".scatterlayer .point")).first
    chart.scroll_into_view_if_needed()
    before = page.get_by_test_id("stText").all_inner_texts()
    for marker in chart.locator(".scatterlayer .point").all()[:3]:
        box = marker.bounding_box()
        assert box
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(700)
        if page.get_by_test_id("stText").all_inner_texts() != before:
            return
    pytest.fail("three clicks on the flow matrix said nothing")


def test_a_word_people_mention_marks_the_candidates(visitor: Visitor) -> None:
    visitor.page.locator(".chip", has_text="canoe").click()
    expect(visitor.page.locator(".has")).to_have_count(2, timeout=30_000)
    expect(visitor.page.locator(".lacks")).to_have_count(2)
    expect(visitor.page.locator("mark").first).to_have_text("canoe")


def test_hostile_uploads_leave_the_workspace(visitor: Visitor) -> None:
    page = visitor.page
    page.get_by_role("button", name="Upload image").click()
    page.locator("input[type=file]").first.set_input_files(
        {"name": "x.png", "mimeType": "image/png", "buffer": b"<svg xmlns='http://www.w3.org/2000/svg'/>"}
    )
    expect(page.get_by_text("this image cannot be used")).to_be_visible(timeout=30_000)
    assert page.locator("tr.scores").count() == 4
    page.keyboard.press("Escape")
    visitor.edit(
        "candidate 1", "<img src=http://evil.example/x.png onerror=alert(1)> ![](http://evil.example/y.png) $x$"
    )
    visitor.scored()
    expect(page.locator("tr.caption .text").first).to_contain_text("<img src=")


def test_report_downloads_and_opens(visitor: Visitor, browser: Browser, tmp_path: Path) -> None:
    page = visitor.page
    page.get_by_role("button", name="Export").click()
    with page.expect_download(timeout=PATIENCE) as caught:
        page.get_by_role("button", name="Report (HTML").click()
    download: Download = caught.value
    target = tmp_path / "report.html"
    download.save_as(target)
    opened = browser.new_page()
    outside: list[str] = []
    opened.on(
        "request", lambda one: None if one.url.startswith(("file:", "data:", "blob:")) else outside.append(one.url)
    )
    opened.goto(target.as_uri())
    expect(opened.get_by_role("heading", name="Evidence")).to_be_visible()
    expect(opened.locator(".js-plotly-plot").first).to_be_visible(timeout=30_000)
    assert opened.locator("table.scores tr").count() == 6
    assert outside == []
    opened.close()


def test_two_visitors_keep_their_own_captions(visitor: Visitor, browser: Browser, server: str) -> None:
    other = Visitor(browser, server)
    visitor.edit("candidate 2", "mine alone")
    visitor.scored()
    expect(visitor.page.locator("tr.caption .text").nth(1)).to_have_text("mine alone")
    other.edit("candidate 1", "of the other one")
    other.scored()
    expect(other.page.locator("tr.caption .text").nth(1)).not_to_have_text("mine alone")
    expect(visitor.page.locator("tr.caption .text").nth(0)).not_to_have_text("of the other one")
    other.leave()


def test_a_cold_deep_link_opens_the_page(browser: Browser, server: str) -> None:
    Visitor(browser, server, "/inspect").leave()


def test_an_edit_is_scored_again_quickly(visitor: Visitor) -> None:
    visitor.edit("candidate 1", "a man paddles")  # the models are warm after this
    visitor.scored()
    before = visitor.cell(0, "bleu_1").inner_text()
    started = time.monotonic()
    visitor.edit("candidate 1", "a man paddles a small canoe on a lake")
    expect(visitor.cell(0, "bleu_1")).not_to_have_text(before)
    visitor.page.wait_for_selector(".root[data-pending=no]", timeout=PATIENCE)
    seconds = time.monotonic() - started
    print(f"re-scored in {seconds:.2f} s")
    assert seconds < 10  # under 1 s on a machine of its own; tests share theirs
