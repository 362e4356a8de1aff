"""Quality: how well a metric's scores agree with people's ratings, with an interval from drawing images again.

Papers:    Kilickaya et al. 2017, "Re-evaluating Automatic Metrics for Image Captioning", section 3.1 (Table 3).
Reference: scipy.stats (see coefficients.py). The captions of an image are not independent of each other, so images are
           drawn, not rows; every metric sees the same samples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from capeval_core.analysis import bootstrap
from capeval_core.analysis.bootstrap import Ints
from capeval_core.analysis.coefficients import NAMES, Table, coefficients
from capeval_core.types import Array, Progress

WORKERS = 2  # metrics side by side; more only fill the memory


@dataclass(frozen=True, slots=True)
class Estimate:
    """NaN where undefined: constant scores, or a single image for the interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Quality:
    pearson: Estimate
    spearman: Estimate
    kendall_b: Estimate
    kendall_c: Estimate
    count: int  # rows with a score and a rating

    def of(self, name: str) -> Estimate:
        found: Estimate = getattr(self, name)
        return found


def qualities(
    scores: Mapping[str, Array],
    ratings: Array,
    images: Sequence[str],
    *,
    samples: int = bootstrap.SAMPLES,
    seed: int = 0,
    on_progress: Progress | None = None,
) -> dict[str, Quality]:
    """Of every metric. One rating per row (see ratings.gather), one score per row and metric, NaN where undefined."""
    owners, count = number(images)
    found: dict[str, Quality] = {}
    with ThreadPoolExecutor(WORKERS) as pool:
        jobs = {
            key: pool.submit(_quality, values, ratings, owners, count, samples, seed) for key, values in scores.items()
        }
        for done, (key, job) in enumerate(jobs.items(), 1):
            found[key] = job.result()
            if on_progress:
                on_progress("agreement with people", done, len(jobs))
    return found


def number(names: Sequence[str]) -> tuple[Ints, int]:
    """Each row's image as a number, and how many images there are."""
    places: dict[str, int] = {}
    return np.array([places.setdefault(name, len(places)) for name in names], dtype=np.int64), len(places)


def _quality(values: Array, ratings: Array, owners: Ints, images: int, samples: int, seed: int) -> Quality:
    known = np.isfinite(values) & np.isfinite(ratings)
    values, ratings, owners = values[known], ratings[known], owners[known]
    whole = coefficients(values, ratings)
    drawn = np.full((1, len(NAMES)), np.nan)
    if np.isfinite(whole).any() and len(np.unique(owners)) > 1:
        table = Table(values, ratings, owners, images)
        drawn = np.concatenate([table.coefficients(counts) for counts in bootstrap.draw(images, samples, seed)])
    estimates = [
        Estimate(float(value), *bootstrap.interval(column)) for value, column in zip(whole, drawn.T, strict=True)
    ]
    pearson, spearman, kendall_b, kendall_c = estimates
    return Quality(pearson, spearman, kendall_b, kendall_c, int(known.sum()))
