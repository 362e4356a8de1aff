"""The blame map drawn: what deleting each word of a caption does to every metric's score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from capeval_core import registry
from capeval_core.figures.charts import figure
from capeval_core.figures.numbers import change, score
from capeval_core.figures.palette import Palette
from capeval_core.figures.scales import Band, Scale
from capeval_core.figures.words import label, quoted
from capeval_core.types import Array

CROWDED = 24  # words; with more the cells have no room for numbers


@dataclass(frozen=True, slots=True, eq=False)
class Blame:
    words: tuple[str, ...]
    keys: tuple[str, ...]
    value: Array  # (metrics,): the whole caption's scores
    change: Array  # (metrics, words): score without the word minus score with it; NaN where either is undefined


def scaled(found: Blame, bands: Mapping[str, Band]) -> Array:
    """Changes between -1 and 1, better is positive: against this caption's score or the best person's, the larger."""
    rows = []
    for key, value, changes in zip(found.keys, found.value, found.change, strict=True):
        width = Scale(key, [float(value)], bands.get(key)).width
        rows.append(np.clip(changes / width, -1, 1))
    return np.array(rows).reshape(len(found.keys), len(found.words))


def draw(found: Blame, bands: Mapping[str, Band], palette: Palette) -> go.Figure:
    crowded, places = len(found.words) > CROWDED, list(range(len(found.words)))
    drawn = figure(palette, 90 + 24 * len(found.keys))
    drawn.add_heatmap(
        x=places,
        y=[registry.get(key).label for key in found.keys],
        z=scaled(found, bands),
        text=[["" if crowded else _short(one) for one in row] for row in found.change],
        texttemplate="%{text}",
        textfont_size=11,
        customdata=_hints(found),
        hovertemplate="%{customdata}<extra></extra>",
        zmin=-1,
        zmax=1,
        xgap=2,
        ygap=2,
        colorscale=[list(stop) for stop in palette.diverging],
        showscale=False,
    )
    words, angle = [label(word, 16) for word in found.words], -35 if crowded else 0
    drawn.update_xaxes(tickvals=places, ticktext=words, side="top", automargin=True, tickangle=angle)
    drawn.update_yaxes(autorange="reversed", automargin=True, ticksuffix="  ")
    return drawn


def _short(value: float) -> str:
    return "" if abs(value) < 5e-4 else f"{value:+.2f}".replace("0.", ".")


def _hints(found: Blame) -> list[list[str]]:
    return [
        [
            f"without “{label(word, 40)}” {registry.get(key).label} changes by {change(float(one))}<br>"
            f"from {score(float(value))} to {score(float(value + one))}"
            for word, one in zip(found.words, changes, strict=True)
        ]
        for key, value, changes in zip(found.keys, found.value, found.change, strict=True)
    ]


def sentence(found: Blame, bands: Mapping[str, Band]) -> str:
    """The word that the scores need most, and the one that costs most."""
    if not found.words or not found.keys:
        return "There is no word to delete, or no metric that can score this caption."
    mean, total = np.nan_to_num(scaled(found, bands)).mean(axis=0), len(found.keys)
    needed, harmful = int(mean.argmin()), int(mean.argmax())
    parts = []
    if mean[needed] < 0:
        fall = int((np.nan_to_num(found.change[:, needed]) < 0).sum())
        parts.append(f"Deleting {quoted(found.words[needed])} costs most: {fall} of {total} scores fall.")
    if mean[harmful] > 0:
        rise = int((np.nan_to_num(found.change[:, harmful]) > 0).sum())
        parts.append(f"Without {quoted(found.words[harmful])}, {rise} of {total} scores rise: it costs points.")
    return " ".join(parts) or "No word changes a score."
