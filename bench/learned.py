"""The table of the learned metrics: each beside every single feature, against people and against made-up captions.

COMPOSITE (Pearson, Spearman, Kendall tau-b and tau-c), Flickr8k-Expert (tau-c with every single rating), PASCAL-50S (48
and 11 votes), and how often 500 people's captions of Flickr30k's validation images score above their reversed,
shuffled, doubled, one-word, empty and joined versions. Scores are kept in the cache folder (bench.judged); a network of
NNEval reads the kept scores of its features, so that it is measured in seconds.

    python -m bench.learned [--shared FOLDER] [--rows KEY ...]
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from bench import judged
from capeval_core import CaptionItem, registry
from capeval_core.analysis.coefficients import coefficients
from capeval_core.analysis.pairs import WINNERS, credit
from capeval_core.io import caption_sets, presets
from capeval_core.io.dataset import Pairs
from capeval_core.io.judgements import Judgements
from capeval_core.metrics.nneval import FEATURES
from capeval_core.resources.score_network import open_network
from capeval_core.training.nneval_candidates import FOOLING, fool
from capeval_core.types import Array

ROOT = Path(__file__).parents[1]
FOOLED = 500  # people's captions
VOTES = {"48": "winner", "11": "winner_11_votes"}


@dataclass(frozen=True)
class Row:
    name: str
    key: str
    options: Mapping[str, Any] = field(default_factory=dict)


ROWS = (
    *(Row(registry.get(key).label, key, {"idf": "coco"} if key == "cider" else {}) for key in FEATURES["nneval_plus"]),
    *(
        Row(f"{registry.get(key).label}, {variant}", key, {"variant": variant})
        for key in ("nneval", "nneval_plus")
        for variant in ("free", "monotone")
    ),
)


def scores(row: Row, name: str, items: Sequence[CaptionItem]) -> Array:
    """One value for each item."""
    if row.key not in FEATURES:
        return judged.score(name, items, [registry.get(row.key).metric], **row.options).values[row.key]
    network = open_network(row.key, row.options.get("model", "shipped"), row.options["variant"])
    found = {one.key: one for one in ROWS}
    return network.probability(np.column_stack([scores(found[key], name, items) for key in network.features]))


def agreement(row: Row, name: str, people: Judgements) -> list[float]:
    """Pearson, Spearman, tau-b, tau-c; every rating counts."""
    values = scores(row, name, people.data.items)
    pairs = [(place, rating) for place, ratings in enumerate(people.data.ratings or ()) for rating in ratings]
    return list(coefficients(values[[place for place, _ in pairs]], np.array([rating for _, rating in pairs])))


def accuracy(values: Array, pairs: Pairs) -> list[float]:
    """HC, HI, HM, MM and their mean, in per cent; ties half."""
    preferred = np.array([WINNERS[winner] for winner in pairs.winners])
    right = credit(values[list(pairs.first)] - values[list(pairs.second)], preferred)
    groups = np.array(pairs.groups)
    found = [100 * float(right[groups == group].mean()) for group in presets.GROUPS]
    return [*found, sum(found) / len(found)]


def fooling_items(shared: Path) -> list[CaptionItem]:
    """500 people's captions, each followed by its made-up versions."""
    chance, found = random.Random(1), []
    images = caption_sets.read([shared / "data" / "flickr30k" / "flickr30k_val.jsonl.gz"])
    for image, (caption, *others) in list(images.items())[:FOOLED]:
        texts = [caption, *(fool(kind, caption, others, chance) for kind in FOOLING)]
        found += [CaptionItem(image, text, tuple(others)) for text in texts]
    return found


def unfooled(values: Array) -> list[float]:
    """In how many per cent the person's caption is above each kind."""
    table = values.reshape(-1, len(FOOLING) + 1)
    return [100 * float((table[:, 0] > table[:, place]).mean()) for place in range(1, len(FOOLING) + 1)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--rows", nargs="+", help="only these keys")
    given = parser.parse_args()
    data = given.shared / "data"
    composite, expert = presets.composite(data / "judgements"), presets.flickr8k_expert(data / "flickr8k")
    pascal = {votes: presets.pascal50s(data / "judgements", winner=winner) for votes, winner in VOTES.items()}
    made = fooling_items(given.shared)
    print(
        "| metric | COMPOSITE P S b c | Flickr8k-Expert c | PASCAL-50S, 48 votes HC HI HM MM mean | 11 votes | above",
        end="",
    )
    print(f" {', '.join(FOOLING)} |\n| --- | --- | --- | --- | --- | --- |")
    for row in ROWS:
        if given.rows and row.key not in given.rows:
            continue
        people = [agreement(row, "composite", composite), agreement(row, "flickr8k-expert", expert)[3:]]
        choices = [
            accuracy(scores(row, "pascal50s", one.data.items), one.pairs) for one in pascal.values() if one.pairs
        ]
        cells = [
            *(" ".join(f"{value:.3f}".replace("0.", ".", 1) for value in values) for values in people),
            *(
                " ".join(f"{value:.1f}" for value in values)
                for values in (*choices, unfooled(scores(row, "fooling", made)))
            ),
        ]
        print(f"| {row.name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
