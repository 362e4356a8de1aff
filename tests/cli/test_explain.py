"""explain: the evidence of a row, or of typed captions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from capeval_core import evaluate, registry
from capeval_core.cli import main
from capeval_core.io.readers import read_items
from tests.cli.cases import refused


@pytest.mark.parametrize("key", registry.keys())
def test_explain_prints_the_evidence_of_a_row(key: str, captions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(captions), "--row", "3", "--metric", key, "--idf", "corpus"]) == 0
    found = json.loads(capsys.readouterr().out)
    scores = evaluate(read_items([str(captions)]), [key], options={"cider": {"idf": "corpus"}}).scores
    assert found["value"] == pytest.approx(float(scores[key][2]))
    assert found["key"] == key


def test_explain_typed_captions(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["explain", "--metric", "rouge_l", "--candidate", "a dog", "--reference", "dog", "--reference", "x"]) == 0
    )
    assert len(json.loads(capsys.readouterr().out)["references"]) == 2


def test_bad_usage(captions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "--row; expected 1 to 4" in refused(capsys, "explain", captions, "--row", 5, "--metric", "cider")
    assert "either INPUT or --candidate" in refused(capsys, "explain", "--metric", "cider")
    assert "at least one reference" in refused(capsys, "explain", "--metric", "cider", "--candidate", "a")
