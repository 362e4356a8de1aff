"""Sentences under the measured table: computed from the shipped figures, never written by hand."""

from __future__ import annotations

import math
from collections.abc import Iterator

from capeval_core.analysis.significance import headline_values
from capeval_core.figures import judge_words
from capeval_core.figures.judge_tables import by_value, name
from capeval_core.figures.words import listing
from pages.judges.shipped import FOUR, TITLES, order, shipped

CLOSE = 0.01  # a correlation this near the published one is the same
POINT = 1.0  # per cent of pairs
ROUNDED = 5e-4  # of a published value, which has three digits


def sentence(key: str) -> str:
    """Who can be told apart on a data set."""
    found = shipped().judgings[key]
    ranked = by_value(found.metrics, "pearson") if found.metrics else order(key)
    by = ", by Pearson's correlation" if found.metrics else ""  # the test compares these, not the table's coefficient
    return f"{TITLES[key]}{by}: {judge_words.differences(shipped().corrected[key], ranked)}"


def notes() -> Iterator[tuple[str, str]]:
    """What stands away from its published value, and what is known of the reason."""
    yield "How close?", closeness()
    yield "BERTScore", bertscore()
    yield "COMPOSITE", composite()
    yield "PASCAL-50S", pascal()


def away(key: str) -> dict[str, float]:
    """By metric: ours minus the published, in per cent for pairs (the mean of the groups)."""
    values, held = headline_values(shipped().judgings[key]), shipped().published
    found = {}
    for metric, value in values.items():
        published = held.get(metric, {}).get(key, math.nan)
        published = published["mean"] if isinstance(published, dict) else published
        scale = 100 if key.startswith("pascal") else 1
        if math.isfinite(published):
            found[metric] = scale * (value - published)
    return found


def closeness() -> str:
    """How many of the metrics with a published value stand where it does, BERTScore aside."""
    parts = []
    for key in FOUR:
        found = {metric: gap for metric, gap in away(key).items() if metric != "bertscore"}
        most = max(found, key=lambda metric: abs(found[metric]))
        pairs = key.startswith("pascal")
        limit, digits, unit = (POINT, 1, " point") if pairs else (CLOSE, 3, "")
        near = sum(abs(gap) <= limit + ROUNDED for gap in found.values())
        parts.append(
            f"{TITLES[key]}: {near} of {len(found)} within {limit:g}{unit}, {name(most)} farthest "
            f"({found[most]:+.{digits}f})"
        )
    return f"Ours against the published values, BERTScore aside. {'; '.join(parts)}."


def bertscore() -> str:
    layers = {int(layer): value for layer, value in shipped().why["bertscore_by_layer"].items()}
    ours = headline_values(shipped().judgings["flickr8k-expert"])["bertscore"]
    published = shipped().published["bertscore"]["flickr8k-expert"]
    low, last = min(layers), max(layers)
    rise = f"its layer {low} gives {layers[low]:.3f}, its last one, layer {last}, {layers[last]:.3f}"
    return (
        "reads the last layer of MiniLM-L6 (all-MiniLM-L6-v2), the published row layer 17 of RoBERTa-large; on "
        f"Flickr8k-Expert they stand at {ours:.3f} and {published:.3f}. The likely reason: MiniLM-L6 was taught to put "
        "sentences of one meaning side by side, RoBERTa-large was not. Measured within MiniLM-L6: "
        f"{rise}. RoBERTa-large itself was not run; it does not come with CapEval."
    )


def composite() -> str:
    """The same captions with the references that all captions of an image have in common."""
    held, gaps = shipped().why["composite"], away("composite")
    chosen = [metric for metric in gaps if metric in held["same_references"]]
    before = max(abs(gaps[metric]) for metric in chosen)
    published = {metric: shipped().published[metric]["composite"] for metric in chosen}
    after = max(abs(held["same_references"][metric] - published[metric]) for metric in chosen)
    said = listing([f"{name(metric)} {held['same_references'][metric]:.3f}" for metric in chosen])
    return (
        f"differs from the published by up to {before:.3f} (BERTScore aside), and the references are the reason. A "
        "person's caption is scored against the image's other four, a machine's against all five, which lowers the "
        f"scores of people's captions alone. With the same four for all captions of an image: {said}; at most "
        f"{after:.3f} from the published. With a person's own caption left in, {name('cider')} would reach "
        f"{held['left_in']['cider']:.3f}."
    )


def pascal() -> str:
    """Ties, the parser and the choice of references, each by how many points it moves a cell."""
    held, found = shipped().why["spice"], shipped().judgings["pascal50s"].pairs
    published = shipped().published["spice"]["pascal50s"]
    gaps = [f"{group} {100 * (row['spice'].accuracy - published[group]):+.1f}" for group, row in found.items()]
    turned = held["karpathy"]
    machines, person = turned["two machines"], turned["person and machine"]
    spread = {group: 100 * _range(one["four_references"]) for group, one in held["pascal50s"].items()}
    widest = max(spread, key=spread.__getitem__)
    tied = {group: one["ties"] for group, one in held["pascal50s"].items()}
    most = max(tied, key=tied.__getitem__)
    bleu = shipped().why["bleu_4_on_pascal50s"]
    return (
        f"SPICE differs by {listing(gaps)} points. Three things move its cells by as much. Ties: of {most}'s 1,000 "
        f"pairs {tied[most]} are tied by SPICE; they count half here; decided by chance they would move it by "
        f"{100 * math.sqrt(tied[most] / 4) / 1000:.1f} (one standard deviation). The parser: the rules give the "
        "original's scores on the original's parses, but the parser is ours; on COCO captions it turns round "
        f"{100 * machines['turned']:.1f} % of the pairs of two machines and {100 * person['turned']:.1f} % of a person "
        f"with a machine, which moves 1,000 pairs by {machines['points']:.1f}. The references: without one of the five "
        f"{widest} moves by up to {spread[widest]:.1f}. BLEU-4 is {away('pascal50s')['bleu_4']:+.1f} for a reason that "
        f"is not known: {100 * bleu['no_match']:.0f} % of the captions share no four words with a reference, so their "
        f"order hangs on how a zero is smoothed; other smoothing (lin-och) gives {100 * bleu['lin_och']:.1f} %."
    )


def _range(values: list[float]) -> float:
    return max(values) - min(values)
