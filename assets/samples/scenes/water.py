"""Scenes on the water: a man in a canoe, a surfer."""

from __future__ import annotations

import random

from canvas import Canvas, Outline, arc, box, ellipse, smooth, stroke

from scenes.nature import pine, ridge


def canoe(c: Canvas) -> None:
    """A man in a red life jacket paddles a canoe on a mountain lake."""
    x: float
    shore, pick = 330, random.Random(4)
    c.shape(box(0, 0, 960, shore), ("#8fc9e8", "#c4e3ee", "#fdf0d8"))
    c.glow(720, 120, 260, "#fff6dc", 0.9)
    c.shape(ellipse(720, 120, 34), "#fffdf2")
    for x, y, w in ((180, 92, 74), (250, 104, 52), (470, 70, 56), (520, 78, 40)):
        c.shape(ellipse(x, y, w, 13), "#ffffffb0", blur=2)
    far = [(0, 230), (110, 150), (170, 190), (270, 96), (350, 180), (430, 140), (540, 228), (640, 178), (760, 236)]
    ridge(c, [*far, (860, 190), (960, 232)], ("#8fa9c9", "#b9cde0"), shore)
    c.shape([(270, 96), (312, 140), (290, 134), (274, 156), (258, 132), (236, 130)], "#f4f8fb")
    c.shape([(110, 150), (134, 167), (116, 166), (104, 178), (90, 166)], "#f4f8fb")
    ridge(c, [(0, 270), (90, 238), (210, 286), (330, 244), (470, 292), (960, 250)], ("#6f93a8", "#86a9b4"), shore)
    ridge(c, [(420, 320), (600, 262), (740, 240), (860, 262), (960, 228)], ("#527f86", "#5f8d8c"), shore)
    for _ in range(120):
        x = pick.uniform(-10, 970)
        if abs(x - 430) > 90:
            pine(
                c,
                x,
                shore + 2,
                pick.uniform(30, 62) * (0.75 + abs(x - 430) / 620),
                pick.choice(("#2f6660", "#29595a", "#3a746a")),
            )
    c.shape(box(0, shore, 960, 640), ("#a9d3dc", "#62a9bf", "#2b7897", "#1d5d7c"))
    c.reflect(shore, 170, 0.62)
    for _ in range(70):
        y = shore + 10 + 290 * pick.random() ** 1.3
        wide = 14 + (y - shore) * 0.3 * pick.random()
        c.shape(ellipse(pick.uniform(0, 960), y, wide, 0.8 + (y - shore) / 190), "#e9f7f844")
    c.shape(ellipse(720, 420, 60, 3), "#fff7dd99")
    c.shape(ellipse(712, 394, 84, 2.4), "#fff7dd99")
    _boat(c)


def _boat(c: Canvas) -> None:
    c.shape(smooth([(200, 550), (760, 550), (700, 584), (560, 596), (400, 596), (260, 584)]), "#8f5a2a55", blur=7)
    c.shape(smooth([(416, 590), (508, 590), (500, 626), (424, 626)]), "#b5302a3d", blur=7)
    c.shape(ellipse(480, 541, 300, 14), "#0d3f5880", blur=6)
    inner = smooth([(196, 462), (300, 476), (480, 482), (660, 476), (764, 462), (640, 500), (320, 500)])
    c.shape(inner, "#5b2f14")
    _paddler(c)
    hull: Outline = [(182, 448), (210, 466), (330, 482), (480, 487), (630, 482), (750, 466), (778, 448), (774, 486)]
    hull = smooth([*hull, (736, 524), (650, 541), (480, 545), (310, 541), (224, 524), (186, 486)])
    c.shape(hull, ("#e8973f", "#c86f26", "#8f4517"))
    with c.inside(hull):
        c.shape(box(150, 521, 810, 560), "#6d310f66")
        for y in (500, 513):
            c.shape(stroke([(170, y - 24), (330, y), (480, y + 4), (630, y), (790, y - 24)], 1.6), "#8a441a70")
    c.shape(stroke([(181, 447), (212, 467), (330, 482), (480, 487), (630, 482), (748, 467), (779, 447)], 7), "#f7c37a")
    for x, wide in ((300, 150), (640, 180), (480, 320)):
        c.shape(ellipse(x, 548, wide, 3), "#dff3f6aa")
    for r in (18, 34, 52):
        c.shape(stroke(arc(704, 548, r, r / 5, 10, 350), 1.8, soft=False), "#eefafa99")
    c.shape(stroke([(652, 475), (690, 520)], 7, soft=False), ("#d19a50", "#b9792f"))
    blade = smooth([(676, 506), (690, 500), (716, 548), (712, 566), (700, 560)])
    c.shape(blade, ("#ffd98a", "#c98a3a"))
    c.shape(ellipse(706, 560, 30, 8), "#3d87a3bb")


def _paddler(c: Canvas) -> None:
    skin, shade, shirt = "#d99a72", "#b97850", "#24486b"
    c.shape(stroke([(520, 470), (574, 452), (606, 478)], (40, 34)), "#3b4a57")  # bent knees
    c.shape(stroke([(480, 476), (548, 446), (584, 480)], (44, 36)), "#4c5d6b")
    c.shape(stroke([(452, 362), (494, 410), (540, 404)], (30, 26, 22)), "#1b3856")  # far arm
    c.shape(ellipse(544, 402, 12), shade)
    body = smooth([(414, 362), (438, 338), (480, 336), (504, 352), (512, 410), (510, 478), (420, 480), (410, 420)])
    c.shape(body, shirt)
    vest: Outline = [
        (424, 356),
        (440, 340),
        (456, 338),
        (466, 366),
        (484, 338),
        (500, 350),
        (512, 408),
        (512, 470),
        (414, 472),
    ]
    vest = smooth([*vest, (408, 412)])
    c.shape(vest, ("#ef4136", "#d3241f"))
    with c.inside(vest):
        c.shape(smooth([(396, 340), (434, 340), (428, 420), (440, 490), (396, 490)]), "#a3141566")
        for y in (402, 438):
            c.shape(box(400, y, 530, y + 9), "#2a2430")
            c.shape(box(466, y - 3, 484, y + 12, 3), "#f5d04a")
        c.shape(stroke([(470, 350), (475, 480)], 3), "#8f1214")
    c.shape(stroke([(524, 322), (690, 520)], 7, soft=False), ("#f0c27a", "#b9792f"))
    c.shape(stroke([(432, 366), (436, 424), (492, 440), (572, 384)], (34, 30, 26, 20)), "#2f5a85")  # near arm
    c.shape(ellipse(578, 382, 13), skin)
    c.shape(ellipse(548, 352, 12), shade)
    c.shape(stroke([(466, 344), (470, 322)], 24), shade)
    head = smooth([(446, 286), (462, 262), (490, 262), (504, 286), (503, 312), (488, 332), (466, 330), (450, 312)])
    c.shape(head, skin)
    with c.inside(head):
        c.shape(smooth([(440, 300), (462, 306), (484, 322), (510, 318), (500, 340), (450, 340)]), "#4a2c1d")
        c.shape(stroke(arc(498, 304, 9, 8, 60, 150), 3, soft=False), "#8f3f34")
    c.shape(smooth([(500, 286), (514, 303), (500, 308)]), skin)
    c.shape(ellipse(492, 288, 2.8, 3.6), "#2a1b14")
    c.shape(ellipse(459, 298, 7, 10), shade)
    c.shape(smooth([(440, 290), (444, 258), (474, 244), (502, 258), (508, 276), (470, 276), (452, 296)]), "#eef1ee")
    c.shape(smooth([(494, 268), (538, 272), (540, 280), (496, 280)]), "#cfd8d6")


def surfer(c: Canvas) -> None:
    """A surfer rides a curling wave."""
    x: float
    y: float
    c.shape(box(0, 0, 960, 300), ("#5fb7dc", "#a8dcea", "#fbeecb"))
    c.glow(160, 150, 240, "#fff3c4", 0.9)
    c.shape(ellipse(160, 150, 40), "#fffbe6")
    for x, y, w, h in ((620, 90, 110, 16), (680, 76, 60, 18), (420, 130, 80, 10), (330, 70, 66, 9)):
        c.shape(ellipse(x, y, w, h), "#ffffffaa", blur=3)
    c.shape(box(0, 262, 960, 640), ("#3aa3bd", "#1c7f9f", "#0d5577"))
    for k in range(26):
        c.shape(ellipse((k * 211) % 960, 270 + k * 3.2, 50, 1.4), "#d8f3f466")
    wave: Outline = [(960, 120), (880, 104), (780, 108), (690, 132), (640, 172), (648, 214), (676, 190), (712, 184)]
    wave = smooth(
        [*wave, (700, 240), (640, 340), (520, 430), (330, 490), (0, 540), (-60, 720), (1040, 720), (1060, 160)]
    )
    c.shape(wave, ("#7fe0d2", "#2fb3bd", "#12809f", "#0a5579"))
    with c.inside(wave):
        for k in range(9):
            d = k * 44
            line = [
                (780 + d, 110 + k * 6),
                (744 + d * 0.9, 250 + k * 8),
                (640 + d, 400 + k * 10),
                (330 + d, 560 + k * 9),
            ]
            c.shape(stroke(line, (2, 7, 3)), "#c9fbf24d")
        c.shape(
            smooth([(712, 184), (760, 200), (770, 300), (690, 400), (560, 470), (650, 360), (700, 260)]),
            "#06425f55",
            blur=10,
        )
    pick = random.Random(2)
    crest = [(960, 112), (880, 100), (790, 106), (700, 130), (650, 168), (642, 208), (656, 224)]
    for x, y in smooth(crest, closed=False, steps=9):
        for _ in range(3):
            c.shape(ellipse(x + pick.gauss(0, 10), y + pick.gauss(2, 8), pick.uniform(5, 15)), "#f6fffd")
    for _ in range(80):
        c.shape(ellipse(pick.gauss(640, 42), pick.gauss(214, 34), pick.uniform(1, 4)), "#f3fffccc")
    for k in range(150):  # the white water behind the board
        t = k / 150
        x, y = 520 + 330 * t, 462 - 66 * t + pick.gauss(0, 4 + 12 * t)
        c.shape(
            ellipse(x, y, pick.uniform(4, 9 + 12 * t), pick.uniform(3, 6 + 8 * t)),
            "#f3fffcb0" if k % 3 else "#bfeee8b0",
        )
    _rider(c)
    for _ in range(80):  # spray off the nose of the board
        t = pick.random()
        c.shape(
            ellipse(262 + 46 * t + pick.gauss(0, 9), 498 - 50 * (1 - t) * pick.random(), pick.uniform(1, 4.6)),
            "#f8fffee0",
        )
    for y, fill in ((572, "#8fd8da"), (590, "#d3f3f1"), (612, "#f6fffd")):
        edge = [(x, y + pick.uniform(-9, 9)) for x in range(-40, 1040, 54)]
        c.shape([(-40, 660), *smooth(edge, closed=False), (1000, 660)], fill)
    for _ in range(120):
        y = pick.gauss(584, 14)
        c.shape(ellipse(pick.uniform(0, 960), y, pick.uniform(2, 9), pick.uniform(1, 4)), "#f6fffdaa")


def _rider(c: Canvas) -> None:
    skin, shade, suit, light = "#c98a5e", "#a96e46", "#1d2b44", "#31466b"
    c.shape(ellipse(420, 496, 150, 10, -10), "#04364f77", blur=5)
    board = smooth([(286, 494), (330, 478), (430, 462), (530, 446), (560, 444), (540, 462), (440, 488), (330, 502)])
    c.shape(board, ("#fff6d8", "#ffd463", "#f08b3c"))
    c.shape(stroke([(300, 492), (430, 475), (552, 449)], 3), "#e2504a")
    c.shape(stroke([(446, 366), (492, 388), (500, 446)], (34, 28, 20)), suit)  # back leg
    c.shape(stroke([(492, 450), (514, 448)], 13), shade)
    c.shape(stroke([(424, 292), (480, 276), (530, 252)], (24, 19, 14)), suit)  # back arm
    c.shape(ellipse(535, 249, 9), shade)
    c.shape(stroke([(440, 366), (388, 398), (382, 462)], (36, 30, 21)), light)  # front leg
    c.shape(stroke([(388, 468), (360, 472)], 14), skin)
    body = smooth([(388, 282), (414, 264), (444, 278), (462, 330), (466, 380), (424, 386), (404, 340)])
    c.shape(body, suit)
    with c.inside(body):
        c.shape(smooth([(380, 270), (412, 262), (420, 330), (436, 392), (396, 392)]), light)
        c.shape(stroke([(396, 300), (424, 340), (438, 384)], 6), "#f08b3c")
    c.shape(stroke([(400, 286), (350, 312), (296, 296)], (24, 19, 13)), light)  # front arm
    c.shape(ellipse(290, 293, 9), skin)
    c.shape(stroke([(404, 272), (396, 252)], 18), shade)
    head = ellipse(388, 234, 22, 26, -14)
    c.shape(head, skin)
    c.shape(
        smooth([(368, 216), (388, 200), (412, 210), (426, 240), (418, 262), (404, 246), (398, 224), (374, 224)]),
        "#5b3a1e",
    )
    c.shape(smooth([(371, 230), (360, 244), (371, 247)]), skin)
    c.shape(ellipse(375, 233, 2.4, 3.2), "#2a1b14")
    c.shape(stroke(arc(379, 246, 8, 6, 60, 150), 2.6, soft=False), "#8f3f34")
