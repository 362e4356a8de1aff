"""No serious fault of accessibility on any page, in light and dark, says axe-core (an npm package: `make axe`)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pages.shell.navigation import PAGES
from pages.work.workspace import VIEWS
from tests.browser import places
from tests.browser.serving import ROOT
from tests.browser.visitor import Visitor

AXE = ROOT / ".venv" / "axe.min.js"
pytestmark = pytest.mark.skipif(not AXE.exists(), reason="axe-core is not here: `make axe` gets it where npm can")
ADDRESSES = [f"/{row[3]}" if place else "" for place, row in enumerate(PAGES)]


@pytest.fixture(scope="module", params=["light", "dark"])
def reader(request: pytest.FixtureRequest, screen: Callable[..., Visitor]) -> Visitor:
    return screen(dark=request.param == "dark")


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_page(reader: Visitor, address: str) -> None:
    reader.open(address)
    assert reader.faults_of_access(AXE) == []


@pytest.mark.parametrize("view", VIEWS[1:])
def test_every_view_of_inspect(reader: Visitor, view: str) -> None:
    if reader.path != "/":
        reader.open()
    reader.click(places.radio(view))
    assert reader.faults_of_access(AXE) == []
