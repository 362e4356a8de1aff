"""Outlines: the symbols of points, lines and boxes that a figure draws by itself."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from capeval_core.figures.svg.frame import Frame
from capeval_core.figures.svg.text import plain, short
from capeval_core.figures.words import clean

_DASHES = {"dash": "6 4", "dot": "2 3", "dashdot": "6 3 2 3"}
_CORNERS = {"diamond": (4, 0.0, 1.2), "square": (4, 45.0, 1.3), "triangle-up": (3, 0.0, 1.25),
            "pentagon": (5, 0.0, 1.1), "hexagon": (6, 30.0, 1.1)}  # fmt: skip
_NUMBERS = re.compile(r"(-?[\d.]+),(-?[\d.]+)")


def box(x: float, y: float, width: float, height: float) -> str:
    """A path: half as long as a rect."""
    return f"M{short(x)} {short(y)}h{short(width)}v{short(height)}h{short(-width)}z"


def dashes(name: str | None) -> Markup | str:
    if not name or name == "solid":
        return ""
    return Markup(' stroke-dasharray="{}"').format(_DASHES.get(name, name.replace("px", "").replace(",", " ")))


def titled(drawn: Markup, hint: str) -> Markup:
    """With words that show when the pointer rests on it."""
    if not hint or not drawn:
        return drawn
    return Markup("<g>{}<title>{}</title></g>").format(drawn, "\n".join(map(clean, plain(hint).split("\n"))))


def closed(points: Sequence[tuple[float, float]], end: bool) -> str:
    return "M" + "L".join(f"{short(x)} {short(y)}" for x, y in points) + ("Z" if end else "")


def symbol(name: str, x: float, y: float, half: float) -> str:
    if name in ("x", "cross"):
        return _turned(_plus(half), x, y, 45.0 if name == "x" else 0.0)
    if name == "star":
        ends = [(half * (1.35 if n % 2 == 0 else 0.55), 36.0 * n) for n in range(10)]
        return closed([_at(x, y, radius, angle) for radius, angle in ends], True)
    if name in _CORNERS:
        count, turn, times = _CORNERS[name]
        return closed([_at(x, y, half * times, turn + 360 * n / count) for n in range(count)], True)
    if name != "circle":
        raise ValueError(f"no drawing of a {name}")
    return (
        f"M{short(x - half)} {short(y)}a{half:g} {half:g} 0 1 0 {2 * half:g} 0a{half:g} {half:g} 0 1 0 {-2 * half:g} 0Z"
    )


def _at(x: float, y: float, radius: float, degrees: float) -> tuple[float, float]:
    """Clockwise from the top."""
    return x + radius * math.sin(math.radians(degrees)), y - radius * math.cos(math.radians(degrees))


def _plus(half: float) -> list[tuple[float, float]]:
    arm = half * 0.4
    return [(-arm, -half), (arm, -half), (arm, -arm), (half, -arm), (half, arm), (arm, arm),
            (arm, half), (-arm, half), (-arm, arm), (-half, arm), (-half, -arm), (-arm, -arm)]  # fmt: skip


def _turned(points: Sequence[tuple[float, float]], x: float, y: float, degrees: float) -> str:
    sin, cos = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return closed([(x + a * cos - b * sin, y + a * sin + b * cos) for a, b in points], True)


def shape(one: Mapping[str, Any], frame: Frame) -> Markup:
    line = one.get("line") or {}
    look = Markup('fill="{}" stroke="{}" stroke-width="{}"{}').format(
        one.get("fillcolor", "none"),
        line.get("color", "none") if line.get("width", 2) else "none",
        short(line.get("width", 2)),
        dashes(line.get("dash")),
    )
    if one["type"] == "path":
        return Markup('<path d="{}" {}/>').format(_path(one, frame), look)
    x0, x1 = (_place(one, "x", end, frame) for end in ("x0", "x1"))
    y0, y1 = (_place(one, "y", end, frame) for end in ("y0", "y1"))
    if one["type"] == "line":
        return Markup('<path d="M{} {}L{} {}" {}/>').format(short(x0), short(y0), short(x1), short(y1), look)
    if one["type"] != "rect":
        raise ValueError(f"no drawing of a {one['type']}")
    return Markup('<path d="{}" {}/>').format(box(min(x0, x1), min(y0, y1), abs(x1 - x0), abs(y1 - y0)), look)


def _place(one: Mapping[str, Any], axis: str, end: str, frame: Frame) -> float:
    if "domain" in str(one.get(f"{axis}ref", "")):
        low, high = (frame.x.low, frame.x.high) if axis == "x" else (frame.y.low, frame.y.high)
        value = low + float(one[end]) * (high - low)
        return frame.across(value) if axis == "x" else frame.down(value)
    return frame.across(one[end]) if axis == "x" else frame.down(one[end])


def _path(one: Mapping[str, Any], frame: Frame) -> str:
    """Its numbers are pixels from an anchor; upwards there is downwards here."""
    if one.get("xsizemode") != "pixel" or one.get("ysizemode") != "pixel":
        raise ValueError("a path in other units than pixels")
    x, y = frame.across(one["xanchor"]), frame.down(one["yanchor"])
    return _NUMBERS.sub(lambda found: f"{short(x + float(found[1]))} {short(y - float(found[2]))}", one["path"])
