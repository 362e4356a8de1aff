"""The app in a real browser."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"


def open_page(browser: Browser, url: str, outside: list[str]) -> Page:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.on("request", lambda request: outside.append(request.url) if not _inside(request.url, url) else None)
    page.goto(url)
    page.wait_for_selector(IDLE, timeout=90_000)
    return page


def _inside(request: str, url: str) -> bool:
    return request.startswith((url, url.replace("http", "ws"), "data:", "blob:"))


def test_scores_a_typed_caption_and_stays_at_home(browser: Browser, server: str) -> None:
    outside: list[str] = []
    page = open_page(browser, server, outside)
    expect(page.get_by_role("heading", name="CapEval")).to_be_visible()
    expect(page.get_by_test_id("stDataFrame")).to_be_visible(timeout=60_000)
    page.get_by_label("Reference captions, one a line").fill("")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Add at least one reference caption")).to_be_visible(timeout=30_000)
    page.get_by_label("Reference captions, one a line").fill("a dog")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("stDataFrame")).to_be_visible(timeout=30_000)
    assert page.get_by_test_id("stException").count() == 0
    assert outside == []
    page.close()
