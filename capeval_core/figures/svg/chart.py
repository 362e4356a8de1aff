"""One figure as SVG: axes, traces, shapes and words, in the order plotly draws them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
from markupsafe import Markup

from capeval_core.figures.svg import marks, text
from capeval_core.figures.svg.frame import Axis, Frame, axis, frame
from capeval_core.figures.svg.shapes import box, shape, symbol
from capeval_core.figures.svg.text import short
from capeval_core.figures.words import clean

WIDTH = 860  # pixels: a chart keeps it, so that letters have one size everywhere; on a phone its place scrolls
ROW = 18  # pixels of a line in the legend
TRACES = ("scatter", "bar", "heatmap", "waterfall")


def draw(figure: go.Figure, name: str, width: int = WIDTH) -> Markup:
    """`name` says what it shows to those who cannot see it."""
    traces = [_plain(one.to_plotly_json()) for one in figure.data]
    layout = _plain(figure.layout.to_plotly_json())
    unknown = {one["type"] for one in traces} - {*TRACES}
    if unknown:
        raise ValueError(f"no drawing of {', '.join(sorted(unknown))}")
    named = [one for one in traces if layout.get("showlegend") and one.get("name")]
    room = _room(layout, traces, width, ROW * len(named))
    body = Markup("\n").join(_body(layout, traces, room))
    legend = Markup("").join(_legend(named, room))
    return Markup(
        '<svg class="chart" role="img" aria-label="{}" font-size="13" text-anchor="middle" '
        'width="{}" height="{}" viewBox="0 0 {} {}">{}{}</svg>'
    ).format(clean(name), width, short(room.height), width, short(room.height), legend, body)


def _plain(found: Any) -> Any:
    """Arrays as lists."""
    if isinstance(found, Mapping):
        return {key: _plain(value) for key, value in found.items()}
    if hasattr(found, "tolist"):
        return found.tolist()
    return [_plain(one) for one in found] if isinstance(found, list | tuple) else found


def _room(layout: Mapping[str, Any], traces: Sequence[Mapping[str, Any]], width: int, above: float) -> Frame:
    wide = any(one["type"] in ("heatmap", "waterfall") for one in traces)
    across = axis(layout.get("xaxis", {}), _values(traces, "x"), wide)
    down = axis(layout.get("yaxis", {}), _values(traces, "y"), wide or any(one["type"] == "bar" for one in traces))
    if across.names:  # names that are too long for their place take several lines
        place = (width - down.widest - 40) / len(across.names) - 8
        ticks = tuple((at, text.wrap(name, place, across.size)) for at, name in across.ticks)
        across = Axis(across.layout, across.names, across.low, across.high, ticks)
    return frame(layout, across, down, width, above)


def _values(traces: Sequence[Mapping[str, Any]], side: str) -> list[Any]:
    found: list[Any] = []
    for one in traces:
        if one.get(side) is not None:
            found += one[side]
        elif one["type"] == "heatmap":
            found += range(len(one["z"]) if side == "y" else len(one["z"][0]) if one["z"] else 0)
    return found


def _body(layout: Mapping[str, Any], traces: Sequence[Mapping[str, Any]], room: Frame) -> Iterator[Markup]:
    shapes = layout.get("shapes") or []
    yield from (shape(one, room) for one in shapes if one.get("layer") == "below")
    yield from marks.bars([one for one in traces if one["type"] == "bar"], layout, room)
    for one in traces:
        if one["type"] == "heatmap":
            yield from marks.heatmap(one, room)
        elif one["type"] == "waterfall":
            yield from marks.waterfall(one, room)
        elif one["type"] == "scatter":
            yield from marks.scatter(one, room)
    yield from (shape(one, room) for one in shapes if one.get("layer") != "below")
    yield from (_annotation(one, room) for one in layout.get("annotations") or [])
    yield from _names(room)


def _annotation(one: Mapping[str, Any], room: Frame) -> Markup:
    font = one.get("font") or {}
    size, said = float(font.get("size", room.size)), str(one.get("text", ""))
    x = room.across(one["x"]) + one.get("xshift", 0)
    y = room.down(one["y"]) - one.get("yshift", 0)
    anchor = one.get("xanchor") or "center"
    edge = {"top": "top", "bottom": "bottom"}.get(one.get("yanchor", ""), "")
    drawn = text.write(said, x, y, size, font.get("color", room.colour), anchor=anchor, top=edge)
    if not one.get("bgcolor"):
        return drawn
    wide, high = text.width(said, size) + 2, size * text.LINE * text.lines(said)
    left = x - wide * {"left": 0.0, "center": 0.5, "right": 1.0}[anchor]
    behind = Markup('<path d="{}" fill="{}"/>').format(box(left, y - high / 2, wide, high), one["bgcolor"])
    return behind + drawn


def _names(room: Frame) -> Iterator[Markup]:
    """Of the axes and their ticks."""
    x, y = room.x, room.y
    colour = (x.layout.get("tickfont") or {}).get("color", room.colour)
    turn = float(x.layout.get("tickangle") or 0)
    at_top = x.layout.get("side") == "top"
    base = room.top - 6 if at_top else room.height - room.bottom + 6
    for at, name in x.ticks:
        anchor = ("left" if at_top else "right") if turn else "center"
        edge = "" if turn else "bottom" if at_top else "top"
        yield text.write(name, room.across(at), base, x.size, colour, anchor=anchor, turn=turn, top=edge)
    colour = (y.layout.get("tickfont") or {}).get("color", room.colour)
    for at, name in y.ticks:
        yield text.write(name.rstrip(), room.left - 8, room.down(at), y.size, colour, anchor="right")
    if x.title:
        yield text.write(x.title, (room.left + room.width - room.right) / 2, room.height - 10, x.size, room.colour)
    if y.title:
        middle = (room.top + room.height - room.bottom) / 2
        yield text.write(y.title, 12, middle, y.size, room.colour, turn=-90)


def _legend(traces: Sequence[Mapping[str, Any]], room: Frame) -> Iterator[Markup]:
    for place, one in enumerate(traces):
        y, marker = 10 + ROW * (place + 0.5), one.get("marker") or {}
        yield Markup('<path d="{}" fill="{}"/>').format(
            symbol(str(marker.get("symbol", "circle")), 14, y, 5), marker.get("color", room.colour)
        )
        yield text.write(str(one["name"]), 26, y, room.size, room.colour, anchor="left")
