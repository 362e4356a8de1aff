"""The command line as other programs use it: exit codes, streams, files."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from capeval_core import CaptionItem, InvalidInput, evaluate, explain, registry
from capeval_core.cli import main
from capeval_core.cli.settings import read_value
from capeval_core.io.readers import read_items
from capeval_core.option_fields import OptionField, number, transformer, whole_number, yes_or_no
from tests.cases import SHARED, needs_shared

ROWS = [
    {"image_id": 1, "candidate": "a dog runs", "references": ["the dog is running", "a dog"], "system": "m2"},
    {"image_id": 2, "candidate": 'a "cat", big', "references": ["cat"], "system": "m2"},
    {"image_id": 1, "candidate": "dogs", "references": ["the dog is running", "a dog"], "system": "human"},
    {"image_id": 3, "candidate": "nothing to compare", "references": [], "system": "human"},
]
NGRAM = "bleu_1,bleu_4,rouge_l,cider"


@pytest.fixture
def captions(tmp_path: Path) -> Path:
    path = tmp_path / "captions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Runs a command that must fail with exit code 2 and one line on stderr, and returns that line."""
    assert main([str(argument) for argument in arguments]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err.count("\n") == 1
    return streams.err


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    return [json.loads(row) for row in path.read_text().splitlines()]


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
    assert list(found["stand_ins"]["wmd"]) == ["word", "name", "original", "fix"]
    assert found["remarks"] == {"wmd": "glove-6b-50d knows 9 of 9 words, stop words aside"}
    assert set(found["stand_ins"]) == {"wmd"}
    printed = capsys.readouterr().out
    assert "wmd: stand-in: GloVe 50d in place of word2vec. To use the original: python -m capeval_core" in printed
    assert "wmd: glove-6b-50d knows 9 of 9 words" in printed


def test_options_reach_the_metrics(captions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--idf", "corpus", "--smoothing", "lin-och", "--cider-variant", "cider", "--device", "cpu"]
    assert main(["score", str(captions), "--metrics", "bleu_4,cider", *options]) == 0
    printed = capsys.readouterr().out
    assert "bleu_4|smoothing:lin-och|" in printed
    assert "|variant:cider|" in printed
    assert "idf:corpus(2 images" in printed


def test_set_reaches_any_option_of_any_metric(captions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = ["--set", "rouge_l.beta=2", "--set", "cider.idf=corpus", "--set", "bleu.smoothing=lin-och"]
    assert main(["score", str(captions), "--metrics", "rouge_l,cider,bleu_1", "--idf", "coco", *settings]) == 0
    printed = capsys.readouterr().out
    assert "rouge_l|beta:2.0|" in printed
    assert "idf:corpus(2 images" in printed  # it names its metric, so it goes before --idf
    assert "bleu_1|smoothing:lin-och|" in printed
    typed = ["--metric", "rouge_l", "--candidate", "a dog runs", "--reference", "a dog", "--set", "rouge_l.beta=0.5"]
    assert main(["explain", *typed]) == 0
    options = {"rouge_l": {"beta": 0.5}}
    item = CaptionItem("1", "a dog runs", ("a dog",))
    assert json.loads(capsys.readouterr().out)["value"] == explain(item, "rouge_l", options=options).value


BAD_SETTINGS = {
    "beta=2": "--set; expected METRIC.NAME=VALUE; found 'beta=2'",
    "rouge_l.beta": "--set; expected METRIC.NAME=VALUE",
    "rouge.beta=2": "--set: unknown metric 'rouge'; expected one of bleu, rouge_l,",
    "rouge_l.alpha=2": "--set: rouge_l has no option 'alpha'; expected one of beta",
    "sparcs.alpha=2": "--set: sparcs has no option 'alpha'; expected none",
    "spider.idf=coco": "--set: spider has no option 'idf'; expected none: it follows the options of CIDEr",
    "rouge_l.beta=two": "--set: rouge_l.beta; expected a number from 0.01 to 100; found 'two'",
    "rouge_l.beta=nan": "--set: rouge_l.beta; expected a number from 0.01 to 100; found nan",
    "rouge_l.beta=-1": "--set: rouge_l.beta; expected a number from 0.01 to 100; found -1.0",
    "bleu.smoothing=lin": "--set: bleu.smoothing; expected none or lin-och; found 'lin'",
}


@pytest.mark.parametrize("setting", BAD_SETTINGS)
def test_a_bad_setting_is_one_line(setting: str, captions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message = BAD_SETTINGS[setting]
    assert message in refused(capsys, "score", captions, "--metrics", "rouge_l,bleu_1", "--set", setting)


SAMPLE = {
    "flag": OptionField("x", False, **yes_or_no("X", "x")),
    "whole": OptionField("x", 1, **whole_number("X", "x", 0)),
    "number": OptionField("x", 1.0, **number("X", "x", 0, 9, 1)),
    "model": OptionField("x", "", **transformer("X", "x")),
}


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("true", "flag", True),
        ("No", "flag", False),
        ("3", "whole", 3),
        ("1e-3", "number", 0.001),
        ("2", "number", 2.0),
        ("a=b", "model", "a=b"),
    ],
)
def test_settings_take_the_type_of_the_option(text: str, kind: str, value: Any) -> None:
    found = read_value(text, SAMPLE[kind], "--set")
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(("text", "kind"), [("maybe", "flag"), ("1.5", "whole"), ("", "number"), ("", "model")])
def test_settings_of_the_wrong_type_are_refused(text: str, kind: str) -> None:
    with pytest.raises(InvalidInput, match=r"--set: x\.y; expected"):
        read_value(text, SAMPLE[kind], "--set: x.y")


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
    assert "--row; expected 1 to 4" in refused(capsys, "explain", captions, "--row", 5, "--metric", "cider")
    assert "either INPUT or --candidate" in refused(capsys, "explain", "--metric", "cider")
    assert "at least one reference" in refused(capsys, "explain", "--metric", "cider", "--candidate", "a")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["captions.jsonl"]


def _has_cuda() -> bool:
    import torch

    return torch.cuda.is_available()


def test_output_never_overwrites_its_input(captions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "is the input itself" in refused(capsys, "score", captions, "--out", captions)
    assert len(captions.read_text().splitlines()) == 4


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


def run(*arguments: str, given: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    root = Path(__file__).parents[1]
    command = [sys.executable, "-m", "capeval_core", *arguments]
    return subprocess.run(command, input=given, capture_output=True, cwd=root, env=os.environ | environment)


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


def test_fetch_downloads_by_name_only(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from capeval_core.resources import fetch

    monkeypatch.setattr(fetch, "fetch", lambda name: Path("/models") / name)
    assert main(["resources", "fetch", "distilroberta-base"]) == 0
    assert capsys.readouterr().out.strip() == "/models/distilroberta-base"


def test_fetch_refuses_an_unknown_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["resources", "fetch", "nothing"]) == 2
    assert "nothing to fetch" in capsys.readouterr().err
