"""Data sets from strangers: too much, broken or hostile is one line that names the file, and nothing stays behind."""

from __future__ import annotations

import gzip
import io
import json
import random
import tempfile
import zipfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

from capeval_core import InvalidInput, registry
from capeval_core.io import readers, sources
from capeval_core.io.dataset import DataSet
from capeval_core.io.limits import APP, Limits
from tests.io import hostile
from tests.io.hostile import MEGABYTE, SVG, bomb, growing, memory, photograph, picture, zipped
from tests.io.test_dataset import ANNOTATIONS, RESULTS, ROWS, lines, parquet, table

ROW = {"image_id": "1", "system": "m2", "candidate": "a dog", "references": ["the dog"]}
GOOD = {"a.jsonl": lines(ROWS)}


def load(name: str, data: Any, limits: Limits = APP, **others: Any) -> DataSet:
    given = []
    for one, content in {name: data, **{key.replace("__", "."): value for key, value in others.items()}}.items():
        given.append(sources.of_bytes(one, content if isinstance(content, bytes) else json.dumps(content).encode()))
    return readers.read_dataset(given, keys=registry.keys(), limits=limits, named=True)


def huge_parquet(shape: str) -> bytes:
    """Tens of kilobytes that unpack to gigabytes: one value again and again, or one long one."""
    value = pa.array(["x" * 3_000_000])
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 1_000, pa.int32()), value)
    if shape == "one row":
        offsets = pa.array([0, 1_000], pa.int32())
        content = pa.table(
            {"image_id": ["1"], "candidate": ["a"], "references": pa.ListArray.from_arrays(offsets, column)}
        )
    elif shape == "one value":
        content = pa.table({"image_id": ["1"], "candidate": ["x" * 120_000_000], "references": [["a"]]})
    else:
        content = pa.table({"image_id": ["1"] * 1_000, "candidate": column, "references": [["a"]] * 1_000})
    target = io.BytesIO()
    pq.write_table(content, target, compression="zstd")
    return target.getvalue()


BAD: dict[str, tuple[str, Any, str]] = {
    "unknown kind": ("m2.xml", b"<a/>", r"^m2.xml: unknown kind of file; expected .jsonl"),
    "broken line": ("a.jsonl", lines(ROWS) + b"nonsense\n", r"^a.jsonl: line 4: broken JSON"),
    "results alone": ("m2.json", RESULTS, r"^m2.json: entry \[0\]: field references is missing.*annotation file"),
    "annotations alone": ("val.json", ANNOTATIONS, r"^val.json: references only, no captions. Fix: give it together"),
    "table without references": ("a.csv", b"image_id,candidate\n1,x\n", r"^a.csv: line 1: field references is missing"),
    "two columns of one name": ("a.csv", b"image_id,n,n\n1,2,3\n", r"^a.csv: line 1: two columns are named 'n'"),
    "images only": ("a.png", picture("PNG"), r"^no file of captions; expected .*; found images only"),
    "empty zip": ("a.zip", zipped({}), r"^no file of captions"),
    "a score that is no number": ("a.jsonl", lines([ROW | {"cider": "high"}]), r"^a.jsonl: line 1: field cider"),
    "an infinite score": ("a.jsonl", lines([ROW | {"cider": float("inf")}]), r"field cider; expected a finite number"),
    "a rating that is no number": ("a.jsonl", lines([ROW | {"rating": "good"}]), r"line 1: field rating; exp"),
    "half a character": ("a.jsonl", lines([ROW | {"note": "\ud800"}]), r"line 1: field note: not valid Unicode"),
    "half a character inside": ("a.jsonl", lines([ROW | {"note": ["\ud800"]}]), r"line 1: field note: not valid"),
    "half a character in a name": ("a.jsonl", lines([ROW | {"\ud800": 1}]), r"line 1: a field's name: not valid"),
    "a picture": ("a.jsonl", photograph("PNG"), r"^a.jsonl: line 1: not UTF-8"),
    "not Parquet": ("a.parquet", b"PAR1 nonsense PAR1", r"^a.parquet: cannot be read; expected a Parquet file"),
    "cut Parquet": ("a.parquet", parquet(ROWS)[:-40], r"^a.parquet: cannot be read"),
    "Parquet without candidate": ("a.parquet", parquet([{"image_id": 1}]), r"^a.parquet: line 1: field candidate is"),
    "Parquet with a number": ("a.parquet", parquet([ROW | {"candidate": 3}]), r"line 1: field candidate; exp"),
    "not gzip": ("a.jsonl.gz", b"plain", r"^a.jsonl.gz: broken gzip file"),
    "cut gzip": ("a.jsonl.gz", gzip.compress(random.Random(0).randbytes(9_000))[:-99], r"^a.jsonl.gz: "),
    "many captioners": ("a.jsonl", lines([ROW | {"system": str(n)} for n in range(25)]), r"^too many captioners; .*24"),
    "many references": ("a.jsonl", lines([ROW | {"references": ["x"] * 3_000}]), r"references: too many; .* 200;"),
    "long caption": ("a.jsonl", lines([ROW | {"candidate": "x" * 2_400_000}]), r"line 1: a caption is too long; "),
    "long reference": ("a.jsonl", lines([ROW | {"references": ["x" * 10_001]}]), r"line 1: a caption is too long"),
    "long name": ("a.jsonl", lines([ROW | {"system": "x" * 201}]), r"the name of an image or captioner is too long"),
    "long row": ("a.jsonl", lines([ROW | {"note": "x" * 4_000_000}]), r"^a.jsonl: line 1: too long; expected rows of"),
    "many columns": ("a.jsonl", lines([ROW | {f"c{n}": n for n in range(101)}]), r"line 1: too many fields; .* 100 "),
    "long column": ("a.jsonl", lines([ROW | {"x" * 201: 1}]), r"line 1: a field's name is too long"),
    "blank lines": (
        "a.jsonl.gz",
        lambda: gzip.compress(b"\n" * 9_000_000),
        r"^a.jsonl.gz: line 50001; expected captions",
    ),
    "an open quote": (
        "a.csv",
        b'image_id,candidate,references\n1,"' + (b"x" * 9_999 + b"\n") * 500,
        r"^a.csv: line \d+: too long",
    ),
    "gzip that grows": ("a.jsonl.gz", lambda: gzip.compress(bytes(100 * MEGABYTE)), r"^a.jsonl.gz: line 1: too long"),
    "Parquet that grows": ("a.parquet", lambda: huge_parquet("rows"), r"^a.parquet: line 1: a caption is too long"),
    "Parquet that grows in one row": (
        "a.parquet",
        lambda: huge_parquet("one row"),
        r"^a.parquet: cannot be read|too long",
    ),
    "Parquet of one long value": (
        "a.parquet",
        lambda: huge_parquet("one value"),
        r"^a.parquet: cannot be read|too long",
    ),
    "JSON of brackets": (
        "a.json.gz",
        lambda: gzip.compress(b"[" + b"[]," * 9_000_000),
        r"^a.json.gz: entry \[0\]; exp",
    ),
    "bzip2": ("a.zip", lambda: growing("a.jsonl", zipfile.ZIP_BZIP2), r"^a.zip: cannot be opened; .*; found bzip2"),
    "LZMA": ("a.zip", lambda: growing("a.jsonl", zipfile.ZIP_LZMA), r"^a.zip: cannot be opened; .*; found LZMA"),
    "deflate64": ("a.zip", hostile.with_method(zipped(GOOD), 9), r"^a.zip: cannot be opened; .*; found deflate64"),
    "encrypted": ("a.zip", hostile.with_flag(zipped(GOOD), 1), r"^a.zip: cannot be opened; .*an encrypted entry"),
    "climbs out": ("a.zip", zipped({"../a.jsonl": b""}), r"^a.zip: cannot be opened; .*an entry named '../a.jsonl'"),
    "link": ("a.zip", hostile.with_link("a.jsonl", "/etc/passwd"), r"^a.zip: cannot be opened; .*a link or device"),
    "twice": ("a.zip", hostile.twice("a.jsonl", b""), r"^a.zip: cannot be opened; expected each name once"),
    "zip that grows": ("a.zip", lambda: growing("a.jsonl", zipfile.ZIP_DEFLATED), r"^a.zip: a.jsonl: line 1: too long"),
    "zip of images that grow": (
        "a.zip",
        lambda: zipped({**GOOD, "1.png": bytes(30 * MEGABYTE)}),
        r"a.zip: 1.png: .* 10 MB",
    ),
    "zip in a zip": ("a.zip", zipped({**GOOD, "b.zip": zipped(GOOD)}), r"^a.zip: b.zip: an archive inside an archive"),
    "tar in a zip": ("a.zip", zipped({**GOOD, "b.tar.gz": b""}), r"^a.zip: b.tar.gz: an archive inside an archive"),
    "program in a zip": ("a.zip", zipped({**GOOD, "b.exe": b""}), r"^a.zip: b.exe: unknown kind of file"),
    "zip packed again": ("a.zip.gz", gzip.compress(zipped(GOOD)), r"^a.zip.gz: an archive inside an archive"),
    "many files in a zip": ("a.zip", zipped({f"{n}.jsonl": b"" for n in range(31)}), r"too many files; .*at most 30"),
    "many ratings": ("a.jsonl", lines([ROW | {"ratings": [1] * 201}]), r"line 1: field ratings: too many; .* 200"),
    "a column nested deeply": (
        "a.jsonl",
        json.dumps(ROW).encode()[:-1] + b', "x": ' + b"[" * 600 + b"]" * 600 + b"}",
        r"line 1: field x: nested too deeply",
    ),
    "many columns of a table": (
        "a.csv",
        ",".join(map(str, range(401))).encode() + b"\n1,2\n",
        r"^a.csv: line 1: too many columns; expected at most 400; found 401",
    ),
    "a number without end": ("a.csv", b"reference_" + b"9" * 9_999 + b"\n1\n", r"line 2: field image_id is missing"),
    "SVG in a zip": ("a.zip", zipped({**GOOD, "1.svg": SVG}), r"^a.zip: 1.svg: unknown kind of file"),
    "SVG called PNG": ("a.zip", zipped({**GOOD, "1.png": SVG}), r"^a.zip: 1.png: this image cannot be used"),
    "half an image": ("a.zip", zipped({**GOOD, "1.jpg": photograph("JPEG")[:3_000]}), r"^a.zip: 1.jpg: this image"),
    "GIF called PNG": ("a.zip", zipped({**GOOD, "1.png": picture("GIF")}), r"^a.zip: 1.png: this image cannot be used"),
    "image that grows": ("a.zip", zipped({**GOOD, "1.png": bomb()}), r"^a.zip: 1.png: .* at most 40 million pixels"),
    "two images of one name": ("a.zip", zipped({**GOOD, "1.png": b"", "1.jpg": b""}), r"^image '1': two files match"),
    "bad line in a zip": ("a.zip", zipped({"d/a.jsonl": b"{"}), r"^a.zip: d/a.jsonl: line 1: broken JSON"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_one_line_and_leaves_nothing(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    name, made, said = BAD[case]
    data = made() if callable(made) else made
    with memory(60 * MEGABYTE), pytest.raises(InvalidInput, match=said) as caught:
        load(name, data)
    assert str(tmp_path) not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600
    assert list(tmp_path.iterdir()) == []


def test_a_good_file_leaves_nothing_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    load("a.zip", zipped({**GOOD, "1.png": photograph("PNG"), "b.parquet": parquet(ROWS)}))
    assert list(tmp_path.iterdir()) == []


TIGHT: dict[str, tuple[Limits, str]] = {
    "unpacked": (replace(APP, unpacked=300), "expected at most 0 MB in all, unpacked. Fix: use the command line"),
    "annotations": (replace(APP, annotations=2), "val.json: too much to load here; expected at most 2 annotations"),
    "images": (replace(APP, images=1), "too many images; expected at most 1; found 2"),
    "entries": (replace(APP, entries=2), "a.zip: cannot be opened; expected at most 2 entries"),
    "captions": (replace(APP, captions=4), "a.zip: m2.json: too much to load here; expected at most 4 captions"),
}


@pytest.mark.parametrize("name", TIGHT)
def test_every_limit_holds(name: str) -> None:
    content = {**GOOD, "m2.json": json.dumps(RESULTS).encode(), "1.png": picture("PNG"), "2.png": photograph("PNG")}
    limits, said = TIGHT[name]
    assert len(load("a.zip", zipped(content), val__json=ANNOTATIONS).items) == 5
    with pytest.raises(InvalidInput, match=said):
        load("a.zip", zipped(content), limits, val__json=ANNOTATIONS)


def test_the_command_line_has_no_limits(tmp_path: Path) -> None:
    row = ROW | {"candidate": "x" * 20_000, "references": ["y"] * 500, "note": "z" * 5_000_000}
    path = tmp_path / "a.jsonl"
    path.write_bytes(lines([row | {"system": str(n)} for n in range(30)]))
    found = readers.read_inputs([str(path)])
    assert len(found.systems) == 30
    assert len(found.columns["note"][0]) == 5_000_000  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(30))
def test_damaged_files_are_read_or_refused(seed: int) -> None:
    """A few bytes changed, cut or doubled anywhere: an answer, never another error."""
    chance = random.Random(seed)
    files = {
        "a.jsonl": lines(ROWS),
        "a.json": json.dumps(ROWS).encode(),
        "a.csv": table(ROWS),
        "a.csv.gz": gzip.compress(table(ROWS)),
        "a.zip": zipped({**GOOD, "1.png": photograph("PNG"), "2.jpg": photograph("JPEG")}),
        **({"a.parquet": parquet(ROWS)} if seed < 5 else {}),
    }
    for name, data in files.items():
        for _ in range(20 if name != "a.parquet" else 2):
            damaged = bytearray(data)
            for _ in range(chance.randint(1, 4)):
                place = chance.randrange(len(damaged))
                match chance.randrange(4):
                    case 0:
                        damaged[place] = chance.randrange(256)
                    case 1:
                        del damaged[place : place + chance.randint(1, 30)]
                    case 2:
                        damaged[place:place] = damaged[place : place + 30]
                    case 3:
                        damaged[place] ^= 1 << chance.randrange(8)
            with suppress(InvalidInput):
                found = load(name, bytes(damaged))
                assert found.items
                for image in found.images:
                    found.image(image)
