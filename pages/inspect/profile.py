"""The profile: candidates across all metrics, each metric on its own scale, against what people reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from capeval_core import registry
from capeval_core.figures.charts import tint
from capeval_core.figures.palette import Palette
from pages.widgets import formats
from pages.work.bands import Band

SYMBOLS = ("circle", "diamond", "square", "triangle-up", "x", "star", "pentagon", "hexagon")


def draw(
    names: Sequence[str], values: Sequence[Mapping[str, float]], bands: Mapping[str, Band], palette: Palette
) -> go.Figure:
    """`values`: for each named candidate its scores by metric (undefined ones left out)."""
    keys = [key for key in registry.keys() if any(key in one for one in values)]
    scales = {key: Scale(key, [one[key] for one in values if key in one], bands.get(key)) for key in keys}
    labels = [registry.get(key).label for key in keys]
    figure = go.Figure()
    for row, key in enumerate(keys):
        if key in bands:
            ends = [scales[key].at(bands[key].low), scales[key].at(bands[key].high)]
            figure.add_shape(
                type="rect",
                x0=ends[0],
                x1=max(ends[1], ends[0] + 0.003),
                y0=row - 0.32,
                y1=row + 0.32,
                fillcolor=tint(palette.faint, 0.28),
                line_width=0,
                layer="below",
            )
    for place, (name, scores) in enumerate(zip(names, values, strict=True)):
        known = [(row, key) for row, key in enumerate(keys) if key in scores]
        figure.add_scatter(
            x=[scales[key].at(scores[key]) for _, key in known],
            y=[row for row, _ in known],
            mode="markers+lines",
            name=formats.escape(name[:60]),
            line={"width": 1, "color": tint(palette.systems[place % len(palette.systems)], 0.45)},
            marker={
                "size": 10,
                "symbol": SYMBOLS[place % len(SYMBOLS)],
                "color": palette.systems[place % len(palette.systems)],
            },
            customdata=[_hover(key, scores[key], bands.get(key)) for _, key in known],
            hovertemplate="%{customdata}<extra>%{fullData.name}</extra>",
        )
    figure.update_yaxes(
        tickvals=list(range(len(keys))),
        ticktext=labels,
        range=[len(keys) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
        automargin=True,
        ticks="",
        ticksuffix="  ",
    )
    figure.update_xaxes(
        range=[-0.02, 1.06],
        tickvals=[0, 1],
        ticktext=["worst<br>possible", "best here or<br>best person"],
        ticklabeloverflow="allow",
        showgrid=False,
        zeroline=False,
    )
    figure.update_layout(
        height=110 + 27 * len(keys),
        margin={"l": 10, "r": 10, "t": 10, "b": 40},
        font=font(palette),
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    )
    return figure


def font(palette: Palette) -> dict[str, object]:
    return {"family": "'CapEval Sans', 'Source Sans', sans-serif", "color": palette.text, "size": 13}


class Scale:
    """From the metric's worst value (0) to the best one on show (1)."""

    def __init__(self, key: str, values: Sequence[float], band: Band | None) -> None:
        spec = registry.get(key)
        known = [*values, *((band.low, band.high) if band else ())]
        higher = spec.direction == "higher"
        worst = spec.bounds[0 if higher else 1]
        finite = abs(worst) != float("inf")
        self.worst = worst if finite else (min(known) if higher else max(known))
        best = max(known) if higher else min(known)
        self.width = best - self.worst or 1.0

    def at(self, value: float) -> float:
        return (value - self.worst) / self.width


def _hover(key: str, value: float, band: Band | None) -> str:
    people = f"<br>people reach {formats.score(band.low)} to {formats.score(band.high)}" if band else ""
    return f"{registry.get(key).label} {formats.score(value)}{people}"
