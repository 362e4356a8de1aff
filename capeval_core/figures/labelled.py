"""Words beside single points of a scatter plot, rings around some, and what its corners mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from capeval_core.figures.palette import Palette
from capeval_core.figures.words import label, short

Point = tuple[float, float]
Box = tuple[Point, Point]  # the lower left and the upper right corner of the points' part of the chart
LETTER, LINE = 0.012, 0.05  # of the box: about the width of a letter, the height of a line


@dataclass(frozen=True, slots=True)
class Name:
    at: Point
    text: str  # escaped here
    colour: str
    size: float  # of its point


def add_names(drawn: go.Figure, names: Sequence[Name], points: Sequence[Point], box: Box) -> None:
    """Each on the side of its point where the fewest other points and names stand."""
    taken = [_share(point, box) for point in points]
    for one in names:
        x, y = _share(one.at, box)
        away = LETTER * (len(short(one.text)) / 2 + 2)
        ways = {
            "middle right": (x + away, y),
            "top center": (x, y + LINE),
            "bottom center": (x, y - LINE),
            "middle left": (x - away, y),
        }
        side = min(ways, key=lambda way: _crowd(ways[way], away, taken))
        taken.append(ways[side])
        drawn.add_scatter(
            x=[one.at[0]],
            y=[one.at[1]],
            mode="markers+text",
            text=[label(one.text)],
            textposition=side,
            textfont={"size": 12.5, "color": one.colour},
            marker={"size": one.size, "opacity": 0},
            hoverinfo="skip",
            cliponaxis=False,
        )


def _share(point: Point, box: Box) -> Point:
    (left, low), (right, high) = box
    return (point[0] - left) / (right - left), (point[1] - low) / (high - low)


def _crowd(place: Point, wide: float, taken: Sequence[Point]) -> float:
    """How much stands near this place; a name should not go over the edge."""
    outside = 100.0 * (not wide <= place[0] <= 1 - wide or not LINE <= place[1] <= 1 - LINE)
    near = (max(0.0, 1 - abs(place[0] - x) / (2 * wide)) * max(0.0, 1 - abs(place[1] - y) / LINE) for x, y in taken)
    return outside + sum(near)


def add_rings(drawn: go.Figure, palette: Palette, points: Sequence[Point]) -> None:
    if points:
        ring = {"size": 22, "color": "rgba(0,0,0,0)", "line": {"color": palette.extra, "width": 2}}
        x, y = zip(*points, strict=True)
        drawn.add_scatter(x=x, y=y, mode="markers", marker=ring, hoverinfo="skip")


def add_corners(drawn: go.Figure, palette: Palette, corners: Sequence[str], box: Box) -> None:
    """Clockwise from the upper left."""
    (left, low), (right, high) = box
    places = ((left, high), (right, high), (right, low), (left, low))
    for text, (x, y) in zip(corners, places, strict=False):
        drawn.add_annotation(
            x=x,
            y=y,
            text=label(text, 60),
            showarrow=False,
            xanchor="left" if x == left else "right",
            yanchor="top" if y == high else "bottom",
            font={"size": 12, "color": palette.faint},
        )
