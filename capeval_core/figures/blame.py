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
from capeval_core.figures.words import label, plural, quoted
from capeval_core.types import Array

CROWDED = 24  # words; with more the cells have no room for numbers
SMALLEST = 5e-4  # a smaller change reads as 0


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
    """Two digits; a third where it would read as 0 otherwise. Nothing for what is undefined."""
    return "" if not abs(value) >= SMALLEST else f"{value:+.{3 if abs(value) < 0.005 else 2}f}".replace("0.", ".", 1)


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
    # What the map leaves empty is no change here either.
    moved = np.abs(np.nan_to_num(found.change)) >= SMALLEST
    mean = np.where(moved, np.nan_to_num(scaled(found, bands)), 0.0).mean(axis=0)
    falls, rises = (moved & (found.change < 0)).sum(axis=0), (moved & (found.change > 0)).sum(axis=0)
    needed, harmful, total = int(mean.argmin()), int(mean.argmax()), plural(len(found.keys), "score")
    parts = []
    if mean[needed] < 0:
        word = quoted(found.words[needed])
        parts.append(f"Deleting {word} costs most: {falls[needed]} of {total} fall{_and(rises[needed], 'rise')}.")
    if mean[harmful] > 0:
        word = quoted(found.words[harmful])
        parts.append(f"Deleting {word} gains most: {rises[harmful]} of {total} rise{_and(falls[harmful], 'fall')}.")
    return " ".join(parts) or "No word changes a score."


def _and(count: int, what: str) -> str:
    return f", {count} {what}" if count else ""
