"""One server, one browser and one page for all browser tests of a worker; a test opens the page anew."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from pages.work import preload
from tests.browser.reader import Reader
from tests.browser.serving import Server, serve
from tests.browser.visitor import Visitor

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("server")) as found:
        yield found


@pytest.fixture(scope="session")
def page(browser: Browser, server: Server) -> Visitor:
    return Visitor(browser, server)


@pytest.fixture
def visitor(page: Visitor) -> Iterator[Visitor]:
    """On whatever page the test before left; to be opened where the test begins."""
    yield page
    page.check()


@pytest.fixture
def inspect(visitor: Visitor) -> Visitor:
    """On the first sample, in a session of its own."""
    visitor.open()
    return visitor


@pytest.fixture
def other(browser: Browser, server: Server) -> Iterator[Visitor]:
    """A second visitor at the same time."""
    found = Visitor(browser, server)
    yield found
    found.leave()


@pytest.fixture(scope="module")
def screen(browser: Browser, server: Server) -> Iterator[Callable[..., Visitor]]:
    """A visitor with a screen of another size or colour."""
    with ExitStack() as stack:

        def open_on(**size: Any) -> Visitor:
            found = Visitor(browser, server, **size)
            stack.callback(found.leave)
            return found

        yield open_on


@pytest.fixture
def cold(browser: Browser, tmp_path: Path) -> Iterator[Callable[[str], Visitor]]:
    """The first visitor of a server, at an address."""
    with serve(tmp_path) as server:
        yield lambda path: Visitor(browser, server, path)


@pytest.fixture
def without_models(browser: Browser, tmp_path: Path) -> Iterator[Callable[[str], Visitor]]:
    """The same where nobody asks for a score that needs a model: none is loaded while the server starts."""
    with serve(tmp_path, **{preload.VARIABLE: "no"}) as server:
        yield lambda path: Visitor(browser, server, path)


@pytest.fixture
def alone(browser: Browser, tmp_path: Path) -> Iterator[Callable[[str], Visitor]]:
    """A visitor of another script than the app."""
    with ExitStack() as stack:
        yield lambda script: Visitor(browser, stack.enter_context(serve(tmp_path, script)))


@pytest.fixture
def read(browser: Browser, tmp_path: Path) -> Iterator[Callable[[Path], Reader]]:
    opened: list[Reader] = []

    def open_file(file: Path) -> Reader:
        copy = tmp_path / "report.html"
        copy.write_bytes(file.read_bytes())
        opened.append(Reader(browser, copy))
        return opened[-1]

    yield open_file
    for one in opened:
        one.close()
