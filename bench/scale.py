"""A million captions by the n-gram metrics: seconds, and the peak memory of all processes of the run together.

The captions are those of COCO val2014, repeated; in each neighbouring words are swapped at random, so that hardly two
are alike: as many different n-grams as a corpus can have. Memory is PSS: what processes share is counted once.

    python -m bench.scale [CAPTIONS ...]     100000 1000000
"""

from __future__ import annotations

import gzip
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data" / "coco" / "captions_val2014.json.gz"
METRICS = "bleu_1,bleu_2,bleu_3,bleu_4,rouge_l,meteor,cider"


def captions() -> list[list[str]]:
    """By image."""
    with gzip.open(DATA, "rt", encoding="utf-8") as file:
        found: dict[int, list[str]] = {}
        for one in json.load(file)["annotations"]:
            found.setdefault(one["image_id"], []).append(one["caption"])
    return list(found.values())


def varied(text: str, chance: random.Random) -> str:
    """Twice, two neighbouring words swapped."""
    words = text.split()
    for _ in range(2):
        place = chance.randrange(max(1, len(words) - 1))
        words[place : place + 2] = reversed(words[place : place + 2])
    return " ".join(words)


def write_varied(images: list[list[str]], count: int, path: Path) -> None:
    chance = random.Random(1)
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            candidate, *references = (varied(text, chance) for text in images[number % len(images)][:5])
            row = {"image_id": number, "candidate": candidate, "references": references, "system": "varied"}
            file.write(json.dumps(row) + "\n")


def family(pid: int) -> Iterator[int]:
    yield pid
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return
    for child in children:
        yield from family(int(child))


def memory(pid: int) -> tuple[float, float]:
    """PSS and RSS of a process and all it started, in GB."""
    total = {"Pss:": 0, "Rss:": 0}
    for one in family(pid):
        try:
            lines = Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()
        except OSError:  # it has just ended
            continue
        for line in lines:
            name, *rest = line.split()
            if name in total:
                total[name] += int(rest[0])
    return total["Pss:"] / 1e6, total["Rss:"] / 1e6


@dataclass(frozen=True)
class Measured:
    seconds: float
    processor: float  # seconds of all processes
    shared: float  # peak PSS of all processes, in GB
    summed: float  # peak of the sum of their RSS


def command(path: Path, folder: Path, metrics: str = METRICS) -> list[str]:
    given = [str(path), "--metrics", metrics, "--idf", "corpus", "--out", str(folder / "out.jsonl")]
    return [sys.executable, "-m", "capeval_core", "score", *given]


def measure(path: Path, folder: Path, metrics: str = METRICS) -> Measured:
    """One `score` command, from start to written file."""
    before, start = os.times(), time.perf_counter()
    process = subprocess.Popen(command(path, folder, metrics), cwd=ROOT, stdout=subprocess.DEVNULL)
    peak = (0.0, 0.0)
    while True:
        now = memory(process.pid)
        peak = max(peak[0], now[0]), max(peak[1], now[1])
        try:
            code = process.wait(timeout=0.2)
            break
        except subprocess.TimeoutExpired:
            continue
    seconds, after = time.perf_counter() - start, os.times()
    if code:
        sys.exit(f"score failed with {code}")
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return Measured(seconds, used, *peak)


def main(counts: list[int]) -> None:
    if not DATA.exists():
        sys.exit(f"bench needs {DATA}")
    images = captions()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for count in counts:
            path = folder / f"{count}.jsonl"
            write_varied(images, count, path)
            found = measure(path, folder)
            print(
                f"{count:,} captions: {found.seconds:.0f} s ({found.processor:.0f} s of processor), "
                f"peak of all processes {found.shared:.2f} GB (PSS; RSS added up {found.summed:.2f} GB)",
                flush=True,
            )
            path.unlink()


if __name__ == "__main__":
    main([int(one) for one in sys.argv[1:]] or [100_000, 1_000_000])
