"""Scenes of travel: a train on a viaduct, hot-air balloons at sunrise."""

from __future__ import annotations

import random

from canvas import Canvas, arc, box, ellipse, mirror, moved, smooth, stroke

from scenes.nature import cloud, pine, ridge, tree

AUTUMN = (("#b5542a", "#d9762f", "#f0a04a"), ("#a8752a", "#d19a35", "#ecc35a"), ("#5f7a3f", "#7d9a4a", "#a3ba62"))


def train(c: Canvas) -> None:
    """A red train crosses a stone viaduct over a river in autumn."""
    x: float
    y: float
    pick = random.Random(6)
    c.shape(box(0, 0, 960, 420), ("#7fc0e6", "#bfe0ee", "#fbeedd"))
    for x, y, s in ((160, 90, 1.0), (700, 76, 1.2), (440, 120, 0.6)):
        cloud(c, x, y, s)
    ridge(
        c,
        [(0, 250), (130, 130), (250, 230), (370, 150), (520, 260), (680, 120), (820, 220), (960, 150)],
        ("#8aa3c6", "#bccde0"),
        430,
    )
    for x, y in ((130, 130), (680, 120), (370, 150)):
        c.shape(
            [(x, y), (x + 42, y + 34), (x + 10, y + 28), (x, y + 46), (x - 18, y + 26), (x - 34, y + 30)], "#f8fbff"
        )
    c.shape(
        smooth([(-40, 330), (160, 280), (380, 340), (620, 300), (1000, 270), (1000, 600), (-40, 600)]),
        ("#8fae7a", "#6f9465"),
    )
    for _ in range(70):
        x = pick.uniform(-10, 970)
        pine(
            c,
            x,
            330 + 60 * pick.random() + abs(x - 480) * -0.06,
            pick.uniform(34, 60),
            pick.choice(("#4f7f62", "#5a8a68", "#c4853a", "#477458")),
        )
    c.shape(
        smooth([(-40, 420), (220, 440), (480, 470), (740, 440), (1000, 400), (1000, 700), (-40, 700)]),
        ("#a8b45f", "#7f9a4c", "#5a7d41"),
    )
    river = smooth([(430, 462), (520, 462), (560, 520), (640, 580), (800, 660), (240, 660), (380, 570), (420, 510)])
    c.shape(river, ("#9fd3e0", "#4f9fbd", "#2f7a9c"))
    with c.inside(river):
        for _ in range(40):
            y = 470 + 170 * pick.random()
            c.shape(ellipse(pick.uniform(250, 780), y, pick.uniform(8, 40), 1.4), "#eaf8fa77")
    _viaduct(c)
    for k in range(3):
        _carriage(c, 640 - k * 296, k == 0)
    for k, x in enumerate((24, 96, 178, 262, 706, 790, 872, 944)):
        tree(c, x, 650 + pick.uniform(-30, 6), pick.uniform(130, 210) * (0.8 if 150 < x < 800 else 1.15), AUTUMN[k % 3])


def _viaduct(c: Canvas) -> None:
    deck, spring, pier = 276, 360, 17
    for k in range(-1, 6):
        x0, x1 = 20 + k * 176, 196 + k * 176
        hole = arc((x0 + x1) / 2, spring, 88 - pier, 56, 180, 360)
        near, far = (510 + 20 * (2.5 - abs(j - 2.5)) for j in (k, k + 1))  # the valley is deepest in the middle
        bay = [(x0, deck), (x1, deck), (x1, far), (x1 - pier, far), *reversed(hole), (x0 + pier, near), (x0, near)]
        c.shape(bay, ("#e2d3ba", "#c7b193", "#9a8468"))
        inner = [(x0 + pier, near), (x0 + pier, spring), *hole[:40], (x0 + pier + 16, spring), (x0 + pier + 13, near)]
        c.shape(inner, "#7d684f99")
        c.shape(stroke(arc((x0 + x1) / 2, spring, 91 - pier, 59, 180, 360), 5, soft=False), "#a8926f")
        for y in range(380, round(far) - 10, 26):
            c.shape(box(x1 - pier, y, x1 + pier, y + 1.6), "#9a846866")
        c.shape(box(x1 - pier - 6, far - 8, x1 + pier + 18, far + 6, 4), ("#b8a385", "#8a7459"))
    c.shape(box(0, 270, 960, 290), ("#efe2cb", "#c9b596"))
    c.shape(box(0, 288, 960, 293), "#8f7a5f")
    c.shape(box(0, 264, 960, 270), "#5b5550")


def _carriage(c: Canvas, x: float, front: bool) -> None:
    """One carriage with its left end at x; the first one has a sloping nose on its right."""
    long = 288
    if front:
        body = [
            (x, 256),
            (x, 180),
            (x + 8, 172),
            *smooth([(x + 214, 172), (x + 252, 186), (x + 282, 226), (x + 288, 256)], closed=False),
        ]
    else:
        body = box(x, 172, x + long, 256, 8)
    for wx in (x + 34, x + 62, x + 214, x + 242):
        c.shape(ellipse(wx, 257, 12), "#2b2b33")
        c.shape(ellipse(wx, 257, 5), "#8b8b96")
    c.shape(body, ("#f0524c", "#d3342f", "#a8231f"))
    with c.inside(body):
        c.shape(box(x, 224, x + long, 233), "#f8f1e6")
        c.shape(box(x, 170, x + long, 178), "#f9807833")
        c.shape(box(x, 247, x + long, 260), "#4a1f22")
    for k in range(6 if front else 7):
        left = x + 16 + k * 38
        if k == 3:
            c.shape(box(left, 186, left + 26, 248, 4), "#b32b28")
            c.shape(box(left + 4, 191, left + 22, 216, 3), ("#cfe9f2", "#6fa3b8"))
        else:
            c.shape(box(left, 190, left + 28, 217, 5), ("#dff2f7", "#5f93ab"))
    if front:
        c.shape(smooth([(x + 246, 190), (x + 260, 194), (x + 277, 220), (x + 250, 220)]), ("#dff2f7", "#4a7f99"))
        c.shape(ellipse(x + 278, 240, 6, 4), "#fff4b8")
    else:
        c.shape(box(x + long, 196, x + long + 8, 252), "#33323c")
    c.shape(box(x + 60, 165, x + 130, 173, 3), "#8f8a8a")


def balloons(c: Canvas) -> None:
    """Hot-air balloons rise over misty hills at sunrise."""
    x: float
    c.background("#5f7fc0", "#a99fd0", "#f5b8b0", "#fde0b0", "#fff1cf")
    c.glow(300, 430, 300, "#fff3c0", 0.95)
    c.shape(ellipse(300, 420, 44), "#fffbe2")
    for x, y, s in ((120, 120, 0.8), (560, 80, 0.7), (860, 240, 0.9)):
        cloud(c, x, y, s, "#fff1e8a8")
    hills = (
        ([(-40, 420), (120, 396), (300, 440), (480, 400), (700, 430), (1000, 380)], ("#c9a6b8", "#dcb9b8")),
        ([(-40, 470), (180, 450), (400, 486), (640, 440), (860, 470), (1000, 450)], ("#a9869f", "#c9a6a8")),
        ([(-40, 520), (140, 540), (360, 500), (600, 540), (820, 506), (1000, 530)], ("#7f7a90", "#a3989a")),
        ([(-40, 590), (200, 556), (440, 594), (700, 560), (1000, 586)], ("#4f6a6a", "#5f7d6a")),
    )
    for k, (top, fill) in enumerate(hills):
        c.shape([(-40, 660), *smooth(top, closed=False), (1000, 660)], fill)
        if k < 3:
            c.shape(ellipse(300 + 240 * k, 500 + 40 * k, 420, 13), "#fff1e04d", blur=10)
    pick = random.Random(12)
    for _ in range(60):
        x = pick.uniform(0, 960)
        pine(c, x, 606 + pick.uniform(-10, 34), pick.uniform(16, 40), "#3d5a5a")
    for x, y, s, tints in (
        (160, 250, 0.30, ("#3f9a9a", "#f6efe0")),
        (436, 300, 0.22, ("#8a4f9a", "#f3c25a")),
        (806, 330, 0.27, ("#e2703a", "#fbe3b0")),
        (330, 150, 0.46, ("#2f6fb0", "#f6efe0")),
        (850, 120, 0.4, ("#3f8a5a", "#f3d05a")),
        (620, 64, 1.0, ("#e2423f", "#f9b83c")),
    ):
        _balloon(c, x, y, s, tints)


def _balloon(c: Canvas, x: float, y: float, s: float, tints: tuple[str, str]) -> None:
    """A balloon with its top at x, y; at size 1 its envelope is 270 wide and 330 high."""
    half = [(0, 0), (80, 16), (128, 74), (134, 140), (104, 218), (58, 288), (28, 330)]
    side = smooth(half, closed=False)
    outline = moved(mirror(side, 0), x, y, s)
    c.shape(outline, tints[0])
    for k in range(1, 5):  # gores: narrower copies of the outline, in turn
        wide = 1 - k * 0.225
        narrow = [(px * wide, py) for px, py in side]
        c.shape(moved(mirror(narrow, 0), x, y, s), tints[k % 2])
    with c.inside(outline):
        c.shape(moved(arc(0, 150, 150, 40, 0, 180) + arc(0, 190, 150, 40, 180, 0), x, y, s), "#ffffff59")
        c.shape(
            moved(smooth([(60, -10), (150, 30), (150, 330), (20, 340), (96, 200), (104, 90)]), x, y, s),
            "#3a1f4a40",
            blur=14 * s,
        )
        c.shape(ellipse(x - 62 * s, y + 84 * s, 30 * s, 60 * s, 20), "#ffffff52", blur=12 * s)
    c.shape(moved([(-28, 330), (28, 330), (24, 342), (-24, 342)], x, y, s), "#5a3a34")
    for dx in (-22, 22):
        c.shape(stroke(moved([(dx, 342), (dx, 396)], x, y, s), max(2.4 * s, 1)), "#4a332c")
    if s == 1:
        c.glow(x, y + 352, 40, "#ffe08a", 0.9)
        c.shape(smooth([(x - 7, y + 360), (x, y + 336), (x + 7, y + 360)]), "#fff3b8")
        for dx, coat, skin in ((-11, "#2f5f8f", "#e0a680"), (11, "#b5424c", "#b97850")):
            c.shape(ellipse(x + dx, y + 380, 7.5), skin)
            c.shape(box(x + dx - 9, y + 388, x + dx + 9, y + 410, 5), coat)
    c.shape(moved(box(-30, 396, 30, 440, 6), x, y, s), ("#b97a42", "#7d4a26"))
    for dy in (410, 424):
        c.shape(stroke(moved([(-28, dy), (28, dy)], x, y, s), 2 * s), "#5f3a1e99")
    c.shape(moved(box(-33, 394, 33, 402, 4), x, y, s), "#5f3a1e")
