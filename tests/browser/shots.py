"""Screenshots of every page, light and dark, wide, narrow and on a phone: `make shots`. To be looked at."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from pages.judges.state import TABS
from pages.shell.navigation import PAGES
from pages.work.workspace import VIEWS
from tests.browser import places
from tests.browser.conftest import FLAGS
from tests.browser.serving import ROOT, Server, serve
from tests.browser.visitor import Visitor

# Views of a page besides the one it opens on.
MORE = {"inspect": VIEWS[1:], "judges": ("Real differences", "Score by rating", "Pairs by group", *TABS[1:])}


def shoot(browser: Browser, server: Server, folder: Path, dark: bool, width: int) -> None:
    visitor = Visitor(browser, server, width=width, dark=dark)
    look = f"{'dark' if dark else 'light'}-{width}"
    for place, (_, title, _, address) in enumerate(PAGES):
        visitor.open(f"/{address}" if place else "")
        visitor.picture(folder / f"{title.lower()}-{look}.png")
        for view in MORE.get(address, ()):
            visitor.click(places.radio(view))
            visitor.picture(folder / f"{title.lower()}-{view.split()[0].lower()}-{look}.png")
    visitor.leave()


def main(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as logs, serve(Path(logs)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        for dark in (False, True):
            for width in (1440, 900, 390):
                shoot(browser, server, folder, dark, width)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "shots")
