"""Charts of metrics against people, from a finished judging; each answers one question."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import plotly.graph_objects as go

from capeval_core.analysis.by_rating import Level
from capeval_core.analysis.complementarity import Complementarity
from capeval_core.figures import matrix
from capeval_core.figures.charts import figure, tint
from capeval_core.figures.judge_tables import name
from capeval_core.figures.numbers import change, score
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import label

LEVEL = 0.05
PER_METRIC = 26  # pixels of a row of a matrix
Matrix = Mapping[str, Mapping[str, float]]
At = Callable[[int, int], matrix.Cell]


def similarity(between: Matrix, palette: Palette) -> go.Figure:
    """Which metrics say the same? Spearman's rho of every two, those alike side by side."""
    keys = list(between)

    def cell(i: int, j: int) -> matrix.Cell:
        rho = 1.0 if i == j else between[keys[i]][keys[j]]
        text = "" if math.isnan(rho) else f"{rho:.2f}".replace("0.", ".")
        hint = f"{name(keys[i])} and {name(keys[j])}: Spearman {score(rho)}"
        return matrix.Cell(0.0 if math.isnan(rho) else max(rho, 0.0), text, hint)

    return _square(keys, keys, cell, palette)


def wins(williams: Matrix, order: Sequence[str], palette: Palette) -> go.Figure:
    """Which differences are real? A filled cell: the row's metric agrees with people better than the column's."""

    def cell(i: int, j: int) -> matrix.Cell:
        p = williams[order[i]].get(order[j], math.nan) if i != j else math.nan
        text = "" if math.isnan(p) else "&lt;.001" if p < 0.001 else f"{p:.3f}".removeprefix("0") if p < LEVEL else ""
        said = "undefined" if math.isnan(p) else f"p = {p:.3g}"
        hint = f"{name(order[i])} better than {name(order[j])}: {said}"
        return matrix.Cell(1.0 if p < LEVEL else 0.0, text, hint)

    return _square(order, order, cell, palette)


def _square(down: Sequence[str], across: Sequence[str], cell: At, palette: Palette) -> go.Figure:
    sides = ([name(key) for key in down], [name(key) for key in across])
    drawn, _ = matrix.matrix(palette, sides, cell, 1.0, 60 + PER_METRIC * max(len(down), 3))
    return drawn


def score_by_rating(levels: Sequence[Level], title: str, palette: Palette, height: int = 260) -> go.Figure:
    """Does the metric give higher scores to captions that people rate higher? One box per rating."""
    drawn = figure(palette, height)
    columns = list(zip(*(level.quantiles for level in levels), strict=True)) or [()] * 5
    low, first, middle, third, high = columns
    drawn.add_box(
        x=list(range(len(levels))),
        lowerfence=low, q1=first, median=middle, q3=third, upperfence=high, mean=[level.mean for level in levels],
        line={"color": palette.accent, "width": 1.5},
        fillcolor=tint(palette.accent, 0.2),
        hoverinfo="y",
    )  # fmt: skip
    drawn.update_xaxes(
        tickvals=list(range(len(levels))),
        ticktext=[f"{_rating(level)}<br>{level.count:,}" for level in levels],
        title={"text": "rating, and how many captions have it", "standoff": 6},
        automargin=True,
    )
    drawn.update_yaxes(title={"text": label(title, 40), "standoff": 6}, nticks=5, automargin=True)
    return drawn


def _rating(level: Level) -> str:
    return f"{level.low:.3g}" if level.low == level.high else f"{level.low:.3g} to {level.high:.3g}"


def gains(found: Complementarity, palette: Palette) -> go.Figure:
    """What does a second metric add? Pearson of the row's metric with the column's, minus the row's alone."""
    keys = list(found.gains)
    most = max((one.gain.value for row in found.gains.values() for one in row.values()), default=0.0)

    def cell(i: int, j: int) -> matrix.Cell:
        if i == j:
            return matrix.Cell(0.0, "", f"{name(keys[i])} alone: {score(found.alone[keys[i]])}")
        one = found.gains[keys[i]][keys[j]]
        sure = one.gain.low > 0
        said = f"{name(keys[i])} with {name(keys[j])}: {score(one.together)}, {change(one.gain.value)}"
        hint = f"{said} ({change(one.gain.low)} to {change(one.gain.high)})"
        share = max(one.gain.value, 0.0) / most if most > 0 and sure else 0.0
        return matrix.Cell(share, f"{one.gain.value:+.2f}".replace("0.", ".") if sure else "", hint)

    return _square(keys, keys, cell, palette)
