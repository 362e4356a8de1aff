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


def sentence(key: str) -> str:
    """Who can be told apart on a data set."""
    found = shipped().judgings[key]
    ranked = by_value(found.metrics, "pearson") if found.metrics else order(key)
    return f"{TITLES[key]}: {judge_words.differences(shipped().corrected[key], ranked)}"


def notes() -> Iterator[tuple[str, str]]:
    """What stands away from its published value, and what is known of the reason."""
    yield "How close?", closeness()
    yield "BERTScore", bertscore()
    yield "COMPOSITE", composite()
    yield "SPICE on PASCAL-50S", spice()


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
    """Of the metrics whose resources are the papers' own (SPICE with our parser among them), BERTScore aside."""
    parts = []
    for key in FOUR:
        found = {metric: gap for metric, gap in away(key).items() if metric != "bertscore"}
        most = max(found, key=lambda metric: abs(found[metric]))
        unit = " points" if key.startswith("pascal") else ""
        limit = POINT if unit else CLOSE
        near = sum(abs(gap) <= limit + 5e-4 for gap in found.values())
        digits = 1 if unit else 3
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
    return (
        f"here reads the last layer of MiniLM-L6 (all-MiniLM-L6-v2); the published row used RoBERTa-large, layer 17. On "
        f"Flickr8k-Expert it stands at {ours:.3f} against {published:.3f}. MiniLM-L6 was taught to put sentences of one "
        f"meaning side by side, RoBERTa-large was not. Measured here: with layer {low} it reaches {layers[low]:.3f}, and "
        f"with layer {last} {layers[last]:.3f}; what lifts it is in the upper layers. RoBERTa-large itself was not run: "
        f"it does not come with CapEval."
    )


def composite() -> str:
    """Filled from what `make judges` measured on the same captions in other ways."""
    held, gaps = shipped().why["composite"], away("composite")
    far = [metric for metric in gaps if abs(gaps[metric]) > CLOSE and metric != "bertscore"]
    said = listing([f"{name(metric)} {gaps[metric]:+.3f}" for metric in far]) or "no metric"
    kept = [f"{name(metric)} {value:.3f}" for metric, value in held["left_in"].items() if metric in gaps]
    alone = [f"{name(metric)} {held['machines'][metric]:.3f}" for metric in gaps if metric in held["machines"]]
    return (
        f"is farther off than {CLOSE} for {said}. Two things move it by more than that: with a person's own caption left "
        f"in the references {listing(kept)}; on the {held['rows']['machines']:,} captions by machines alone "
        f"{listing(alone)}."
    )


def spice() -> str:
    held = shipped().why["spice"]
    gaps = {
        group: 100 * (shipped().judgings["pascal50s"].pairs[group]["spice"].accuracy - published)
        for group, published in shipped().published["spice"]["pascal50s"].items()
        if group != "mean"
    }
    said = listing([f"{group} {gap:+.1f}" for group, gap in gaps.items()])
    turned = held["karpathy"]
    spread = {group: [100 * one for one in found["four_references"]] for group, found in held["pascal50s"].items()}
    widest = max(spread, key=lambda group: max(spread[group]) - min(spread[group]))
    return (
        f"differs from the published by {said} points. Its rules give the original's score on the original's parses; the "
        f"parser is ours. On COCO captions, where the original's scores are known, it turns round "
        f"{100 * turned['two machines']['turned']:.1f} % of the pairs of two machines' captions and "
        f"{100 * turned['person and machine']['turned']:.1f} % of a person's with a machine's: on 1,000 pairs that alone "
        f"moves a cell by {turned['two machines']['points']:.1f} and {turned['person and machine']['points']:.1f} points "
        f"either way. The references matter as much: with one of the five left out in turn, {widest} goes from "
        f"{min(spread[widest]):.1f} to {max(spread[widest]):.1f}."
    )
