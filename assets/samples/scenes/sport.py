"""Scenes of people in motion: on a bicycle past tulips, on a basketball court."""

from __future__ import annotations

import random

from canvas import Canvas, Outline, Point, arc, box, ellipse, smooth, stroke

from scenes.nature import cloud, tree


def cyclist(c: Canvas) -> None:
    """A woman cycles past rows of tulips and a windmill."""
    y: float
    x: float
    horizon, pick = 300, random.Random(1)
    c.shape(box(0, 0, 960, horizon), ("#6fbbe6", "#b5def0", "#fbf3dc"))
    for x, y, s in ((640, 90, 1.2), (850, 130, 0.8), (360, 66, 0.7)):
        cloud(c, x, y, s)
    for x in range(-20, 980, 26):
        c.shape(ellipse(x, horizon - 4, 20, 8 + pick.random() * 10), "#7fae7a")
    c.shape(box(0, horizon, 960, 640), ("#86b86a", "#5d9950"))
    colours = ("#e8434a", "#f7b733", "#e874a5", "#f5f1e6", "#b23a8a", "#f2793b")
    rows: list[Outline] = []
    for k in range(-14, 26):
        a, b = 480 + (k - 6) * 30, 480 + (k - 6) * 150
        rows.append([(a, horizon + 2), (a + 18, horizon + 2), (b + 90, 520), (b, 520)])
        c.shape(rows[-1], colours[k % 6])
    with c.inside(rows):
        for _ in range(200):  # blossoms that catch the light: larger and further apart towards us
            near = pick.random() ** 0.7
            x, y = 480 + (pick.random() - 0.5) * (900 + 900 * near), horizon + 218 * near
            c.shape(ellipse(x, y, 2 + 6 * near, 2 + 7 * near), "#ffffff2e")
    _windmill(c, 150, 318)
    c.shape([(0, 506), (960, 506), (960, 526), (0, 526)], ("#4f8a46", "#3f7a3f"))
    c.shape(box(0, 524, 960, 640), ("#d9c7ab", "#c0a986"))
    c.shape(box(0, 524, 960, 530), "#f0e4cf")
    c.shape(ellipse(470, 566, 230, 12), "#6b563a77", blur=6)
    _bicycle(c)
    for x in range(6, 960, 24):
        y, tint = 640 - pick.random() * 14, colours[pick.randrange(6)]
        c.shape(stroke([(x, 660), (x + 3, y - 6)], 4), "#3f7a3f")
        c.shape(
            smooth(
                [
                    (x - 8, y - 22),
                    (x - 2, y - 16),
                    (x + 3, y - 25),
                    (x + 8, y - 16),
                    (x + 14, y - 22),
                    (x + 12, y - 4),
                    (x - 6, y - 4),
                ]
            ),
            tint,
        )


def _windmill(c: Canvas, x: float, foot: float) -> None:
    c.shape(
        [(x - 46, foot), (x - 26, foot - 138), (x + 26, foot - 138), (x + 46, foot)],
        ("#8a5a3c", "#b07a52", "#6f4530"),
        across=True,
    )
    c.shape(smooth([(x - 32, foot - 136), (x - 22, foot - 168), (x + 22, foot - 168), (x + 32, foot - 136)]), "#4a3a3a")
    c.shape(box(x - 10, foot - 34, x + 10, foot, 6), "#f3e6cf")
    c.shape(box(x - 8, foot - 92, x + 8, foot - 72, 3), "#f3e6cf")
    cx, cy = x, foot - 152
    for dx, dy in ((0.64, 0.77), (-0.77, 0.64), (-0.64, -0.77), (0.77, -0.64)):
        tip = (cx + 124 * dx, cy + 124 * dy)
        c.shape(stroke([(cx, cy), tip], 4), "#3b2c2a")
        near, side = (cx + 26 * dx, cy + 26 * dy), (-dy * 25, dx * 25)
        c.shape([near, tip, (tip[0] + side[0], tip[1] + side[1]), (near[0] + side[0], near[1] + side[1])], "#f6efe0e8")
    c.shape(ellipse(cx, cy, 8), "#3b2c2a")


def _bicycle(c: Canvas) -> None:
    rear, front, pedals, seat = (350, 486), (610, 486), (462, 492), (430, 384)
    for x, y in (rear, front):
        c.shape(stroke(arc(x, y, 76, 76, 0, 360), 8, soft=False), "#2c2f3a")
        c.shape(stroke(arc(x, y, 69, 69, 0, 360), 2.6, soft=False), "#d9dde4")
        for k in range(9):
            spoke: list[Point] = [arc(x, y, 68, 68, k * 40 + 8, 0)[0], (x, y)]
            c.shape(stroke(spoke, 1.1), "#8b93a3aa")
        c.shape(ellipse(x, y, 7), "#59606e")
    _rider_leg(c, [(446, 372), (530, 404), (470, 452)], "#c58d69", "#8f2f3a")
    for a, b in (
        (rear, pedals),
        (rear, (434, 400)),
        (pedals, seat),
        (pedals, (578, 384)),
        ((436, 408), (574, 372)),
        ((572, 362), front),
    ):
        c.shape(stroke([a, b], 8), "#1f9a8c")
    c.shape(stroke([(574, 366), (566, 334), (540, 330)], 6), "#39404e")
    c.shape(smooth([(398, 376), (440, 370), (466, 378), (440, 390), (404, 390)]), "#5a3423")
    c.shape(stroke(arc(350, 486, 84, 84, 190, 290), 5, soft=False), "#1f9a8c")
    basket = [(584, 330), (652, 330), (642, 384), (594, 384)]
    for x, y, tint in (
        (598, 318, "#e8434a"),
        (618, 308, "#f7b733"),
        (638, 318, "#e874a5"),
        (608, 326, "#f5f1e6"),
        (630, 328, "#e8434a"),
    ):
        c.shape(ellipse(x, y + 8, 14, 10), "#4f8a46")
        c.shape(ellipse(x, y, 10), tint)
    c.shape(basket, ("#d2a367", "#a97a42"))
    for k in range(1, 5):
        c.shape(stroke([(584 + k * 2, 330 + k * 11), (652 - k * 2, 330 + k * 11)], 1.6), "#7d5629")
    _cycling_woman(c)
    c.shape(stroke([pedals, (474, 520)], 6), "#39404e")
    _rider_leg(c, [(440, 376), (512, 428), (476, 514)], "#e0a680", "#b5424c")
    waist = [(414, 350), (418, 338), (470, 338), (474, 350)]
    skirt = [*waist, *smooth([(474, 350), (512, 384), (540, 420), (548, 446)], closed=False)]
    skirt += smooth([(548, 446), (520, 440), (496, 452), (470, 432), (436, 424), (404, 400), (414, 350)], closed=False)
    c.shape(skirt, ("#f4d35e", "#e0ae36"))
    for fold in ([(452, 352), (490, 396), (514, 436)], [(434, 352), (452, 392), (472, 428)]):
        c.shape(stroke(fold, (1, 3, 2)), "#b9862666")
    c.shape(ellipse(462, 492, 13), "#59606e")


def _rider_leg(c: Canvas, leg: list[Point], skin: str, shoe: str) -> None:
    c.shape(stroke(leg, (38, 30, 19)), skin)
    x, y = leg[-1]
    c.shape(smooth([(x - 14, y - 4), (x + 10, y - 4), (x + 32, y + 10), (x + 30, y + 16), (x - 14, y + 16)]), shoe)


def _cycling_woman(c: Canvas) -> None:
    skin, shade = "#e0a680", "#c58d69"
    c.shape(stroke([(470, 264), (516, 314), (560, 330)], (24, 20, 15)), shade)
    hair = smooth(
        [
            (440, 176),
            (462, 142),
            (500, 142),
            (512, 170),
            (470, 196),
            (446, 232),
            (396, 252),
            (360, 246),
            (404, 226),
            (424, 200),
        ]
    )
    c.shape(hair, "#8a4b26")
    body = smooth([(416, 352), (420, 300), (440, 250), (466, 230), (490, 250), (484, 306), (472, 356)])
    c.shape(body, "#3b6fb0")
    with c.inside(body):
        for y in range(250, 360, 18):
            c.shape(box(400, y, 500, y + 7), "#f3f6fa")
        c.shape(smooth([(410, 360), (420, 290), (440, 250), (450, 300), (440, 370)]), "#1c3b6b44")
    c.shape(stroke([(458, 262), (488, 322), (550, 334)], (28, 22, 15)), skin)
    c.shape(stroke([(458, 260), (470, 290)], (31, 29)), "#3b6fb0")
    c.shape(ellipse(554, 334, 10), skin)
    c.shape(stroke([(470, 240), (476, 212)], 21), shade)
    c.shape(smooth([(456, 170), (474, 150), (502, 154), (512, 180), (504, 210), (484, 218), (464, 204)]), skin)
    c.shape(
        smooth([(446, 196), (446, 158), (474, 136), (508, 146), (508, 162), (484, 168), (466, 196), (452, 222)]),
        "#9c5930",
    )
    c.shape(smooth([(508, 176), (521, 192), (508, 196)]), skin)
    c.shape(ellipse(499, 181, 2.4, 3.2), "#2a1b18")
    c.shape(stroke(arc(497, 194, 9, 8, 20, 100), 2.6, soft=False), "#b0504a")
    c.shape(ellipse(488, 197, 7, 4.5), "#e98f7a66")


def basketball(c: Canvas) -> None:
    """A basketball player in blue jumps to dunk on an outdoor court."""
    pick = random.Random(14)
    c.shape(box(0, 0, 960, 470), ("#3f4f94", "#9a6fa8", "#f09a7a", "#fcd08a"))
    c.glow(240, 380, 260, "#fff0b8", 0.8)
    c.shape(ellipse(240, 392, 52), "#fff3c8")
    x = -20
    while x < 980:
        w, h = pick.randrange(48, 100), pick.randrange(60, 210)
        c.shape(box(x, 450 - h, x + w, 460), "#7d5a8f" if pick.random() < 0.5 else "#8a6496")
        for _ in range(h // 14):
            wx, wy = x + pick.randrange(6, w - 10), 450 - pick.randrange(10, h)
            c.shape(box(wx, wy, wx + 6, wy + 8), "#ffdf9a99")
        x += w + pick.randrange(-8, 14)
    for k, x in enumerate((30, 120, 330, 420, 880, 960)):
        tree(c, x, 462, 96 + 30 * (k % 3), ("#3f4f6a", "#4a5f74", "#62748a"))
    for x in range(0, 961, 20):
        c.shape(stroke([(x, 330), (x, 462)], 1), "#2c2f4a66")
    for y in (330, 374, 418):
        c.shape(stroke([(0, y), (960, y)], 1.8), "#2c2f4a88")
    c.shape(box(0, 456, 960, 640), ("#c4614a", "#a8483f", "#8a3a3a"))
    c.shape([(0, 474), (960, 474), (960, 479), (0, 479)], "#f7e6d4")
    c.shape(stroke(arc(960, 640, 430, 112, 180, 270), 6, soft=False), "#f7e6d4")
    c.shape(ellipse(430, 592, 150, 14), "#3f1f2c88", blur=8)
    _hoop(c)
    _player(c)


def _hoop(c: Canvas) -> None:
    c.shape(ellipse(880, 604, 60, 9), "#3f1f2c88", blur=5)
    c.shape(stroke([(880, 604), (880, 150), (800, 130)], (20, 16, 12), soft=False), ("#4a4f66", "#2c3046"))
    board = [(770, 30), (806, 18), (806, 218), (770, 200)]
    c.shape([(806, 18), (816, 20), (816, 216), (806, 218)], "#9aa0b4")
    c.shape(board, ("#ffffff", "#dfe4f0"))
    c.shape(stroke([(770, 30), (806, 18), (806, 218), (770, 200), (770, 30)], 5, soft=False), "#d8434a")
    c.shape(stroke([(778, 110), (798, 104), (798, 172), (778, 170), (778, 110)], 4, soft=False), "#d8434a")
    c.shape(stroke(arc(712, 188, 54, 13, 180, 360), 6, soft=False), "#c45a1f")
    for k in range(7):
        for way in (-1, 1):
            line = [
                (660 + k * 17.3, 190),
                (667 + (k + way * 0.5) * 15, 216),
                (674 + (k + way) * 12.6, 242),
                (680 + (k + way * 1.5) * 10.7, 268),
            ]
            c.shape(
                stroke([(min(max(x, 659 + (y - 190) * 0.26), 765 - (y - 190) * 0.26), y) for x, y in line], 1.8),
                "#fdf6ecdd",
            )
    c.shape(stroke(arc(712, 188, 54, 13, 0, 180), 7, soft=False), "#f2793b")
    c.shape(box(762, 184, 780, 196, 3), "#c45a1f")


def _player(c: Canvas) -> None:
    skin, shade, blue, dark = "#8d5a3c", "#6f4229", "#2f6fc4", "#1f4f94"
    c.shape(stroke([(402, 384), (340, 430), (262, 416)], (56, 42, 26)), shade)  # back leg, bent
    c.shape(stroke([(404, 376), (350, 420)], (66, 56)), dark)
    c.shape(stroke([(276, 418), (256, 414)], 27), "#f7f2e8")
    c.shape(smooth([(262, 398), (268, 432), (236, 454), (220, 448), (232, 404)]), "#d8434a")
    c.shape(stroke([(400, 256), (346, 290), (318, 344)], (36, 28, 20)), shade)  # back arm
    c.shape(ellipse(315, 352, 14), shade)
    c.shape(stroke([(430, 384), (482, 450), (450, 528)], (60, 44, 27)), skin)  # front leg
    c.shape(stroke([(426, 376), (470, 432)], (72, 60)), blue)
    c.shape(stroke([(412, 410), (452, 458)], (5, 5)), "#f7f2e8")
    c.shape(stroke([(456, 512), (450, 532)], 29), "#f7f2e8")
    c.shape(smooth([(432, 524), (468, 526), (486, 556), (482, 566), (428, 556)]), "#e8505a")
    c.shape(stroke([(430, 556), (484, 566)], 5), "#f7f2e8")
    body = smooth([(392, 246), (426, 226), (464, 236), (470, 290), (462, 380), (420, 400), (384, 384), (390, 310)])
    c.shape(body, (blue, blue, dark))
    with c.inside(body):
        c.shape(smooth([(380, 240), (412, 240), (404, 310), (400, 400), (370, 400)]), "#12306688")
        c.shape(stroke([(466, 250), (462, 390)], 6), "#f9c846")
        for a, b in (((418, 292), (440, 292)), ((440, 292), (426, 346))):  # the number 7
            c.shape(stroke([a, b], 9, soft=False), "#ffffff")
    c.shape(stroke([(448, 252), (510, 218), (562, 158), (610, 112)], (40, 34, 26, 20)), skin)  # arm with the ball
    c.shape(stroke([(566, 154), (578, 142)], 27), "#f7f2e8")
    c.shape(stroke([(436, 240), (446, 208)], (34, 30)), shade)
    head = smooth([(416, 180), (430, 150), (462, 146), (484, 166), (484, 196), (466, 216), (438, 210), (420, 198)])
    c.shape(head, skin)
    c.shape(
        smooth([(414, 190), (416, 154), (444, 134), (478, 144), (486, 162), (456, 162), (436, 176), (430, 200)]),
        "#2a1c1a",
    )
    c.shape(stroke([(424, 170), (456, 160), (486, 164)], 8), "#f9c846")
    c.shape(smooth([(480, 176), (494, 188), (482, 194)]), skin)
    c.shape(ellipse(470, 177, 2.8, 3.4), "#1f1412")
    c.shape(stroke(arc(470, 191, 11, 10, 20, 110), 3, soft=False), "#4a2218")
    c.shape(ellipse(430, 188, 6, 9), shade)
    ball = ellipse(636, 92, 40)
    c.shape(ball, ("#f9a04a", "#d9702a", "#b5521c"))
    with c.inside(ball):
        c.shape(stroke([(594, 84), (636, 98), (680, 86)], 3), "#4a2414")
        c.shape(stroke([(642, 50), (632, 92), (638, 136)], 3), "#4a2414")
        c.shape(stroke(arc(590, 66, 42, 42, -40, 90), 3, soft=False), "#4a2414")
        c.shape(stroke(arc(684, 116, 42, 42, 140, 270), 3, soft=False), "#4a2414")
    for dx, dy in ((-34, 2), (-26, 18), (-14, 30)):
        c.shape(stroke([(612, 112), (636 + dx + 14, 92 + dy)], 9), skin)
