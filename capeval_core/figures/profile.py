"""The profile drawn: candidates across all metrics, each metric on its own scale, against what people reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from capeval_core import registry
from capeval_core.figures.charts import figure, tint
from capeval_core.figures.numbers import score, tie
from capeval_core.figures.palette import SYMBOLS, Palette
from capeval_core.figures.scales import Band, Scale, worst
from capeval_core.figures.words import label, plural

MOST = 8  # candidates: as many as there are colours


def draw(
    names: Sequence[str], values: Sequence[Mapping[str, float]], bands: Mapping[str, Band], palette: Palette
) -> go.Figure:
    """`values`: for each named candidate its scores by metric (undefined ones left out)."""
    keys = [key for key in registry.keys() if any(key in one for one in values)]
    scales = {key: Scale(key, [one[key] for one in values if key in one], bands.get(key)) for key in keys}
    drawn = figure(palette, 110 + 27 * len(keys))
    for row, key in enumerate(keys):
        if key in bands:
            _add_band(drawn, row, scales[key], bands[key], palette)
    for place, (name, scores) in enumerate(zip(names, values, strict=True)):
        _add_candidate(drawn, place, name, {key: scores[key] for key in keys if key in scores}, scales, bands, palette)
    drawn.update_yaxes(
        tickvals=list(range(len(keys))),
        ticktext=[registry.get(key).label for key in keys],
        range=[len(keys) - 0.5, -0.5],
        automargin=True,
        ticksuffix="  ",
    )
    drawn.update_xaxes(
        range=[-0.02, 1.06],
        tickvals=[0, 1],
        ticktext=["0, or the<br>worst here", "best here or<br>best person"],
        ticklabeloverflow="allow",
    )
    legend = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
    drawn.update_layout(margin_b=40, showlegend=True, legend=legend)
    return drawn


def sentence(chosen: Mapping[str, float], bands: Mapping[str, Band]) -> str:
    """In how many metrics the chosen caption reaches people; a score that is the worst there is reaches nobody."""
    known = [key for key in registry.keys() if key in chosen and key in bands]
    if not known:
        return ""
    reached = [key for key in known if not worst(key, chosen[key]) and _reaches(key, chosen[key], bands[key])]
    people = "within people's range (grey) or better"
    return f"The chosen caption is {people} for {len(reached)} of {plural(len(known), 'metric')}."


def _reaches(key: str, value: float, band: Band) -> bool:
    if registry.get(key).direction == "lower":
        return value <= band.high or tie(value, band.high)
    return value >= band.low or tie(value, band.low)


def _add_band(drawn: go.Figure, row: int, scale: Scale, band: Band, palette: Palette) -> None:
    low, high = scale.at(band.low), scale.at(band.high)
    drawn.add_shape(
        type="rect",
        x0=low,
        x1=max(high, low + 0.003),
        y0=row - 0.32,
        y1=row + 0.32,
        fillcolor=tint(palette.faint, 0.28),
        line_width=0,
        layer="below",
    )


def _add_candidate(
    drawn: go.Figure,
    place: int,
    name: str,
    scores: Mapping[str, float],
    scales: Mapping[str, Scale],
    bands: Mapping[str, Band],
    palette: Palette,
) -> None:
    rows, colour = list(scales), palette.systems[place % len(palette.systems)]
    drawn.add_scatter(
        x=[scales[key].at(value) for key, value in scores.items()],
        y=[rows.index(key) for key in scores],
        mode="markers+lines",
        name=label(name, 60),
        line={"width": 1, "color": tint(colour, 0.45)},
        marker={"size": 10, "symbol": SYMBOLS[place % len(SYMBOLS)], "color": colour},
        customdata=[_hint(key, value, bands.get(key)) for key, value in scores.items()],
        hovertemplate="%{customdata}<extra>%{fullData.name}</extra>",
    )


def _hint(key: str, value: float, band: Band | None) -> str:
    people = f"<br>people reach {score(band.low)} to {score(band.high)}" if band else ""
    return f"{registry.get(key).label} {score(value)}{people}"
