"""What a judging says in words: computed from its numbers, never written by hand."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

from capeval_core.analysis.by_rating import Level
from capeval_core.analysis.complementarity import Complementarity
from capeval_core.figures.judge_tables import name
from capeval_core.figures.judges import LEVEL, Matrix
from capeval_core.figures.numbers import score
from capeval_core.figures.words import listing

MOST_NAMES = 4


def differences(corrected: Matrix, order: Sequence[str]) -> str:
    """Who stands above all others, the first who beats the next, and the first two that cannot be told apart."""
    if len(order) < 2:
        return "One metric alone: there is nothing to compare."
    beaten = {key: [other for other in order if corrected[key].get(other, math.nan) < LEVEL] for key in order}
    first, rest = order[0], len(order) - 1
    parts = []
    if len(beaten[first]) == rest:
        parts.append(f"{name(first)} agrees better with people than every other metric here")
    elif beaten[first]:
        parts.append(f"{name(first)} beats {len(beaten[first])} of {rest} other metrics")
    for one, other in itertools.pairwise(order):
        if other in beaten[one] and not (one == first and len(beaten[first]) == rest):
            parts.append(f"{name(one)} beats {name(other)}")
            break
    equal = next(((a, b) for a, b in itertools.pairwise(order) if b not in beaten[a]), None)
    if equal:
        parts.append(f"{name(equal[0])} and {name(equal[1])} cannot be told apart")
    return f"{'; '.join(parts)}."


def alike(between: Matrix) -> str:
    """The two metrics that say the most alike, and the one least like all others."""
    pairs = [(rho, one, other) for one, row in between.items() for other, rho in row.items() if math.isfinite(rho)]
    if not pairs:
        return "No two metrics can be compared."
    rho, one, other = max(pairs)
    means = {key: sum(row.values()) / len(row) for key, row in between.items() if row}
    lone = min((key for key in means if math.isfinite(means[key])), key=means.__getitem__, default="")
    text = f"{name(one)} and {name(other)} put captions in the most similar order (Spearman {rho:.2f})"
    return f"{text}; {name(lone)} is least like the others ({means[lone]:.2f} on average)." if lone else f"{text}."


def rises(levels: Sequence[Level]) -> str:
    """From the lowest rating to the highest."""
    if len(levels) < 2:
        return ""
    low, high = levels[0].quantiles[2], levels[-1].quantiles[2]
    if score(low) == score(high):
        return f"median {score(low)} at the lowest and at the highest rating"
    return f"median {'rises' if high > low else 'falls'} from {score(low)} to {score(high)}"


def together(found: Complementarity) -> str:
    """What the best combination is made of, and how much it adds to the best metric alone."""
    used = [key for key in sorted(found.weights, key=lambda key: -found.weights[key]) if found.weights[key] >= 0.005]
    shown = [f"{name(key)} {found.weights[key]:.2f}" for key in used[:MOST_NAMES]]
    more = len(used) - len(shown)
    best = max(found.alone, key=lambda key: found.alone[key])
    gain = found.best.pearson.value - found.alone[best]
    made = listing([*shown, *([f"{more} more"] if more else [])])
    return (
        f"The best combination ({made}) reaches Pearson {score(found.best.pearson.value)}; "
        f"{name(best)} alone has {score(found.alone[best])}: {'+' if gain >= 0 else ''}{gain:.3f}."
    )


def pairs_best(overall: Mapping[str, float], groups: Sequence[str]) -> str:
    known = {key: share for key, share in overall.items() if math.isfinite(share)}
    if not known:
        return "No metric has scores for both captions of a pair."
    best = max(known, key=known.__getitem__)
    of = f", as the mean of {len(groups)} groups" if len(groups) > 1 else ""
    return f"{name(best)} prefers what people prefer most often: {100 * known[best]:.1f} % of the pairs{of}."
