"""A short walk in the browser; `make walk` goes further."""

from __future__ import annotations

from pathlib import Path

from tests.browser.visitor import Visitor
from tests.browser.walk import Walk
from tests.pages.test_walk import link

LENGTH = 40


def test_a_walk_meets_no_error(visitor: Visitor, tmp_path: Path) -> None:
    ((name, value),) = link().items()
    visitor.open(f"/?{name}={value}")
    Walk(visitor, 0, tmp_path).run(LENGTH)
