"""The traces of a chart: points, lines, bars, heat maps, waterfalls."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from markupsafe import Markup

from capeval_core.figures.svg import text
from capeval_core.figures.svg.frame import Frame
from capeval_core.figures.svg.shapes import box, closed, dashes, symbol, titled
from capeval_core.figures.svg.text import short

Trace = Mapping[str, Any]


def each(value: Any, place: int) -> Any:
    """A property that is one for all, or a list with one for each."""
    return value[place] if isinstance(value, Sequence) and not isinstance(value, str) else value


def hint(trace: Trace, place: int) -> str:
    """What plotly shows when the pointer rests there."""
    if trace.get("hoverinfo") == "skip":
        return ""
    if str(trace.get("hovertemplate", "")).startswith("%{customdata}"):
        return str(each(trace.get("customdata"), place))
    return str(each(trace.get("hovertext", ""), place) or "")


def scatter(trace: Trace, frame: Frame) -> Iterator[Markup]:
    mode = trace.get("mode", "lines")
    points = [(frame.across(x), frame.down(y)) for x, y in zip(trace["x"], trace["y"], strict=True)]
    if "lines" in mode and points:
        yield _line(trace, points)
    for place, (x, y) in enumerate(points):
        if "markers" in mode:
            yield _marker(trace, place, x, y)
        if "text" in mode:
            yield _word(trace, place, x, y, frame)


def _line(trace: Trace, points: Sequence[tuple[float, float]]) -> Markup:
    line = trace.get("line") or {}
    fill = trace.get("fillcolor", "none") if trace.get("fill") == "toself" else "none"
    colour = line.get("color", "none") if line.get("width", 2) else "none"
    drawn = Markup('<path d="{}" fill="{}" stroke="{}" stroke-width="{}"{}/>').format(
        closed(points, fill != "none"), fill, colour, short(line.get("width", 2)), dashes(line.get("dash"))
    )
    return titled(drawn, hint(trace, 0))


def _marker(trace: Trace, place: int, x: float, y: float) -> Markup:
    marker = trace.get("marker") or {}
    if marker.get("opacity") == 0:  # there to be clicked
        return Markup()
    edge = marker.get("line") or {}
    outline = ""
    if edge.get("width") and edge.get("color"):
        outline = Markup(' stroke="{}" stroke-width="{}"').format(each(edge["color"], place), short(edge["width"]))
    half = float(each(marker.get("size", 6), place)) / 2
    drawn = Markup('<path d="{}" fill="{}" fill-opacity="{}"{}/>').format(
        symbol(str(each(marker.get("symbol", "circle"), place)), x, y, half),
        each(marker.get("color", "#000000"), place),
        short(marker.get("opacity", 1)),
        outline,
    )
    return titled(drawn, hint(trace, place))


def _word(trace: Trace, place: int, x: float, y: float, frame: Frame) -> Markup:
    font = trace.get("textfont") or {}
    up, side = str(each(trace.get("textposition", "middle center"), place)).split(" ")
    away = (float(each((trace.get("marker") or {}).get("size", 6), place)) / 2 + 3) if "markers" in trace["mode"] else 0
    y += {"top": -away, "bottom": away, "middle": 0}[up]
    x += {"left": -away, "right": away, "center": 0}[side]
    anchor = {"left": "right", "right": "left", "center": "center"}[side]
    edge = {"top": "bottom", "bottom": "top", "middle": ""}[up]
    size, colour = float(font.get("size", frame.size)), each(font.get("color", frame.colour), place)
    return titled(
        text.write(str(each(trace.get("text", ""), place)), x, y, size, colour, anchor=anchor, top=edge),
        "" if "markers" in trace["mode"] else hint(trace, place),
    )


def bars(traces: Sequence[Trace], layout: Mapping[str, Any], frame: Frame) -> Iterator[Markup]:
    """Horizontal ones; stacked where the figure says so."""
    thick = frame.step[1] * (1 - layout.get("bargap", 0.2))
    reached: dict[float, float] = {}
    for trace in traces:
        for place, (y, value) in enumerate(zip(trace["y"], trace["x"], strict=True)):
            start = reached.get(y, 0.0) if layout.get("barmode") == "stack" else 0.0
            reached[y] = start + value
            yield from _bar(
                trace, place, (frame.across(start), frame.across(start + value)), frame.down(y), thick, frame
            )


def _bar(
    trace: Trace, place: int, ends: tuple[float, float], middle: float, thick: float, frame: Frame
) -> Iterator[Markup]:
    marker = trace.get("marker") or {}
    edge = marker.get("line") or {}
    hatched = bool(each((marker.get("pattern") or {}).get("shape", ""), place))
    left, right = sorted(ends)
    yield titled(
        Markup('<path d="{}" fill="{}" stroke="{}"{}/>').format(
            box(left, middle - thick / 2, right - left, thick),
            each(marker.get("color", frame.colour), place), each(edge.get("color", "none"), place),
            dashes("dash" if hatched else None),
        ),
        hint(trace, place),
    )  # fmt: skip
    said = str(each(trace.get("text", ""), place) or "")
    if trace.get("textposition") == "inside":
        yield text.write(said, (left + right) / 2, middle, 12, frame.colour)
    else:
        backwards = ends[1] < ends[0]
        at, anchor = (ends[1] - 4, "right") if backwards else (ends[1] + 2, "left")
        yield text.write(said, at, middle, frame.size, frame.colour, anchor=anchor)


def heatmap(trace: Trace, frame: Frame) -> Iterator[Markup]:
    low, high = trace["zmin"], trace["zmax"]
    across, down = frame.step
    columns: Sequence[Any] = trace.get("x") or range(len(trace["z"][0]) if trace["z"] else 0)
    rows: Sequence[Any] = trace.get("y") or range(len(trace["z"]))
    for i, (y, values) in enumerate(zip(rows, trace["z"], strict=True)):
        for j, (x, value) in enumerate(zip(columns, values, strict=True)):
            if not math.isfinite(value):
                continue
            fill = _colour(trace["colorscale"], (value - low) / ((high - low) or 1))
            width, height = across - trace.get("xgap", 0), down - trace.get("ygap", 0)
            yield titled(
                Markup('<path d="{}" fill="{}"/>').format(
                    box(frame.across(x) - width / 2, frame.down(y) - height / 2, width, height), fill
                ),
                "" if trace.get("hoverinfo") == "skip" else str(trace["customdata"][i][j]),
            )  # fmt: skip
            size = float((trace.get("textfont") or {}).get("size", 12))
            yield text.write(str(trace["text"][i][j]), frame.across(x), frame.down(y), size, _ink(fill))


def _colour(scale: Sequence[Sequence[Any]], share: float) -> str:
    share = min(max(share, 0.0), 1.0)
    for (low, first), (high, second) in pairwise(scale):
        if share <= high:
            part = (share - low) / ((high - low) or 1)
            mixed = (a + (b - a) * part for a, b in zip(_parts(first), _parts(second), strict=True))
            return "#" + "".join(f"{round(one):02x}" for one in mixed)
    return str(scale[-1][1])


def _parts(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


def _ink(fill: str) -> str:
    """What can be read on it."""
    red, green, blue = _parts(fill)
    return "#1f2430" if 0.299 * red + 0.587 * green + 0.114 * blue > 128 else "#ffffff"


def waterfall(trace: Trace, frame: Frame) -> Iterator[Markup]:
    half, reached, before = frame.step[0] * trace.get("width", 0.8) / 2, 0.0, None
    for place, (x, value, measure) in enumerate(zip(trace["x"], trace["y"], trace["measure"], strict=True)):
        start = 0.0 if measure == "absolute" else reached
        reached = start + value
        kind = "totals" if measure == "absolute" else "increasing" if value >= 0 else "decreasing"
        marker = trace[kind]["marker"]
        middle, top, base = frame.across(x), min(frame.down(start), frame.down(reached)), frame.down(start)
        if before is not None:
            line = trace["connector"]["line"]
            yield Markup('<path d="M{} {}H{}" stroke="{}" stroke-dasharray="2 2"/>').format(
                short(before), short(base), short(middle - half), line["color"]
            )
        yield Markup('<path d="{}" fill="{}" stroke="{}"/>').format(
            box(middle - half, top, 2 * half, abs(frame.down(reached) - base)), marker["color"], marker["line"]["color"]
        )
        below = value < 0
        at = frame.down(reached) + (4 if below else -4)
        said = str(each(trace["text"], place))
        yield text.write(said, middle, at, frame.size, frame.colour, top="top" if below else "bottom")
        before = middle + half
