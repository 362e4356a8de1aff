"""resources and tokenize: what is there, how to get the rest, and the tokens of a line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from capeval_core.cli import main
from tests.cli.cases import run


def test_tokenize_reads_standard_input_in_any_locale() -> None:
    done = run("tokenize", given="A dog isn't big.\n\ncafé!\n".encode(), LC_ALL="C", PYTHONUTF8="0")
    assert (done.returncode, done.stdout.decode()) == (0, "a dog is n't big\n\ncafé\n")


def test_resources_lists_each_with_its_state(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["resources"]) == 0
    printed = capsys.readouterr().out
    for name in ("meteor-jar", "meteor-paraphrases", "coco-val-df", "meteor-index", "device"):
        assert name in printed


def test_resources_says_how_to_fix_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CAPEVAL_METEOR_JAR", "/nowhere")
    assert main(["resources"]) == 3
    printed = capsys.readouterr().out
    assert "missing" in printed
    assert "fix: pip install -r requirements.txt (package pycocoevalcap), or set CAPEVAL_METEOR_JAR" in printed


def test_build_idf(tmp_path: Path, captions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    annotations = [{"image_id": n, "caption": f"a dog {n}"} for n in range(3)]
    (tmp_path / "ann.json").write_text(json.dumps({"annotations": annotations}))
    table = tmp_path / "mine.npz"
    assert main(["resources", "build-idf", str(tmp_path / "ann.json"), "--out", str(table)]) == 0
    assert "3 n-grams of two images or more, 3 images" in capsys.readouterr().out
    assert main(["score", str(captions), "--metrics", "cider", "--idf", str(table)]) == 0
    assert "idf:mine.npz(3 images" in capsys.readouterr().out


def test_fetch_downloads_by_name_only(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from capeval_core.resources import fetch

    monkeypatch.setattr(fetch, "fetch", lambda name: Path("/models") / name)
    assert main(["resources", "fetch", "distilroberta-base"]) == 0
    assert capsys.readouterr().out.strip() == "/models/distilroberta-base"


def test_fetch_refuses_an_unknown_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["resources", "fetch", "nothing"]) == 2
    assert "nothing to fetch" in capsys.readouterr().err
