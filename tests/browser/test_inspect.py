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
from playwright.sync_api import Browser, Download, Page, expect

from capeval_core import registry
from pages.shell.navigation import PAGES
from tests.browser.conftest import ROOT, serve
from tests.browser.visitor import ANSWER, IDLE, PATIENCE, Visitor

REFERENCES = ["a man riding a wave on a surfboard", "A surfer rides a big wave.", "someone surfing in the ocean"]
TYPED, EDITED = "a man surfs a wave", "a surfer rides a big wave"


class Shared:
    """One page for the tests of this file; a test that changes captions leaves it to be opened anew."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.changed = False


@pytest.fixture(scope="module")
def shared(browser: Browser, server: str) -> Iterator[Shared]:
    found = Shared(Visitor(browser, server))
    yield found
    found.visitor.page.close()


@pytest.fixture
def visitor(shared: Shared) -> Iterator[Visitor]:
    """On the first sample; for tests that leave its captions alone."""
    if shared.changed:
        shared.visitor.open()
        shared.changed = False
    yield shared.visitor
    shared.visitor.check()


@pytest.fixture
def editor(visitor: Visitor, shared: Shared) -> Visitor:
    """The same, for tests that change them."""
    shared.changed = True
    return visitor


def picture() -> bytes:
    target = io.BytesIO()
    Image.new("RGB", (640, 400), "#3b5bdb").save(target, "PNG")
    return target.getvalue()


def cli_scores(candidates: list[str], folder: Path) -> list[dict[str, float]]:
    source, target = folder / "in.jsonl", folder / "out.jsonl"
    rows = [{"image_id": n, "candidate": text, "references": REFERENCES} for n, text in enumerate(candidates)]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    keys = "bleu_1,rouge_l,meteor,cider"
    command = [sys.executable, "-m", "capeval_core", "score", str(source), "--metrics", keys, "--out", str(target)]
    subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
    return [json.loads(line) for line in target.read_text().splitlines()]


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


def test_own_image_and_captions_score_as_the_command_line_says(editor: Visitor, tmp_path: Path) -> None:
    page = editor.page
    (tmp_path / "x.png").write_bytes(picture())
    editor.give("Upload image", tmp_path / "x.png")
    expect(page.get_by_text("No candidates yet")).to_be_visible(timeout=30_000)
    expect(page.locator("li")).to_have_count(0, timeout=30_000)
    page.keyboard.press("Escape")
    for text in REFERENCES:
        count = page.locator("li").count()
        page.get_by_label("add a reference").fill(text)
        page.keyboard.press("Enter")
        expect(page.locator("li")).to_have_count(count + 1, timeout=30_000)
    page.get_by_label("add a candidate").fill(TYPED)
    page.keyboard.press("Enter")
    expect(page.locator("tr.scores")).to_have_count(1, timeout=30_000)
    editor.scored()
    typed, edited = cli_scores([TYPED, EDITED], tmp_path)
    for key in ("bleu_1", "rouge_l", "meteor", "cider"):
        expect(editor.cell(0, key)).to_have_text(f"{typed[key]:.3f}")
    editor.edit("candidate 1", EDITED)
    editor.scored()
    expect(editor.cell(0, "bleu_1")).to_have_text(f"{edited['bleu_1']:.3f}")


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


def test_a_word_people_mention_marks_the_candidates(editor: Visitor) -> None:
    editor.page.locator(".chip", has_text="canoe").click()
    expect(editor.page.locator(".has")).to_have_count(2, timeout=30_000)
    expect(editor.page.locator(".lacks")).to_have_count(2)
    expect(editor.page.locator("mark").first).to_have_text("canoe")


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


def test_two_visitors_keep_their_own_captions(editor: Visitor, browser: Browser, server: str) -> None:
    other = Visitor(browser, server)
    editor.edit("candidate 2", "mine alone")
    editor.scored()
    assert editor.captions()[1] == "mine alone"
    other.edit("candidate 1", "of the other one")
    other.scored()
    assert other.captions()[0] == "of the other one"
    assert "mine alone" not in other.captions()
    assert "of the other one" not in editor.captions()
    other.check()
    other.page.close()


def test_a_deep_link_opens_each_page(editor: Visitor) -> None:
    for _, title, _, address in PAGES:
        opens(editor.page, f"{editor.url}/{address}", title)


def test_a_deep_link_is_the_first_thing_a_server_is_asked_for(browser: Browser) -> None:
    with serve() as url:
        page = browser.new_page()
        opens(page, f"{url}/{PAGES[-1][3]}", PAGES[-1][1])
        page.close()


def opens(page: Page, url: str, title: str) -> None:
    page.goto(url)
    expect(page).to_have_title(f"{title} · CapEval", timeout=ANSWER)
    for row in PAGES:
        expect(page.get_by_role("link", name=row[1])).to_be_visible(timeout=ANSWER)
    page.wait_for_selector(IDLE, timeout=PATIENCE)
    assert page.get_by_test_id("stException").count() == 0


def test_an_edit_is_scored_again_quickly(editor: Visitor) -> None:
    editor.edit("candidate 1", "a man paddles")  # the models are warm after this
    editor.scored()
    before = editor.cell(0, "bleu_1").inner_text()
    started = time.monotonic()
    editor.edit("candidate 1", "a man paddles a small canoe on a lake")
    expect(editor.cell(0, "bleu_1")).not_to_have_text(before)
    editor.page.wait_for_selector(".root[data-pending=no]", timeout=PATIENCE)
    seconds = time.monotonic() - started
    print(f"re-scored in {seconds:.2f} s")
    assert seconds < 3  # under 1 s on a machine of its own; tests share theirs
