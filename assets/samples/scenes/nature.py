"""What several scenes share: mountains, pines, round trees and clouds."""

from __future__ import annotations

from collections.abc import Sequence

from canvas import Canvas, Point, ellipse, stroke


def ridge(c: Canvas, points: Sequence[Point], fill: tuple[str, ...], foot: float) -> None:
    """A row of mountains: sharp tops, filled down to its foot."""
    c.shape([(points[0][0], foot), *points, (points[-1][0], foot)], fill)


def pine(c: Canvas, x: float, foot: float, height: float, fill: str) -> None:
    for k in range(4):
        top, low = foot - height * (1 - 0.2 * k), foot - height * (0.62 - 0.2 * k)
        half = height * (0.11 + 0.055 * k)
        c.shape([(x, top), (x + half, low), (x - half, low)], fill)


def tree(c: Canvas, x: float, foot: float, height: float, leaves: tuple[str, str, str]) -> None:
    """A round tree, lit from the upper left; leaves: dark, middle, light."""
    r = height * 0.3
    c.shape(stroke([(x, foot), (x, foot - height * 0.5)], (height * 0.09, height * 0.05)), "#6b4a34")
    for dx, dy, size, tint in ((0.5, 0.5, 0.8, 0), (-0.5, 0.52, 0.8, 0), (0, 0.66, 1.05, 1), (-0.34, 0.76, 0.6, 2)):
        c.shape(ellipse(x + dx * r, foot - height * dy, r * size, r * size * 0.92), leaves[tint])


def cloud(c: Canvas, x: float, y: float, size: float, fill: str = "#ffffffe0") -> None:
    """A flat-bottomed heap of rounds, as one shape so that the overlaps do not show."""
    parts = [ellipse(x + dx * size, y - r * size * 0.5, r * size, r * size * 0.8) for dx, r in _PUFFS]
    c.shape([*parts, ellipse(x, y, 84 * size, 13 * size)], fill)


_PUFFS = ((-58, 22), (-26, 36), (20, 44), (58, 24))
