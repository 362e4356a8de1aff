"""Captions, and what the local engine makes of them when nobody disturbs it: once for all tests of the engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from capeval_core.engines.local import LocalPool
from tests.engines.cases import run, write_captions


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_captions(tmp_path_factory.mktemp("in") / "captions.jsonl", 730)


@pytest.fixture(scope="session")
def expected(source: Path) -> tuple[bytes, bytes]:
    """Its files: rows, and corpus scores."""
    out = source.parent / "whole.jsonl"
    run(source, out, lambda setup: LocalPool(setup, 2))
    return out.read_bytes(), out.with_suffix(".corpus.json").read_bytes()
