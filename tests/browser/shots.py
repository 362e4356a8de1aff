"""Screenshots of every page, light and dark, wide and narrow, into shots/: `make shots`. For people to look at."""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from pages.shell.navigation import PAGES
from pages.work.workspace import VIEWS
from tests.browser.conftest import FLAGS, ROOT, serve

IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"


def settle(page: Page) -> None:
    page.wait_for_selector(IDLE, timeout=120_000)
    # The server is done; the browser may still be fetching what draws charts and tables.
    page.wait_for_function("!document.querySelector('[data-testid=stSkeleton]')", timeout=120_000)
    if page.locator(".root[data-pending]").count():
        page.wait_for_selector(".root[data-pending=no]", timeout=120_000)
        page.wait_for_selector(IDLE, timeout=120_000)
    page.wait_for_timeout(800)


def shoot(page: Page, path: Path) -> None:
    """All of the page: Streamlit scrolls inside itself, so the window grows to its content."""
    height = page.evaluate("document.querySelector('[data-testid=stMainBlockContainer]').scrollHeight")
    size = page.viewport_size
    assert size
    page.set_viewport_size({"width": size["width"], "height": max(900, min(height + 40, 4_000))})
    page.wait_for_timeout(300)
    page.screenshot(path=path)
    page.set_viewport_size(size)


def main(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    with serve() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        for scheme in ("light", "dark"):
            for width in (1440, 900):
                page = browser.new_page(viewport={"width": width, "height": 1000}, color_scheme=scheme)
                for place, (_, title, _, address) in enumerate(PAGES):
                    page.goto(url if place == 0 else f"{url}/{address}")
                    settle(page)
                    shoot(page, folder / f"{title.lower()}-{scheme}-{width}.png")
                    for view in VIEWS[1:] if place == 0 else ():
                        page.get_by_role("radio", name=view).click()
                        page.wait_for_timeout(300)
                        settle(page)
                        shoot(page, folder / f"{title.lower()}-{view.split()[0].lower()}-{scheme}-{width}.png")
                page.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "shots")
