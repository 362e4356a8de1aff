"""Times WMD against gensim's wmdistance(norm=False), per pair of captions, on karpathy_a in one run.

Both get tokenized captions and loaded vectors, and each distinct pair once; gensim, on some of the pairs, is given the
words without stop words. Ours: the metric's score() of whole batches, fresh caches.
"""

from __future__ import annotations

import gzip
import json
import random
import time

import numpy as np

from bench.coco import DATA
from capeval_core import CaptionItem
from capeval_core.metrics.wmd import Options, Wmd
from capeval_core.shared import Shared
from capeval_core.text.stopwords import stopwords

GENSIM_PAIRS = 3_000
ROUNDS = 3


def main() -> None:
    from gensim.models import KeyedVectors  # type: ignore[import-untyped]

    with gzip.open(DATA, "rt") as file:
        rows = list(map(json.loads, file))
    items = [CaptionItem(row["image_id"], row["caption"], tuple(row["references"])) for row in rows]
    shared = Shared(device="cpu")
    pairs = list(dict.fromkeys((item.candidate, text) for item in items for text in item.references))
    words = {
        text: [word for word in shared.tokens(text).split() if word not in stopwords()]
        for text in dict.fromkeys(text for pair in pairs for text in pair)
    }
    vectors = Wmd(Options(), shared).vectors
    keyed = KeyedVectors(vectors.dims)
    keyed.add_vectors(list(vectors.index), np.asarray(vectors.matrix))
    Wmd(Options(), shared).score(items[:10])  # loads the solver
    chosen = random.Random(1).sample(pairs, GENSIM_PAIRS)
    ratios = []
    for _ in range(ROUNDS):  # one after the other in each round: the machine may be busy in between
        start = time.perf_counter()
        Wmd(Options(), shared).score(items)
        ours = (time.perf_counter() - start) / len(pairs)
        start = time.perf_counter()
        for left, right in chosen:
            keyed.wmdistance(words[left], words[right], norm=False)
        theirs = (time.perf_counter() - start) / len(chosen)
        ratios.append(theirs / ours)
        print(f"a pair: gensim {theirs * 1e6:.0f} us, CapEval {ours * 1e6:.0f} us: {ratios[-1]:.1f} times", flush=True)
    print(f"WMD of {len(pairs):,} pairs: CapEval is {sorted(ratios)[ROUNDS // 2]:.1f} times as fast as gensim (median)")


if __name__ == "__main__":
    main()
