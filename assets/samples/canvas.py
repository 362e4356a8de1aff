"""A small canvas for flat illustrations: smooth outlines, gradients and soft light, drawn large and scaled down."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise

from PIL import Image, ImageChops, ImageColor, ImageDraw, ImageFilter

WIDTH, HEIGHT, SCALE = 960, 640, 3  # drawn at three times the size: the reduction makes the edges smooth

Point = tuple[float, float]
Outline = list[Point]
Area = Sequence[Point] | Sequence[Outline]  # one outline, or several to be painted as one
Fill = str | Sequence[str]  # one colour (#rrggbb or #rrggbbaa), or the colours of a gradient


def smooth(points: Sequence[Point], closed: bool = True, steps: int = 14) -> Outline:
    """A soft curve through the points (Catmull-Rom)."""
    n = len(points)
    found: Outline = []
    for i in range(n if closed else n - 1):
        around = [points[(i + k) % n] if closed else points[min(max(i + k, 0), n - 1)] for k in (-1, 0, 1, 2)]
        found += [_on_curve(around, step / steps) for step in range(steps)]
    return found if closed else [*found, points[-1]]


def _on_curve(p: Sequence[Point], t: float) -> Point:
    weights = (-t + 2 * t**2 - t**3, 2 - 5 * t**2 + 3 * t**3, t + 4 * t**2 - 3 * t**3, -(t**2) + t**3)
    return (
        sum(w * q[0] for w, q in zip(weights, p, strict=True)) / 2,
        sum(w * q[1] for w, q in zip(weights, p, strict=True)) / 2,
    )


def ellipse(cx: float, cy: float, rx: float, ry: float | None = None, turn: float = 0) -> Outline:
    return arc(cx, cy, rx, ry, 0, 360, turn)


def arc(
    cx: float, cy: float, rx: float, ry: float | None = None, start: float = 0, end: float = 360, turn: float = 0
) -> Outline:
    """Part of an ellipse; angles in degrees, clockwise from the right."""
    ry = rx if ry is None else ry
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    found: Outline = []
    for step in range(97):
        angle = math.radians(start + (end - start) * step / 96)
        x, y = rx * math.cos(angle), ry * math.sin(angle)
        found.append((cx + x * cos - y * sin, cy + x * sin + y * cos))
    return found


def box(x0: float, y0: float, x1: float, y1: float, r: float = 0) -> Outline:
    """A rectangle, its corners rounded by r."""
    if not r:
        return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    corners = ((x1 - r, y0 + r, -90), (x1 - r, y1 - r, 0), (x0 + r, y1 - r, 90), (x0 + r, y0 + r, 180))
    return [p for cx, cy, start in corners for p in arc(cx, cy, r, r, start, start + 90)]


def stroke(points: Sequence[Point], width: float | Sequence[float], soft: bool = True) -> list[Outline]:
    """A line with round ends, as the discs and bars it is made of; the widths run evenly along it."""
    widths = [width, width] if isinstance(width, int | float) else list(width)
    path = smooth(points, closed=False) if soft and len(points) > 2 else list(points)
    sizes = []
    for i in range(len(path)):
        at = i / (len(path) - 1) * (len(widths) - 1)
        k = min(int(at), len(widths) - 2)
        sizes.append((widths[k] + (widths[k + 1] - widths[k]) * (at - k)) / 2)
    parts = [ellipse(x, y, r) for (x, y), r in zip(path, sizes, strict=True)]
    for (a, b), (r, s) in zip(pairwise(path), pairwise(sizes), strict=True):
        length = math.dist(a, b) or 1
        dx, dy = (b[1] - a[1]) / length, (a[0] - b[0]) / length
        ends = [(a[0] + dx * r, a[1] + dy * r), (b[0] + dx * s, b[1] + dy * s)]
        parts.append([*ends, (b[0] - dx * s, b[1] - dy * s), (a[0] - dx * r, a[1] - dy * r)])
    return parts


def mirror(points: Sequence[Point], x: float) -> Outline:
    """The points and, on the way back, their mirror images about the upright line at x."""
    return [*points, *((2 * x - px, py) for px, py in reversed(points))]


def moved(points: Sequence[Point], dx: float, dy: float, by: float = 1) -> Outline:
    return [(x * by + dx, y * by + dy) for x, y in points]


class Canvas:
    def __init__(self) -> None:
        self.image = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE))

    def shape(self, area: Area, fill: Fill, blur: float = 0, across: bool = False) -> None:
        """Paint an area; a gradient runs down it, or across; blur softens its edge."""
        parts = _outlines(area)
        xs, ys = [x for part in parts for x, _ in part], [y for part in parts for _, y in part]
        x0, y0 = (math.floor((min(v) - 3 * blur) * SCALE) for v in (xs, ys))
        size = tuple(math.ceil((max(v) + 3 * blur) * SCALE) - o + 1 for v, o in ((xs, x0), (ys, y0)))
        mask = Image.new("L", (size[0], size[1]))
        pen = ImageDraw.Draw(mask)
        for part in parts:
            pen.polygon([(x * SCALE - x0, y * SCALE - y0) for x, y in part], fill=255)
        if blur:
            mask = mask.filter(ImageFilter.GaussianBlur(blur * SCALE))
        paint = _paint(fill, mask.size, across)
        self.image.paste(paint.convert("RGB"), (x0, y0), ImageChops.multiply(mask, paint.getchannel("A")))

    def background(self, *colours: str) -> None:
        self.shape(box(0, 0, WIDTH, HEIGHT), colours)

    def glow(self, cx: float, cy: float, r: float, colour: str, strength: float = 1) -> None:
        """Round light that fades to nothing at r."""
        side = round(2 * r * SCALE)
        light = ImageChops.invert(Image.radial_gradient("L")).resize((side, side), Image.Resampling.BICUBIC)
        # radial_gradient reaches the corner, not the side: cut it so that the rim is dark, and let it fall faster.
        light = light.point([round(255 * strength * max(0.0, (v - 75) / 180) ** 1.6) for v in range(256)])
        self.image.paste(
            Image.new("RGB", light.size, colour), (round((cx - r) * SCALE), round((cy - r) * SCALE)), light
        )

    @contextmanager
    def inside(self, area: Area) -> Iterator[None]:
        """What is painted in this block shows only inside the area: shading and patterns."""
        under, self.image = self.image, self.image.copy()
        yield
        mask = Image.new("L", under.size)
        for part in _outlines(area):
            ImageDraw.Draw(mask).polygon([(x * SCALE, y * SCALE) for x, y in part], fill=255)
        self.image = Image.composite(self.image, under, mask)

    def reflect(self, y: float, depth: float, strength: float = 0.5) -> None:
        """Mirror what stands above the waterline y into the water below it, fading with depth."""
        line, rows = round(y * SCALE), round(depth * SCALE)
        above = self.image.crop((0, line - rows, self.image.width, line)).transpose(Image.Transpose.FLIP_TOP_BOTTOM)
        above = above.filter(ImageFilter.BoxBlur(4 * SCALE))
        fade = ImageChops.invert(Image.linear_gradient("L")).resize(above.size).point(lambda v: round(v * strength))
        self.image.paste(above, (0, line), fade)

    def finished(self) -> Image.Image:
        return self.image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)


def _outlines(area: Area) -> list[Outline]:
    """The outlines of an area; a single outline is a row of pairs of numbers."""
    several: list[Outline] = []
    single: Outline = []
    for part in area:
        if isinstance(part, list):
            several.append(part)
        else:
            single.append(part)
    return several or [single]


def _paint(fill: Fill, size: tuple[int, int], across: bool) -> Image.Image:
    if isinstance(fill, str):
        return Image.new("RGBA", size, fill)
    stops = [ImageColor.getcolor(colour, "RGBA") for colour in fill]
    length = size[0] if across else size[1]
    strip = Image.new("RGBA", (length, 1) if across else (1, length))
    for i in range(length):
        at = i / max(length - 1, 1) * (len(stops) - 1)
        k = min(int(at), len(stops) - 2)
        colour = tuple(round(a + (b - a) * (at - k)) for a, b in zip(stops[k], stops[k + 1], strict=True))  # type: ignore[arg-type]
        strip.putpixel((i, 0) if across else (0, i), colour)
    return strip.resize(size)
