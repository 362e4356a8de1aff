"""A scene graph as a drawing: objects in columns, from the doer to the done-to, attributes under their object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from capeval_core.figures.charts import Sketch, canvas, tint, write
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import label, short

COLUMN = 4  # objects above each other
LETTER = 7.0  # pixels, about
WIDTH = 850  # of the chart, about
_DASHES = {"matched": "solid", "missed": "5px,3px", "extra": "2px,2px"}


@dataclass(frozen=True, slots=True)
class Node:
    name: str
    kind: str
    attributes: tuple[tuple[str, str], ...]  # name, kind
    hint: str


@dataclass(frozen=True, slots=True)
class Edge:
    subject: int
    name: str
    object: int
    kind: str


Places = list[tuple[float, float]]
Array = npt.NDArray[np.float64]


def columns_of(count: int, edges: Sequence[Edge]) -> list[list[int]]:
    """Each object right of what acts on it; those without relations last; no column too tall."""
    level = dict.fromkeys(range(count), 0)
    for _ in range(count):  # the longest way from the left; a circle of relations stops at the far end
        for edge in edges:
            if edge.subject != edge.object and level[edge.object] <= level[edge.subject] < count - 1:
                level[edge.object] = level[edge.subject] + 1
    related = {place for edge in edges for place in (edge.subject, edge.object)}
    groups: dict[int, list[int]] = {}
    for place in range(count):
        groups.setdefault(level[place] if place in related else count, []).append(place)
    found: list[list[int]] = []
    for _, group in sorted(groups.items()):
        group = _near_neighbours(group, found, edges)
        parts = -(-len(group) // COLUMN) if edges else min(len(group), 4)  # without relations: side by side
        size = -(-len(group) // parts)
        found += [group[at : at + size] for at in range(0, len(group), size)]
    return found


def _near_neighbours(group: list[int], columns: Sequence[Sequence[int]], edges: Sequence[Edge]) -> list[int]:
    """In the order of those that act on them: fewer lines cross."""
    height = {place: row / max(len(column) - 1, 1) for column in columns for row, place in enumerate(column)}

    def middle(place: int) -> float:
        near = [height[edge.subject] for edge in edges if edge.object == place and edge.subject in height]
        return sum(near) / len(near) if near else 0.5

    return sorted(group, key=lambda place: (middle(place), place))


def layout(count: int, edges: Sequence[Edge]) -> Places:
    columns = columns_of(count, edges)
    places: Places = [(0.5, 0.5)] * count
    for x, column in enumerate(columns):
        across = (x + 0.5) / len(columns)
        # Columns are set off a little, so that a line past a column does not run through its objects.
        shift = 0.07 * (-1) ** x if edges and len(columns) > 2 and len(column) < COLUMN else 0.0
        for y, place in enumerate(column):
            places[place] = across, 1 - (y + 0.5) / len(column) + shift / len(column)
    return places


def draw_scene(nodes: Sequence[Node], edges: Sequence[Edge], palette: Palette, height: int) -> go.Figure:
    drawn = canvas(palette, (0, 1), (-0.02, 1.02), height)
    places = layout(len(nodes), edges)
    taken = [*places, *((x, y - 24 / height) for node, (x, y) in zip(nodes, places, strict=True) if node.attributes)]
    drawn_lines: Places = []
    for edge in edges:
        line = _route(edge, places, drawn_lines, height)
        drawn_lines += [(float(x), float(y)) for x, y in line[4:-4:4]]
        taken.append(_draw_edge(drawn, palette, edge, line, taken, height))
    for node, place in zip(nodes, places, strict=True):
        _draw_node(drawn, palette, node, place)
    drawn.add_trace(
        "scatter",
        x=[x for x, _ in places],
        y=[y for _, y in places],
        mode="markers",
        marker={"size": 30, "opacity": 0},
        hovertext=[label(node.hint, 200) for node in nodes],
        hoverinfo="text",
    )
    return drawn.finish()


def _pixels(points: Array, others: Places, height: int) -> Array:
    """How far, about, each point is from the nearest of the others; words are wider than high."""
    apart = points[:, None] - np.array(others or [(9.0, 9.0)])[None]
    return np.asarray(np.hypot(apart[..., 0] * WIDTH / 2, apart[..., 1] * height).min(axis=1))


def _route(edge: Edge, places: Places, lines: Places, height: int) -> Array:
    """A straight line, or the least bend that keeps clear of other objects and lines."""
    start, end = np.array(places[edge.subject]), np.array(places[edge.object])
    if edge.subject == edge.object:
        return _curve(start, start + np.array([0.08, 0.3]), end)
    others = [place for n, place in enumerate(places) if n not in (edge.subject, edge.object)]
    across = np.array([start[1] - end[1], end[0] - start[0]])
    found, least = _curve(start, (start + end) / 2, end), float("inf")
    for bend in (0.0, 0.25, -0.25, 0.5, -0.5, 0.8, -0.8):
        line = _curve(start, (start + end) / 2 + across * bend, end)
        outside = bool((line < 0.0).any() or (line > 1.0).any())
        near_objects = float(np.maximum(30 - _pixels(line[3:-3], others, height), 0).max())
        near_lines = float(np.maximum(12 - _pixels(line[6:-6], lines, height), 0).max())
        cost = 4 * near_objects + near_lines + 20 * abs(bend) + 100 * outside
        if cost < least:
            found, least = line, cost
    return found


def _curve(start: Array, middle: Array, end: Array) -> Array:
    t = np.linspace(0, 1, 33)[:, None]
    return np.asarray((1 - t) ** 2 * start + 2 * t * (1 - t) * middle + t**2 * end)


def _draw_edge(
    drawn: Sketch, palette: Palette, edge: Edge, line: Array, taken: Places, height: int
) -> tuple[float, float]:
    """The line and its name, where there is most room for it; that place."""
    colour = palette.of(edge.kind)
    drawn.add_trace(
        "scatter",
        x=line[:, 0],
        y=line[:, 1],
        mode="lines",
        line={"color": tint(colour, 0.8), "width": 2 if edge.kind == "matched" else 1.3, "dash": _DASHES[edge.kind]},
        hoverinfo="skip",
    )
    room = np.minimum(_pixels(line[8:25], taken, height), 45) - np.abs(np.arange(-8, 9)) * 0.5
    x, y = line[8 + int(room.argmax())].tolist()
    name = label(edge.name, 18)
    text = f"{name} ›" if line[-1, 0] >= line[0, 0] else f"‹ {name}"
    write(drawn, x, y, text, colour, size=12, background=palette.background)
    return x, y


def _draw_node(drawn: Sketch, palette: Palette, node: Node, place: tuple[float, float]) -> None:
    x, y = place
    _pill(drawn, palette, place, len(short(node.name, 20)) * LETTER + 18, 26, node.kind)
    write(drawn, x, y, f"<b>{label(node.name, 20)}</b>", palette.of(node.kind), size=13)
    widths = [len(short(name, 14)) * 6.2 + 10 for name, _ in node.attributes[:3]]
    at = -(sum(widths) + 4 * (len(widths) - 1)) / 2
    for (name, kind), width in zip(node.attributes, widths, strict=False):
        middle = at + width / 2
        _pill(drawn, palette, place, width, 18, kind, (middle, -24))
        drawn.add_annotation(
            x=x,
            y=y,
            xshift=middle,
            yshift=-24,
            text=label(name, 14),
            font={"size": 11, "color": palette.of(kind)},
        )
        at += width + 4
    if len(node.attributes) > 3:
        more = f"+{len(node.attributes) - 3}"
        drawn.add_annotation(
            x=x, y=y, xshift=at + 10, yshift=-24, text=more, showarrow=False, font={"size": 11, "color": palette.faint}
        )


def _pill(
    drawn: Sketch,
    palette: Palette,
    place: tuple[float, float],
    width: float,
    height: float,
    kind: str,
    shift: tuple[float, float] = (0, 0),
) -> None:
    """A box with round ends, its size in pixels so that the words fit at any width of the page."""
    left, right = shift[0] - width / 2, shift[0] + width / 2
    low, high, r = shift[1] - height / 2, shift[1] + height / 2, min(height / 2, 9)
    drawn.add_shape(
        type="path",
        path=(
            f"M{left + r},{low} L{right - r},{low} Q{right},{low} {right},{low + r} L{right},{high - r} "
            f"Q{right},{high} {right - r},{high} L{left + r},{high} Q{left},{high} {left},{high - r} "
            f"L{left},{low + r} Q{left},{low} {left + r},{low} Z"
        ),
        xsizemode="pixel",
        ysizemode="pixel",
        xanchor=place[0],
        yanchor=place[1],
        fillcolor=palette.background,
        line={"color": palette.of(kind), "width": 2 if kind == "matched" else 1.3, "dash": _DASHES[kind]},
    )
