"""score, as other programs use it: exit codes, streams, files."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pandas as pd
import pytest

from capeval_core import evaluate
from capeval_core.cli import main
from capeval_core.io.readers import read_items
from tests.cases import SHARED, needs_shared
from tests.cli.cases import NGRAM, ROWS, read_jsonl, refused, run
from tests.io.hostile import zipped


def test_score_writes_rows_in_order_in_every_format(captions: Path, tmp_path: Path) -> None:
    expected = evaluate(read_items([str(captions)]), NGRAM.split(",")).scores
    for kind in ("jsonl", "csv", "parquet"):
        assert main(["score", str(captions), "--metrics", NGRAM, "--out", str(tmp_path / f"s.{kind}")]) == 0
    rows = read_jsonl(tmp_path / "s.jsonl")
    assert [list(row) for row in rows] == [["image_id", "system", "candidate", *NGRAM.split(",")]] * 4
    assert [row["candidate"] for row in rows] == [row["candidate"] for row in ROWS]
    assert rows[3]["cider"] is None  # undefined, not 0
    assert [row["rouge_l"] for row in rows[:3]] == expected["rouge_l"][:3].tolist()
    with (tmp_path / "s.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert [float(row["cider"]) for row in table[:3]] == expected["cider"][:3].tolist()
    assert pd.read_parquet(tmp_path / "s.parquet")["cider"].tolist()[:3] == expected["cider"][:3].tolist()


def test_corpus_scores_and_signatures_go_beside_the_rows(captions: Path, tmp_path: Path) -> None:
    assert main(["score", str(captions), "--metrics", NGRAM, "--out", str(tmp_path / "s.jsonl")]) == 0
    found = json.loads((tmp_path / "s.corpus.json").read_text())
    assert list(found["systems"]) == ["m2", "human"]
    assert found["systems"]["human"]["items"] == 2
    assert found["systems"]["human"]["undefined"] == dict.fromkeys(NGRAM.split(","), 1)
    assert found["systems"]["m2"]["corpus"]["bleu_4"] != found["systems"]["m2"]["mean_of_segments"]["bleu_4"]
    assert found["signatures"]["cider"].startswith("cider|idf:coco-val2014(40504 images")


def test_stand_ins_and_remarks_are_printed_and_written(
    captions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(captions), "--metrics", "wmd,rouge_l", "--out", str(tmp_path / "s.jsonl")]) == 0
    found = json.loads((tmp_path / "s.corpus.json").read_text())
    assert found["stand_ins"]["wmd"]["name"] == "GloVe 50d"
    assert list(found["stand_ins"]["wmd"]) == ["word", "name", "original", "fix", "error", "mean_error", "unfit_for"]
    assert found["remarks"] == {"wmd": "glove-6b-50d knows 9 of 9 words, stop words aside"}
    assert set(found["stand_ins"]) == {"wmd"}
    printed = capsys.readouterr().out
    assert "wmd: stand-in: GloVe 50d in place of word2vec. To use the original: python -m capeval_core" in printed
    assert "wmd: glove-6b-50d knows 9 of 9 words" in printed


def test_a_skipped_metric_gives_exit_code_3_and_the_rest(
    captions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from capeval_core.resources import files

    monkeypatch.setenv("CAPEVAL_COCO_VAL_DF", "/nowhere")
    files.locate.cache_clear()
    code = main(["score", str(captions), "--metrics", NGRAM, "--out", str(tmp_path / "s.jsonl")])
    monkeypatch.undo()
    files.locate.cache_clear()
    assert code == 3
    assert "cider skipped:" in capsys.readouterr().err
    assert list(read_jsonl(tmp_path / "s.jsonl")[0]) == [
        "image_id",
        "system",
        "candidate",
        "bleu_1",
        "bleu_4",
        "rouge_l",
    ]


BAD_FILES = {
    "missing field": ("a.jsonl", b'{"image_id": 1, "references": []}\n', "a.jsonl: line 1: field candidate"),
    "wrong type": ("a.jsonl", b'{"image_id": 1, "candidate": [], "references": []}\n', "line 1: field candidate"),
    "broken JSON": (
        "a.jsonl",
        b'{"image_id": 1, "candidate": "a", "references": []}\n' * 6 + b"{\n",
        "a.jsonl: line 7:",
    ),
    "empty": ("a.jsonl", b"", "a.jsonl: line 1:"),
    "not UTF-8": ("a.jsonl", b'{"image_id": "\xe9"}\n', "a.jsonl: line 1: not UTF-8"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_input_is_one_line_and_leaves_nothing(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, content, message = BAD_FILES[name]
    (tmp_path / file).write_bytes(content)
    assert message in refused(capsys, "score", tmp_path / file, "--out", tmp_path / "s.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == [file]


def test_results_without_reference_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "r.json").write_text('[{"image_id": 4, "caption": "a"}]')
    (tmp_path / "ann.json").write_text('{"annotations": [{"image_id": 5, "caption": "a"}]}')
    said = refused(capsys, "score", tmp_path / "r.json", "--references", tmp_path / "ann.json")
    assert "r.json: entry [0]: field image_id: no reference for image '4'" in said


def test_bad_usage(captions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "unknown metric 'blue'" in refused(capsys, "score", captions, "--metrics", "blue,cider")
    assert "unknown kind of output" in refused(capsys, "score", captions, "--out", tmp_path / "s.xlsx")
    assert "no such folder" in refused(capsys, "score", captions, "--out", tmp_path / "no" / "s.csv")
    assert "no such idf table" in refused(capsys, "score", captions, "--idf", "/nowhere", "--metrics", "cider")
    assert "usage" not in refused(capsys, "score")
    assert "cuda" in refused(capsys, "score", captions, "--device", "cuda") if not _has_cuda() else True
    assert sorted(path.name for path in tmp_path.iterdir()) == ["captions.jsonl"]


def _has_cuda() -> bool:
    import torch

    return torch.cuda.is_available()


def test_output_never_overwrites_its_input(captions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "is the input itself" in refused(capsys, "score", captions, "--out", captions)
    assert len(captions.read_text().splitlines()) == 4


@needs_shared
def test_score_karpathy_as_the_issue_asks(tmp_path: Path) -> None:
    metrics = "bleu_1,bleu_2,bleu_3,bleu_4,rouge_l,meteor,cider"
    source = SHARED / "karpathy" / "karpathy_a.jsonl.gz"
    out = tmp_path / "s.jsonl"
    done = run("score", str(source), "--metrics", metrics, "--idf", "corpus", "--out", str(out))
    assert done.returncode == 0, done.stderr
    rows = read_jsonl(out)
    assert len(rows) == 10_000
    assert {row["system"] for row in rows} == {"human", "m2", "xtransformer", "google"}


def test_parquet_and_zip_are_scored_like_jsonl(captions: Path, tmp_path: Path) -> None:
    pd.DataFrame(ROWS).to_parquet(tmp_path / "c.parquet", index=False)
    (tmp_path / "c.zip").write_bytes(zipped({"folder/c.jsonl": captions.read_bytes(), "README.md": b"hello"}))
    found = []
    for source in (captions, tmp_path / "c.parquet", tmp_path / "c.zip"):
        assert main(["score", str(source), "--metrics", NGRAM, "--out", str(tmp_path / "s.jsonl")]) == 0
        found.append(read_jsonl(tmp_path / "s.jsonl"))
    assert found[0] == found[1] == found[2]


def test_bad_parquet_is_named_to_the_line_and_field(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "c.parquet"
    pd.DataFrame([{**row, "candidate": None if row["image_id"] == 2 else row["candidate"]} for row in ROWS]).to_parquet(
        path
    )
    assert f"{path}: line 2: field candidate; expected text; found null" in refused(capsys, "score", path)
    path.write_bytes(path.read_bytes()[:-20])
    assert f"{path}: cannot be read; expected a Parquet file" in refused(capsys, "score", path)
    assert "No such file" in refused(capsys, "score", tmp_path / "none.parquet")
