"""Are planted errors found, how often are people's captions blamed, and what does it cost?

    python -m bench.explore [captions]      planted errors and false alarms on Flickr30k's validation captions
    python -m bench.explore ratings [captions]  support of nouns against COMPOSITE's and Flickr8k's ratings (Pearson)
    python -m bench.explore cost [captions] time against BERTScore and SPICE together, and memory, on karpathy_a

Two protocols: with the unchanged caption among the references (what was changed can be known), and with the other four
only (they often do not speak of it).
"""

from __future__ import annotations

import gzip
import json
import random
import resource
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from capeval_core import CaptionItem, evaluate
from capeval_core.explore.analyse import analyse, explore
from capeval_core.explore.findings import CaptionFindings
from capeval_core.explore.kinds import KINDS
from capeval_core.explore.profile import supports
from capeval_core.io import presets
from capeval_core.perturb import Variant, perturb
from capeval_core.shared import Shared

DATA = Path(__file__).parents[1].parent / "shared" / "data"
# A planted fault and the errors that name it.
NAMED = {
    "wrong_colour": ("wrong_colour",),
    "wrong_count": ("wrong_count",),
    "repeated_phrase": ("repetition",),
    "truncated": ("broken_ending",),
    "swapped_roles": ("swapped_roles",),
    "replace_person": ("invented_object", "wrong_person", "wrong_count", "wrong_attribute"),
    "replace_scene": ("invented_object",),
}


@dataclass(frozen=True, slots=True)
class Planted:
    kind: str
    found: bool
    caption: str
    original: str
    errors: str


def validation(most: int) -> list[CaptionItem]:
    """One caption of each image in turn, against the other four."""
    with gzip.open(DATA / "flickr30k" / "flickr30k_val.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    found = []
    for number, row in enumerate(rows[:most]):
        texts = row["captions"]
        place = number % len(texts)
        found.append(CaptionItem(row["image_id"], texts[place], (*texts[:place], *texts[place + 1 :])))
    return found


def planted(items: Sequence[CaptionItem], shared: Shared, among: bool) -> list[Planted]:
    """`among`: the unchanged caption is one of the references."""
    variants = list(perturb(items, NAMED, corpus=items, shared=shared, seed=3))
    changed = [_changed(items[one.item], one, among) for one in variants]
    found = analyse(changed, shared=shared)
    return [
        Planted(one.kind, _is_named(one, finding), one.text, items[one.item].candidate, _shown(finding))
        for one, finding in zip(variants, found, strict=True)
    ]


def _changed(item: CaptionItem, variant: Variant, among: bool) -> CaptionItem:
    references = (*item.references, item.candidate) if among else item.references
    return CaptionItem(item.image_id, variant.text, references)


def _is_named(variant: Variant, found: CaptionFindings) -> bool:
    """By its kind and, where the place of the change is known, on its words."""
    errors = [error for error in found.errors if error.kind in NAMED[variant.kind]]
    if variant.kind in ("truncated", "repeated_phrase", "swapped_roles"):
        return bool(errors)
    spans = [span for error in errors for span in error.spans]
    return any(start < b and a < end for start, end in spans for a, b in variant.spans)


def _shown(found: CaptionFindings) -> str:
    return "; ".join(f"{error.kind}: {error.words}" for error in found.errors)


def report(most: int) -> None:
    items, shared = validation(most), Shared()
    for among in (True, False):
        counts: defaultdict[str, Counter[bool]] = defaultdict(Counter)
        for one in planted(items, shared, among):
            counts[one.kind][one.found] += 1
        print("the unchanged caption among the references" if among else "the other four references only")
        for kind, count in counts.items():
            print(f"  {kind:16} {100 * count[True] / count.total():5.1f} % of {count.total()}")
    untouched = analyse(items, shared=shared)
    rates = Counter(kind for one in untouched for kind in one.kinds)
    print(f"untouched, {len(items)} captions: errors per 100")
    for kind in KINDS:
        print(f"  {kind:16} {100 * rates[kind] / len(items):5.1f}")


def karpathy(most: int) -> list[CaptionItem]:
    with gzip.open(DATA / "karpathy" / "karpathy_a.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for _, line in zip(range(most), lines, strict=False)]
    return [CaptionItem(row["image_id"], row["caption"], tuple(row["references"]), row["system"]) for row in rows]


def cost(most: int) -> None:
    items = karpathy(most)
    for text in ("warm", "up"):
        explore([CaptionItem("0", f"a dog {text}", ("a dog", "a cat"))])
        evaluate([CaptionItem("0", f"a dog {text}", ("a dog", "a cat"))], ["bertscore", "spice"])
    seconds, processor = {}, {}  # on a busy machine the processor's time says more
    for name, run in _runs(items):
        began, before = time.perf_counter(), time.process_time()
        run()
        seconds[name], processor[name] = time.perf_counter() - began, time.process_time() - before
        print(f"{name:32} {seconds[name]:7.1f} s, {processor[name]:7.1f} s of the processor", flush=True)
    base, base_processor = seconds["BERTScore and SPICE"], processor["BERTScore and SPICE"]
    for name, value in seconds.items():
        share, own = value / base, processor[name] / base_processor
        print(f"{name}: {share:.2f} times BERTScore and SPICE, of the processor's time {own:.2f}")
    print(f"most memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def _runs(items: Sequence[CaptionItem]) -> Iterator[tuple[str, Callable[[], object]]]:
    yield "BERTScore and SPICE", lambda: evaluate(items, ["bertscore", "spice"])
    yield "captions", lambda: analyse(items)
    yield "captions and people's base line", lambda: explore(items)


def ratings(most: int) -> None:
    """A sample of each: the metrics' correlations on all captions are in assets/judges/measured.json."""
    for preset, folder in ((presets.composite, "judgements"), (presets.flickr8k_expert, "flickr8k")):
        data = preset(DATA / folder).data
        rows = sorted(random.Random(1).sample(range(len(data.items)), min(most, len(data.items))))
        values = supports(analyse([data.items[row] for row in rows]))
        people = np.array([np.mean((data.ratings or ())[row]) for row in rows])
        known = np.isfinite(values)
        r = float(np.corrcoef(values[known], people[known])[0, 1])
        print(
            f"{data.title}: r = {r:.3f} on {known.sum():,} captions with a counted noun, of {len(rows):,}", flush=True
        )


if __name__ == "__main__":
    numbers = [int(one) for one in sys.argv[1:] if one.isdigit()]
    if "cost" in sys.argv[1:]:
        cost(*(numbers or [10_000]))
    elif "ratings" in sys.argv[1:]:
        ratings(*(numbers or [2_500]))
    else:
        report(*(numbers or [1_000]))
