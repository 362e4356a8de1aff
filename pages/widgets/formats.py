"""What pages say of a metric, and texts made safe to show. Numbers are written in capeval_core/figures/numbers.py."""

from __future__ import annotations

import html
import math

from capeval_core.figures.numbers import change as change
from capeval_core.figures.numbers import score as score
from capeval_core.figures.scales import Band
from capeval_core.figures.words import clean
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


def escape(text: str) -> str:
    """Text inside our own HTML."""
    return html.escape(clean(text))
