"""Scenes in the snow: a skier, two children with a snowman."""

from __future__ import annotations

import random

from canvas import Canvas, Point, box, ellipse, smooth, stroke

from scenes.nature import pine, ridge


def skier(c: Canvas) -> None:
    """A skier in an orange jacket carves down a sunny slope between pines."""
    x: float
    y: float
    pick = random.Random(5)
    c.shape(box(0, 0, 960, 460), ("#3f8fd2", "#86bfe8", "#dff0f8"))
    c.glow(810, 90, 230, "#fffbe6", 0.9)
    c.shape(ellipse(810, 90, 36), "#fffef5")
    far = [(0, 260), (120, 150), (220, 230), (350, 90), (470, 210), (590, 140), (720, 260), (840, 200), (960, 280)]
    ridge(c, far, ("#9db7d9", "#c9dbee"), 460)
    for x, y, s in ((120, 150, 0.8), (350, 90, 1.3), (590, 140, 0.9), (840, 200, 0.7)):
        c.shape(
            [
                (x, y),
                (x + 50 * s, y + 50 * s),
                (x + 16 * s, y + 40 * s),
                (x, y + 66 * s),
                (x - 22 * s, y + 38 * s),
                (x - 44 * s, y + 50 * s),
            ],
            "#fbfdff",
        )
    back = smooth([(-40, 300), (200, 330), (480, 350), (760, 320), (1000, 350), (1000, 700), (-40, 700)])
    c.shape(back, ("#e9f2fb", "#cfe0f2"))
    for _ in range(34):
        x = pick.uniform(-10, 970)
        _snowy(c, x, 330 + pick.uniform(0, 24), pick.uniform(44, 84))
    slope = smooth([(-60, 300), (200, 378), (480, 470), (760, 540), (1020, 590), (1020, 720), (-60, 720)])
    c.shape(slope, ("#ffffff", "#edf4fc", "#c6d9ef"))
    with c.inside(slope):
        for dy in (62, 96):
            line = [(-40, 290 + dy), (180, 384 + dy * 0.9), (330, 424 + dy * 0.6), (420, 470 + dy * 0.3)]
            c.shape(stroke(line, (10, 6)), "#b9cfe9")
        c.shape(smooth([(560, 560), (760, 590), (1000, 610), (1000, 660), (500, 660)]), "#b4cae640", blur=12)
    for x, y, h in ((60, 420, 230), (900, 620, 250), (800, 590, 150), (170, 410, 130)):
        c.shape(ellipse(x + h * 0.24, y + 6, h * 0.34, h * 0.05, 14), "#8fabd266", blur=4)
        _snowy(c, x, y + 6, h)
    _downhill(c)
    for _ in range(150):
        t = pick.random()
        x, y = 396 - 190 * t, 474 - 56 * t - abs(pick.gauss(0, 36 * t + 5))
        c.shape(ellipse(x, y, pick.uniform(1.5, 8 + 6 * t)), "#ffffffd0")


def _snowy(c: Canvas, x: float, foot: float, height: float) -> None:
    pine(c, x, foot, height, "#2c6a63")
    for k in range(4):
        top, low = foot - height * (1 - 0.2 * k), foot - height * (0.74 - 0.2 * k)
        half = height * (0.085 + 0.03 * k)
        c.shape([(x, top - 2), (x + half * 0.5, low - 3), (x, low - height * 0.05), (x - half, low)], "#f4f9ff")


def _downhill(c: Canvas) -> None:
    jacket, dark, trousers = "#f2762e", "#c9541a", "#25406e"
    c.shape(ellipse(470, 512, 190, 13, 16), "#7f9fca88", blur=6)
    for dx, dy, fill in ((24, -14, "#b3242f"), (0, 0, "#e23b42")):  # far ski, then what stands on it, then the near one
        c.shape(
            stroke(
                [(316 + dx, 452 + dy), (470 + dx, 494 + dy), (610 + dx, 528 + dy), (640 + dx, 524 + dy)], (6, 8, 8, 4)
            ),
            fill,
        )
        leg = [(436 + dx, 392 + dy), (508 + dx, 420 + dy), (470 + dx, 478 + dy)]
        c.shape(stroke(leg, (50, 40, 32)), trousers if not dx else "#1a2f54")
        c.shape(
            smooth([(452 + dx, 468 + dy), (488 + dx, 474 + dy), (508 + dx, 500 + dy), (446 + dx, 486 + dy)]), "#20242f"
        )
    c.shape(stroke([(574, 322), (430, 402), (350, 440)], 4, soft=False), "#4a5260")
    c.shape(stroke([(506, 312), (540, 362), (582, 322)], (28, 25, 20)), dark)
    body = smooth([(410, 396), (430, 336), (480, 288), (522, 284), (536, 314), (502, 364), (474, 412), (430, 420)])
    c.shape(body, (jacket, dark))
    with c.inside(body):
        c.shape(smooth([(400, 400), (436, 350), (466, 372), (450, 430), (410, 430)]), "#8f360d55")
        c.shape(stroke([(430, 344), (500, 372)], 9), "#ffe2b8")
    c.shape(stroke([(604, 344), (470, 424), (372, 470)], 4.5, soft=False), "#2f3542")
    c.shape(stroke([(500, 318), (536, 380), (604, 346)], (32, 28, 22)), "#ff8c42")
    c.shape(ellipse(608, 344, 13), "#20242f")
    c.shape(stroke([(518, 294), (532, 276)], 24), dark)
    head = ellipse(546, 254, 29, 31, 12)
    c.shape(head, "#e0a680")
    with c.inside(head):
        c.shape(ellipse(556, 284, 30, 13, 8), "#f2d0b6")
    c.shape(
        smooth([(516, 262), (514, 232), (538, 214), (566, 220), (580, 242), (552, 246), (536, 276), (522, 276)]),
        "#f5f7fb",
    )
    c.shape(stroke([(524, 250), (576, 252)], 6), "#20242f")
    c.shape(smooth([(548, 240), (580, 242), (584, 258), (572, 266), (548, 262)]), ("#ffcf6b", "#e3572b"))


def snowman(c: Canvas) -> None:
    """Two children build a snowman outside a house at dusk."""
    pick = random.Random(3)
    c.shape(box(0, 0, 960, 420), ("#3f4f8c", "#8a84bd", "#f0b9b4", "#fbe0c8"))
    for _ in range(16):
        x = pick.uniform(0, 960)
        pine(c, x, 400, pick.uniform(70, 150), pick.choice(("#5a6b9a", "#63739f", "#54648f")))
    c.shape(
        smooth([(-40, 372), (240, 360), (520, 384), (800, 362), (1000, 380), (1000, 700), (-40, 700)]),
        ("#dfe6f6", "#c8d4ee"),
    )
    _cottage(c)
    ground = smooth([(-40, 452), (200, 430), (480, 446), (760, 428), (1000, 450), (1000, 700), (-40, 700)])
    c.shape(ground, ("#f7f9ff", "#e2e9f8", "#c3d0ea"))
    _snowy(c, 884, 470, 300)
    _snowy(c, 800, 452, 170)
    for x, r in ((486, 150), (288, 80), (686, 80)):
        c.shape(ellipse(x + 20, 590, r, 14), "#8d9dc988", blur=7)
    _man_of_snow(c)
    _child(c, 284, 1, "#d8434a", "#a82d3a", "#f4c542", "#33415f")
    _child(c, 690, -1, "#2f7fc0", "#215f96", "#e874a5", "#4a3a52")
    for _ in range(150):
        c.shape(ellipse(pick.uniform(0, 960), pick.uniform(0, 640), pick.uniform(1.2, 4.2)), "#ffffffd8")


def _cottage(c: Canvas) -> None:
    c.shape(box(60, 250, 270, 420), ("#9c5b4b", "#7f4640"))
    c.shape(box(214, 150, 244, 230), "#7f4640")
    c.shape(box(208, 142, 250, 156, 5), "#f7f9ff")
    c.shape([(30, 256), (165, 150), (300, 256)], "#5a3a44")
    c.shape(
        smooth([(24, 256), (90, 196), (165, 138), (240, 196), (306, 256), (290, 264), (164, 174), (40, 264)]), "#f7f9ff"
    )
    for x in (84, 202):
        c.glow(x + 22, 310, 80, "#ffd98a", 0.7)
        c.shape(box(x, 286, x + 46, 336, 3), "#ffe3a0")
        c.shape(stroke([(x + 23, 286), (x + 23, 336)], 3), "#6f3d36")
        c.shape(stroke([(x, 311), (x + 46, 311)], 3), "#6f3d36")
    c.shape(box(144, 330, 188, 420, 4), "#4a2f34")
    c.shape(ellipse(180, 378, 3), "#f4c542")


def _man_of_snow(c: Canvas) -> None:
    for x0, x1, y0, y1 in ((420, 350, 388, 330), (552, 622, 388, 326)):
        c.shape(stroke([(x0, y0), (x1, y1)], (7, 4)), "#6b4530")
        c.shape(stroke([(x1 + (x0 - x1) * 0.3, y1 + (y0 - y1) * 0.3), (x1 + (x0 - x1) * 0.2, y1 - 16)], 3.5), "#6b4530")
    for y, r in ((510, 92), (388, 68), (288, 50)):
        ball = ellipse(486, y, r, r * 0.94)
        c.shape(ball, ("#ffffff", "#eef3fd", "#bccbea"))
        with c.inside(ball):
            c.shape(ellipse(486 - r * 0.5, y + r * 0.2, r, r * 1.1), "#ffffff99", blur=10)
    for y in (366, 396, 426):
        c.shape(ellipse(490, y, 6), "#2b2b38")
    c.shape(smooth([(440, 318), (486, 332), (532, 318), (536, 338), (486, 352), (436, 338)]), "#d8434a")
    c.shape([(508, 340), (536, 334), (548, 410), (522, 414)], "#b8333c")
    for x in (468, 508):
        c.shape(ellipse(x, 276, 5.4), "#2b2b38")
    c.shape([(486, 282), (488, 298), (546, 298)], ("#ff9d3f", "#e2701c"))
    for x, y in ((460, 304), (470, 312), (484, 315), (498, 313)):
        c.shape(ellipse(x, y, 3), "#2b2b38")
    c.shape(box(452, 188, 522, 246, 5), ("#3a3d52", "#262838"))
    c.shape(box(452, 226, 522, 240), "#d8434a")
    c.shape(box(430, 240, 544, 252, 6), "#262838")


def _child(c: Canvas, x: float, way: int, coat: str, dark: str, hat: str, trousers: str) -> None:
    """A child in winter clothes; way is 1 when it reaches to the right, -1 to the left."""

    def at(dx: float, y: float) -> Point:
        return x + way * dx, y

    for dx in (-20, 18):
        c.shape(stroke([at(dx, 520), at(dx + 2, 574)], (36, 30)), trousers)
        c.shape(
            smooth([at(dx - 18, 568), at(dx + 16, 566), at(dx + 34, 584), at(dx + 30, 594), at(dx - 18, 594)]),
            "#2b2b38",
        )
    c.shape(stroke([at(14, 446), at(60, 428), at(104, 404)], (30, 26, 22)), dark)
    c.shape(ellipse(*at(110, 402), 14), "#f7f2e6")
    body = smooth([at(-34, 434), at(0, 418), at(34, 434), at(46, 530), at(0, 542), at(-48, 530)])
    c.shape(body, (coat, dark))
    with c.inside(body):
        c.shape(smooth([at(-60, 420), at(-18, 420), at(-22, 480), at(-10, 560), at(-60, 560)]), "#00000026")
        c.shape(stroke([at(14, 420), at(22, 540)], 2.4), "#00000040")
    c.shape(stroke([at(-14, 452), at(20, 494), at(68, 476)], (32, 28, 22)), coat)
    c.shape(ellipse(*at(74, 474), 14), "#f7f2e6")
    c.shape(smooth([at(-34, 414), at(0, 424), at(36, 414), at(38, 434), at(0, 444), at(-36, 434)]), hat)
    head = ellipse(x + way * 4, 378, 40, 42)
    c.shape(head, "#eebb98")
    c.shape(smooth([at(-40, 382), at(-36, 336), at(4, 322), at(42, 340), at(46, 362), at(0, 358), at(-30, 392)]), coat)
    c.shape(stroke([at(-34, 370), at(4, 354), at(44, 362)], 15), hat)
    c.shape(ellipse(*at(2, 322), 15), hat)
    for dx in (16, 34):
        c.shape(ellipse(*at(dx, 382), 3.2, 4.2), "#2a1b18")
    c.shape(ellipse(*at(8, 396), 8, 5.5), "#e8806e77")
    c.shape(stroke([at(18, 400), at(26, 405), at(34, 400)], 2.8), "#a8443f")
