"""Numbers as people read them."""

from __future__ import annotations

import math

import pytest

from capeval_core.figures.html import shown_value
from capeval_core.figures.numbers import change, number, percent, relative_change, score


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (score(0.5), "0.500"),
        (score(-12.34), "-12.3"),
        (score(9.999999999), "10.0"),  # as 10 itself
        (score(math.nan), "–"),
        (score(-0.0004), "0.000"),
        (score(0.0005), "0.001"),
        (shown_value(-0.0004), "0.000"),
        (shown_value(-0.25), "-0.250"),
        (change(0.1234), "+0.123"),
        (change(math.nan), "–"),
        (change(-0.0004), "0.000"),
        (relative_change(-0.254), "-25%"),
        (relative_change(-0.001), "0%"),
        (relative_change(20_000.0), "> +999%"),
        (number(0.004), "under 0.01"),
        (number(-0.004), "over -0.01"),
        (number(0.0), "0.00"),
        (number(math.nan), "–"),
        (percent(0.004), "under 1%"),
        (percent(0.93), "93%"),
        (percent(0.996), "over 99%"),
        (percent(1.0), "100%"),
        (percent(math.nan), "–"),
    ],
)
def test_numbers(written: str, expected: str) -> None:
    assert written == expected
