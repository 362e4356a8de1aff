"""I2CE's figures for its model card: one line per model file, and the paper's tables.

Flickr8k-Expert: Kendall tau-b and tau-c, Spearman, Pearson, every rating by itself (the paper's Table II has its own
500 captions); by how many references are averaged (Table I). COMPOSITE, PASCAL-50S (48 and 11 votes), people against
captioners on karpathy_a's held-out images, and the time for 10,000 captions.

    python -m bench.i2ce [--shared FOLDER] [--all] name=FILE ...     FILE: a model, or shipped
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from scipy import stats  # type: ignore[import-untyped]

from capeval_core import CaptionItem, evaluate
from capeval_core.analysis.coefficients import NAMES, coefficients
from capeval_core.analysis.pairs import WINNERS, credit
from capeval_core.io import caption_sets, presets, readers
from capeval_core.io.judgements import Judgements
from capeval_core.types import Array

ROOT = Path(__file__).parents[1]
POOLS = (1, 2, 3, 4, 5)


def scores(items: Sequence[CaptionItem], model: str, top_k: int = 3) -> Array:
    made = evaluate(items, ["i2ce"], options={"i2ce": {"model": model, "top_k": top_k}}, device="cpu")
    if made.skipped:
        raise made.skipped["i2ce"]
    return made.scores["i2ce"]


def agreement(values: Array, people: Judgements) -> dict[str, float]:
    """With every rating of every caption."""
    pairs = [
        (value, rating)
        for value, all_of_it in zip(values, people.data.ratings or (), strict=True)
        for rating in all_of_it
    ]
    given, rated = np.array(pairs).T
    return dict(zip(NAMES, coefficients(given, rated).tolist(), strict=True))


def accuracy(values: Array, people: Judgements) -> dict[str, float]:
    """By group in per cent, ties half, and their mean."""
    pairs = people.pairs
    assert pairs
    right = credit(
        values[list(pairs.first)] - values[list(pairs.second)], np.array([WINNERS[one] for one in pairs.winners])
    )
    groups = np.array(pairs.groups)
    found = {group: 100 * float(right[groups == group].mean()) for group in presets.GROUPS}
    return {**found, "mean": float(np.mean(list(found.values())))}


def against_captioners(data: Path, model: str) -> dict[str, float]:
    """On images that no model learned from: area under the curve of people's captions against each captioner's, and how
    often a person's caption of an image scores above the captioner's."""
    items = readers.read_items([str(data / "karpathy" / "karpathy_a.jsonl.gz")])
    values = scores(items, model)
    by: dict[str, dict[str, float]] = {}
    for item, value in zip(items, values.tolist(), strict=True):
        by.setdefault(item.system, {})[item.image_id] = value
    people = by.pop("human")
    found: dict[str, float] = {}
    for name, theirs in by.items():
        ours, others = np.array([people[image] for image in people]), np.array([theirs[image] for image in people])
        area = stats.mannwhitneyu(ours, others).statistic / len(ours) / len(others)
        found |= {f"{name} area": float(area), f"{name} above": float((ours > others).mean())}
    return found


def seconds(data: Path, model: str) -> dict[str, float]:
    """10,000 captions with five references of their own each, one core."""
    images = list(caption_sets.read([data / "flickr30k" / "flickr30k_train.jsonl.gz"]).values())
    items = [
        CaptionItem(str(place), other[0], own)
        for place, (own, other) in enumerate(zip(images[:10_000], images[10_000:], strict=False))
    ]
    scores(items[:10], model)
    began = time.perf_counter(), time.process_time()
    scores(items, model)
    return {"seconds": time.perf_counter() - began[0], "of processor time": time.process_time() - began[1]}


def lines(name: str, model: str, data: Path, everything: bool) -> Iterator[str]:
    expert = presets.flickr8k_expert(data / "flickr8k")
    for top_k in POOLS if everything else (3,):
        yield _line(
            f"{name}: Flickr8k-Expert, mean of {top_k}", agreement(scores(expert.data.items, model, top_k), expert)
        )
    if not everything:
        return
    yield _line(f"{name}: people against captioners", against_captioners(data, model))
    yield _line(f"{name}: 10,000 captions, 50,000 references", seconds(data, model))
    composite = presets.composite(data / "judgements")
    yield _line(f"{name}: COMPOSITE", agreement(scores(composite.data.items, model), composite))
    for winner in ("winner", "winner_11_votes"):
        pascal = presets.pascal50s(data / "judgements", winner=winner)
        yield _line(f"{name}: PASCAL-50S, {winner}", accuracy(scores(pascal.data.items, model), pascal))


def _line(title: str, figures: dict[str, float]) -> str:
    return f"{title}: " + " ".join(f"{name} {value:.4g}" for name, value in figures.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", metavar="name=FILE")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--all", action="store_true", help="also what is looked at once, at the end")
    given = parser.parse_args()
    for one in given.models:
        name, _, model = one.partition("=")
        for line in lines(name, model or name, given.shared / "data", given.all):
            print(line, flush=True)


if __name__ == "__main__":
    main()
