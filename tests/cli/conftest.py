"""A file of captions for every command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.cases import ROWS


@pytest.fixture
def captions(tmp_path: Path) -> Path:
    path = tmp_path / "captions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path
