"""Tests reach the page through a visitor only: every act and every look waits until the page has settled."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.browser.visitor import Visitor

TESTS = sorted(Path(__file__).parent.glob("test_*.py"))
FOREIGN = {"playwright", "time", "asyncio", "threading"}
HIDDEN = {name for name in dir(Visitor) if name.startswith("_")} | {"_page", "page"}
# What waits for a length of time, or for less than the page having settled, has no place outside the visitor either.
SLEEPS = {"sleep", "wait_for_timeout", "wait_for_selector", "wait_for_load_state"}


def faults(code: str) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            found += [f"line {node.lineno}: imports {name}" for name in names if name.split(".")[0] in FOREIGN]
        if isinstance(node, ast.Attribute) and node.attr in HIDDEN | SLEEPS:
            found.append(f"line {node.lineno}: uses .{node.attr}")
    return found


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name)
def test_no_test_touches_the_page_itself(path: Path) -> None:
    assert faults(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "code",
    [
        "from playwright.sync_api import expect",
        "import time",
        "visitor.page.locator('li').click()",
        "visitor._page.wait_for_timeout(700)",
        "visitor._find('li').click()",
    ],
)
def test_it_would_be_found(code: str) -> None:
    assert faults(code)


@pytest.mark.parametrize("name", ["visitor.py", "walk.py", "shots.py"])
def test_nothing_sleeps(name: str) -> None:
    code = ast.parse((Path(__file__).parent / name).read_text(encoding="utf-8"))
    assert [node.attr for node in ast.walk(code) if isinstance(node, ast.Attribute) and node.attr in SLEEPS] == []
