"""Times all scores of one image, warm: 5 candidates, 5 references, every metric; new captions in every round."""

from __future__ import annotations

import gzip
import json
import statistics
import time

from bench.coco import DATA
from capeval_core import CaptionItem, evaluate, registry

ROUNDS = 15
LIMIT = 0.3


def main() -> None:
    with gzip.open(DATA, "rt") as file:
        rows = list(map(json.loads, file))
    images: dict[str, list[CaptionItem]] = {}
    for row in rows:
        item = CaptionItem(row["image_id"], row["caption"], tuple(row["references"]))
        images.setdefault(item.image_id, []).append(item)
    found = list(images.values())
    taken: dict[str, list[float]] = {"": []}
    for place in range(ROUNDS + 2):
        # Four captioners and one of another image; the fifth reference is of another image too.
        extra, others = found[place + 100][0], found[place]
        references = (*others[0].references, extra.references[0])
        items = [CaptionItem("1", item.candidate, references) for item in (*others, extra)]
        if place < 2:  # models load, threads wake
            evaluate(items)
            continue
        start = time.perf_counter()
        evaluate(items)
        taken[""].append(time.perf_counter() - start)
        for key in registry.keys():
            start = time.perf_counter()
            evaluate(items, [key])
            taken.setdefault(key, []).append(time.perf_counter() - start)
    middle = statistics.median(taken.pop(""))
    verdict = "within" if middle <= LIMIT else "OVER"
    print(f"all {len(taken)} scores of 5 candidates, 5 references: {middle:.3f} s ({verdict} {LIMIT} s)")
    print("alone: " + ", ".join(f"{key} {statistics.median(times):.3f}" for key, times in taken.items()))


if __name__ == "__main__":
    main()
