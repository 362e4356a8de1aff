"""python -m capeval_core perturb."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from capeval_core import CaptionItem, evaluate
from capeval_core.cli import main

ROWS = [
    {"image_id": "1", "candidate": "Two dogs run in a park.", "references": ["A brown dog is running on the grass."]},
    {"image_id": "2", "candidate": "A man rides a bike on a street.", "references": ["A man on a bicycle in town."]},
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return path


def run(*arguments: object) -> int:
    return main(["perturb", *map(str, arguments), "--samples", "20"])


def test_variants_with_scores(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.jsonl"
    assert run(source, "--kinds", "order,distractors", "--metrics", "bleu_1,rouge_l", "--out", out) == 0
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert {"reversed", "just_scene", "replace_person"} <= {row["kind"] for row in rows}
    references = {row["image_id"]: tuple(row["references"]) for row in ROWS}
    texts = [
        CaptionItem(row["image_id"], row[name], references[row["image_id"]])
        for name in ("variant", "candidate")
        for row in rows
    ]
    for key, values in evaluate(texts, ["bleu_1", "rouge_l"]).scores.items():
        variant, candidate = values[: len(rows)], values[len(rows) :]
        assert [row[key] for row in rows] == pytest.approx(variant)
        assert [row[f"{key}_change"] for row in rows] == pytest.approx(variant - candidate)
    shown = capsys.readouterr().out
    assert "fronted" in shown
    assert "Accuracy on distractors" in shown
    assert "rouge_l|beta:1.2" in shown


def test_the_same_seed_gives_the_same_file(source: Path, tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.csv" for name in "abc"]
    for file, seed in zip(files, (3, 3, 4), strict=True):
        assert run(source, "--kinds", "faults", "--metrics", "bleu_1", "--seed", seed, "--out", file) == 0
    first, second, other = (file.read_text(encoding="utf-8") for file in files)
    assert first == second != other
    assert next(csv.DictReader(first.splitlines()))["image_id"] == "1"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--kinds", "magic"], "unknown kind of perturbation 'magic'"),
        (["--metrics", "magic"], "unknown metric 'magic'"),
        (["--strength", "4"], "--strength"),
        (["--variants", "0"], "variants; expected a whole number from 1 to 100"),
        (["--out", "x.txt"], "unknown kind of output"),
    ],
)
def test_bad_usage(source: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(source, *arguments) == 2
    assert message in capsys.readouterr().err
