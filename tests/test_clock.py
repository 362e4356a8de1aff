"""Tests share the machine with others: a limit on time is one on the time of the processor, never of the clock."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = sorted(Path(__file__).parent.rglob("test_*.py"))
CLOCKS = {"perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns"}


def clocks(code: str) -> list[int]:
    """The lines that read one."""
    names = ((node, getattr(node, "attr", getattr(node, "name", ""))) for node in ast.walk(ast.parse(code)))
    return [node.lineno for node, name in names if name in CLOCKS and isinstance(node, ast.Attribute | ast.alias)]


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.relative_to(Path(__file__).parent).as_posix())
def test_no_test_reads_the_clock(path: Path) -> None:
    assert clocks(path.read_text(encoding="utf-8")) == []


def test_it_would_be_found() -> None:
    assert clocks("import time\nstart = time.perf_counter()") == [2]
    assert clocks("from time import monotonic") == [1]
