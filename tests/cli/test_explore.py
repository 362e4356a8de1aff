"""The explore command: rows in input order, the summary, the report, bad input in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from capeval_core.cli import main
from capeval_core.explore.kinds import KINDS
from tests.cli.cases import read_jsonl, refused

REFERENCES = ["A brown dog runs on the beach.", "A dog is running on the beach.", "A brown dog on sand."]


def rows() -> list[dict[str, Any]]:
    """24 images; m2 always ends too early, human never."""
    found = []
    for image in range(24):
        for system, text in (("human", "A brown dog runs on the beach."), ("m2", "<!> a white dog on a")):
            references = [*REFERENCES, f"Dog number {image}."]
            row = {"image_id": f"i{image}", "system": system, "candidate": text, "references": references}
            found.append(row | {"cider": 1.0 if system == "human" else 0.1, "half": "a" if image % 2 else "b"})
    return found


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One run with every output."""
    folder = tmp_path_factory.mktemp("explore")
    source = folder / "captions.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows()))
    outputs = ["--rows", folder / "rows.jsonl", "--out", folder / "out.json", "--html", folder / "report.html"]
    assert main(["explore", str(source), "--system", "m2", "--against", "human", *map(str, outputs)]) == 0
    return folder


def test_one_row_per_caption_in_input_order(made: Path) -> None:
    found = read_jsonl(made / "rows.jsonl")
    for row, given in zip(found, rows(), strict=True):
        assert list(row) == ["image_id", "system", "candidate", "support", "noun_support", "errors"]
        assert [row[name] for name in ("image_id", "system", "candidate")] == [
            given[name] for name in ("image_id", "system", "candidate")
        ]
        assert all(0 <= value <= 1 for _, value in row["support"])
    assert [word for word, _ in found[0]["support"]] == ["brown", "dog", "runs", "beach"]
    kinds = {error["kind"] for error in found[1]["errors"]}
    assert {"broken_ending", "wrong_colour"} <= kinds
    assert list(found[1]["errors"][0]) == ["kind", "words", "strength", "evidence"]


def test_the_summary_has_profiles_slices_and_wording(made: Path) -> None:
    found = json.loads((made / "out.json").read_text())
    assert list(found["systems"]) == ["human", "m2"]
    m2 = found["systems"]["m2"]
    assert list(m2) == ["profile", "slices", "wording"]
    assert list(m2["profile"]["rates"]) == list(KINDS)
    assert m2["profile"]["rates"]["broken_ending"]["rate"] > 90
    assert found["systems"]["human"]["profile"]["rates"]["broken_ending"]["rate"] == 0
    assert found["people"]["captions"] == 24 * 4
    assert m2["wording"]["distinct"] == 1
    assert found["comparison"]["sentences"]


def test_the_report_stands_alone_and_texts_stay_text(made: Path) -> None:
    text = (made / "report.html").read_text()
    assert "<script" not in text
    assert "<!>" not in text
    assert "&lt;!&gt;" in text
    assert 'src="http' not in text
    assert "href=" not in text
    assert "Broken ending" in text
    assert "m2 against human" in text


def test_one_captioner_alone(made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["explore", str(made / "captions.jsonl"), "--system", "human", "--rows", str(tmp_path / "r.jsonl")]) == 0
    )
    assert {row["system"] for row in read_jsonl(tmp_path / "r.jsonl")} == {"human"}
    printed = capsys.readouterr().out
    assert "Broken ending" in printed
    assert "m2" not in printed


def test_captions_without_references_are_judged_by_their_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "c.jsonl"
    source.write_text(json.dumps({"image_id": 1, "candidate": "a dog on the", "references": []}) + "\n")
    assert main(["explore", str(source), "--rows", str(tmp_path / "r.jsonl")]) == 0
    (row,) = read_jsonl(tmp_path / "r.jsonl")
    assert (row["support"], row["noun_support"]) == ([], None)
    assert [error["kind"] for error in row["errors"]] == ["broken_ending"]
    assert "No references" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--system", "x"), "no captioner 'x'"),
        (("--against", "m2"), "--against needs --system"),
        (("--system", "m2", "--against", "m2"), "another captioner"),
        (("--rows", "rows.csv"), "unknown kind of output"),
        (("--out", "nowhere/out.json"), "no such folder"),
        (("--html", "x.pdf"), "unknown kind of output"),
    ],
)
def test_bad_input_is_one_line(
    made: Path, arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refused(capsys, "explore", made / "captions.jsonl", *arguments)


def test_a_missing_file_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "none.jsonl" in refused(capsys, "explore", tmp_path / "none.jsonl", "--rows", tmp_path / "r.jsonl")
    assert list(tmp_path.iterdir()) == []
