"""How far each kind of change moves each metric: one panel per kind, one bar per metric, intervals where known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from capeval_core import registry
from capeval_core.figures import charts
from capeval_core.figures.charts import tint
from capeval_core.figures.numbers import relative_change
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import label

PANELS = 4  # side by side
ROW = 19  # pixels per metric
FURTHEST = 1.0  # a bar ends here; its number says how far it would go


@dataclass(frozen=True, slots=True)
class Move:
    kind: str  # its name; escaped here
    metric: str  # key
    change: float  # relative: -0.2 is a fifth less
    low: float = math.nan
    high: float = math.nan
    hint: str = ""


def sensitivity(moves: Sequence[Move], palette: Palette) -> go.Figure:
    kinds = list(dict.fromkeys(move.kind for move in moves))
    keys = [key for key in registry.keys() if any(move.metric == key for move in moves)]
    across = min(PANELS, len(kinds))
    down = math.ceil(len(kinds) / across)
    height = 24 + down * (len(keys) * ROW + 58)
    drawn = make_subplots(
        rows=down,
        cols=across,
        shared_xaxes="all",
        shared_yaxes="all",
        horizontal_spacing=0.02,
        vertical_spacing=min(46 / height, 0.9 / down),
        subplot_titles=[f"<b>{label(kind, 34)}</b>" for kind in kinds],
    )
    for place, kind in enumerate(kinds):
        found = {move.metric: move for move in moves if move.kind == kind}
        _panel(drawn, place // across + 1, place % across + 1, [found.get(key) for key in keys], palette)
    _look(drawn, moves, keys, height, palette)
    return drawn


def _panel(drawn: go.Figure, row: int, column: int, found: Sequence[Move | None], palette: Palette) -> None:
    known = [(place, move) for place, move in enumerate(found) if move and not math.isnan(move.change)]
    colours = [_colour(move, palette) for _, move in known]
    lengths = [_within(move.change) for _, move in known]
    intervals = [
        (_within(move.high) - length, length - _within(move.low)) if not math.isnan(move.low + move.high) else (0, 0)
        for (_, move), length in zip(known, lengths, strict=True)
    ]
    drawn.add_bar(
        row=row,
        col=column,
        orientation="h",
        y=[place for place, _ in known],
        x=lengths,
        marker={"color": [tint(colour, 0.6) for colour in colours], "line": {"color": colours, "width": 1}},
        error_x={
            "array": [max(above, 0.0) for above, _ in intervals],
            "arrayminus": [max(below, 0.0) for _, below in intervals],
            "color": palette.text,
            "thickness": 1,
            "width": 2,
            "visible": any(above or below for above, below in intervals),
        },
        hovertext=[_hover(move) for _, move in known],
        hoverinfo="text",
    )
    # Numbers stand on the other side of zero, clear of bar and interval. (Annotations would take plotly seconds.)
    falls = [move.change <= 0 for _, move in known]
    drawn.add_scatter(
        row=row,
        col=column,
        mode="text",
        y=[place for place, _ in known],
        x=[
            max(0.0, length + above) if fall else min(0.0, length - below)
            for fall, length, (above, below) in zip(falls, lengths, intervals, strict=True)
        ],
        text=[f" {relative_change(move.change)} " for _, move in known],
        textposition=["middle right" if fall else "middle left" for fall in falls],
        textfont={"size": 11, "color": palette.text},
        hoverinfo="skip",
        cliponaxis=False,
    )


def _colour(move: Move, palette: Palette) -> str:
    """Gain or loss; what reads as 0% is neither."""
    if relative_change(move.change) == "0%":
        return palette.neutral
    gains = (move.change > 0) == (registry.get(move.metric).direction == "higher")
    return palette.diverging[2 if gains else 0][1]


def _within(value: float) -> float:
    return min(max(value, -FURTHEST), FURTHEST)


def _hover(move: Move) -> str:
    interval = f"<br>95 % interval {move.low:+.1%} to {move.high:+.1%}" if not math.isnan(move.low + move.high) else ""
    hint = f"<br>{label(move.hint, 120)}" if move.hint else ""
    return f"{registry.get(move.metric).label} {relative_change(move.change)}{interval}{hint}"


def _look(drawn: go.Figure, moves: Sequence[Move], keys: Sequence[str], height: int, palette: Palette) -> None:
    ends = [end for move in moves for end in (move.change, move.low, move.high) if not math.isnan(end)]
    low, high = (_within(end(ends, default=0.0)) for end in (min, max))
    room = 0.28 * (max(high, 0.1) - min(low, -0.1))  # for the numbers
    quiet = charts.figure(palette, height).layout.to_plotly_json()
    drawn.update_layout({key: value for key, value in quiet.items() if key not in ("xaxis", "yaxis", "template")})
    drawn.update_layout(bargap=0.35, margin={"l": 10, "r": 10, "t": 34, "b": 10})
    drawn.update_xaxes(
        visible=True,
        showgrid=False,
        showticklabels=False,
        zeroline=True,
        zerolinecolor=palette.faint,
        zerolinewidth=1,
        fixedrange=True,
        ticks="",
        range=[min(low, 0) - (room if high > 0 else 0.02), max(high, 0) + (room if low < 0 else 0.02)],
    )
    drawn.update_yaxes(
        tickmode="array",
        tickvals=list(range(len(keys))),
        ticktext=[f"{registry.get(key).label}  " for key in keys],
        range=[len(keys) - 0.4, -0.6],
        showgrid=False,
        zeroline=False,
        fixedrange=True,
        ticks="",
        automargin=True,
    )
    drawn.update_annotations(selector={"yref": "paper"}, font={"size": 13, "color": palette.text})
