"""Measures what the Guide page shows: what human captions reach, and how far each change of words moves each metric.

Reads ../shared/data (karpathy_a's human captions), writes assets/guides/measured.json. Keys of metrics as arguments:
only these are measured, and put among what is there.

    python -m bench.guide_figures [KEY ...]
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from capeval_core import CaptionItem, evaluate, registry
from capeval_core.perturb.kinds import KINDS
from capeval_core.perturb.study import study

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data" / "karpathy" / "karpathy_a.jsonl.gz"
CHANGED = 500  # images whose captions are perturbed
CHANGES = (
    "synonyms",
    "extra_phrase",
    "fronted",
    "shuffled",
    "repeated_phrase",
    "truncated",
    "wrong_colour",
    "wrong_count",
    "replace_person",
    "replace_scene",
)
PUBLISHED = ("SPARCS", "SPURTS", "MIMA")
OPTIONS = {"cider": {"idf": "coco"}}  # as the app scores single images


def human_items() -> list[CaptionItem]:
    with gzip.open(DATA, "rt", encoding="utf-8") as file:
        rows = [row for row in map(json.loads, file) if row["system"] == "human"]
    return [CaptionItem(row["image_id"], row["caption"], tuple(row["references"])) for row in rows]


def human(items: list[CaptionItem], keys: list[str] | None) -> dict[str, Any]:
    found = evaluate(items, keys, options=OPTIONS)
    values = {}
    for key, scores in found.scores.items():
        low, middle, high = np.nanquantile(scores, [0.1, 0.5, 0.9]).tolist()
        values[key] = {"p10": low, "median": middle, "p90": high}
    source = f"the middle 80 % of {len(items):,} human captions of COCO, each against 4 others"
    return {"source": source, "values": values, "signatures": found.signatures}


def sensitivity(items: list[CaptionItem], keys: list[str] | None) -> dict[str, Any]:
    found = study(items, CHANGES, metrics=keys, options=OPTIONS)
    values: dict[str, dict[str, dict[str, float]]] = {}
    for cell in found.cells:
        numbers = {"change": cell.change, "low": cell.low, "high": cell.high, "pairs": cell.pairs}
        values.setdefault(cell.metric, {})[KINDS[cell.kind].label] = numbers
    source = f"Human captions of {len(items)} COCO images, each changed in one way and scored again by every metric."
    return {"source": source, "kinds": [KINDS[kind].label for kind in CHANGES], "values": values}


def published() -> dict[str, dict[str, float]]:
    """By metric and captioner the mean of the values that SMURF's authors published."""
    values: dict[str, dict[str, list[float]]] = {name: {} for name in PUBLISHED}
    with gzip.open(DATA, "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            for name in PUBLISHED:
                values[name].setdefault(row["system"], []).append(row["scores"][name])
    return {name: {who: float(np.mean(found)) for who, found in by.items()} for name, by in values.items()}


def among(known: dict[str, Any], made: dict[str, Any]) -> dict[str, Any]:
    """What was measured before, with some metrics' figures new; in the order of the registry."""
    for part, name in (("human", "values"), ("human", "signatures"), ("sensitivity", "values")):
        both = known[part][name] | made[part][name]
        known[part][name] = {key: both[key] for key in registry.keys() if key in both}
    return known


def main() -> None:
    items, keys = human_items(), sys.argv[1:] or None
    made = {"human": human(items, keys), "sensitivity": sensitivity(items[:CHANGED], keys), "published": published()}
    path = ROOT / "assets" / "guides" / "measured.json"
    if keys:
        made = among(json.loads(path.read_text(encoding="utf-8")), made)
    path.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    print(path)


if __name__ == "__main__":
    main()
