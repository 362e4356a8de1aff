"""Times MIMA and SPURTS on karpathy_a's 10,000 captions against two bare forward passes of MiniLM, in one run.

The bare passes run the same encoder to its end over the distinct texts the metrics read (with and without stop words),
on ready token ids, and keep nothing. The metrics' time includes tokens, entropies and the estimate.
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable
from functools import partial

import torch

from bench.coco import DATA
from capeval_core import CaptionItem, evaluate
from capeval_core.metrics.typicality.information_flow import read
from capeval_core.resources.transformer import PACKAGED, Transformer, open_transformer

LIMIT = 1.3


def bare(model: Transformer, captions: list[str]) -> Callable[[], None]:
    """Both forward passes over the distinct captions."""
    rows = [
        [read(model, text, stop_words=kept, prepared=True).ids for text in dict.fromkeys(captions)]
        for kept in (True, False)
    ]

    def run(ids: torch.Tensor) -> list[None]:
        real = ids != model.encoder.padding
        for _ in model.encoder.steps(ids, None if bool(real.all()) else real):
            pass
        return [None] * len(ids)

    def both() -> None:
        for part in rows:
            model.in_batches(part, run)

    return both


def timed(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def main() -> None:
    with gzip.open(DATA, "rt") as file:
        items = [CaptionItem(row["image_id"], row["caption"]) for row in map(json.loads, file)]
    evaluate(items[:50], ["mima", "spurts"], device="cpu")  # models loaded, threads awake
    passes = bare(open_transformer(PACKAGED), [item.candidate for item in items])
    seconds = timed(passes)
    print(f"two bare forward passes over the captions of {len(items):,} items: {seconds:.1f} s", flush=True)
    for model in ("estimate", PACKAGED):
        options = {"mima": {"model": model}, "spurts": {"model": model}}
        ours = timed(partial(evaluate, items, ["mima", "spurts"], options=options, device="cpu"))
        verdict = "within" if ours <= LIMIT * seconds else "OVER"
        print(f"MIMA + SPURTS, model={model}: {ours:.1f} s, {ours / seconds:.2f}x ({verdict} {LIMIT}x)", flush=True)


if __name__ == "__main__":
    main()
