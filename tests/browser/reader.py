"""A page from a file, as a report is read: no app behind it."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

HEIGHT = 1000
CUT = """() => [document.documentElement, ...document.querySelectorAll("*")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .filter((one) => one.matches("html") || getComputedStyle(one).overflowX === "auto")
  .map((one) => one.outerHTML.slice(0, 80))"""


class Reader:
    def __init__(self, browser: Browser, file: Path) -> None:
        self.outside: list[str] = []
        self._page = browser.new_page(viewport={"width": 1440, "height": HEIGHT})
        inside = ("file:", "data:", "blob:")
        self._page.on("request", lambda one: None if one.url.startswith(inside) else self.outside.append(one.url))
        self._page.goto(file.as_uri())

    def count(self, place: str) -> int:
        """As soon as there is one: its scripts draw the charts."""
        self._page.locator(place).first.wait_for(state="attached")
        return self._page.locator(place).count()

    def cut(self, width: int) -> list[str]:
        """What does not fit on a screen of this width: the page itself, and what scrolls inside it."""
        self._page.set_viewport_size({"width": width, "height": HEIGHT})
        return list(self._page.evaluate(CUT))

    def close(self) -> None:
        self._page.close()
