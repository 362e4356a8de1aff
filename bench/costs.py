"""Measures what scoring takes, for the order in which Systems scores: processor seconds per 1,000 captions by metric.

Each metric alone, its models loaded, on captions of karpathy_a with 4 references each (../shared/data). Processor time
of all threads, so that a busy machine hardly matters. Writes assets/costs.json. Names of metrics as arguments: only
these are measured, and put among what is there.

    python -m bench.costs [METRIC ...]
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from pathlib import Path

from capeval_core import CaptionItem, evaluate, registry

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data" / "karpathy" / "karpathy_a.jsonl.gz"
COUNT = 1_000
OPTIONS = {"cider": {"idf": "coco"}}


def items(first: int, count: int) -> list[CaptionItem]:
    with gzip.open(DATA, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file][first : first + count]
    return [CaptionItem(row["image_id"], row["caption"], tuple(row["references"]), row["system"]) for row in rows]


def seconds(metric: str) -> float:
    keys = [key for key in registry.keys() if registry.get(key).metric == metric]
    options = {name: OPTIONS[name] for name in registry.get(keys[0]).behind if name in OPTIONS}
    evaluate(items(COUNT, 20), keys, options=options)  # models are loaded
    batch = items(0, COUNT)
    start = time.process_time()
    found = evaluate(batch, keys, options=options)
    assert not found.skipped, found.skipped
    return (time.process_time() - start) * 1_000 / COUNT


def main() -> None:
    path = ROOT / "assets" / "costs.json"
    known = json.loads(path.read_text(encoding="utf-8"))["seconds"] if sys.argv[1:] else {}
    known |= {metric: round(seconds(metric), 2) for metric in sys.argv[1:] or registry.metrics()}
    found = {metric: known[metric] for metric in registry.metrics() if metric in known}
    source = f"Processor seconds per 1,000 captions, measured on {COUNT:,} captions of COCO with 4 references each."
    path.write_text(json.dumps({"source": source, "seconds": found}, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
