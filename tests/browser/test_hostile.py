"""Inspect in a real browser, and what bad files and odd captions do to it: a message, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from capeval_core.io.workspace import MANIFEST, write_zip
from pages.work.workspace import Workspace
from tests.browser import places
from tests.browser.visitor import Visitor
from tests.io.hostile import SVG, bomb, zipped

ODD = [
    "<img src=http://evil.example/x.png onerror=alert(1)> <b>dog</b>",
    "# a ![dog](http://evil.example/y.png) [runs](javascript:alert(1)) **fast**",
    "a dog costs $x^2$ and `code` :red[here]",
    "כלב רץ על הדשא",
]
IMAGES = {
    "20 MB": (bytes(20_000_000), "File must be 10.0MB or smaller"),  # not even sent
    "bomb": (bomb(), "at most 40 million pixels"),
    "SVG": (SVG, "expected a PNG, JPEG or WEBP"),
    "text": (b"a dog runs", "expected a PNG, JPEG or WEBP"),
}
ZIPS = {
    "broken": (write_zip(Workspace().stored())[:-40], "this workspace cannot be opened"),
    "climbs out": (zipped({"../../workspace.json": b"{}"}), "an entry named"),
    "no JSON": (zipped({MANIFEST: b"{"}), "text that is not JSON"),
}


@pytest.fixture(scope="module")
def sample(page: Visitor) -> Visitor:
    """The first sample, for tests that leave it as it is."""
    page.open()
    return page


@pytest.mark.parametrize("case", IMAGES)
def test_what_is_no_image_is_refused(sample: Visitor, case: str, tmp_path: Path) -> None:
    data, message = IMAGES[case]
    refused(sample, "Upload image", tmp_path / "x.png", data, message)
    assert sample.count(places.PICTURE) == 1


@pytest.mark.parametrize("case", ZIPS)
def test_what_is_no_workspace_is_refused(sample: Visitor, case: str, tmp_path: Path) -> None:
    data, message = ZIPS[case]
    refused(sample, "Open", tmp_path / "w.zip", data, message)


def refused(visitor: Visitor, button: str, file: Path, data: bytes, message: str) -> None:
    before = visitor.texts(places.CAPTIONS)
    file.write_bytes(data)
    visitor.click(places.popover(button))
    visitor.upload(file)
    assert visitor.sees(places.words(message))
    assert visitor.sees(places.CHOOSER_BOX) == message.startswith("File must")  # what hid the message is closed
    visitor.close()
    assert visitor.texts(places.CAPTIONS) == before
    visitor.check()


def test_captions_are_text_whatever_they_hold(inspect: Visitor) -> None:
    for place, text in enumerate(ODD):
        inspect.fill(places.candidate(place + 1), text)
    assert inspect.texts(places.CAPTIONS) == ODD
    inspect.fill(places.ADD_REFERENCE, "\n".join(ODD))
    assert inspect.texts(places.REFERENCES)[5:] == ODD
    for view in ("Compare two", "Profile", "Evidence"):
        inspect.click(places.radio(view))
        assert inspect.count("img[src*=evil], .katex, a[href*=javascript]") == 0, view
        inspect.check()
    assert inspect.style(places.nth(places.CAPTIONS, 3), "direction") == "rtl"
