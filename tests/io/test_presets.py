"""The public data sets: small files of the same make, and the real ones where they are there."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import savemat  # type: ignore[import-untyped]

from capeval_core import InvalidInput
from capeval_core.io import presets
from tests.cases import SHARED, needs_shared


@pytest.fixture
def flickr(tmp_path: Path) -> Path:
    captions = [f"{image}.jpg#{n}\tCaption {n} of {image} ." for image in "abc" for n in range(5)]
    (tmp_path / "Flickr8k.token.txt").write_text("\n".join(captions) + "\n")
    expert = [f"{image}.jpg\t{other}.jpg#{n}\t1\t2\t{n + 1}" for image in "ab" for other in "abc" for n in range(3)]
    (tmp_path / "ExpertAnnotations.txt").write_text("\n".join(expert) + "\n")
    crowd = [f"a.jpg\t{other}.jpg#{n}\t{n / 3}\t{n}\t{3 - n}" for other in "abc" for n in range(4)]
    (tmp_path / "CrowdFlowerAnnotations.txt").write_text("\n".join(crowd) + "\n")
    return tmp_path


def test_flickr8k_expert(flickr: Path) -> None:
    found = presets.read("flickr8k-expert", flickr)
    assert len(found.data.items) == 12  # 18 rows, 6 of them an image's own
    item = found.data.items[0]
    assert (item.image_id, item.candidate) == ("a.jpg", "Caption 0 of b .")
    assert item.references == tuple(f"Caption {n} of a ." for n in range(5))
    assert found.data.ratings is not None
    assert found.data.ratings[1] == (1.0, 2.0, 2.0)
    assert found.raters == ()


def test_flickr8k_cf(flickr: Path) -> None:
    found = presets.read("flickr8k-cf", flickr)
    assert len(found.data.items) == 12
    assert {item.references for item in found.data.items} == {("Caption 4 of a .",)}
    assert found.data.ratings is not None
    assert [np.mean(one) for one in found.data.ratings[:4]] == pytest.approx([0, 1 / 3, 2 / 3, 1])


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("Flickr8k.token.txt", "no tab here\n", "Flickr8k.token.txt: line 1; expected an image's name, #"),
        ("ExpertAnnotations.txt", "a.jpg\ta.jpg#1\t1\t2\n", "ExpertAnnotations.txt: line 1; .* found 4 cells"),
        ("ExpertAnnotations.txt", "a.jpg\tz.jpg#1\t1\t2\t3\n", "line 1: column 2 matches nothing in Flickr8k.token"),
        ("ExpertAnnotations.txt", "a.jpg\tb.jpg#1\t1\tx\t3\n", "line 1: column 4; expected a number; found 'x'"),
    ],
)
def test_broken_flickr8k_files(flickr: Path, name: str, text: str, said: str) -> None:
    (flickr / name).write_text(text)
    with pytest.raises(InvalidInput, match=said):
        presets.read("flickr8k-expert", flickr)


def test_missing_files_are_named(tmp_path: Path) -> None:
    for key, name in (
        ("flickr8k-cf", "Flickr8k.token.txt"),
        ("composite", "composite.jsonl"),
        ("pascal50s", "pascal50s"),
    ):
        with pytest.raises(InvalidInput, match=f"{name}.*: cannot be read; found No such file"):
            presets.read(key, tmp_path)
    with pytest.raises(InvalidInput, match="no preset 'coco'"):
        presets.read("coco", tmp_path)


def test_composite(tmp_path: Path) -> None:
    rows = [{"image_id": f"i{n}", "candidate": "a", "references": ["b"], "judgement": n % 5 + 1} for n in range(12)]
    path = tmp_path / "composite.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for given in (tmp_path, path):
        found = presets.read("composite", given)
        assert found.data.ratings == tuple((float(n % 5 + 1),) for n in range(12))
    path.write_text(json.dumps(rows[0] | {"judgement": "good"}) + "\n")
    with pytest.raises(InvalidInput, match="line 1: field judgement; expected a number"):
        presets.read("composite", path)


def cells(values: list[Any]) -> Any:
    """MATLAB's cell array."""
    found = np.empty((1, len(values)), dtype=object)
    found[0] = values
    return found


def test_pascal50s_as_its_authors_have_it(tmp_path: Path) -> None:
    """4 groups x 3 pairs; the votes for the first are 48, 24 and 10 of 48."""
    pairs = np.empty((1, 12), dtype=[("image", object), ("a", object), ("b", object)])
    triplets = np.empty((1, 12 * 48), dtype=[(name, object) for name in "abcd"])
    for n in range(12):
        pairs[0, n] = (f"{n}.jpg", f"first {n} ", f"second {n}")
        for vote in range(48):
            winner = 1 if vote < (48, 24, 10)[n % 3] else -1
            triplets[0, n * 48 + vote] = (cells([f"reference {vote}"]), cells(["x"]), cells(["y"]), winner)
    savemat(tmp_path / "pair_pascal.mat", {"new_input": pairs, "category": np.repeat([1, 2, 3, 4], 3)})
    savemat(tmp_path / "consensus_pascal.mat", {"triplets": triplets})
    found = presets.read("pascal50s", tmp_path)
    assert found.pairs is not None
    assert found.pairs.winners == ("first", "tie", "second") * 4
    assert found.pairs.groups == ("HC",) * 3 + ("HI",) * 3 + ("HM",) * 3 + ("MM",) * 3
    item = found.data.items[found.pairs.first[2]]
    assert (item.image_id, item.candidate) == ("2.jpg", "first 2")
    assert item.references == tuple(f"reference {n}" for n in range(5))
    (tmp_path / "pair_pascal.mat").write_bytes(b"broken")
    with pytest.raises(InvalidInput, match=r"pair_pascal.mat: cannot be read; expected a MATLAB file with new_input"):
        presets.read("pascal50s", tmp_path)


def test_a_protocol_is_one_line() -> None:
    lines = {key: preset.line(1234) for key, preset in presets.PRESETS.items()}
    assert lines["flickr8k-expert"].endswith("1-4; all ratings flattened; Kendall tau-c")
    assert "1,234 captions" in lines["flickr8k-cf"]
    assert lines["composite"].endswith("correctness 1-5; Kendall tau-c")
    assert lines["pascal50s"].endswith("winner by 48 votes; accuracy, ties half")
    assert "mode of the ratings" in presets.PRESETS["flickr8k-expert"].line(1, "mode")


@needs_shared
def test_the_real_ones() -> None:
    expert = presets.read("flickr8k-expert", SHARED / "flickr8k")
    assert len(expert.data.items) == 5664
    assert sum(map(len, expert.data.ratings or ())) == 16_992
    assert {len(item.references) for item in expert.data.items} == {5}
    crowd = presets.read("flickr8k-cf", SHARED / "flickr8k")
    assert len(crowd.data.items) == 47_830
    references = {item.image_id: len(item.references) for item in crowd.data.items}
    assert Counter(references.values()) == {4: 719, 5: 279, 3: 2}
    assert len(presets.read("composite", SHARED / "judgements").data.items) == 11_985
    pascal = presets.read("pascal50s", SHARED / "judgements" / "pascal50s.jsonl.gz").pairs
    older = presets.pascal50s(SHARED / "judgements", "winner_11_votes").pairs
    assert pascal is not None
    assert older is not None
    assert Counter(pascal.groups) == dict.fromkeys(("HC", "HI", "HM", "MM"), 1000)
    differ = [group for group, a, b in zip(pascal.groups, pascal.winners, older.winners, strict=True) if a != b]
    assert Counter(differ) == {"HC": 356, "MM": 186, "HM": 16, "HI": 3}
