"""A training run in words, curves and a table: pure functions of its figures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from capeval_core.figures.charts import figure
from capeval_core.figures.numbers import UNDEFINED
from capeval_core.figures.palette import Palette
from capeval_core.figures.tables import Bar, Cell, Column, Grid, Row
from capeval_core.figures.words import short

HEIGHT = 300
DASHES = ("solid", "dash")  # a second curve is told apart without its colour


@dataclass(frozen=True, slots=True)
class Figure:
    """A share of something, 0 to 1, on captions that were held back."""

    key: str
    label: str
    help: str


FIGURES = {
    "i2ce": (
        Figure("words", "words rebuilt", "share of words, with the captions' ends, guessed right given those before"),
        Figure("retrieval", "image found", "share of captions whose nearest other caption is of the same image"),
        Figure("ranked", "mean reciprocal rank", "1 / the place of the first caption of the same image, on average"),
    ),
    "nneval": (
        Figure("area", "pairs in the right order", "how often a person's caption is above a wrong one; a tie is half"),
        Figure("told apart", "captions told apart", "share on the right side of one half; both kinds count the same"),
    ),
}
CURVES = {"i2ce": ("words", "retrieval"), "nneval": ("area",)}  # figures that are drawn


def said(metric: str, figures: Mapping[str, float], chance: Mapping[str, float], who: str = "it") -> str:
    """What a model can do, in one sentence without its end: "it rebuilds 62 % of the words ..."."""
    if metric == "i2ce":
        found = f"{who} rebuilds {percent(figures['words'])} of the words of captions it has not seen"
        guess = f" (guessing: {percent(chance['retrieval'])})" if "retrieval" in chance else ""
        return f"{found}, and finds another caption of the same image for {percent(figures['retrieval'])}{guess}"
    guess = f" (guessing: {percent(chance['area'])})" if "area" in chance else ""
    return f"{who} puts a person's caption above a wrong one in {percent(figures['area'])} of the pairs{guess}"


def under_way(metric: str, at: float, epochs: int, figures: Mapping[str, float], chance: Mapping[str, float]) -> str:
    """While it trains; `figures` are the last that were measured."""
    if not figures:
        return "It has begun to learn; the first figures come when it has read all captions once."
    return f"After {at:.0f} of {epochs} epochs {said(metric, figures, chance)}."


def finished(
    metric: str, figures: Mapping[str, float], shipped: Mapping[str, float], chance: Mapping[str, float]
) -> str:
    text = f"{said(metric, figures, chance, 'Your model')}."
    if shipped:
        drawn = [percent(shipped[key]) for key in CURVES[metric]]
        text += f" The shipped model, on the same captions: {' and '.join(drawn)}."
    return text


def percent(share: float) -> str:
    if math.isnan(share):
        return UNDEFINED
    return "under 1 %" if 0 < share < 0.01 else f"{100 * share:.0f} %"


@dataclass(frozen=True, slots=True)
class Curve:
    name: str
    points: Sequence[tuple[float, float]]  # epochs done, value
    beside: float | None = None  # the shipped model's value: a dotted line


def loss_curves(curves: Sequence[Curve], epochs: int, palette: Palette) -> go.Figure:
    """From 0 up to the largest."""
    most = max((value for one in curves for _, value in one.points if math.isfinite(value)), default=1.0)
    return _curves(curves, epochs, palette, (0.0, 1.08 * most or 1.0), "{:.2f}", "")


def share_curves(curves: Sequence[Curve], epochs: int, palette: Palette) -> go.Figure:
    """From 0 to 100 %."""
    return _curves(curves, epochs, palette, (0.0, 1.06), "{:.0%}", ".0%")


def _curves(
    curves: Sequence[Curve], epochs: int, palette: Palette, span: tuple[float, float], form: str, ticks: str
) -> go.Figure:
    drawn = figure(palette, HEIGHT)
    apart = (span[1] - span[0]) * 0.075  # labels do not lie on one another
    taken: list[float] = []
    for place, one in enumerate(curves):
        colour = palette.systems[place]
        points = [(x, y) for x, y in one.points if math.isfinite(y)]
        if one.beside is not None and math.isfinite(one.beside):
            drawn.add_shape(
                type="line", x0=0, x1=epochs, y0=one.beside, y1=one.beside,
                line={"color": colour, "width": 1.2, "dash": "dot"},
            )  # fmt: skip
            _name(drawn, epochs, one.beside, f"shipped {form.format(one.beside)}", colour, taken, apart)
        if points:
            hover = [f"{one.name}: {form.format(y)}, epoch {x:.1f}" for x, y in points]
            drawn.add_scatter(
                x=[x for x, _ in points], y=[y for _, y in points], mode="lines" if len(points) > 1 else "markers",
                line={"color": colour, "width": 2.2, "dash": DASHES[place % 2]}, marker={"color": colour},
                hovertext=hover, hoverinfo="text",
            )  # fmt: skip
            _name(drawn, epochs, points[-1][1], f"{one.name} {form.format(points[-1][1])}", colour, taken, apart)
    drawn.update_xaxes(
        range=[0, epochs], nticks=8, tickfont={"color": palette.faint}, automargin=True,
        title={"text": "epochs: how often all captions were read", "standoff": 6, "font": {"size": 13}},
    )  # fmt: skip
    drawn.update_yaxes(range=list(span), nticks=6, tickformat=ticks, tickfont={"color": palette.faint}, automargin=True)
    drawn.update_layout(margin={"r": 170, "l": 10, "t": 10, "b": 10})
    return drawn


def _name(drawn: go.Figure, epochs: int, at: float, text: str, colour: str, taken: list[float], apart: float) -> None:
    """At the right end; moved up or down where another name stands."""
    tries = [at + sign * step * apart for step in range(8) for sign in (1, -1)]
    height = next((one for one in tries if all(abs(one - other) >= apart for other in taken)), at)
    taken.append(height)
    drawn.add_annotation(
        x=epochs, y=height, text=text, showarrow=False, xanchor="left", xshift=6, font={"color": colour, "size": 13}
    )


def beside(
    metric: str,
    figures: Mapping[str, float],
    shipped: Mapping[str, float],
    chance: Mapping[str, float],
    palette: Palette,
) -> Grid:
    """Your model beside the shipped one and guessing; the better of the two in bold."""
    others = {"your model": figures} | ({"shipped": shipped} if shipped else {})
    rows = []
    for one in FIGURES[metric]:
        best = max((values[one.key] for values in others.values() if one.key in values), default=math.nan)
        cells = [Cell(one.label, tip=one.help)]
        for place, values in enumerate(others.values()):
            cells.append(_share(values.get(one.key, math.nan), best, palette.systems[place], chance.get(one.key)))
        rows.append(Row(tuple(cells)))
    heads = (Column(Cell("on captions that were held back"), "left", names=True, wide=True),)
    return Grid((*heads, *(Column(Cell(name)) for name in others)), tuple(rows), full=True)


def _share(value: float, best: float, colour: str, guess: float | None) -> Cell:
    if math.isnan(value):
        return Cell(UNDEFINED)
    ticks = () if guess is None else (guess,)
    tip = "" if guess is None else f"the mark: guessing, {percent(guess)}"
    return Cell(percent(value), bold=value == best, bar=Bar(0.0, min(max(value, 0.0), 1.0), colour, ticks), tip=tip)


def meaning(metric: str) -> str:
    """What the figures of the table are."""
    return " ".join(f"{one.label.capitalize()}: {one.help}." for one in FIGURES[metric])


def examples(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Grid:
    columns = tuple(Column(Cell(head), "left", wraps=True) for head in heads)
    return Grid(
        columns, tuple(Row(tuple(Cell(short(text, 200)) for text in row)) for row in rows), full=True, stacks=True
    )
