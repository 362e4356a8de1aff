"""A pizza on a table, seen from above."""

from __future__ import annotations

import math
import random

from canvas import Canvas, Outline, arc, box, ellipse, smooth, stroke


def pizza(c: Canvas) -> None:
    """A pizza with pepperoni and basil seen from above; one slice is pulled away."""
    pick = random.Random(21)
    c.background("#7d5237", "#6f4630")
    for k in range(6):
        y = k * 108 - 10
        c.shape(
            box(0, y, 960, y + 105),
            pick.choice((("#8f6040", "#7f5236"), ("#86583a", "#784c32"), ("#94664a", "#83563a"))),
        )
        for _ in range(5):
            x, dy = pick.uniform(-100, 900), pick.uniform(12, 92)
            c.shape(
                stroke([(x, y + dy), (x + 120, y + dy + pick.uniform(-6, 6)), (x + 280, y + dy)], (0.8, 2.4, 0.8)),
                "#5a372455",
            )
    _table(c)
    x0, y0, r = 440, 324, 236
    c.shape(ellipse(x0 + 10, y0 + 18, 274), "#2c170d99", blur=14)
    c.shape([ellipse(x0, y0, 272), box(x0 - 330, y0 - 30, x0 - 200, y0 + 30, 20)], ("#d9ac74", "#b98750"))
    c.shape(ellipse(x0 - 304, y0, 10), "#6f4630")
    for k in range(5):
        c.shape(stroke([(x0 - 230 + k * 20, y0 - 130 + k * 66), (x0 + 220, y0 - 130 + k * 66)], (1, 2, 1)), "#8f603455")
    c.shape(_wedge(x0 + 6, y0 + 10, r, 10, 315), "#5a2f1688", blur=7)
    _piece(c, x0, y0, r, 10, 315)
    out = math.radians(342.5)
    x1, y1 = x0 + 92 * math.cos(out), y0 + 92 * math.sin(out)
    for deg, d, wide in ((315, 74, 9), (315, 122, 7), (369, 60, 8), (369, 104, 10)):  # strings of cheese
        px, py = d * math.cos(math.radians(deg)), d * math.sin(math.radians(deg))
        middle = ((x0 + x1) / 2 + px, (y0 + y1) / 2 + py + 5)
        c.shape(stroke([(x0 + px, y0 + py), middle, (x1 + px, y1 + py)], (wide, 2, 1.5, 2, wide)), "#fbdc94")
    c.shape(_wedge(x1 + 8, y1 + 12, r, 317, 368), "#2c170d88", blur=8)
    _piece(c, x1, y1, r, 317, 368)


def _wedge(x: float, y: float, r: float, start: float, end: float) -> Outline:
    return [(x, y), *arc(x, y, r, r, start, end)]


def _piece(c: Canvas, x: float, y: float, r: float, start: float, end: float) -> None:
    """The part of a pizza from one angle to another; its topping is placed by angle, so pieces fit together."""
    pick = random.Random(33)
    crust = _wedge(x, y, r, start, end)
    c.shape(crust, ("#e9b566", "#cf8f42"))
    with c.inside(crust):
        for _ in range(40):
            a = pick.uniform(0, 2 * math.pi)
            c.shape(
                ellipse(x + (r - 12) * math.cos(a), y + (r - 12) * math.sin(a), pick.uniform(5, 13)),
                "#9c5a2444",
                blur=2,
            )
        c.shape(ellipse(x, y, r - 24), "#c23a22")
        c.shape(ellipse(x, y, r - 33), ("#fbd680", "#f3bd58"))
        for _ in range(80):
            a, d = pick.uniform(0, 2 * math.pi), (r - 40) * math.sqrt(pick.random())
            fill = pick.choice(("#fff0b8bb", "#fde6a0cc", "#e8913a66", "#d9602e55"))
            c.shape(
                ellipse(
                    x + d * math.cos(a),
                    y + d * math.sin(a),
                    pick.uniform(8, 24),
                    pick.uniform(7, 16),
                    pick.uniform(0, 90),
                ),
                fill,
                blur=1.5,
            )
        for d, angles in ((164, (28, 66, 106, 146, 190, 232, 276, 342)), (88, (48, 122, 200, 268))):
            for deg in angles:
                px, py = x + d * math.cos(math.radians(deg)), y + d * math.sin(math.radians(deg))
                _pepperoni(c, px, py)
        for d, deg in (
            (122, 88),
            (126, 172),
            (128, 250),
            (196, 48),
            (194, 170),
            (40, 160),
            (192, 254),
            (110, 330),
            (198, 126),
        ):
            px, py = x + d * math.cos(math.radians(deg)), y + d * math.sin(math.radians(deg))
            c.shape(ellipse(px + 2, py + 3, 20, 9, deg * 3), "#5a2f1666", blur=2)
            c.shape(ellipse(px, py, 20, 9.5, deg * 3), ("#5fae4a", "#3a8238"))
            tip = math.radians(deg * 3)
            c.shape(
                stroke(
                    [
                        (px - 17 * math.cos(tip), py - 17 * math.sin(tip)),
                        (px + 17 * math.cos(tip), py + 17 * math.sin(tip)),
                    ],
                    1.5,
                ),
                "#bfe39a",
            )


def _pepperoni(c: Canvas, x: float, y: float) -> None:
    c.shape(ellipse(x + 2, y + 4, 30), "#7d2a1477", blur=3)
    c.shape(ellipse(x, y, 30), ("#d8452f", "#b02a1f"))
    c.shape(ellipse(x, y, 25), ("#e25a3c", "#c4382a"))
    for dx, dy, r in ((-9, -8, 4), (8, -3, 3), (-2, 10, 3.6), (12, 10, 2.4), (-14, 6, 2.6)):
        c.shape(ellipse(x + dx, y + dy, r), "#f59a7a99")


def _table(c: Canvas) -> None:
    """What lies around the board: napkin and fork, a bowl of olives, tomatoes, basil."""
    c.shape([(786, 356), (944, 380), (922, 600), (764, 580)], "#2c170d77", blur=7)
    c.shape([(780, 350), (938, 372), (916, 592), (758, 572)], ("#f7f1e6", "#e3d8c6"))
    for t in (0.1, 0.9):
        c.shape(stroke([(780 + 158 * t, 350 + 22 * t), (758 + 158 * t, 572 + 20 * t)], 4), "#c4574a")
    c.shape(stroke([(838, 556), (850, 440)], (10, 7)), "#aab2ba")
    c.shape(smooth([(836, 440), (866, 442), (862, 418), (842, 416)]), "#aab2ba")
    for k in range(4):
        c.shape(stroke([(839 + k * 8.4, 424 + k), (843 + k * 8.4, 382 + k)], 4), "#c3cad1")
    c.shape(ellipse(850, 124, 92), "#2c170d88", blur=9)
    c.shape(ellipse(844, 114, 90), ("#fbf6ec", "#d9cdbb"))
    c.shape(ellipse(844, 114, 72), "#b9a98f")
    for dx, dy, fill in (
        (-34, -30, "#5f7a3a"),
        (6, -40, "#3b2f3f"),
        (40, -18, "#6b8a42"),
        (-44, 12, "#3b2f3f"),
        (-6, 2, "#7d9a4a"),
        (34, 28, "#3b2f3f"),
        (-16, 42, "#6b8a42"),
        (14, 24, "#5f7a3a"),
    ):
        c.shape(ellipse(844 + dx, 114 + dy, 21, 18, dx), fill)
        c.shape(ellipse(840 + dx, 109 + dy, 6, 4), "#ffffff55")
        c.shape(ellipse(850 + dx, 118 + dy, 4.6), "#c43a2a")
    for x, y, r in ((84, 86, 42), (52, 560, 38), (130, 598, 34)):
        c.shape(ellipse(x + 6, y + 9, r), "#2c170d88", blur=6)
        c.shape(ellipse(x, y, r), ("#f25a44", "#c42f24"))
        c.shape(ellipse(x - r * 0.35, y - r * 0.4, r * 0.22, r * 0.14, -30), "#ffffff88")
        for k in range(5):
            a = k * 1.257
            c.shape(stroke([(x, y), (x + r * 0.45 * math.cos(a), y + r * 0.45 * math.sin(a))], (7, 2)), "#4f8a3a")
