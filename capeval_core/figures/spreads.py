"""Scores of captioners drawn: how they are spread, and how their mean falls as words are replaced."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from capeval_core.figures.charts import figure, tint
from capeval_core.figures.palette import Palette
from capeval_core.figures.systems import colours
from capeval_core.figures.words import label
from capeval_core.types import Array

GRID = 96  # points of a density curve


@dataclass(frozen=True, slots=True, eq=False)
class Ridge:
    name: str
    values: Array  # one per caption; undefined ones are left out
    reference: bool = False


def ridges(palette: Palette, rows: Sequence[Ridge], height: int = 0) -> go.Figure:
    """How one metric's values are spread, one curve per captioner; the bar is the middle half, its line the median."""
    drawn = figure(palette, height or 60 + 46 * max(len(rows), 3))
    reference = next((row.name for row in rows if row.reference), "")
    colour = colours([row.name for row in rows], reference, palette)
    finite = [row.values[np.isfinite(row.values)] for row in rows]
    known = np.concatenate([*finite, np.empty(0)])
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    low, high = (low - 0.5, high + 0.5) if low == high else (low, high)
    curves = [density(values, low, high) for values in finite]
    tallest = max((curve.max() for curve in curves), default=0.0) or 1.0
    at = np.linspace(low, high, GRID)
    for place, (row, values, curve) in enumerate(zip(rows, finite, curves, strict=True)):
        base = len(rows) - 1 - place
        _add_ridge(drawn, row, colour[row.name], at, base, 0.82 * curve / tallest)
        if len(values):
            _add_quartiles(drawn, row, colour[row.name], values, base, palette)
    drawn.update_yaxes(
        tickvals=[len(rows) - 1 - place for place in range(len(rows))],
        ticktext=[f"{label(row.name, 20)}  " for row in rows],
        range=[-0.3, len(rows) - 0.1],
        automargin=True,
    )
    edge = 0.02 * (high - low)
    drawn.update_xaxes(range=[low - edge, high + edge], nticks=6, tickfont={"color": palette.faint}, automargin=True)
    return drawn


def density(values: Array, low: float, high: float) -> Array:
    """(GRID,): a smooth histogram, by Scott's rule; of few or equal values a narrow hill."""
    if not len(values):
        return np.zeros(GRID)
    counts, edges = np.histogram(values, bins=4 * GRID, range=(low, high))
    width = max(float(values.std()) * len(values) ** -0.2, (high - low) / GRID)
    centres = (edges[1:] + edges[:-1]) / 2
    away = (np.linspace(low, high, GRID)[:, None] - centres) / width
    curve: Array = np.exp(-0.5 * away**2) @ counts / (len(values) * width * math.sqrt(2 * math.pi))
    return curve


def _add_ridge(drawn: go.Figure, row: Ridge, colour: str, at: Array, base: int, curve: Array) -> None:
    drawn.add_scatter(x=at, y=np.full(GRID, base), mode="lines", line={"width": 0}, hoverinfo="skip")
    drawn.add_scatter(
        x=at,
        y=base + curve,
        mode="lines",
        fill="tonexty",
        line={"color": colour, "width": 1.5, "dash": "dash" if row.reference else "solid"},
        fillcolor=tint(colour, 0.22),
        hoverinfo="skip",
        name=label(row.name),
    )


def _add_quartiles(drawn: go.Figure, row: Ridge, colour: str, values: Array, base: int, palette: Palette) -> None:
    low, middle, high = np.quantile(values, [0.25, 0.5, 0.75]).tolist()
    drawn.add_scatter(x=[low, high], y=[base, base], mode="lines", line={"color": colour, "width": 5}, hoverinfo="skip")
    hint = f"<b>{label(row.name)}</b><br>half of its captions: {low:.3g} to {high:.3g}<br>median {middle:.3g}"
    drawn.add_scatter(
        x=[middle],
        y=[base],
        mode="markers",
        marker={"symbol": "line-ns-open", "size": 14, "color": palette.text, "line": {"width": 2}},
        hovertext=[f"{hint}, mean {values.mean():.3g}<br>{len(values):,} captions"],
        hoverinfo="text",
    )


@dataclass(frozen=True, slots=True)
class Mean:
    share: float  # of the words replaced, 0 to 1
    mean: float
    low: float
    high: float


def decay(palette: Palette, steps: Sequence[Mean], title: str, height: int = 340) -> go.Figure:
    """The mean score as words are replaced by random ones, with its interval."""
    drawn = figure(palette, height)
    known = [step for step in steps if math.isfinite(step.mean)]
    bounded = [step for step in known if math.isfinite(step.low) and math.isfinite(step.high)]
    around = [(step.share, step.high) for step in bounded] + [(step.share, step.low) for step in reversed(bounded)]
    if around:
        drawn.add_scatter(
            x=[at[0] for at in around],
            y=[at[1] for at in around],
            mode="lines",
            line={"width": 0},
            fill="toself",
            fillcolor=tint(palette.accent, 0.16),
            hoverinfo="skip",
        )
    drawn.add_scatter(
        x=[step.share for step in known],
        y=[step.mean for step in known],
        mode="lines+markers+text",
        line={"color": palette.accent, "width": 2},
        marker={"size": 8},
        text=[f"{step.mean:.3f}" for step in known],
        textposition="top center",
        hovertext=[f"{step.share:.0%} of the words replaced: {step.mean:.4f} ({step.low:.4f} to {step.high:.4f})"
                   for step in known],
        hoverinfo="text",
        cliponaxis=False,
    )  # fmt: skip
    drawn.update_xaxes(
        range=[-0.05, 1.06], tickvals=[step.share for step in known], tickformat=".0%",
        title={"text": "share of each caption's words replaced by random words", "standoff": 6},
        tickfont={"color": palette.faint}, automargin=True,
    )  # fmt: skip
    ends = [value for step in known for value in (step.mean, step.low, step.high) if math.isfinite(value)] or [0.0, 1.0]
    edge = 0.2 * (max(ends) - min(ends)) or 0.1
    drawn.update_yaxes(
        title={"text": label(title, 60), "standoff": 6}, range=[min(ends) - edge, max(ends) + edge],
        tickfont={"color": palette.faint}, automargin=True,
    )  # fmt: skip
    return drawn
