"""Numbers as people read them. Rounding happens here only; exports carry every digit."""

from __future__ import annotations

import math

UNDEFINED = "–"


def score(value: float) -> str:
    """A metric's value in a table."""
    if math.isnan(value):
        return UNDEFINED
    return "0.000" if abs(value) < 0.0005 else f"{value:.3f}" if abs(value) < 9.9995 else f"{value:.1f}"


def change(value: float) -> str:
    """A difference of two scores."""
    if math.isnan(value):
        return UNDEFINED
    return "0.000" if abs(value) < 0.0005 else f"{value:+.3f}"


def tie(left: float, right: float) -> bool:
    """Two scores that read the same: neither is ahead."""
    return score(left) == score(right)


def relative_change(share: float) -> str:
    """Whole per cent, no signed zero; a score that was close to 0 has no change worth its digits."""
    if abs(share) >= 9.995:
        return "> +999%" if share > 0 else "< -999%"
    return f"{share:+.0%}" if abs(share) >= 0.005 else "0%"


def number(value: float) -> str:
    """Inside a sentence: two decimals, and no false zero."""
    if math.isnan(value):
        return UNDEFINED
    if 0 < abs(value) < 0.005:
        return "under 0.01" if value > 0 else "over -0.01"
    return f"{value:.2f}"


def percent(share: float) -> str:
    if 0 < share < 0.005:
        return "under 1%"
    if 0.995 <= share < 1:
        return "over 99%"
    return UNDEFINED if math.isnan(share) else f"{100 * share:.0f}%"
