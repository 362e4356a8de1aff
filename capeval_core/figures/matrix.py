"""A word-by-word matrix with its values in the cells, which answers to clicks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from capeval_core.figures.charts import HEIGHT, Sketch, figure
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import label

MOST_SIDE = 24  # words of a side


@dataclass(frozen=True, slots=True)
class Cell:
    value: float  # its shade
    text: str  # inside it; empty for none
    hint: str  # what a click or a resting pointer says
    frame: str = ""  # solid or dash


def matrix(
    palette: Palette,
    sides: tuple[Sequence[str], Sequence[str]],
    cell: Callable[[int, int], Cell],
    most: float | None = None,
    height: int = HEIGHT,
) -> tuple[go.Figure, dict[str, str]]:
    """Candidate words down, reference words across; the chart, and what each cell says when it is clicked."""
    rows, columns = (list(side[:MOST_SIDE]) for side in sides)
    cells = [[cell(i, j) for j in range(len(columns))] for i in range(len(rows))]
    values = np.array([[one.value for one in row] for row in cells]).reshape(len(rows), len(columns))
    top = most if most is not None else float(values.max(initial=0.0)) or 1.0
    plain = figure(palette, height)
    _name_sides(plain, rows, columns)
    plain.update_layout(hoverdistance=-1)
    drawn = Sketch(plain)
    drawn.add_trace(
        "heatmap",
        z=values,
        text=[[one.text for one in row] for row in cells],
        texttemplate="%{text}",  # plotly chooses ink that can be read on each cell
        textfont={"size": 12 if len(columns) <= 12 else 9},
        zmin=0,
        zmax=top,
        colorscale=[list(stop) for stop in palette.sequential],
        showscale=False,
        xgap=2,
        ygap=2,
        hoverinfo="skip",
    )
    for i, row in enumerate(cells):
        for j, one in enumerate(row):
            if one.frame:
                line = {
                    "color": palette.matched if one.frame == "solid" else palette.near,
                    "width": 2,
                    "dash": one.frame,
                }
                half = 0.46 if one.frame == "solid" else 0.4
                drawn.add_shape(type="rect", x0=j - half, x1=j + half, y0=i - half, y1=i + half, line=line)
    clicks = {f"{i},{j}": one.hint for i, row in enumerate(cells) for j, one in enumerate(row)}
    _add_targets(drawn, clicks)
    return drawn.finish(), clicks


def _add_targets(drawn: Sketch, clicks: dict[str, str]) -> None:
    """Unseen points over the cells: a heat map itself reports no clicks."""
    places = [tuple(map(int, key.split(","))) for key in clicks]
    unseen = {"marker": {"opacity": 0}}
    drawn.add_trace(
        "scatter",
        x=[j for _, j in places],
        y=[i for i, _ in places],
        mode="markers",
        marker={"symbol": "square", "size": 30, "opacity": 0},
        customdata=[[key] for key in clicks],
        hovertext=[label(hint, 200) for hint in clicks.values()],
        hoverinfo="text",
        selected=unseen,
        unselected=unseen,
    )


def _name_sides(drawn: go.Figure, rows: Sequence[str], columns: Sequence[str]) -> None:
    drawn.update_xaxes(
        side="top",
        tickmode="array",
        tickvals=list(range(len(columns))),
        ticktext=[label(word, 14) for word in columns],
        range=[-0.5, max(len(columns), 1) - 0.5],
        automargin=True,
    )
    drawn.update_yaxes(
        tickmode="array",
        tickvals=list(range(len(rows))),
        ticktext=[f"{label(word, 18)} " for word in rows],
        range=[max(len(rows), 1) - 0.5, -0.5],
        automargin=True,
    )
