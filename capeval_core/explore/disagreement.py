"""Where two metrics, or two groups of metrics, disagree most: SMURF's critical failures (Feinglass and Yang 2021, 4.5).

A caption's place among all captions, from 0 (lowest) to 1 (highest), is taken for each metric; a group's place is the
mean of its metrics'. The captions whose places are farthest apart come first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from capeval_core.analysis.disagreement import places
from capeval_core.errors import InvalidInput
from capeval_core.explore.findings import CaptionFindings
from capeval_core.types import Array


@dataclass(frozen=True, slots=True)
class Disagreement:
    row: int
    first: float  # place by the first side, 0 to 1
    second: float
    higher: str  # the metric that puts it highest, of the side that puts it higher
    lowest: str  # the metric that puts it lowest, of the other side

    @property
    def apart(self) -> float:
        return self.first - self.second


def disagreements(
    scores: Mapping[str, Array],
    first: str | Sequence[str],
    second: str | Sequence[str],
    *,
    most: int = 50,
    rows: Sequence[int] | None = None,
    lower: Sequence[str] = (),
) -> list[Disagreement]:
    """Farthest apart first. `lower`: metrics of which less is better; `rows`: only among these captions."""
    sides = [[side] if isinstance(side, str) else list(side) for side in (first, second)]
    for key in (*sides[0], *sides[1]):
        if key not in scores:
            raise InvalidInput(f"no scores of {key!r}", expected=f"one of {', '.join(scores)}")
    keys = [*sides[0], *sides[1]]
    table = np.stack([-scores[key] if key in lower else scores[key] for key in keys])
    wanted = np.arange(table.shape[1]) if rows is None else np.array(rows, dtype=np.int64)
    known = wanted[np.isfinite(table[:, wanted]).all(axis=0)]
    if len(known) < 2:
        return []
    ranked = np.stack([places(values[known]) for values in table])
    side = [ranked[: len(sides[0])], ranked[len(sides[0]) :]]
    means = [one.mean(axis=0) for one in side]
    apart = means[0] - means[1]
    found = []
    for at in np.argsort(-np.abs(apart), kind="stable")[:most].tolist():
        high, low = (0, 1) if apart[at] >= 0 else (1, 0)
        found.append(
            Disagreement(
                int(known[at]),
                float(means[0][at]),
                float(means[1][at]),
                sides[high][int(side[high][:, at].argmax())],
                sides[low][int(side[low][:, at].argmin())],
            )
        )
    return found


def because(found: CaptionFindings) -> str:
    """What the errors say of a caption, for a sentence on why metrics disagree about it."""
    if found.errors:
        return " ".join(error.evidence for error in found.errors[:2])
    backed = "" if found.noun_support is None else f" (support of its nouns {found.noun_support:.2f})"
    return f"Explore finds no error in it{backed}."
