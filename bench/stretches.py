"""How long background work goes on between two looks at the queue (capeval_core/pace.py), metric by metric.

    python -m bench.stretches [captions, 10,000 where it is not given] [names of metrics or of other work]

Needs ../shared/data. The longest stretch is processor time of one thread, so that other work on the machine does not
count; the place is where the thread next looked up. No stretch may be longer than half a second.
"""

from __future__ import annotations

import gzip
import json
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.coco import DATA
from capeval_core import CaptionItem, evaluate, pace, registry
from capeval_core.analysis import bootstrap, degradation, systems
from capeval_core.perturb.study import study

MOST = 0.5  # seconds
Work = Callable[[], object]


class Stretches:
    """A watcher that measures."""

    def __init__(self) -> None:
        self.longest, self.place, self.looks = 0.0, "", 0
        self._here = threading.local()

    def __call__(self) -> None:
        now = time.thread_time()
        stretch, self._here.last = now - getattr(self._here, "last", 0.0), now
        self.looks += 1
        if stretch > self.longest:
            frames = [one for one in traceback.extract_stack() if "capeval_core" in one.filename]
            outside = [one for one in frames if not one.filename.endswith("pace.py")] or frames
            self.longest = stretch
            self.place = " < ".join(f"{Path(one.filename).name}:{one.lineno}" for one in reversed(outside[-3:]))

    def measure(self, work: Work) -> float:
        """The seconds it took."""
        start = time.monotonic()
        self._here.last = time.thread_time()
        with pace.watched(self):
            work()
            self()
        return time.monotonic() - start


def read(count: int) -> list[CaptionItem]:
    with gzip.open(DATA, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line, _ in zip(lines, range(count), strict=False)]
    return [CaptionItem(str(row["image_id"]), row["caption"], tuple(row["references"]), row["system"]) for row in rows]


def tasks(items: Sequence[CaptionItem]) -> dict[str, Work]:
    names = dict.fromkeys(spec.metric for spec in registry.select(None))
    found: dict[str, Work] = {name: lambda name=name: evaluate(items, keys_of(name)) for name in names}  # type: ignore[misc]
    scored = evaluate(items, ["sparcs", "bleu_4", "rouge_l", "meteor"])
    scores = {"sparcs": scored.scores["sparcs"], "spurts": scored.scores["rouge_l"]}
    first, second, *_ = dict.fromkeys(item.system for item in items)
    found["clouds"] = lambda: systems.analyse(items, scores, first)
    for key in ("bleu_4", "meteor"):
        found[f"significance {key}"] = lambda key=key: bootstrap.compare_corpus(scored, first, second, keys=[key])  # type: ignore[misc]
    found["significance of means"] = lambda: bootstrap.compare_means(items, scores, first, second)
    found["degradation"] = lambda: degradation.study_metric(items[:200])
    found["perturb"] = lambda: study(items[:200], None, ["bleu_4", "rouge_l"], corpus=items)
    return found


def keys_of(name: str) -> list[str]:
    return [spec.key for spec in registry.select(None) if spec.metric == name]


def main(count: int, chosen: Sequence[str]) -> int:
    items = read(count)
    study(items[:3])  # whatever has to be loaded is loaded
    worst = 0.0
    for name, work in tasks(items).items():
        if chosen and name not in chosen:
            continue
        found = Stretches()
        seconds = found.measure(work)
        worst = max(worst, found.longest)
        print(
            f"{name:24} {seconds:7.1f} s {found.looks:7} looks, longest {found.longest:.3f} s before {found.place}",
            flush=True,
        )
    print(f"longest of all: {worst:.3f} s")
    return int(worst > MOST)


if __name__ == "__main__":
    numbers = [int(one) for one in sys.argv[1:] if one.isdigit()]
    sys.exit(main(numbers[0] if numbers else 10_000, [one for one in sys.argv[1:] if not one.isdigit()]))
