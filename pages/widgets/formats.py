"""What pages say of a metric. Numbers are written by capeval_core/figures/numbers.py."""

from __future__ import annotations

import math

from capeval_core.figures.scales import Band
from capeval_core.registry import MetricSpec


def spread(band: Band) -> str:
    """A range that fits under a column's name."""
    return f"{_short(band.low)}–{_short(band.high)}"


def _short(value: float) -> str:
    return f"{value:.2f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.1f}"


def scale(spec: MetricSpec) -> str:
    """0 to 1, higher is better"""
    low, high = (f"{end:g}" if math.isfinite(end) else "no limit" for end in spec.bounds)
    return f"{low} to {high}, {spec.direction} is better"


def tooltip(spec: MetricSpec) -> str:
    return f"{spec.label}: {spec.measures}.\nRange {scale(spec)}.\n{spec.paper}"
