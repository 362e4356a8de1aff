"""The blame map: each word of the candidate deleted in turn, and what that does to every metric's score."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from capeval_core import CaptionItem, InvalidInput, registry
from capeval_core.figures.charts import tint
from capeval_core.figures.palette import Palette
from capeval_core.types import Array
from pages.inspect import profile
from pages.widgets import formats
from pages.work import cells as cache
from pages.work.bands import Band

MOST_WORDS = 60  # of one caption: each costs a scored caption


@dataclass(frozen=True, slots=True)
class Blame:
    words: tuple[str, ...]
    keys: tuple[str, ...]
    value: Array  # (metrics,): the whole caption's scores
    change: Array  # (metrics, words): score without the word minus score with it; NaN where either is undefined


def variants(caption: str) -> tuple[list[str], list[str]]:
    """The words, and the caption without each of them."""
    words = caption.split()
    return words, [" ".join(words[:place] + words[place + 1 :]) for place in range(len(words))]


def blame(item: CaptionItem, keys: Sequence[str]) -> Blame:
    """One evaluate() call for the caption and all its variants."""
    words, shorter = variants(item.candidate)
    if len(words) > MOST_WORDS:
        raise InvalidInput("too long for a blame map", expected=f"at most {MOST_WORDS} words", found=str(len(words)))
    items = [CaptionItem(item.image_id, text, item.references, item.system) for text in (item.candidate, *shorter)]
    scores = cache.evaluate_now(items, keys).scores
    found = [key for key in keys if key in scores and not math.isnan(scores[key][0])]
    grid = np.array([scores[key] for key in found]).reshape(len(found), len(items))
    return Blame(tuple(words), tuple(found), grid[:, 0], grid[:, 1:] - grid[:, :1])


def scaled(found: Blame, bands: Mapping[str, Band]) -> Array:
    """Changes between -1 and 1, better is positive: against this caption's score or the best person's, the larger."""
    rows = []
    for key, value, changes in zip(found.keys, found.value, found.change, strict=True):
        width = profile.Scale(key, [float(value)], bands.get(key)).width
        rows.append(np.clip(changes / width, -1, 1))
    return np.array(rows).reshape(len(found.keys), len(found.words))


def draw(found: Blame, bands: Mapping[str, Band], palette: Palette) -> go.Figure:
    labels = [registry.get(key).label for key in found.keys]
    places = list(range(len(found.words)))
    hover = [
        [
            f"without “{formats.escape(word[:40])}” {label} goes {formats.change(float(change))}<br>"
            f"from {formats.score(float(value))} to {formats.score(float(value + change))}"
            for word, change in zip(found.words, changes, strict=True)
        ]
        for label, value, changes in zip(labels, found.value, found.change, strict=True)
    ]
    crowded = len(places) > 24
    texts = [["" if crowded or abs(c) < 5e-4 else f"{c:+.2f}".replace("0.", ".") for c in row] for row in found.change]
    figure = go.Figure(
        go.Heatmap(
            x=places,
            y=labels,
            z=scaled(found, bands),
            text=texts,
            texttemplate="%{text}",
            textfont_size=11,
            customdata=hover,
            hovertemplate="%{customdata}<extra></extra>",
            zmin=-1,
            zmax=1,
            xgap=2,
            ygap=2,
            colorscale=[list(stop) for stop in palette.diverging],
            showscale=False,
        )
    )
    words = [formats.escape(word if len(word) <= 16 else word[:15] + "…") for word in found.words]
    figure.update_xaxes(
        tickvals=places,
        ticktext=words,
        side="top",
        showgrid=False,
        ticks="",
        automargin=True,
        tickangle=-35 if crowded else 0,
    )
    figure.update_yaxes(
        autorange="reversed", showgrid=False, zeroline=False, ticks="", automargin=True, ticksuffix="  "
    )
    figure.update_layout(
        height=90 + 24 * len(labels),
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        font=profile.font(palette),
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        hoverlabel={"bgcolor": palette.background, "bordercolor": tint(palette.faint, 0.5), "font_color": palette.text},
    )
    return figure


def sentence(found: Blame, bands: Mapping[str, Band]) -> str:
    """Who rewards and who punishes which word most."""
    if not found.words or not found.keys:
        return "There is nothing to delete, or no metric that could score it."
    mean = np.nan_to_num(scaled(found, bands)).mean(axis=0)
    dear, harmful = int(mean.argmin()), int(mean.argmax())
    parts = []
    if mean[dear] < 0:
        agree = int((np.nan_to_num(found.change[:, dear]) < 0).sum())
        parts.append(f"Most is lost without “{found.words[dear]}”: {agree} of {len(found.keys)} scores fall.")
    if mean[harmful] > 0:
        agree = int((np.nan_to_num(found.change[:, harmful]) > 0).sum())
        parts.append(f"Without “{found.words[harmful]}”, {agree} of {len(found.keys)} scores rise: it costs points.")
    return " ".join(parts) or "No word changes a score."
