"""Scenes of animals: a dog leaping for a frisbee, an elephant with her calf."""

from __future__ import annotations

import random

from canvas import Canvas, Outline, Point, box, ellipse, moved, smooth, stroke

from scenes.nature import cloud, ridge, tree

GREENS = (("#3f7d4e", "#539a5a", "#78b868"), ("#356f52", "#468a5e", "#68a86c"), ("#4d8a45", "#67a550", "#8fc163"))


def dog(c: Canvas) -> None:
    """A golden dog leaps to catch a red frisbee in a park."""
    x: float
    y: float
    pick = random.Random(11)
    c.shape(box(0, 0, 960, 420), ("#6cb8e8", "#aedcf2", "#eef7ea"))
    for x, y, s in ((180, 110, 1.1), (780, 90, 1.3), (500, 60, 0.6)):
        cloud(c, x, y, s)
    for x, top, w in ((560, 270, 36), (606, 230, 42), (660, 258, 50), (722, 214, 38), (770, 262, 60)):
        c.shape(box(x, top, x + w, 400), "#a9c9d8")
    c.shape(
        smooth([(-40, 370), (200, 340), (480, 366), (760, 340), (1000, 360), (1000, 500), (-40, 500)]),
        ("#a4cf82", "#86bb69"),
    )
    for k in range(24):
        tree(c, k * 42 + pick.uniform(-16, 16), 384 + pick.uniform(-6, 8), pick.uniform(60, 112), GREENS[k % 3])
    c.shape(
        smooth([(-40, 400), (240, 384), (600, 400), (1000, 380), (1000, 700), (-40, 700)]),
        ("#9ed070", "#74b254", "#4d9145"),
    )
    c.shape(smooth([(716, 396), (780, 404), (860, 470), (1000, 540), (1000, 590), (790, 490)]), "#e9dcbc")
    tree(c, 66, 500, 330, GREENS[0])
    tree(c, 908, 452, 230, GREENS[2])
    for _ in range(130):
        x, y = pick.uniform(0, 960), 430 + 205 * pick.random()
        if x > 700 and y < 600:  # not on the path
            continue
        h = 4 + (y - 420) / 18
        c.shape(stroke([(x, y), (x + pick.uniform(-4, 4), y - h)], (2.2, 0.8)), "#3f853f88")
    for _ in range(34):
        x, y = pick.uniform(0, 780), pick.uniform(520, 632)
        c.shape(ellipse(x, y, 3.4), pick.choice(("#fff6d8", "#ffd763", "#f7f3ff")))
    c.shape(ellipse(440, 574, 190, 15), "#2c5f3388", blur=7)
    _leaping(c)


def _leaping(c: Canvas) -> None:
    gold, dark, light = "#dd9a4a", "#b87530", "#f2c583"
    c.shape(stroke([(300, 372), (262, 424), (226, 436), (196, 470)], (58, 34, 22, 18)), dark)  # far legs
    c.shape(stroke([(520, 330), (586, 350), (622, 322)], (46, 26, 20)), dark)
    c.shape(stroke([(306, 350), (250, 326), (204, 262), (196, 214)], (22, 40, 34, 6)), (light, gold))  # tail
    body: Outline = [
        (276, 376),
        (296, 322),
        (372, 290),
        (462, 262),
        (536, 232),
        (580, 262),
        (572, 326),
        (520, 370),
        (430, 376),
    ]
    body = smooth([*body, (370, 394), (316, 420)])
    c.shape(body, (gold, gold, dark))
    with c.inside(body):
        c.shape(smooth([(560, 250), (600, 280), (580, 350), (500, 384), (420, 386), (480, 350), (530, 320)]), light)
        c.shape(stroke([(300, 330), (400, 292), (520, 244)], (6, 12, 6)), "#f0b96a99", blur=3)
    c.shape(stroke([(312, 388), (286, 444), (244, 458), (222, 504)], (76, 42, 25, 20)), gold)  # near legs
    c.shape(stroke([(222, 504), (206, 516)], 19), light)
    c.shape(stroke([(532, 344), (586, 390), (638, 378)], (54, 30, 22)), gold)
    c.shape(stroke([(638, 378), (654, 372)], 21), light)
    c.shape(stroke([(540, 278), (590, 226)], (92, 66)), gold)
    c.shape(stroke([(546, 246), (566, 292)], 17), "#2f7fc0")  # collar
    c.shape(ellipse(572, 304, 8), "#f7d154")
    c.shape(smooth([(622, 238), (664, 232), (700, 222), (694, 238), (656, 258), (624, 262)]), dark)  # lower jaw
    c.shape(smooth([(630, 236), (680, 226), (668, 244), (636, 250)]), "#e0697a")
    c.shape(
        smooth(
            [
                (566, 214),
                (584, 174),
                (620, 160),
                (650, 176),
                (690, 186),
                (716, 200),
                (712, 216),
                (660, 228),
                (614, 252),
                (580, 246),
            ]
        ),
        gold,
    )
    c.shape(smooth([(656, 188), (700, 188), (716, 202), (708, 217), (664, 225)]), light)
    c.shape(ellipse(711, 196, 10, 8), "#33221c")
    c.shape(ellipse(641, 189, 5.4, 6), "#2a1a14")
    c.shape(ellipse(643, 187, 1.8), "#ffffff")
    c.shape(smooth([(584, 176), (608, 178), (606, 214), (570, 254), (540, 252), (556, 214)]), "#a5642a")  # ear
    disc = ellipse(752, 186, 68, 17, -17)
    c.shape(ellipse(754, 194, 67, 17, -17), "#96202a")
    c.shape(disc, ("#f4565a", "#d8343f"))
    c.shape(ellipse(752, 183, 46, 9, -17), "#f98a84")


def elephants(c: Canvas) -> None:
    """An elephant and her calf walk over the savanna at sunset."""
    x: float
    y: float
    pick = random.Random(8)
    c.shape(box(0, 0, 960, 450), ("#5b3a73", "#b8557a", "#f08a5a", "#fbc46a", "#fde3a0"))
    c.glow(640, 330, 330, "#fff0b8", 0.9)
    c.shape(ellipse(640, 330, 92), ("#fff7cf", "#ffd873"))
    for x, y, w in ((180, 130, 150), (330, 150, 90), (800, 110, 130), (520, 80, 80)):
        c.shape(ellipse(x, y, w, 6), "#ffd0a066", blur=2)
    for x, y in ((420, 150), (460, 130), (492, 158), (384, 128)):
        c.shape(stroke([(x - 14, y - 6), (x, y), (x + 14, y - 7)], (1, 4, 1)), "#4a2a4a")
    ridge(
        c,
        [(0, 410), (150, 372), (270, 392), (420, 360), (560, 398), (760, 376), (960, 404)],
        ("#a8546a", "#c46a62"),
        450,
    )
    _acacia(c, 110, 456, 1.15, "#5a2f45")
    _acacia(c, 884, 440, 0.72, "#7d4250")
    _acacia(c, 764, 430, 0.36, "#94505a")
    c.shape(
        smooth([(-40, 440), (240, 428), (560, 444), (1000, 430), (1000, 700), (-40, 700)]),
        ("#e3a04e", "#b8703a", "#7a4230"),
    )
    for _ in range(260):
        x, y = pick.uniform(0, 960), 446 + 190 * pick.random()
        h = 5 + (y - 436) / 11
        c.shape(
            stroke([(x, y), (x + pick.uniform(-6, 6), y - h)], (2.4, 0.7)),
            pick.choice(("#f3c06a99", "#8a4c30aa", "#d18a4499")),
        )
    _elephant(c, 124, 176, 1.08, ("#75687f", "#544a63", "#9a8794"))
    _elephant(c, 672, 382, 0.52, ("#85768a", "#61556d", "#aa959e"))
    for _ in range(90):
        x, y = pick.uniform(0, 960), 660.0
        c.shape(
            stroke([(x, y), (x + pick.uniform(-10, 10), y - pick.uniform(30, 76))], (4, 0.8)),
            pick.choice(("#5a2f2c", "#6b3a30", "#8a4c30")),
        )


def _acacia(c: Canvas, x: float, foot: float, s: float, fill: str) -> None:
    for dx in (-70, 0, 66):
        c.shape(
            stroke([(x, foot), (x + 4 * s, foot - 100 * s), (x + dx * s, foot - 190 * s)], (16 * s, 11 * s, 5 * s)),
            fill,
        )
    for dx, dy, w in ((-60, 196, 92), (54, 200, 100), (0, 222, 96), (-16, 184, 70)):
        c.shape(ellipse(x + dx * s, foot - dy * s, w * s, 20 * s), fill)


def _elephant(c: Canvas, x: float, y: float, s: float, tones: tuple[str, str, str]) -> None:
    """One elephant walking right; x, y: its upper left corner, s: its size, tones: skin, shadow and light."""
    skin, dark, light = tones

    def at(points: list[Point]) -> Outline:
        return moved(points, x, y, s)

    def limb(points: list[Point], widths: tuple[float, ...], fill: str) -> None:
        c.shape(stroke(at(points), [w * s for w in widths]), fill)

    c.shape(ellipse(x + 210 * s, y + 362 * s, 210 * s, 14 * s), "#4a242c99", blur=6 * s)
    limb([(150, 220), (158, 290), (146, 344)], (62, 46, 48), dark)  # far legs
    limb([(300, 220), (318, 290), (330, 342)], (62, 46, 46), dark)
    limb([(66, 120), (38, 176), (42, 222)], (12, 7, 5), dark)
    c.shape(ellipse(x + 42 * s, y + 230 * s, 6 * s, 13 * s), dark)
    body = smooth(
        at(
            [
                (54, 150),
                (84, 78),
                (160, 42),
                (240, 46),
                (320, 72),
                (352, 140),
                (338, 220),
                (250, 252),
                (150, 250),
                (70, 226),
            ]
        )
    )
    c.shape(body, skin)
    with c.inside(body):
        c.shape(ellipse(x + 200 * s, y + 262 * s, 190 * s, 60 * s), dark, blur=10 * s)
        c.shape(stroke(at([(60, 130), (110, 60), (200, 40), (300, 58)]), [6 * s, 10 * s, 5 * s]), light, blur=3 * s)
    limb([(96, 190), (92, 280), (84, 346)], (78, 52, 54), skin)  # near legs
    limb([(270, 200), (268, 280), (276, 346)], (72, 50, 52), skin)
    for foot in (84, 276):
        for k in (-14, 0, 14):
            c.shape(ellipse(x + (foot + k) * s, y + 366 * s, 6 * s, 5 * s), "#e9d5c4")
    limb([(418, 130), (440, 200), (428, 270), (440, 316), (462, 318)], (62, 40, 28, 20, 14), skin)  # trunk
    for k in range(6):
        px, py = 436 - k * 1.2, 190 + k * 18
        limb([(px - 12 + k, py), (px + 4, py + 5), (px + 14 - k, py)], (2, 2), dark)
    head = smooth(at([(318, 110), (340, 56), (388, 40), (430, 64), (450, 120), (438, 168), (392, 184), (340, 170)]))
    c.shape(head, skin)
    with c.inside(head):
        c.shape(stroke(at([(336, 60), (388, 40), (440, 70)]), [6 * s, 9 * s, 5 * s]), light, blur=3 * s)
    if s > 1:  # the calf has no tusks yet
        limb([(404, 176), (432, 214), (474, 214)], (17, 12, 3), "#f6ead6")
    ear = smooth(at([(300, 62), (342, 52), (372, 84), (370, 136), (346, 190), (312, 206), (284, 170), (276, 110)]))
    c.shape(
        smooth(at([(304, 70), (346, 60), (380, 90), (378, 140), (352, 198), (318, 212), (290, 170)])),
        "#3b32484d",
        blur=5 * s,
    )
    c.shape(ear, light)
    with c.inside(ear):
        c.shape(
            smooth(at([(306, 80), (336, 72), (356, 96), (352, 136), (334, 176), (312, 184), (296, 160)])),
            "#b9838a88",
            blur=4 * s,
        )
    c.shape(ellipse(x + 408 * s, y + 104 * s, 5.5 * s, 6.5 * s), "#2a2028")
    c.shape(ellipse(x + 410 * s, y + 102 * s, 1.8 * s), "#ffffff")
