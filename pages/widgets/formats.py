"""Numbers as people read them. Rounding happens here only; exports carry every digit."""

from __future__ import annotations

import html
import math
import re

from capeval_core.registry import MetricSpec
from pages.work.bands import Band


def score(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}" if abs(value) < 10 else f"{value:.1f}"


def change(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:+.3f}"


def spread(band: Band) -> str:
    """A range that fits under a column's name."""
    return f"{_short(band.low)}–{_short(band.high)}"


def _short(value: float) -> str:
    return f"{value:.2f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.1f}"


def bounds(spec: MetricSpec) -> str:
    low, high = (f"{end:g}" if math.isfinite(end) else "no limit" for end in spec.bounds)
    return f"{low} to {high}"


def tooltip(spec: MetricSpec) -> str:
    better = "higher is better" if spec.direction == "higher" else "lower is better"
    return f"{spec.label}: {spec.measures}.\nRange {bounds(spec)}, {better}. Click to sort.\n{spec.paper}"


def signature(text: str) -> str:
    """How many of a batch's words the vectors know is a fact of that batch, and the page scores caption by caption."""
    return re.sub(r"\(knows \d+ of \d+ words\)", "", text)


def escape(text: str) -> str:
    """Text inside our own HTML."""
    return html.escape(text)
