"""How alike metrics are: Spearman's correlation of every two, and an order that puts those alike side by side.

Papers:    Kilickaya et al. 2017, Figure 4a; Sharif et al. 2020 (WEmbSim), Figure 4.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from scipy import stats  # type: ignore[import-untyped]
from scipy.cluster import hierarchy  # type: ignore[import-untyped]
from scipy.spatial.distance import squareform  # type: ignore[import-untyped]

from capeval_core.analysis.williams import Matrix
from capeval_core.types import Array


def compare(scores: Mapping[str, Array]) -> Matrix:
    """Spearman's rho of each two metrics over the captions both have, ordered by similarity; NaN where constant."""
    keys = list(scores)
    known = np.stack([np.isfinite(values) for values in scores.values()]) if keys else np.empty((0, 0), dtype=bool)
    whole = {key: stats.rankdata(values) for key, values in scores.items()} if known.all() else {}
    found = np.full((len(keys), len(keys)), np.nan)
    for i, key in enumerate(keys):
        for j in range(i):
            both = known[i] & known[j]
            ranks = [whole[one] if whole else stats.rankdata(scores[one][both]) for one in (key, keys[j])]
            found[i, j] = found[j, i] = _correlation(*ranks)
    order = sort_by_similarity(found)
    return {keys[i]: {keys[j]: float(found[i, j]) for j in order if j != i} for i in order}


def _correlation(first: Array, second: Array) -> float:
    if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return math.nan
    return float(np.corrcoef(first, second)[0, 1])


def sort_by_similarity(correlations: Array) -> Sequence[int]:
    """The places so that neighbours are alike: groups joined by their mean correlation, turned to fit their neighbours.
    What is not defined stands at the end."""
    defined = [place for place, row in enumerate(correlations) if np.isfinite(np.delete(row, place)).any()]
    last = [place for place in range(len(correlations)) if place not in defined]
    if len(defined) < 3:
        return [*defined, *last]
    away = 1 - np.nan_to_num(correlations[np.ix_(defined, defined)])
    np.fill_diagonal(away, 0)
    joined = hierarchy.linkage(squareform(away, checks=False), "average", optimal_ordering=True)
    return [*(defined[place] for place in hierarchy.leaves_list(joined)), *last]
