"""Captions as points of a plane: clouds with their ellipses, each with a caption beside it. For Systems, where a cloud
is a captioner, and for one image, where a cloud may be a single caption."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from capeval_core.figures.charts import FONT, figure, tint
from capeval_core.figures.labelled import Name, Point, add_corners, add_names, add_rings
from capeval_core.figures.palette import SYMBOLS, Palette
from capeval_core.figures.words import label, short

SCATTER_HEIGHT = 480
MOST_LABELLED = 9  # centroids with their caption; more would run into each other
COLUMN = 0.62  # width of the captions beside the clouds, as a share of the clouds' own
LETTERS = 36  # of a line there
EDGE, ROOM = 0.04, 0.13  # around the clouds, as a share of their width; with words in the corners


@dataclass(frozen=True, slots=True)
class Dot:
    at: Point
    name: str  # what a click on it gives back
    hint: tuple[str, ...]  # lines; escaped here
    label: str = ""  # stands beside it
    odd: bool = False  # gets a ring around it


@dataclass(frozen=True, slots=True)
class Group:
    """One captioner's cloud."""

    name: str
    dots: tuple[Dot, ...]
    outline: tuple[Point, ...]  # of its ellipse; empty where it has none
    centre: Point | None
    caption: str  # of the caption nearest to the centre
    note: str = ""  # stands behind the name
    reference: bool = False
    crossed: bool = True  # a cross marks its centre
    strong: bool = False  # its points are large


@dataclass(frozen=True, slots=True)
class Axis:
    title: str
    better: str = ""  # which way is better, in words


def colours(names: Iterable[str], reference: str, palette: Palette) -> dict[str, str]:
    """One per captioner; the reference captioner is grey."""
    others = [name for name in names if name != reference]
    found = {name: palette.systems[place % len(palette.systems)] for place, name in enumerate(others)}
    return found | {reference: palette.neutral}


def scatter(
    palette: Palette,
    groups: Sequence[Group],
    x: Axis,
    y: Axis,
    height: int = SCATTER_HEIGHT,
    corners: Sequence[str] = (),
) -> go.Figure:
    """The clouds, and to their right each one's name with the caption at its centre. `corners`: what the four corners
    mean, clockwise from the upper left."""
    drawn = figure(palette, height)
    drawn.update_layout(hoverlabel={"font": {"family": FONT}, "align": "left"})
    reference = next((group.name for group in groups if group.reference), "")
    colour = colours([group.name for group in groups], reference, palette)
    low, high = _ranges(groups, ROOM if corners else EDGE)
    for place, group in enumerate(sorted(groups, key=lambda one: not one.reference)):  # the reference lies below
        _add_outline(drawn, group, colour[group.name])
        _add_dots(drawn, group, colour[group.name], SYMBOLS[place % len(SYMBOLS)])
    _add_labels(drawn, palette, groups, colour, (low, high))
    add_corners(drawn, palette, corners, (low, high))
    _add_captions(drawn, palette, groups, colour, low, high)
    _add_axes(drawn, palette, low, high)
    drawn.update_xaxes(range=[low[0], high[0] + COLUMN * (high[0] - low[0])], title=_title(x))
    drawn.update_yaxes(range=[low[1], high[1]], title=_title(y))
    return drawn


def _title(axis: Axis) -> dict[str, object]:
    return {"text": label(axis.title + (f"  →  {axis.better}" if axis.better else ""), 90), "standoff": 6}


def _add_axes(drawn: go.Figure, palette: Palette, low: Point, high: Point) -> None:
    """Thin lines at the reference captioner's mean, and ticks, beside the clouds only."""
    line = {"color": tint(palette.faint, 0.35), "width": 1}
    if low[0] < 0 < high[0]:
        drawn.add_shape(type="line", x0=0, x1=0, y0=low[1], y1=high[1], line=line, layer="below")
    if low[1] < 0 < high[1]:
        drawn.add_shape(type="line", x0=low[0], x1=high[0], y0=0, y1=0, line=line, layer="below")
    look = {"tickfont": {"color": palette.faint}, "automargin": True}
    drawn.update_xaxes(tickvals=_ticks(low[0], high[0]), **look)
    drawn.update_yaxes(tickvals=_ticks(low[1], high[1]), **look)


def _ranges(groups: Sequence[Group], share: float) -> tuple[Point, Point]:
    every = [dot.at for group in groups for dot in group.dots] + [at for group in groups for at in group.outline]
    points = np.array(every or [(0.0, 0.0)])
    low, high = points.min(axis=0), points.max(axis=0)
    edge = np.where(high > low, share * (high - low), 0.5)
    (a, b), (c, d) = (low - edge).tolist(), (high + edge).tolist()
    return (a, b), (c, d)


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers within the clouds' part of the axis only."""
    step = 10.0 ** math.floor(math.log10((high - low) / 4))
    step *= next(times for times in (1, 2, 5, 10) if (high - low) / (step * times) <= 8)
    return [round(place * step, 10) for place in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _add_outline(drawn: go.Figure, group: Group, colour: str) -> None:
    if not group.outline:
        return
    closed = (*group.outline, group.outline[0])
    drawn.add_scatter(
        x=[at[0] for at in closed],
        y=[at[1] for at in closed],
        mode="lines",
        line={"color": colour, "width": 2, "dash": "dash" if group.reference else "solid"},
        fill="toself",
        fillcolor=tint(colour, 0.14 if group.reference else 0.06),
        hoverinfo="skip",
        name=label(group.name),
    )


def _add_dots(drawn: go.Figure, group: Group, colour: str, symbol: str) -> None:
    drawn.add_scatter(
        x=[dot.at[0] for dot in group.dots],
        y=[dot.at[1] for dot in group.dots],
        mode="markers",
        marker={
            "size": 13 if group.strong else 7,
            "color": colour,
            "symbol": symbol,
            "opacity": 1.0 if group.strong else 0.6,
            "line": {"width": 0},
        },
        selected={"marker": {"opacity": 1.0, "size": 15 if group.strong else 13}},
        unselected={"marker": {"opacity": 0.9 if group.strong else 0.5}},
        customdata=[[dot.name] for dot in group.dots],
        hovertext=["<br>".join([f"<b>{label(group.name)}</b>", *_hint(dot)]) for dot in group.dots],
        hoverinfo="text",
        name=label(group.name),
    )


def _add_labels(
    drawn: go.Figure, palette: Palette, groups: Sequence[Group], colour: dict[str, str], box: tuple[Point, Point]
) -> None:
    dots = [(dot, group) for group in groups for dot in group.dots]
    names = [Name(dot.at, dot.label, colour[group.name], 13 if group.strong else 7) for dot, group in dots if dot.label]
    add_names(drawn, names, [dot.at for dot, _ in dots], box)
    add_rings(drawn, palette, [dot.at for dot, _ in dots if dot.odd])


def _hint(dot: Dot) -> list[str]:
    return [line for text in dot.hint for line in _wrapped(text, 60, 4)]


def _wrapped(text: str, width: int, most: int) -> list[str]:
    """Lines, escaped; what does not fit ends in dots."""
    return [label(line, width + 3) for line in textwrap.wrap(short(text, width * most), width, max_lines=most)]


def _add_captions(
    drawn: go.Figure, palette: Palette, groups: Sequence[Group], colour: dict[str, str], low: Point, high: Point
) -> None:
    """In one column, in the order of the centroids' heights, so that the lines to them do not cross much."""
    marked = [(group.centre[1], place) for place, group in enumerate(groups) if group.centre]
    ordered = [groups[place] for _, place in sorted(marked, reverse=True)]
    left = high[0] + 0.07 * (high[0] - low[0])
    step = (high[1] - low[1]) / max(len(ordered), 1)
    for slot, group in enumerate(ordered):
        assert group.centre is not None
        middle = high[1] - (slot + 0.5) * step
        drawn.add_scatter(
            x=[group.centre[0], left - 0.015 * (high[0] - low[0])],
            y=[group.centre[1], middle],
            mode="lines",
            line={"color": tint(colour[group.name], 0.55), "width": 1, "dash": "dot"},
            hoverinfo="skip",
        )
        if group.crossed:
            _add_cross(drawn, palette, group, colour[group.name])
        note = f"  {label(group.note, 40)}" if group.note else ""
        name = f"{'✖ ' if group.crossed else ''}{label(group.name)}"
        lines = [f'<b><span style="color:{colour[group.name]}">{name}</span></b>{note}']
        if len(ordered) <= MOST_LABELLED:
            lines += _wrapped(group.caption, LETTERS, 2 if len(ordered) > 6 else 3)
        drawn.add_annotation(
            x=left, y=middle, text="<br>".join(lines), showarrow=False, xanchor="left", yanchor="middle", align="left",
            font={"size": 12.5, "color": palette.text},
        )  # fmt: skip


def _add_cross(drawn: go.Figure, palette: Palette, group: Group, colour: str) -> None:
    assert group.centre is not None
    drawn.add_scatter(
        x=[group.centre[0]],
        y=[group.centre[1]],
        mode="markers",
        marker={"size": 12, "symbol": "x", "color": colour, "line": {"color": palette.background, "width": 2}},
        unselected={"marker": {"opacity": 1}},
        hovertext=[f"<b>{label(group.name)}</b>, the middle of its captions"],
        hoverinfo="text",
    )
