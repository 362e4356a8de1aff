"""The judge command: ratings, pairs and presets in; the stated JSON, a report, a table out; bad input in one line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from capeval_core.analysis.coefficients import NAMES, coefficients
from capeval_core.cli import main
from capeval_core.io import presets
from tests.cases import SHARED, needs_shared
from tests.cli.cases import refused

WORDS = ["a dog runs", "a cat", "the dog runs over grass", "two men talk", "a red bus", "grass"]
REFERENCES = ["the dog is running over grass", "a brown dog runs"]


def captions(count: int = 24, **more: Any) -> list[dict[str, Any]]:
    return [
        {
            "image_id": n // 2,
            "system": f"s{n % 2}",
            "candidate": f"{WORDS[n % 6]} {n}",
            "references": REFERENCES,
            **more,
        }
        for n in range(count)
    ]


def rated(count: int = 24) -> list[dict[str, Any]]:
    generator = np.random.default_rng(0)
    return [
        row
        | {"ratings": [n % 5 + 1, (n + 1) % 5 + 1 if n % 4 else None], "cider": n % 5 + generator.random(), "mine": n}
        for n, row in enumerate(captions(count))
    ]


def pairs(count: int = 12) -> list[dict[str, Any]]:
    return [
        {"image_id": n, "first": WORDS[2], "second": WORDS[n % 2], "references": REFERENCES, "winner": "first",
         "group": "HC" if n % 2 else "MM"}
        for n in range(count)
    ]  # fmt: skip


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def judged(path: Path, *more: object) -> dict[str, Any]:
    out = path.with_name("out.json")
    assert main(["judge", str(path), "--samples", "40", "--out", str(out), *map(str, more)]) == 0
    found: dict[str, Any] = json.loads(out.read_text())
    return found


def test_ratings_and_scores_that_are_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = rated()
    found = judged(write(tmp_path / "a.jsonl", rows), "--metrics", "cider,mine")
    assert list(found) == ["protocol", "rows", "metrics", "williams", "between", "agreement", "signatures"]
    flat = [(row["cider"], rating) for row in rows for rating in row["ratings"] if rating is not None]
    expected = coefficients(*np.array(flat, dtype=float).T)
    for name, value in zip(NAMES, expected, strict=True):
        estimate = found["metrics"]["cider"][name]
        assert estimate["value"] == pytest.approx(value)
        assert estimate["low"] < value < estimate["high"]
    assert found["rows"] == 24
    assert found["williams"]["cider"]["mine"] + found["williams"]["mine"]["cider"] == pytest.approx(1)
    assert list(found["agreement"]["raters"]) == ["rater 1", "rater 2"]
    assert found["signatures"] == {"cider": "cider|given", "mine": "mine|given"}
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == found["protocol"]
    assert "24 rated captions of 12 images; all ratings flattened" in printed[0]
    assert printed[2].split()[0] == "cider"
    assert f"{expected[3]:.3f}" in printed[2]
    assert any(line.startswith("raters: Krippendorff's alpha") for line in printed)


@pytest.mark.parametrize(("way", "said"), [("mean", "mean of the ratings"), ("mode", "mode of the ratings")])
def test_ratings_averaged_or_by_mode(tmp_path: Path, way: str, said: str) -> None:
    rows = rated()
    found = judged(write(tmp_path / "a.jsonl", rows), "--metrics", "cider", "--ratings", way)
    known = [[one for one in row["ratings"] if one is not None] for row in rows]
    values = [float(np.mean(one)) if way == "mean" else float(min(one)) for one in known]  # two that differ: the lower
    expected = coefficients(np.array([row["cider"] for row in rows]), np.array(values))
    assert found["metrics"]["cider"]["spearman"]["value"] == pytest.approx(expected[1])
    assert said in found["protocol"]


def test_what_is_not_there_is_scored(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [row | {"rating": n % 4} for n, row in enumerate(captions())])
    found = judged(path, "--metrics", "bleu_1,rouge_l")
    assert list(found["metrics"]) == ["bleu_1", "rouge_l"]
    assert found["signatures"]["rouge_l"].startswith("rouge_l|beta:1.2|")
    assert "agreement" not in found
    mixed = judged(write(path, rated()), "--metrics", "bleu_1,cider")
    assert mixed["signatures"]["cider"] == "cider|given"
    assert mixed["signatures"]["bleu_1"].startswith("bleu_1|smoothing:none")


def test_what_score_wrote_needs_no_references_and_tells_how_it_was_made(tmp_path: Path) -> None:
    given = write(tmp_path / "in.jsonl", captions())
    scores = tmp_path / "scores.jsonl"
    assert main(["score", str(given), "--metrics", "bleu_1,cider", "--out", str(scores)]) == 0
    keyed = [
        {"image_id": r["image_id"], "candidate": r["candidate"], "rating": n % 3} for n, r in enumerate(captions())
    ]
    ratings = write(tmp_path / "ratings.jsonl", keyed[::-1])
    found = judged(scores, "--ratings-file", ratings)
    assert list(found["metrics"]) == ["bleu_1", "cider"]
    assert found["signatures"]["bleu_1"].startswith("bleu_1|smoothing:none|tok:coco-ptb|v:")
    other = write(tmp_path / "rated.jsonl", [row | {"rating": n % 3} for n, row in enumerate(captions())])
    again = judged(other, "--scores", scores, "--metrics", "bleu_1,cider")
    assert again["metrics"] == found["metrics"]
    assert again["signatures"] == found["signatures"]


def test_pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = judged(write(tmp_path / "p.jsonl", pairs()), "--metrics", "bleu_1,rouge_l")
    assert list(found) == ["protocol", "rows", "between", "pairs", "signatures"]
    assert list(found["pairs"]) == ["HC", "MM"]
    assert found["pairs"]["HC"]["rouge_l"]["accuracy"] == 1
    assert set(found["pairs"]["HC"]["rouge_l"]) == {"accuracy", "low", "high", "count"}
    assert found["pairs"]["HC"]["bleu_1"]["count"] == 6
    assert "12 pairs; accuracy, ties half" in found["protocol"]
    assert capsys.readouterr().out.splitlines()[1].split() == ["metric", "HC", "MM", "mean"]


def test_captioners(tmp_path: Path) -> None:
    rows = [row | {"system": f"s{n % 5}", "cider": n % 5 + 0.1 * (n // 5)} for n, row in enumerate(captions(20))]
    ratings = write(tmp_path / "people.jsonl", [{"system": f"s{n}", "rating": [1, 3, 2, 4, 5][n]} for n in range(5)])
    found = judged(write(tmp_path / "a.jsonl", rows), "--metrics", "cider", "--ratings-file", ratings)
    means = [np.mean([row["cider"] for row in rows[place::5]]) for place in range(5)]
    assert found["rows"] == 5
    assert found["metrics"]["cider"]["pearson"]["value"] == pytest.approx(np.corrcoef(means, [1, 3, 2, 4, 5])[0, 1])
    assert "5 captioners" in found["protocol"]


def test_holms_correction_is_offered(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", rated())
    plain, holm = (judged(path, "--metrics", "cider,mine", "--correction", name) for name in ("none", "holm"))
    p = min(plain["williams"]["cider"]["mine"], plain["williams"]["mine"]["cider"])
    corrected = min(holm["williams"]["cider"]["mine"], holm["williams"]["mine"]["cider"])
    assert corrected == pytest.approx(min(1, 2 * p))


def test_the_report(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    judged(write(tmp_path / "a.jsonl", rated()), "--metrics", "cider,mine", "--html", page)
    text = page.read_text()
    for question in (
        "Which metric agrees best with people?",
        "Which differences are real?",
        "Which metrics say the same?",
        "Would metrics together agree better?",
        "How well do people agree with each other?",
        "Do captions that people rate higher get higher scores?",
    ):
        assert question in text
    assert "24 rated captions of 12 images" in text
    judged(write(tmp_path / "p.jsonl", pairs()), "--metrics", "bleu_1,rouge_l", "--html", page)
    assert "Which metric prefers the caption that people prefer?" in page.read_text()


@pytest.fixture
def flickr(tmp_path: Path) -> Path:
    lines = [f"{image}.jpg#{n}\tA {WORDS[n]} {image} ." for image in "abcd" for n in range(5)]
    (tmp_path / "Flickr8k.token.txt").write_text("\n".join(lines) + "\n")
    lines = [f"{a}.jpg\t{b}.jpg#{n}\t1\t{n % 2 + 1}\t{n + 2}" for a in "abcd" for b in "abcd" for n in range(3)]
    (tmp_path / "ExpertAnnotations.txt").write_text("\n".join(lines) + "\n")
    return tmp_path


def test_a_preset_has_its_own_protocol(flickr: Path) -> None:
    found = judged(flickr, "--preset", "flickr8k-expert", "--metrics", "bleu_1")
    assert found["rows"] == 36
    assert found["protocol"].startswith("Flickr8k-Expert: 36 captions, those that are an image's own left out")
    assert "all ratings flattened; Kendall tau-c" in found["protocol"]
    asked = judged(flickr, "--preset", "flickr8k-expert", "--metrics", "bleu_1", "--ratings", "mode")
    assert "mode of the ratings; Kendall tau-c" in asked["protocol"]
    assert asked["metrics"] != found["metrics"]


def test_bad_input_is_one_line(tmp_path: Path, flickr: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "a.jsonl", tmp_path / "out.json"

    def said(rows: list[dict[str, Any]], *more: object) -> str:
        return refused(capsys, "judge", write(path, rows), "--out", out, *more)

    good = rated()
    assert f"{path}: line 3: field ratings[0]; expected a number" in said([*good[:2], good[2] | {"ratings": ["x"]}])
    assert f"{path}: line 24: field rating: one constant rating" in said([row | {"rating": 2} for row in captions()])
    assert f"{path}: line 9: field rating: too few rows" in said(good[:9])
    assert f"{path}: line 12: field winner; expected" in said([*pairs(11), pairs(1)[0] | {"winner": ""}])
    assert f"{path}: line 1: field rating is missing" in said(captions())
    other = write(tmp_path / "r.jsonl", [{"image_id": "nothing", "rating": 1}])
    assert f"{other}: line 1: field image_id matches nothing" in said(captions(), "--ratings-file", other)
    assert "unknown metric 'meine'" in said(good, "--metrics", "meine")
    assert "--samples; expected 1 or more" in said(good, "--samples", 0)
    assert "--seed; expected 0 or more" in said(good, "--seed", -1)
    assert "unknown kind of output" in refused(capsys, "judge", path, "--out", tmp_path / "x.csv")
    assert "is the input itself" in refused(capsys, "judge", tmp_path / "x.json", "--out", tmp_path / "x.json")
    assert "--preset; expected one INPUT" in refused(capsys, "judge", flickr, path, "--preset", "flickr8k-expert")
    assert "--ratings-file; expected no such file" in refused(
        capsys, "judge", flickr, "--preset", "flickr8k-expert", "--ratings-file", other
    )
    assert "cannot be read" in refused(capsys, "judge", tmp_path, "--preset", "composite")
    assert "invalid choice: 'coco'" in refused(capsys, "judge", flickr, "--preset", "coco")
    assert not out.exists()


def test_a_broken_file_beside_the_scores_is_no_matter(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", rated())
    path.with_suffix(".corpus.json").write_text("[1]")
    assert judged(path, "--metrics", "cider")["signatures"] == {"cider": "cider|given"}


def test_commands_and_readers_know_the_same_presets() -> None:
    from capeval_core.cli import judge

    assert tuple(presets.PRESETS) == judge.PRESETS


@needs_shared
@pytest.mark.parametrize(("key", "published"), [("bleu_1", 0.323), ("bleu_4", 0.308), ("rouge_l", 0.323)])
def test_flickr8k_expert_as_published(tmp_path: Path, key: str, published: float) -> None:
    """The CLIPScore paper's table 1; the slower metrics are measured by `make judges`."""
    out = tmp_path / "o.json"
    command = ["judge", str(SHARED / "flickr8k"), "--preset", "flickr8k-expert", "--metrics", key, "--samples", "5"]
    assert main([*command, "--out", str(out)]) == 0
    assert json.loads(out.read_text())["metrics"][key]["kendall_c"]["value"] == pytest.approx(published, abs=0.001)


@needs_shared
def test_pascal50s_as_published(tmp_path: Path) -> None:
    out = tmp_path / "o.json"
    given = SHARED / "judgements" / "pascal50s.jsonl.gz"
    with gzip.open(given) as file:
        assert sum(1 for _ in file) == 4000
    assert main(["judge", str(given), "--preset", "pascal50s", "--metrics", "rouge_l,cider", "--out", str(out)]) == 0
    found = json.loads(out.read_text())["pairs"]
    published = {"rouge_l": (63.7, 95.3, 92.3, 61.2), "cider": (65.1, 98.1, 90.5, 64.8)}
    for key, values in published.items():
        assert [100 * found[group][key]["accuracy"] for group in found] == pytest.approx(values, abs=1)


def test_what_stands_in_for_an_original_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "a.jsonl", rated())
    stand_in = {"word": "stand-in", "name": "ours", "original": "theirs", "fix": "do it"}
    beside = {"signatures": {"cider": "cider|v:9"}, "stand_ins": {"cider": stand_in, "spice": stand_in}}
    path.with_suffix(".corpus.json").write_text(json.dumps(beside))
    assert judged(path, "--metrics", "cider,mine")["signatures"] == {"cider": "cider|v:9", "mine": "mine|given"}
    assert capsys.readouterr().out.splitlines()[-1] == "cider: stand-in: ours in place of theirs"


def test_captions_without_a_rating_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [row | {"ratings": []} if n < 3 else row for n, row in enumerate(rated())]
    assert judged(write(tmp_path / "a.jsonl", rows), "--metrics", "cider")["rows"] == 21
    assert capsys.readouterr().err == "capeval: 3 captions without a rating are left out\n"
