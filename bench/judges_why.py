"""Why some figures stand away from the published ones, as far as that can be measured; the Judges page says it."""

from __future__ import annotations

import gzip
import itertools
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from bench import judged
from capeval_core import CaptionItem
from capeval_core.analysis.coefficients import NAMES, coefficients
from capeval_core.analysis.pairs import WINNERS, credit
from capeval_core.analysis.ratings import as_table, gather
from capeval_core.io import presets
from capeval_core.types import Array

LAYERS = (1, 3)  # of MiniLM, besides the last one
LAST = 6
TINY = 1e-3  # a BLEU-4 below this comes from smoothing alone


def measure(shared: Path) -> dict[str, Any]:
    return {
        "bertscore_by_layer": bertscore_by_layer(shared),
        "composite": composite(shared),
        "bleu_4_on_pascal50s": bleu_on_pascal(shared),
        "spice": {"karpathy": spice_on_karpathy(shared), "pascal50s": spice_on_pascal(shared)},
    }


def _tau_c(values: Array, ratings: Array) -> float:
    return float(coefficients(values, ratings)[NAMES.index("kendall_c")])


def bertscore_by_layer(shared: Path) -> dict[str, float]:
    """Flickr8k-Expert's tau-c with the vectors of some of MiniLM's layers."""
    people = presets.flickr8k_expert(shared / "data" / "flickr8k")
    rated = gather(as_table(people.data.ratings or ()), "flatten")
    found = {}
    for layer in (*LAYERS, LAST):
        options = {} if layer == LAST else {"layer": layer}
        values = judged.score("flickr8k-expert", people.data.items, ["bertscore"], **options).values["bertscore"]
        found[str(layer)] = _tau_c(values[rated.rows], rated.values)
    return found


def composite(shared: Path) -> dict[str, Any]:
    """tau-c of the captions as the file has them; with the references that all captions of an image have (there a
    person's own caption is taken out for the machines' captions too); and with a person's own caption left in."""
    people = presets.composite(shared / "data" / "judgements")
    with gzip.open(shared / "data" / "judgements" / "composite.jsonl.gz", "rt", encoding="utf-8") as file:
        human = [json.loads(line)["human"] for line in file]
    items = people.data.items
    ratings = np.array([one[0] for one in people.data.ratings or ()])
    common: dict[str, set[str]] = {}
    for item in items:
        common.setdefault(item.image_id, set(item.references)).intersection_update(item.references)
    same = [
        replace(one, references=tuple(text for text in one.references if text in common[one.image_id])) for one in items
    ]
    left_in = [
        replace(one, references=(*one.references, one.candidate)) if person else one
        for one, person in zip(items, human, strict=True)
    ]
    names = ["bleu", "rouge_l", "cider", "meteor", "spice"]
    ways = {
        "as_it_is": judged.score("composite", items, [*names, "bertscore"]),
        "same_references": judged.score("composite-same", same, names),
        "left_in": judged.score("composite-left-in", left_in, ["bleu", "rouge_l", "cider"]),
    }
    found: dict[str, Any] = {
        way: {key: _tau_c(values, ratings) for key, values in scores.values.items()} for way, scores in ways.items()
    }
    counts = Counter(len(item.references) for item in items)
    return found | {"references": {str(count): often for count, often in sorted(counts.items())}}


def spice_on_karpathy(shared: Path) -> dict[str, Any]:
    """How often our parser turns round which of two captions of an image has the higher SPICE."""
    with gzip.open(shared / "data" / "karpathy" / "karpathy_a.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    items = [CaptionItem(str(row["image_id"]), row["caption"], tuple(row["references"]), row["system"]) for row in rows]
    ours = judged.score("karpathy-a", items, ["spice"]).values["spice"]
    theirs = np.array([row["scores"]["SPICE"] for row in rows])
    by_image: dict[str, list[int]] = {}
    for place, item in enumerate(items):
        by_image.setdefault(item.image_id, []).append(place)
    found: dict[str, list[tuple[int, int]]] = {"person and machine": [], "two machines": []}
    for places in by_image.values():
        for a, b in itertools.combinations(places, 2):
            kind = "person and machine" if "human" in (items[a].system, items[b].system) else "two machines"
            found[kind].append((a, b))
    return {kind: _turned(ours, theirs, pairs) for kind, pairs in found.items()}


def _turned(ours: Array, theirs: Array, pairs: Sequence[tuple[int, int]]) -> dict[str, float]:
    """`points`: by how much the accuracy on 1,000 pairs then moves (one standard deviation), in per cent."""
    first, second = np.array(pairs).T
    apart = np.abs(np.sign(ours[first] - ours[second]) - np.sign(theirs[first] - theirs[second])) / 2
    return {
        "pairs": len(pairs),
        "turned": float((apart == 1).mean()),
        "half": float((apart == 0.5).mean()),
        "points": float(100 * np.sqrt((apart**2).mean() / 1000)),
    }


def spice_on_pascal(shared: Path) -> dict[str, Any]:
    """By group: ties counted half or wrong, and each of the five references left out in turn."""
    people = presets.pascal50s(shared / "data" / "judgements")
    items, pairs = people.data.items, people.pairs
    assert pairs
    groups = np.array(pairs.groups)
    preferred = np.array([WINNERS[winner] for winner in pairs.winners])
    values = judged.score("pascal50s", items, ["spice"]).values["spice"]
    count = len(items[0].references)
    fewer = [replace(one, references=one.references[:place] + one.references[place + 1 :])
             for place in range(count) for one in items]  # fmt: skip
    without = judged.score("pascal50s-fewer", fewer, ["spice"]).values["spice"].reshape(count, len(items))

    def counted(scores: Array) -> tuple[Array, Array]:
        apart = scores[list(pairs.first)] - scores[list(pairs.second)]
        return credit(apart, preferred), apart == 0

    half, tied = counted(values)
    found = {}
    for group in sorted(set(pairs.groups)):
        rows = groups == group
        found[group] = {
            "ties": int(tied[rows].sum()),
            "half": float(half[rows].mean()),
            "wrong": float(np.where(tied[rows], 0.0, half[rows]).mean()),
            "four_references": [float(counted(one)[0][rows].mean()) for one in without],
        }
    return found


def bleu_on_pascal(shared: Path) -> dict[str, float]:
    """Captions that share no four words with a reference, and the mean accuracy of the groups with other smoothing."""
    people = presets.pascal50s(shared / "data" / "judgements")
    items, pairs = people.data.items, people.pairs
    assert pairs
    plain = judged.score("pascal50s", items, ["bleu"]).values["bleu_4"]
    smooth = judged.score("pascal50s-smooth", items, ["bleu"], smoothing="lin-och").values["bleu_4"]
    right = credit(
        smooth[list(pairs.first)] - smooth[list(pairs.second)], np.array([WINNERS[one] for one in pairs.winners])
    )
    groups = np.array(pairs.groups)
    shares = [float(right[groups == group].mean()) for group in sorted(set(pairs.groups))]
    return {"no_match": float((plain < TINY).mean()), "lin_och": sum(shares) / len(shares)}
