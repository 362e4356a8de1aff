"""The systems command: scores in or captions in, table and file out, bad input in one line."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from capeval_core.analysis import systems
from capeval_core.cli import main
from capeval_core.io.readers import read_inputs
from tests.cli.cases import refused

KEYS = ("sparcs", "spurts", "mima")


def rows() -> list[dict[str, Any]]:
    generator = np.random.default_rng(1)
    found = []
    for system, centre in (("human", 0.4), ("m2", 0.5)):
        for image in range(40):
            values = dict(zip(KEYS, generator.normal(centre, 0.05, 3).tolist(), strict=True))
            found.append({"image_id": str(image), "system": system, "candidate": f"{system} sees {image}", **values})
    found[3]["spurts"] = None
    return found


def write(path: Path, content: list[dict[str, Any]]) -> Path:
    if path.suffix == ".csv":
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(content[0]))
            writer.writeheader()
            writer.writerows(content)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in content))
    return path


@pytest.fixture
def scored(tmp_path: Path) -> Path:
    return write(tmp_path / "scores.jsonl", rows())


def test_scores_give_the_analysis(scored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "systems.json"
    assert main(["systems", str(scored), "--reference", "human", "--samples", "50", "--out", str(out)]) == 0
    table = read_inputs([str(scored)], keys=KEYS)
    expected = systems.analyse(table.items, table.scores, "human", samples=50)
    found = json.loads(out.read_text())
    assert (found["reference"], found["axes"], found["size"]) == ("human", ["sparcs", "spurts"], 1.15)
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 4
    for row, one, line in zip(found["systems"], expected.systems, printed[1:], strict=False):
        assert one.cloud is not None
        assert row["overlap"] == one.cloud.overlap
        assert row["grammar_penalty"] == one.penalty
        assert row["mima"] == one.means["mima"]
        assert row["ellipse"]["angle"] == pytest.approx(one.cloud.ellipse.angle if one.cloud.ellipse else None)
        assert row["centroid"] in line
        assert f"{row['overlap']:.3f} (" in line
    assert found["systems"][0]["shown"] == 39  # one caption has no SPURTS
    assert found["systems"][1]["p_sparcs"] < 0.05
    assert f"{found['systems'][1]['sparcs']:.4f}*" in printed[2]


def test_every_format_of_scores_reads_alike(scored: Path, tmp_path: Path) -> None:
    import pandas as pd

    pd.DataFrame(rows()).to_parquet(tmp_path / "s.parquet", index=False)
    paths = (scored, write(tmp_path / "s.csv", rows()), tmp_path / "s.parquet")
    found = [read_inputs([str(path)], keys=KEYS) for path in paths]
    for table in found:
        assert table.items == found[0].items
        for key in KEYS:
            np.testing.assert_array_equal(table.scores[key], found[0].scores[key])


def test_the_table_goes_to_csv_and_the_scale_can_be_the_papers(scored: Path, tmp_path: Path) -> None:
    out = tmp_path / "systems.csv"
    assert main(["systems", str(scored), "--scale", "paper", "--samples", "9", "--out", str(out)]) == 0
    with out.open(newline="") as file:
        found = list(csv.DictReader(file))
    assert [row["system"] for row in found] == ["human", "m2"]
    values = np.array([row["mima"] for row in rows()[:40]])
    expected = np.minimum((values - 0.489233) / 0.035721 + 1.96, 0).sum()
    assert float(found[0]["grammar_penalty"]) == pytest.approx(expected)


def test_what_is_missing_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = [{name: value for name, value in row.items() if name not in ("spurts", "mima")} for row in rows()]
    path = write(tmp_path / "s.jsonl", content)
    assert main(["systems", str(path)]) == 0
    streams = capsys.readouterr()
    assert streams.out.splitlines()[0].split() == ["captioner", "n", "sparcs"]
    assert "no scores of spurts, so no ellipses and overlaps" in streams.err
    assert "no scores of mima, so no grammar penalty" in streams.err
    assert "--axes: no scores of 'spurts'; expected one of sparcs" in refused(
        capsys, "systems", path, "--axes", "sparcs,spurts"
    )


@pytest.mark.model
def test_captions_are_scored_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    references = ["the dog is running over grass", "a brown dog runs"]
    captions = [("human", "a dog runs over grass"), ("human", "the brown dog"), ("human", "grass and a dog and a tree")]
    captions += [("m2", "a dog"), ("m2", "a cat on a sofa"), ("m2", "a dog is running over a mat")]
    content = [
        {"image_id": n % 3, "candidate": text, "references": references, "system": name}
        for n, (name, text) in enumerate(captions)
    ]
    path = write(tmp_path / "captions.jsonl", content)
    arguments = ["--axes", "rouge_l,bleu_1", "--set", "rouge_l.beta=1", "--samples", "20"]
    code = main(["systems", str(path), *arguments])
    streams = capsys.readouterr()
    assert code == (3 if "no scores of mima" in streams.err else 0)
    assert streams.out.splitlines()[0].split()[:4] == ["captioner", "n", "rouge_l", "bleu_1"]
    assert "no captioner 'nobody' to compare with" in refused(capsys, "systems", path, "--reference", "nobody")


def test_few_captions_do_not_crash(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "s.jsonl", [rows()[0], rows()[1], rows()[2], rows()[40]])
    assert main(["systems", str(path), "--samples", "20"]) == 0
    assert f"m2: no overlap: {systems.NO_AREA}" in capsys.readouterr().err


BAD_ROWS: dict[str, tuple[dict[str, Any], str]] = {
    "text": ({"sparcs": "high"}, "s.jsonl: line 81: field sparcs; expected a number; found 'high'"),
    "true": ({"mima": True}, "s.jsonl: line 81: field mima; expected a number; found True"),
    "infinite": ({"mima": float("inf")}, "line 81: field mima; expected a finite number"),
    "no caption": ({"caption": None}, "s.jsonl: line 81: field caption; expected text; found null"),
}


@pytest.mark.parametrize("name", BAD_ROWS)
def test_a_bad_row_is_one_line_and_leaves_nothing(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change, message = BAD_ROWS[name]
    bad = {"image_id": "1", "system": "m2", **({} if "caption" in change else {"candidate": "a"}), **change}
    path = write(tmp_path / "s.jsonl", [*rows(), bad])
    assert message in refused(capsys, "systems", path, "--out", tmp_path / "out.json")
    assert [found.name for found in tmp_path.iterdir()] == ["s.jsonl"]


def test_bad_usage(scored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no captioner 'nobody'" in refused(capsys, "systems", scored, "--reference", "nobody")
    assert "--axes; expected two different metrics" in refused(capsys, "systems", scored, "--axes", "mima")
    assert "--axes; expected two different metrics" in refused(capsys, "systems", scored, "--axes", "mima,mima")
    assert "size of the ellipse" in refused(capsys, "systems", scored, "--size", "-1")
    assert "--samples; expected 1 or more" in refused(capsys, "systems", scored, "--samples", "0")
    assert "--seed; expected 0 or more" in refused(capsys, "systems", scored, "--seed", "-1")
    assert "unknown kind of output" in refused(capsys, "systems", scored, "--out", tmp_path / "a.xlsx")
    assert "cannot be read" in refused(capsys, "systems", tmp_path / "none.jsonl")
    assert "cannot be read" in refused(capsys, "systems", tmp_path / "none.parquet")
    (tmp_path / "empty.jsonl").write_text("")
    assert "the file has no rows" in refused(capsys, "systems", tmp_path / "empty.jsonl")
    (tmp_path / "list.jsonl").write_text("[1]\n")
    assert "list.jsonl: line 1; expected an object" in refused(capsys, "systems", tmp_path / "list.jsonl")
    assert "two inputs are named 'm2'" in refused(capsys, "systems", f"m2={scored}", f"m2={scored}")
    target = write(tmp_path / "s.csv", rows())
    assert "is the input itself" in refused(capsys, "systems", target, "--out", target)
