"""Which metrics of a judging can be told apart, and in which order they stand."""

from __future__ import annotations

import math

from capeval_core.analysis import williams
from capeval_core.analysis.judging import Judging
from capeval_core.analysis.williams import Matrix


def headline_values(found: Judging) -> dict[str, float]:
    """What the table is sorted by: the headline coefficient, or the mean accuracy of the groups of pairs."""
    if found.metrics:
        return {key: quality.of(found.headline).value for key, quality in found.metrics.items()}
    return {key: one.accuracy for key, one in found.overall.items()}


def significance(found: Judging) -> tuple[Matrix, dict[str, str]]:
    """The p values after Holm's correction, and each metric's letters: two that share one cannot be told
    apart."""
    if found.metrics:
        values = {key: quality.pearson.value for key, quality in found.metrics.items()}  # what Williams' test is of
    else:
        values = headline_values(found)
    corrected = williams.holm(found.williams or found.right)
    order = sorted(values, key=lambda key: -values[key] if math.isfinite(values[key]) else math.inf)
    return corrected, williams.letters(corrected, order) if corrected else {}
