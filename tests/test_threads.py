"""Several threads at once: every score, explanation and changed caption is what one thread alone gets."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from capeval_core import CaptionItem, Evaluation, evaluate, explain, registry
from capeval_core.perturb import Variants, perturb

CAPTIONS = (
    "A man riding a wave on top of a surfboard.",
    "a young girl holding a red umbrella in the rain",
    "Two dogs are playing with a frisbee in the park.",
    "A pedestrian stop light showing the word 'walk'",
    "A black and white photo of an old steam train",
    "Several people standing around a table filled with food",
    "A cat is sleeping on a laptop computer.",
    "a bathroom with a toilet, a sink and a bath tub",
    "The woman's hat isn't blue; it's green.",
    "A double-decker bus driving down a city street",
    "Three giraffes eating leaves from tall trees",
    "a baseball player swinging a bat at a ball",
    "A close-up of a slice of pizza on a paper plate.",
    "Children flying kites on the beach near the ocean",
    "A man in a suit and tie talks on a cell phone",
    "An airplane flying over a snow covered mountain",
    "a wooden bench under a tree with no leaves",
    "Two men playing a video game in a living room.",
    "A zebra grazing in a field of dry grass",
    "A woman is cutting a cake with a large knife.",
    "a clock tower in front of a cloudy sky",
    "A skier going down a steep slope in the Alps",
    "An elephant walks through the water at a zoo",
    "A vase of flowers sits on the kitchen counter",
    "the boat is tied to the dock at sunset",
    "A boy kicks a soccer ball while others watch.",
    "A group of motorcycles parked beside a brick building",
    "a teddy bear wearing a sweater sits in a chair",
    "A horse jumping over a fence at a competition",
    "A plate with broccoli, rice and grilled chicken",
    "A fire hydrant painted yellow near the sidewalk",
    "Man and woman walking their dog along the river.",
    "A stop sign covered with snow and stickers",
    "dog dog dogs dog",
    "it is on the",
    "Ünïcödé 猫 \U0001f436 dog",
    "1 1/2 cups of sugar cost $3.50 at 9:30 a.m.",
    "a " * 200 + "dog",
    "?! ...",
    "",
)
ITEMS = [
    CaptionItem(str(row // 2), text, tuple(CAPTIONS[(row + step) % len(CAPTIONS)] for step in (1, 3, 7)), f"s{row % 2}")
    for row, text in enumerate(CAPTIONS)
]
EXPLAINED = [0, 3, 8, 33, 36]
CHANGED = ITEMS[:12]


def scores() -> Evaluation:
    return evaluate(ITEMS, device="cpu")


def evidence() -> list[dict[str, Any]]:
    return [dataclasses.asdict(explain(ITEMS[row], key, device="cpu")) for key in registry.keys() for row in EXPLAINED]


def changed() -> Variants:
    return perturb(CHANGED, corpus=ITEMS, strength=2)


def together(*jobs: Callable[[], Any]) -> list[Any]:
    """What the jobs gave, each in a thread of its own, all started at the same moment."""
    start = threading.Barrier(len(jobs))

    def run(job: Callable[[], Any]) -> Any:
        start.wait()
        return job()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


@pytest.fixture
def often() -> Iterator[None]:
    """Threads take turns a hundred times as often: what can go wrong goes wrong sooner."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-5)
    yield
    sys.setswitchinterval(before)


def same(one: Evaluation, other: Evaluation) -> None:
    assert one.skipped == other.skipped == {}
    assert one.signatures == other.signatures
    assert one.notes == other.notes
    assert one.corpus == other.corpus
    assert list(one.scores) == list(registry.keys())
    for key, values in one.scores.items():
        np.testing.assert_array_equal(values, other.scores[key], err_msg=key, strict=True)


Found = tuple[Evaluation, list[dict[str, Any]], Variants]


@pytest.fixture(scope="module")
def by_one() -> Found:
    """What one thread gets."""
    return scores(), evidence(), changed()


def test_four_threads_score_as_one_does_with_explanations_and_changes_beside(by_one: Found, often: None) -> None:
    alone, explained, variants = by_one
    assert len(variants) > 50
    *evaluations, found, made = together(scores, scores, scores, scores, evidence, changed)
    for one in evaluations:
        same(alone, one)
    for one, other in zip(explained, found, strict=True):
        np.testing.assert_equal(one, other)  # equal dictionaries, NaN included
    assert made == variants
    assert made.missing == variants.missing


# A fresh process: every loader is counted, then four threads score, explain and change captions from a cold start.
COLD = """
import json, sys
from collections import Counter
sys.setswitchinterval(5e-5)
from capeval_core.resources import loading
loads, begin = Counter(), loading.Loader.__init__

def counted(self, make, keep):
    def count(*given, **named):
        loads[f"{make.__module__}.{make.__qualname__}{given}"] += 1
        return make(*given, **named)
    begin(self, make, keep)
    self._make = count

loading.Loader.__init__ = counted
from tests.test_threads import changed, evidence, scores, together
first, second, found, made = together(scores, scores, evidence, changed)
print(json.dumps({
    "scores": [{key: values.tolist() for key, values in one.scores.items()} for one in (first, second)],
    "skipped": [str(one.skipped) for one in (first, second)],
    "values": [one["value"] for one in found],
    "changes": [variant.text for variant in made],
    "loads": loads,
}))
"""


def test_a_cold_start_from_four_threads_loads_everything_once(by_one: Found) -> None:
    done = subprocess.run([sys.executable, "-c", COLD], capture_output=True, text=True, cwd=Path(__file__).parents[1])
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["skipped"] == ["{}", "{}"]
    alone, explained, variants = by_one
    for one in found["scores"]:
        for key, values in alone.scores.items():
            np.testing.assert_array_equal(values, one[key], err_msg=key)
    np.testing.assert_array_equal([one["value"] for one in explained], found["values"])
    assert [variant.text for variant in variants] == found["changes"]
    assert {name for name, count in found["loads"].items() if count != 1} == set()
    assert sum("transformer._load" in name for name in found["loads"]) == 1
    assert len(found["loads"]) > 15
