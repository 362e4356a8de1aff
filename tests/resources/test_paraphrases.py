"""The paraphrase index: what it finds, and that no accident leaves a bad one behind."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from capeval_core.errors import MissingResource
from capeval_core.resources import paraphrases
from capeval_core.resources.paraphrase_table import Numbers, span_numbers, word_number
from capeval_core.resources.paraphrases import ParaphraseIndex, build, load

ENTRIES = [
    ("a lot of", "many"),
    ("a lot of", "lots of"),
    ("a lot of", "a number of"),
    ("in front of", "before"),
    ("many", "a lot of"),
    ("naïve", "simple"),
]


def write_table(path: Path, entries: list[tuple[str, str]]) -> Path:
    text = "".join(f"0.1\n{source}\n{target}\n" for source, target in entries)
    path.write_bytes(gzip.compress(text.encode()))
    return path


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_table(tmp_path / "table.gz", ENTRIES)


def number(phrase: str) -> Numbers:
    words = np.array([word_number(word) for word in phrase.split()], dtype=np.uint64)
    return span_numbers(words, len(words))


def targets(index: ParaphraseIndex, phrase: str) -> list[str]:
    phrases = {part for entry in ENTRIES for part in entry}
    names = {int(index.find(number(name))[0]): name for name in phrases}
    _, found, ranks = index.paraphrases(index.find(number(phrase)))
    assert ranks.tolist() == list(range(len(found)))
    return [names[target] for target in found.tolist()]


def opened(path: Path) -> ParaphraseIndex:
    index = load(path)
    assert index is not None
    return index


def test_targets_come_in_the_order_of_the_table(table: Path, tmp_path: Path) -> None:
    index = opened(build(table, tmp_path / "a.index"))
    assert targets(index, "a lot of") == ["many", "lots of", "a number of"]
    assert targets(index, "many") == ["a lot of"]
    assert targets(index, "naïve") == ["simple"]
    assert targets(index, "before") == []


def test_unknown_phrases_are_minus_one(table: Path, tmp_path: Path) -> None:
    index = opened(build(table, tmp_path / "a.index"))
    assert index.find(number("lot of")).tolist() == [-1]
    assert index.find(np.array([0, 2**64 - 1], dtype=np.uint64)).tolist() == [-1, -1]


def test_many_blocks_give_the_same_index(table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = build(table, tmp_path / "a.index").read_bytes()
    monkeypatch.setattr("capeval_core.resources.paraphrase_table._CHARACTERS_AT_ONCE", 7)
    assert build(table, tmp_path / "b.index").read_bytes() == whole


def test_an_empty_table_is_a_table(tmp_path: Path) -> None:
    index = opened(build(write_table(tmp_path / "table.gz", []), tmp_path / "a.index"))
    assert index.find(number("many")).tolist() == [-1]


def test_numbers_of_spans_are_those_of_the_phrases() -> None:
    words = np.array([word_number(word) for word in ("in", "front", "of", "a", "bus")], dtype=np.uint64)
    assert span_numbers(words, 3)[0] == number("in front of")[0]
    assert span_numbers(words, 2).tolist() == [int(number(p)[0]) for p in ("in front", "front of", "of a", "a bus")]
    assert span_numbers(words, 6).tolist() == []


def test_progress_reaches_the_end(table: Path, tmp_path: Path) -> None:
    reports: list[tuple[str, int, int]] = []
    build(table, tmp_path / "a.index", lambda *report: reports.append(report))
    assert reports[-1][1] == reports[-1][2] == table.stat().st_size


@pytest.mark.parametrize(
    "content",
    [
        b"not a gzip file",
        gzip.compress(b"0.1\nonly a source\n"),
        gzip.compress(b"0.1\none two three four five six seven eight\nmany\n"),
        gzip.compress(b"0.1\n\xff\xfe\nmany\n"),
        gzip.compress(b"0.1\na lot of\nmany\n" * 50)[:-20],
        gzip.compress(os.urandom(2000))[:500] + bytes(1500),
    ],
    ids=["no gzip", "no triples", "too long a phrase", "no UTF-8", "cut short", "garbled"],
)
def test_what_is_no_table_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "table.gz").write_bytes(content)
    with pytest.raises(MissingResource):
        build(tmp_path / "table.gz", tmp_path / "a.index")
    assert [path.name for path in tmp_path.iterdir()] == ["table.gz"]


def test_a_collision_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    same = {"many": (1, 1), "simple": (1, 2)}
    monkeypatch.setattr("capeval_core.resources.paraphrase_table._two_numbers", lambda word: same.get(word, (7, 7)))
    with pytest.raises(MissingResource, match="64-bit"):
        build(write_table(tmp_path / "table.gz", [("many", "simple")]), tmp_path / "a.index")


@pytest.mark.parametrize("damage", ["missing", "empty", "header only", "cut short", "longer", "foreign", "huge counts"])
def test_damage_is_noticed(damage: str, table: Path, tmp_path: Path) -> None:
    path = build(table, tmp_path / "a.index")
    content = path.read_bytes()
    if damage == "missing":
        path.unlink()
    else:
        damaged = {
            "empty": b"",
            "header only": content[:20],
            "cut short": content[:-1],
            "longer": content + b"\0",
            "foreign": b"x" * len(content),
            "huge counts": content[:16] + b"\xff" * 16 + content[32:],
        }
        path.write_bytes(damaged[damage])
    assert load(path) is None


def test_leftovers_of_killed_builds_are_removed_when_old(table: Path, tmp_path: Path) -> None:
    old, fresh, other = tmp_path / "a.indexold.tmp", tmp_path / "a.indexnew.tmp", tmp_path / "mine.tmp"
    for path in (old, fresh, other):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - 7200,) * 2)
    os.utime(other, (time.time() - 7200,) * 2)
    build(table, tmp_path / "a.index")
    assert not old.exists()
    assert fresh.exists()
    assert other.exists()


def test_a_folder_without_room_or_rights_is_a_missing_resource(table: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingResource, match="CAPEVAL_CACHE"):
        build(table, tmp_path / "no such folder" / "a.index")


OPEN = "from capeval_core.resources.paraphrases import open_index; print(len(open_index().targets))"
DESCRIBE = "from capeval_core.resources.paraphrases import describe; print(describe().state)"
# Stops half-way through writing, with half of the file written, and says so.
SLOW = """
import sys, time
import numpy as np
from capeval_core.resources import paraphrases
class Slow(np.ndarray):
    def tofile(self, file):
        file.write(self.tobytes()[:10]); file.flush()
        print("half", flush=True); time.sleep(60)
whole = paraphrases.ParaphraseIndex
paraphrases.ParaphraseIndex = lambda numbers, first, targets: whole(numbers, first.view(Slow), targets)
paraphrases.open_index()
"""


def start(code: str, folder: Path) -> subprocess.Popen[str]:
    own = {"CAPEVAL_METEOR_PARAPHRASES": str(folder / "table.gz"), "CAPEVAL_CACHE": str(folder / "cache")}
    return subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, **own},
        cwd=Path(paraphrases.__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
    )


def run(code: str, folder: Path) -> str:
    out, _ = start(code, folder).communicate(timeout=60)
    return out.strip()


@pytest.fixture
def big_table(tmp_path: Path) -> Path:
    return write_table(tmp_path / "table.gz", [(f"word{n // 9} of", f"word{n}") for n in range(100_000)])


def test_two_processes_may_build_at_once(big_table: Path, tmp_path: Path) -> None:
    both = [start(OPEN, tmp_path) for _ in range(2)]
    assert [process.communicate(timeout=60)[0].strip() for process in both] == ["100000", "100000"]
    assert run(DESCRIBE, tmp_path) == "ok"
    assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".index"]


def test_a_build_killed_half_way_leaves_no_index(table: Path, tmp_path: Path) -> None:
    process = start(SLOW, tmp_path)
    assert process.stdout is not None
    assert process.stdout.readline() == "half\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".tmp"]
    assert run(DESCRIBE, tmp_path) == "not built"
    assert run(OPEN, tmp_path) == str(len(ENTRIES))


@pytest.mark.parametrize("content", [b"", b"CapEval phrases1", b"something else, and long enough to be an index"])
def test_a_bad_file_is_replaced(content: bytes, table: Path, tmp_path: Path) -> None:
    assert run(OPEN, tmp_path) == str(len(ENTRIES))
    (path,) = (tmp_path / "cache").iterdir()
    path.write_bytes(content)
    assert run(DESCRIBE, tmp_path) == "damaged"
    assert run(OPEN, tmp_path) == str(len(ENTRIES))
    assert run(DESCRIBE, tmp_path) == "ok"


def test_another_table_has_another_index(table: Path, tmp_path: Path) -> None:
    run(OPEN, tmp_path)
    write_table(table, ENTRIES[:2])
    assert run(OPEN, tmp_path) == "2"
    assert len(list((tmp_path / "cache").iterdir())) == 2


def test_opening_takes_a_moment() -> None:
    paraphrases.open_index()
    start_time = time.process_time()
    paraphrases.open_index()
    assert time.process_time() - start_time < 0.05
