"""Captioners as clouds of captions: where they lie, how far they spread, how much of one lies within another.

Paper:     Feinglass and Yang 2021, "SMURF: SeMantic and linguistic UndeRstanding Fusion for Caption Evaluation via
           Typicality Analysis", figure 1 and sections 1, 3.5.
Reference: the SPARCS, SPURTS and MIMA values the authors published for COCO captions.

The overlap is the same whatever the axes are standardised by; the grammar penalty is not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from capeval_core.analysis import bootstrap, ellipses
from capeval_core.analysis.bootstrap import Ints
from capeval_core.analysis.ellipses import Ellipse
from capeval_core.errors import InvalidInput
from capeval_core.types import Array, CaptionItem

AXES = ("sparcs", "spurts")
GRAMMAR = "mima"
THRESHOLD = -1.96  # T of Eq. 12: below it a caption's grammar is an outlier
NO_VALUES = "no caption has a value on both axes"
NO_AREA = "the captions do not spread over an area"
REFERENCE_NO_AREA = "the reference captioner's captions do not spread over an area"


@dataclass(frozen=True, slots=True)
class Scale:
    mean: float
    deviation: float

    def standardise(self, values: Array) -> Array:
        return (values - self.mean) / (self.deviation or 1.0)


# The authors' means and standard deviations, of the human captions of COCO's Karpathy test split.
PUBLISHED = {
    "sparcs": Scale(0.400853, 0.171832),
    "spurts": Scale(0.402463, 0.052658),
    "mima": Scale(0.489233, 0.035721),
}


@dataclass(frozen=True, slots=True, eq=False)
class Cloud:
    """One captioner's captions on the two axes. What is undefined is NaN or None, and `note` says why."""

    rows: Ints  # the items that have a value on both axes
    points: Array  # (rows, 2), standardised
    ellipse: Ellipse | None
    centroid: int | None  # the item nearest to the mean
    overlap: float  # share of its ellipse that lies inside the reference captioner's
    overlap_low: float
    overlap_high: float
    note: str


@dataclass(frozen=True, slots=True, eq=False)
class SystemReport:
    system: str
    count: int
    means: dict[str, float]  # of every column, in its own units
    cloud: Cloud | None  # None where no axes were asked for
    penalty: float  # sum of Eq. 12's grammar term, 0 or less; NaN where there is no MIMA
    outliers: int  # how many captions it punishes


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    reference: str
    axes: tuple[str, str] | None
    scales: dict[str, Scale]
    size: float
    systems: tuple[SystemReport, ...]  # in the order of the items


def analyse(
    items: Sequence[CaptionItem],
    scores: Mapping[str, Array],
    reference: str,
    *,
    axes: tuple[str, str] | None = AXES,
    scales: Mapping[str, Scale] | None = None,
    size: float = ellipses.SIZE,
    samples: int = bootstrap.SAMPLES,
    seed: int = 0,
) -> Analysis:
    """`scores` has a column per metric key with a value per item. Without axes there are means and penalties only.

    `scales` standardises the columns it names; the others are measured by the reference captioner's mean and standard
    deviation, as the paper does with the human captions.
    """
    systems = _checked(items, scores, reference, axes, size)
    used = [key for key in (*(axes or ()), GRAMMAR) if key in scores]
    known = {key: (scales or {}).get(key) or measure(scores[key][systems[reference]]) for key in used}
    clouds: dict[str, Cloud] = {}
    if axes:
        points = np.stack([known[key].standardise(scores[key]) for key in axes], axis=1)
        points[~np.isfinite(points)] = np.nan
        overlaps = _overlaps([item.image_id for item in items], points, systems, reference, size, samples, seed)
        clouds = {name: _cloud(rows, points[rows], overlaps[name], size) for name, rows in systems.items()}
    reports = []
    for name, rows in systems.items():
        grammar = penalties(known[GRAMMAR].standardise(scores[GRAMMAR][rows])) if GRAMMAR in known else np.empty(0)
        means = {key: _mean(values[rows]) for key, values in scores.items()}
        total = float(grammar.sum()) if len(grammar) else math.nan
        reports.append(SystemReport(name, len(rows), means, clouds.get(name), total, int((grammar < 0).sum())))
    return Analysis(reference, axes, known, size, tuple(reports))


def measure(values: Array) -> Scale:
    """Mean and standard deviation of the defined values; 0 and 1 where there is nothing to measure."""
    defined = values[np.isfinite(values)]
    return Scale(float(defined.mean()), float(defined.std()) or 1.0) if len(defined) else Scale(0.0, 1.0)


def penalties(standardised: Array) -> Array:
    """The grammar term of Eq. 12 for every defined value: 0, or how far it lies below the threshold."""
    return np.minimum(standardised[np.isfinite(standardised)] - THRESHOLD, 0.0)


def _checked(
    items: Sequence[CaptionItem],
    scores: Mapping[str, Array],
    reference: str,
    axes: tuple[str, str] | None,
    size: float,
) -> dict[str, Ints]:
    """The rows of each captioner."""
    systems: dict[str, list[int]] = {}
    for row, item in enumerate(items):
        systems.setdefault(item.system, []).append(row)
    if reference not in systems:
        names = f"one of {', '.join(map(repr, systems))}" if systems else "captions of it"
        raise InvalidInput(f"no captioner {reference!r} to compare with", expected=names)
    for key in axes or ():
        if key not in scores:
            raise InvalidInput(f"no scores of {key!r}", expected=f"one of {', '.join(scores)}")
    for key, values in scores.items():
        if len(values) != len(items):
            raise InvalidInput(f"scores of {key!r}", expected=f"{len(items)} values", found=str(len(values)))
    if not 0 < size < math.inf:
        raise InvalidInput("size of the ellipse", expected="a positive number of standard deviations", found=str(size))
    return {name: np.array(rows) for name, rows in systems.items()}


def _mean(values: Array) -> float:
    defined = values[np.isfinite(values)]
    return float(defined.mean()) if len(defined) else math.nan


@dataclass(frozen=True, slots=True)
class _Overlap:
    value: float
    low: float
    high: float
    note: str


def _overlaps(
    images: Sequence[str],
    points: Array,
    systems: Mapping[str, Ints],
    reference: str,
    size: float,
    samples: int,
    seed: int,
) -> dict[str, _Overlap]:
    """Overlap and its bootstrap interval: each image's moments are summed as often as the image is drawn."""
    numbers = {image: number for number, image in enumerate(dict.fromkeys(images))}
    owners = np.array([numbers[image] for image in images])
    defined = ~np.isnan(points.sum(axis=1))
    # Spread about 1 on both axes, whatever their units: what counts as flat has a meaning then.
    whole = [measure(points[defined, axis]) for axis in (0, 1)]
    moments = ellipses.moments(np.stack([scale.standardise(points[:, axis]) for axis, scale in enumerate(whole)], 1))
    sums = np.zeros((len(systems), len(numbers), moments.shape[1]))
    for place, rows in enumerate(systems.values()):
        chosen = rows[defined[rows]]
        np.add.at(sums[place], owners[chosen], moments[chosen])
    own = list(systems).index(reference)
    totals = sums.sum(axis=1)
    values = ellipses.overlap(totals[own], totals, size)
    drawn = [np.empty((len(systems), 0))]
    for counts in bootstrap.draw(len(numbers), samples, seed):
        block = counts @ sums
        drawn.append(ellipses.overlap(block[own], block, size))
    spread = np.concatenate(drawn, axis=1)
    found = {}
    for place, name in enumerate(systems):
        note = _reason(totals[place, 0], values[place], values[own])
        low, high = (math.nan, math.nan) if note else bootstrap.interval(spread[place])
        found[name] = _Overlap(float(values[place]), low, high, note)
    return found


def _reason(count: float, overlap: float, of_reference: float) -> str:
    """Why there is no overlap, or nothing."""
    if not count:
        return NO_VALUES
    if math.isnan(of_reference):
        return REFERENCE_NO_AREA
    return NO_AREA if math.isnan(overlap) else ""


def _cloud(rows: Ints, points: Array, overlap: _Overlap, size: float) -> Cloud:
    defined = np.isfinite(points).all(axis=1)
    rows, points = rows[defined], points[defined]
    ellipse = ellipses.ellipse(points, size) if len(points) else None
    centroid = None
    if len(points):
        centroid = int(rows[np.square(points - points.mean(axis=0)).sum(axis=1).argmin()])
    return Cloud(rows, points, ellipse, centroid, overlap.value, overlap.low, overlap.high, overlap.note)
