"""explain: one row's evidence under the file's own context, without scoring the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from capeval_core import CaptionItem, evaluate, explain, registry
from capeval_core.cli import main
from capeval_core.io.readers import read_items
from capeval_core.metrics.bleu import Bleu
from capeval_core.service import resolve
from capeval_core.text import ptb
from tests.cli.cases import refused

SMALL = [
    CaptionItem("1", "a dog runs", ("the dog is running", "a dog"), "m2"),
    CaptionItem("2", "two cats sleep on a bed", ("cats on a bed", "two cats"), "m2"),
    CaptionItem("3", "a bus", (), "m2"),
]


def write(path: Path, count: int) -> list[CaptionItem]:
    words = ["dog", "cat", "bus", "tree", "boat", "horse", "man"]
    items = [
        CaptionItem(
            str(row),
            f"a {words[row % 7]} near a {words[row % 5]} number {row}",
            (f"the {words[row % 7]} by the {words[row % 3]}", f"a {words[row % 5]} and {row % 90} others"),
        )
        for row in range(count)
    ]
    rows = [
        {"image_id": item.image_id, "candidate": item.candidate, "references": list(item.references)} for item in items
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return items


def explained(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["explain", *arguments]) == 0
    return json.loads(capsys.readouterr().out)


def never(*_: Any) -> Any:
    raise AssertionError("nothing is to be scored")


def test_a_row_of_a_large_file_is_explained_without_scoring_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    items = write(tmp_path / "rows.jsonl", 2_000)
    expected = evaluate(items[4:5], ["bleu_4"])
    read: list[str] = []
    tokenize = ptb.tokenize

    def counted(caption: str) -> str:
        read.append(caption)
        return tokenize(caption)

    monkeypatch.setattr(Bleu, "score", never)
    monkeypatch.setattr(ptb, "tokenize", counted)
    found = explained(capsys, str(tmp_path / "rows.jsonl"), "--row", "5", "--metric", "bleu_4")
    assert found["value"] == expected.scores["bleu_4"][0]
    assert found["signature"] == expected.signatures["bleu_4"]
    assert set(read) == {items[4].candidate, *items[4].references}


@pytest.mark.parametrize("key", ["cider", "spider"])
def test_corpus_idf_explains_exactly_the_segments_score(
    key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items = write(tmp_path / "rows.jsonl", 60)
    whole = evaluate(items, [key], options={"cider": {"idf": "corpus"}})
    found = explained(capsys, str(tmp_path / "rows.jsonl"), "--row", "5", "--metric", key, "--idf", "corpus")
    assert found["value"] == whole.scores[key][4] > 0
    assert found["signature"] == whole.signatures[key]
    alone = evaluate(items[4:5], [key], options={"cider": {"idf": "coco"}})
    assert found["value"] != alone.scores[key][0]


@pytest.mark.parametrize("key", registry.keys())
def test_resolve_scores_nothing_and_serves_explain(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = evaluate(SMALL, [key])
    with monkeypatch.context() as patch:
        patch.setattr(registry.get(key).load(), "score", never)
        context = resolve(SMALL, key)
    assert context.keys() == whole.context.keys()
    found = explain(SMALL[0], key, context=context)
    assert found.signature == whole.signatures[key]
    np.testing.assert_allclose(found.value, whole.scores[key][0], rtol=0, atol=1e-6)


@pytest.mark.parametrize("key", ["wmd", "wembsim"])
def test_resolve_reads_no_caption_to_name_the_vectors(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ptb, "tokenize", never)
    assert resolve(SMALL, key)[key].signature() == {"vectors": "glove-6b-50d" if key == "wmd" else "minilm"}


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
