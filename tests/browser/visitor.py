"""A visitor of Inspect: what people do there, and what they must never see."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"
PATIENCE = 120_000  # models load on the first visit, on a busy machine
ANSWER = 30_000


class Visitor:
    """A page, with what it asked of others; `check` that nothing went wrong on the way."""

    def __init__(self, browser: Browser, url: str, path: str = "") -> None:
        self.url = url
        self.outside: list[str] = []
        self.page: Page = browser.new_page(viewport={"width": 1440, "height": 1000})
        inside = (url, url.replace("http", "ws"), "data:", "blob:")
        self.page.on("request", lambda one: None if one.url.startswith(inside) else self.outside.append(one.url))
        self.open(path)

    def open(self, path: str = "") -> None:
        """A session of its own: on the first sample, unless the path says otherwise."""
        self.page.goto(self.url + path)
        self.scored()

    def scored(self) -> None:
        self.page.wait_for_selector(".root[data-pending=no]", timeout=PATIENCE)
        self.page.wait_for_selector(IDLE, timeout=PATIENCE)

    def cell(self, row: int, key: str) -> Locator:
        return self.page.locator("tr.scores").nth(row).locator(f"td[data-key={key}] .value")

    def captions(self) -> list[str]:
        return self.page.locator("tr.caption .text").all_inner_texts()

    def edit(self, name: str, text: str) -> None:
        field = self.page.get_by_role("textbox", name=name, exact=True)
        field.fill(text)
        field.press("Enter")

    def give(self, button: str, file: Path) -> None:
        """A file through the upload widget behind a button of the toolbar."""
        self.page.get_by_test_id("stPopover").filter(has_text=button).get_by_role("button").click()
        self.page.get_by_test_id("stFileUploader").locator("input[type=file]").first.set_input_files(file)

    def refused(self, message: str) -> None:
        expect(self.page.get_by_text(message)).to_be_visible(timeout=ANSWER)
        self.page.wait_for_selector(IDLE, timeout=ANSWER)
        self.page.keyboard.press("Escape")
        self.page.mouse.click(5, 500)  # the popover closes

    def check(self) -> None:
        assert self.page.get_by_test_id("stException").count() == 0
        assert self.outside == []
