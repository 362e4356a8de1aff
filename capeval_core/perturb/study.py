"""The sensitivity profile of a data set: how far each perturbation moves each metric, and who falls for distractors.

Papers: Kilickaya et al. 2017 (Table 2 over a whole data set; Table 5), Sharif et al. 2018 (Table 3).
Relative change: the mean change over the mean score of the same candidates. (A mean of ratios would be ruled by the
    captions whose own score is next to nothing.) Intervals: bootstrap over images.
Accuracy: share of distractors that score below the true caption; a tie counts half and is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from capeval_core import pace, registry
from capeval_core.analysis.bootstrap import SAMPLES, draw, interval
from capeval_core.errors import CapEvalError, InvalidInput
from capeval_core.perturb.kinds import KINDS
from capeval_core.perturb.lab import perturb
from capeval_core.perturb.variant import Variants
from capeval_core.service import MetricOptions, evaluate
from capeval_core.shared import Shared
from capeval_core.types import Array, CaptionItem, Evaluation, Progress, StandIn

if TYPE_CHECKING:
    import pandas as pd

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Cell:
    """One kind and one metric over a data set."""

    kind: str
    metric: str
    pairs: int  # variants whose two scores are defined
    candidate: float  # mean score of the candidates
    variant: float
    change: float  # relative; NaN where the candidates' mean is 0
    low: float
    high: float
    accuracy: float  # share of pairs in which the candidate scores higher, ties half
    ties: int


@dataclass(frozen=True)
class Study:
    """Plain data. `scores` has the candidates' values first, then one per variant, in the order of `variants`."""

    items: tuple[CaptionItem, ...]
    variants: Variants
    scores: dict[str, Array]
    cells: tuple[Cell, ...]
    signatures: dict[str, str] = field(default_factory=dict)
    skipped: dict[str, CapEvalError] = field(default_factory=dict)
    stand_ins: dict[str, StandIn] = field(default_factory=dict)

    @cached_property
    def table(self) -> pd.DataFrame:
        """Relative change: one row per kind, one column per metric."""
        return self._pivot("change", [cell for cell in self.cells if KINDS[cell.kind].family != "distractors"])

    @cached_property
    def accuracy(self) -> pd.DataFrame:
        """The papers' table: one row per metric, one column per task, then their mean and the worst of them."""
        found = self._pivot("accuracy", [cell for cell in self.cells if KINDS[cell.kind].family == "distractors"]).T
        if not found.empty:
            found["average"], found["worst"] = found.mean(axis=1), found.min(axis=1)
        return found

    @property
    def rates(self) -> dict[str, float]:
        """For which share of the items each kind could be made."""
        made = {(variant.kind, variant.item) for variant in self.variants}
        kinds = dict.fromkeys([*(kind for _, kind in self.variants.missing), *(kind for kind, _ in made)])
        ordered = [kind for kind in KINDS if kind in kinds]
        return {kind: sum(found == kind for found, _ in made) / max(len(self.items), 1) for kind in ordered}

    def change(self, key: str, number: int) -> float:
        """Score of variant `number` minus the score of its candidate."""
        values = self.scores[key]
        return float(values[len(self.items) + number] - values[self.variants[number].item])

    def _pivot(self, name: str, cells: Sequence[Cell]) -> pd.DataFrame:
        import pandas as pd

        rows: dict[str, dict[str, float]] = {}
        for cell in cells:
            rows.setdefault(cell.kind, {})[cell.metric] = getattr(cell, name)
        return pd.DataFrame.from_dict(rows, orient="index")


def study(
    items: Iterable[CaptionItem],
    kinds: Iterable[str] | None = None,
    metrics: Iterable[str] | None = None,
    *,
    strength: int = 1,
    seed: int = 0,
    variants: int = 1,
    corpus: Iterable[CaptionItem] | None = None,
    samples: int = SAMPLES,
    options: MetricOptions | None = None,
    device: str = "auto",
    on_progress: Progress | None = None,
    scorer: Callable[[Sequence[CaptionItem], Sequence[str]], Evaluation] | None = None,
) -> Study:
    """Perturbs every candidate and scores everything at once. Without `corpus` the items are the data set. A `scorer`
    scores in place of evaluate(): by several workers, say."""
    batch = tuple(items)
    if not batch:
        raise InvalidInput("nothing to perturb", expected="at least one item", found="none")
    keys = [spec.key for spec in registry.select(metrics)]
    shared = Shared(device=device, on_progress=on_progress)
    others = batch if corpus is None else corpus
    made = perturb(batch, kinds, strength=strength, seed=seed, variants=variants, corpus=others, shared=shared)
    grid = [*batch, *(replace(batch[variant.item], candidate=variant.text) for variant in made)]
    if scorer is None:
        found = evaluate(grid, keys, options=options, device=device, on_progress=on_progress)
    else:
        found = scorer(grid, keys)
    cells = tuple(_cells(batch, made, found.scores, samples, seed))
    return Study(batch, made, found.scores, cells, found.signatures, found.skipped, found.stand_ins)


def _cells(
    items: Sequence[CaptionItem], variants: Variants, scores: Mapping[str, Array], samples: int, seed: int
) -> Iterable[Cell]:
    owners = np.array([variant.item for variant in variants], dtype=np.int64)
    kinds = np.array([variant.kind for variant in variants])
    numbers: dict[str, int] = {}
    images = np.array([numbers.setdefault(item.image_id, len(numbers)) for item in items], dtype=np.int64)
    for kind in KINDS:
        rows = np.flatnonzero(kinds == kind) if len(kinds) else np.empty(0, dtype=np.int64)
        if not len(rows):
            continue
        sums: dict[str, Any] = {}
        for key, values in scores.items():
            before, after = values[owners[rows]], values[len(items) + rows]
            sums[key] = before, after, images[owners[rows]]
        yield from _of_kind(kind, sums, samples, seed)


def _of_kind(kind: str, pairs: Mapping[str, tuple[Array, Array, Ints]], samples: int, seed: int) -> Iterable[Cell]:
    for key, (before, after, images) in pace.each(pairs.items()):
        defined = ~(np.isnan(before) | np.isnan(after))
        before, after, images = before[defined], after[defined], images[defined]
        if not len(before):
            nan = float("nan")
            yield Cell(kind, key, 0, nan, nan, nan, nan, nan, nan, 0)
            continue
        low, high = interval(_drawn(before, after - before, images, samples, seed))
        # The same score by another route may differ in the last digits.
        ties = np.isclose(before, after, rtol=1e-12, atol=1e-12)
        wins = (_better(key, before, after) & ~ties).sum() + ties.sum() / 2
        means = float(before.mean()), float(after.mean())
        change = (means[1] - means[0]) / abs(means[0]) if means[0] else float("nan")
        yield Cell(kind, key, len(before), *means, change, low, high, float(wins) / len(before), int(ties.sum()))


def _better(key: str, first: Array, second: Array) -> npt.NDArray[np.bool_]:
    return first > second if registry.get(key).direction == "higher" else first < second


def _drawn(before: Array, change: Array, images: Ints, samples: int, seed: int) -> Array:
    """The relative change in bootstrap samples of the images."""
    _, numbers = np.unique(images, return_inverse=True)
    sums = np.stack([np.bincount(numbers, weights=change), np.bincount(numbers, weights=before)])
    blocks = [counts @ sums.T for counts in draw(sums.shape[1], samples, seed)]
    drawn = np.concatenate([np.empty((0, 2)), *blocks])
    scale = np.abs(drawn[:, 1])
    # A sample of captions that all score next to nothing (BLEU-4) has no relative change to speak of.
    enough = scale > 0.01 * abs(float(before.sum()))
    found: Array = np.divide(drawn[:, 0], scale, out=np.full(len(drawn), np.nan), where=enough)
    return found
