"""Times CapEval's n-gram metrics against the COCO toolkit on karpathy_a, in one run; shows how time and memory grow.

The original: PTBTokenizer (Java), BLEU, ROUGE-L, METEOR (Java) and CIDEr of pycocoevalcap, references tokenized once,
four captioners one after the other. Ours: the command line from start to written file, the middle one of three runs.
"""

from __future__ import annotations

import gzip
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.scale import ROOT, command, measure, varied

DATA = Path(__file__).parents[2] / "shared" / "data" / "karpathy" / "karpathy_a.jsonl.gz"


def time_original(rows: list[dict[str, Any]]) -> float:
    from pycocoevalcap.bleu.bleu import Bleu
    from pycocoevalcap.cider.cider import Cider
    from pycocoevalcap.meteor.meteor import Meteor
    from pycocoevalcap.rouge.rouge import Rouge
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    start = time.perf_counter()
    tokenizer = PTBTokenizer()
    references = {row["image_id"]: [{"caption": text} for text in row["references"]] for row in rows}
    gts = tokenizer.tokenize(references)
    for system in dict.fromkeys(row["system"] for row in rows):
        chosen = {row["image_id"]: [{"caption": row["caption"]}] for row in rows if row["system"] == system}
        res = tokenizer.tokenize(chosen)
        for scorer in (Bleu(4), Rouge(), Meteor(), Cider()):
            scorer.compute_score(gts, res, **({"verbose": 0} if isinstance(scorer, Bleu) else {}))
        print(f"  original, {system} done: {time.perf_counter() - start:.1f} s", flush=True)
    return time.perf_counter() - start


def time_ours(path: Path) -> float:
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        subprocess.run(command(path, Path(folder)), cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
        return time.perf_counter() - start


def write_varied(rows: list[dict[str, Any]], count: int, path: Path) -> None:
    """`count` items, hardly two captions alike: neighbouring words of real captions are swapped at random."""
    chance = random.Random(1)
    with path.open("w") as file:
        for number in range(count):
            row = rows[number % len(rows)]
            references = [varied(text, chance) for text in row["references"]]
            item = {"image_id": number, "candidate": varied(row["caption"], chance), "references": references}
            file.write(json.dumps(item) + "\n")


def main() -> None:
    if not DATA.exists():
        sys.exit(f"bench needs {DATA}")
    with gzip.open(DATA, "rt") as file:
        rows = [json.loads(line) for line in file]
    time_ours(DATA)  # builds METEOR's index when this machine has none yet
    runs = sorted(time_ours(DATA) for _ in range(3))
    ours = runs[1]
    print(
        "CapEval on karpathy_a (10,000 captions, 4 references each): "
        f"{', '.join(f'{seconds:.2f}' for seconds in runs)} s",
        flush=True,
    )
    if shutil.which("java"):
        original = time_original(rows)
        print(f"pycocoevalcap: {original:.1f} s; CapEval is {original / ours:.1f} times as fast", flush=True)
    else:
        print("no Java here: the original was not timed")
    with tempfile.TemporaryDirectory() as folder:
        seconds = {}
        for count in (10_000, 100_000):
            path = Path(folder) / f"{count}.jsonl"
            write_varied(rows, count, path)
            found = measure(path, Path(folder))
            seconds[count] = found.seconds
            print(f"{count:,} varied captions: {found.seconds:.1f} s, peak {found.shared:.2f} GB", flush=True)
        print(f"ten times the captions took {seconds[100_000] / seconds[10_000]:.1f} times as long")


if __name__ == "__main__":
    main()
