"""What tests of the command line share: a few captions, and how a command is run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from capeval_core.cli import main

ROWS = [
    {"image_id": 1, "candidate": "a dog runs", "references": ["the dog is running", "a dog"], "system": "m2"},
    {"image_id": 2, "candidate": 'a "cat", big', "references": ["cat"], "system": "m2"},
    {"image_id": 1, "candidate": "dogs", "references": ["the dog is running", "a dog"], "system": "human"},
    {"image_id": 3, "candidate": "nothing to compare", "references": [], "system": "human"},
]
NGRAM = "bleu_1,bleu_4,rouge_l,cider"


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Runs a command that must fail with exit code 2 and one line on stderr, and returns that line."""
    assert main([str(argument) for argument in arguments]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err.count("\n") == 1
    return streams.err


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    return [json.loads(row) for row in path.read_text().splitlines()]


def run(*arguments: str, given: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "capeval_core", *arguments]
    return subprocess.run(command, input=given, capture_output=True, cwd=root, env=os.environ | environment)
