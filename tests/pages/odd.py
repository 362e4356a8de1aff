"""Captions and files as visitors have them: good, odd and hostile."""

from __future__ import annotations

import gzip
import json
import zipfile
from functools import cache

from tests.io.hostile import SVG, bomb, growing, photograph, picture, zipped

CAPTIONS = (
    "a man paddles a small canoe on a lake",
    "a dog",
    "Two dogs, one black and one white, run along the beach.",
    "",
    ".",
    "a",
    "the the the the the the the",
    "<b>x</b> <img src=x onerror=alert(1)>",
    "# $x^2$ ![](http://evil.example/x.png) **fast** :red[here]",
    "שלום \u202eעולם",
    "犬が芝生の上を走る 🐕",
    "'; DROP TABLE captions; --",
    "=1+1",
    "{candidate!r} %s \\n \\u0000",
    "dog " * 120,
    "a man\nriding a wave\n\non a board",
)
ROWS = [
    {"image_id": place, "candidate": text, "references": ["a man on a wave", "a dog"], "system": system, "length": 3}
    for place, text in enumerate(("a man surfs", "a dog runs", "two cats"))
    for system in ("first", "<b>second</b>")
]
RESULTS = [{"image_id": place, "caption": text} for place, text in enumerate(("a man surfs", "a dog runs"))]
PEOPLE = {"annotations": [{"image_id": place, "caption": "a man or a dog"} for place in (0, 0, 1)]}


@cache
def files() -> dict[str, bytes]:
    """By name. What an ending promises is not always inside."""
    lines = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
    table = b"image_id,candidate,reference_1\n1,a dog,the dog\n2,a cat,\n"
    return {
        "photo.png": photograph("PNG"),
        "photo.jpg": photograph("JPEG"),
        "photo.webp": photograph("WEBP"),
        "one pixel.png": picture("PNG", (1, 1)),
        "bomb.png": bomb(),
        "text.png": b"a dog runs",
        "svg.png": SVG,
        "empty.png": b"",
        "rows.jsonl": lines,
        "rows.jsonl.gz": gzip.compress(lines, mtime=0),
        "<b>rows</b>.jsonl": lines,
        "cut.jsonl": lines[:-20],
        "no references.jsonl": b'{"image_id": 1, "candidate": "a dog"}\n',
        "not text.jsonl": bytes(range(256)),
        "empty.jsonl": b"",
        "nested.json": b"[" * 50_000,
        "results.json": json.dumps(RESULTS).encode(),
        "people.json": json.dumps(PEOPLE).encode(),
        "table.csv": table,
        "table.tsv": table.replace(b",", b"\t"),
        "latin.csv": "image_id,candidate,reference_1\n1,caf\xe9,x\n".encode("latin-1"),
        "long.csv": b"image_id,candidate,reference_1\n1," + b"a dog " * 40_000 + b",x\n",
        "no table.parquet": b"PAR1 no more PAR1",
        "rows.zip": zipped({"rows.jsonl": lines, "images/1.png": photograph("PNG")}),
        "climbs.zip": zipped({"../../workspace.json": b"{}"}),
        "empty.zip": zipped({}),
        "bzip2.zip": zipped({"rows.jsonl": lines}, zipfile.ZIP_BZIP2),
        "grows.zip": growing("rows.jsonl", zipfile.ZIP_DEFLATED),
        "broken.zip": zipped({"rows.jsonl": lines})[:-30],
        "no JSON.zip": zipped({"workspace.json": b"{"}),
    }
