"""Inspect in a real browser, and what bad files and odd captions do to it: a message, and nothing else."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, expect

from capeval_core.io.workspace import MANIFEST, write_zip
from pages.work.workspace import Workspace
from tests.browser.visitor import Visitor
from tests.pages.test_parts import bomb

SVG = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'><image href='http://evil.example/x.png'/></svg>"
ODD = [
    "<img src=http://evil.example/x.png onerror=alert(1)> <b>dog</b>",
    "# a ![dog](http://evil.example/y.png) [runs](javascript:alert(1)) **fast**",
    "a dog costs $x^2$ and `code` :red[here]",
    "כלב רץ על הדשא",
]


def zipped(name: str, content: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        file.writestr(name, content)
    return target.getvalue()


@pytest.fixture(scope="module")
def visitor(browser: Browser, server: str) -> Iterator[Visitor]:
    found = Visitor(browser, server, "?sample=nothing")
    yield found
    found.page.close()


IMAGES = {
    "20 MB": (bytes(20_000_000), "at most 10 MB"),
    "bomb": (bomb(), "at most 40 million pixels"),
    "SVG": (SVG, "expected a PNG, JPEG or WEBP"),
    "text": (b"a dog runs", "expected a PNG, JPEG or WEBP"),
}
ZIPS = {
    "broken": (write_zip(Workspace().stored())[:-40], "this workspace cannot be opened"),
    "climbs out": (zipped("../../workspace.json", "{}"), "an entry named"),
    "no JSON": (zipped(MANIFEST, "{"), "text that is not JSON"),
}


@pytest.mark.parametrize("case", IMAGES)
def test_what_is_no_image_is_refused(visitor: Visitor, case: str, tmp_path: Path) -> None:
    before = visitor.captions()
    data, message = IMAGES[case]
    (tmp_path / "x.png").write_bytes(data)
    visitor.give("Upload image", tmp_path / "x.png")
    visitor.refused(message)
    assert visitor.captions() == before
    expect(visitor.page.get_by_test_id("stImage").locator("img")).to_have_count(1)
    visitor.check()


@pytest.mark.parametrize("case", ZIPS)
def test_what_is_no_workspace_is_refused(visitor: Visitor, case: str, tmp_path: Path) -> None:
    before = visitor.captions()
    data, message = ZIPS[case]
    (tmp_path / "w.zip").write_bytes(data)
    visitor.give("Open", tmp_path / "w.zip")
    visitor.refused(message)
    assert visitor.captions() == before
    visitor.check()


def test_captions_are_text_whatever_they_hold(visitor: Visitor) -> None:
    page = visitor.page
    asked: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismiss)
    for place, text in enumerate(ODD):
        visitor.edit(f"candidate {place + 1}", text)
        visitor.scored()
    assert visitor.captions() == ODD
    page.get_by_label("add a reference").fill("\n".join(ODD))
    page.keyboard.press("Enter")
    expect(page.locator("li")).to_have_count(5 + len(ODD), timeout=30_000)
    visitor.scored()
    assert page.locator("li .text").all_inner_texts()[5:] == ODD
    for view in ("Compare two", "Profile", "Evidence"):
        page.get_by_role("radio", name=view).click()
        visitor.scored()
        assert page.locator("img[src*=evil], .katex, a[href*=javascript]").count() == 0, view
        visitor.check()
    assert asked == []
    hebrew = page.locator("tr.caption .text").nth(3)
    assert hebrew.evaluate("node => getComputedStyle(node).direction") == "rtl"
