"""Times BERTScore against the bert-score package on the same weights, in one run, on karpathy_a.

The package scores a captioner per call, as it is used; then all four in one call, in which it reads a reference once.
Ours: evaluate() on all items, models loaded, on as many threads; and the command line with workers, start to end.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
import time
import warnings
from pathlib import Path

import torch

from capeval_core import CaptionItem, evaluate
from capeval_core.resources import files

DATA = Path(__file__).parents[2] / "shared" / "data" / "karpathy" / "karpathy_a.jsonl.gz"


def main(images: int) -> None:
    from bert_score import BERTScorer

    with gzip.open(DATA, "rt", encoding="utf-8") as file:
        rows = [row for row, _ in zip(map(json.loads, file), range(4 * images), strict=False)]
    items = [CaptionItem(row["image_id"], row["caption"], tuple(row["references"]), row["system"]) for row in rows]
    evaluate(items[:40], ["bertscore"], device="cpu")
    start = time.perf_counter(), time.process_time()
    ours = evaluate(items, ["bertscore"], device="cpu").scores["bertscore"]
    wall, processor = time.perf_counter() - start[0], time.process_time() - start[1]
    print(f"CapEval, {len(items):,} captions: {wall:.1f} s, {processor:.1f} s of processor", flush=True)
    torch.set_num_threads(os.cpu_count() or 1)
    warnings.simplefilter("ignore")
    folder = str(files.locate("minilm-config").parent)
    scorer = BERTScorer(model_type=folder, num_layers=6, device="cpu")
    scorer.score(["a dog"], [["a cat"]])
    systems = dict.fromkeys(item.system for item in items)
    for name, groups in (
        ("a call per captioner", [[item for item in items if item.system == one] for one in systems]),
        ("one call", [items]),
    ):
        start = time.perf_counter(), time.process_time()
        found = [scorer.score([one.candidate for one in group], [list(one.references) for one in group])
                 for group in groups]  # fmt: skip
        theirs, used = time.perf_counter() - start[0], time.process_time() - start[1]
        print(
            f"bert-score, {name}: {theirs:.1f} s, {used:.1f} s of processor; "
            f"CapEval is {theirs / wall:.2f} times as fast (by processor time {used / processor:.2f})",
            flush=True,
        )
    difference = max(abs(left - right) for left, right in zip(ours.tolist(), found[0][2].tolist(), strict=True))
    print(f"largest difference of F1: {difference:.1e}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_500)
