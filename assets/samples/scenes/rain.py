"""Scenes in the rain: a walk in town in the evening, a lighthouse in a storm."""

from __future__ import annotations

import random

from canvas import Canvas, arc, box, ellipse, smooth, stroke


def umbrella(c: Canvas) -> None:
    """A woman with a yellow umbrella walks along a wet city street in the evening."""
    x: float
    y: float
    ground, pick = 452, random.Random(7)
    c.shape(box(0, 0, 960, ground), ("#26345c", "#4a5b87", "#8d86a4"))
    for x, w, top, fill in (
        (60, 130, 120, "#3a4670"),
        (300, 120, 60, "#374269"),
        (520, 150, 140, "#414d78"),
        (760, 120, 90, "#38446c"),
    ):
        c.shape(box(x, top, x + w, ground), fill)
        for wx in range(x + 16, x + w - 20, 28):
            for wy in range(top + 22, ground - 60, 36):
                lit = pick.random() < 0.4
                c.shape(box(wx, wy, wx + 14, wy + 20), "#f6cf8499" if lit else "#2b355a88")
    _shops(c)
    c.shape(box(0, ground, 960, 640), ("#4b5579", "#37426a", "#252e52"))
    c.reflect(ground + 4, 180, 0.75)
    c.shape(box(0, ground, 960, ground + 9), "#7c83a0")
    for _ in range(60):
        x, y = pick.uniform(0, 960), pick.uniform(ground + 22, 632)
        c.shape(ellipse(x, y, pick.uniform(10, 46), 1.3), "#c9d3ee3d")
    c.shape(ellipse(440, 594, 130, 11), "#141a3699", blur=5)
    _walker(c)
    for _ in range(230):
        x, y, n = pick.uniform(-20, 990), pick.uniform(-20, 640), pick.uniform(12, 24)
        if not (285 < x < 600 and 215 < y < 600):  # the umbrella keeps her dry
            c.shape(stroke([(x, y), (x - n * 0.22, y + n)], 1.2), "#dfe7ff66")
    for _ in range(34):
        x, y = pick.uniform(0, 960), pick.uniform(500, 630)
        c.shape(stroke(arc(x, y, 9, 2.6, 0, 360), 1, soft=False), "#dfe7ff66")


def _shops(c: Canvas) -> None:
    """Two lit shop windows under awnings, and a street lamp."""
    for x0, x1, wall, stripe in ((-10, 300, "#5a3b46", "#d9574f"), (560, 970, "#3b4a4f", "#3f8f86")):
        c.shape(box(x0, 220, x1, 456), wall)
        c.shape(box(x0 + 24, 286, x1 - 26, 420, 4), ("#ffe3a0", "#f9b865"))
        c.shape(box(x0 + 24, 388, x1 - 26, 420), "#a8683a88")
        wide = (x1 - x0) / 9
        for k in range(9):
            left = x0 + k * wide
            colour = stripe if k % 2 else "#f3e7d4"
            c.shape(
                [(left, 244), (left + wide, 244), (left + wide, 284), *arc(left + wide / 2, 284, wide / 2, 12, 0, 180)],
                colour,
            )
        c.shape(box(x0, 232, x1, 246), "#2c2233")
        for k in range(1, 4):
            x = x0 + (x1 - x0) * k / 4
            c.shape(box(x - 3, 286, x + 3, 420), wall)
    for x, y, r in (
        (70, 388, 15),
        (110, 388, 11),
        (190, 388, 17),
        (640, 388, 14),
        (704, 388, 18),
        (800, 388, 12),
        (880, 388, 16),
    ):
        c.shape(box(x - r * 0.6, y - r, x + r * 0.6, y + 2, 3), "#7a4a3a")
        c.shape(ellipse(x, y - r * 1.5, r, r * 1.1), "#5f8f57")
    c.shape(stroke([(836, 456), (836, 150)], (9, 6)), "#1b2038")
    c.shape(stroke([(836, 160), (836, 128), (800, 120)], 5), "#1b2038")
    c.glow(796, 140, 150, "#ffe2a0", 0.9)
    c.shape([(780, 126), (812, 126), (804, 112), (788, 112)], "#1b2038")
    c.shape(ellipse(796, 134, 14, 10), "#fff6d8")


def _walker(c: Canvas) -> None:
    skin, shade, coat, dark = "#e2a983", "#bf8561", "#1f7a7d", "#155a61"
    c.shape(stroke([(426, 470), (398, 520), (366, 560)], (30, 26, 22)), "#3a2f3c")  # back leg
    c.shape(smooth([(352, 546), (380, 556), (372, 584), (344, 590), (330, 580)]), "#7d2430")
    c.shape(stroke([(446, 470), (476, 524), (480, 560)], (32, 28, 23)), "#4a3c49")  # front leg
    c.shape(smooth([(464, 540), (494, 540), (496, 572), (532, 586), (530, 594), (466, 594)]), "#a83340")
    body = smooth([(410, 320), (438, 306), (466, 318), (474, 390), (510, 492), (450, 506), (384, 494), (402, 400)])
    c.shape(body, (coat, coat, dark))
    with c.inside(body):
        c.shape(smooth([(380, 300), (424, 306), (418, 400), (428, 520), (370, 520)]), "#0f454d77")
        c.shape(box(380, 398, 500, 412), "#0f454d")
        c.shape(stroke([(462, 320), (464, 400), (478, 500)], 2), "#0f454d")
    c.shape(stroke([(412, 336), (392, 392), (404, 440)], (27, 24, 20)), dark)  # back arm, with a bag
    c.shape(ellipse(406, 448, 10), shade)
    c.shape(stroke(arc(404, 470, 18, 24, 180, 360), 4, soft=False), "#7a4a2c")
    c.shape(box(374, 468, 436, 516, 8), ("#b9703e", "#8c5029"))
    c.shape(stroke([(514, 400), (506, 140)], 5, soft=False), "#2a2230")
    c.shape(stroke([(514, 400), (516, 418), (528, 418), (529, 408)], 6), "#6b4226")
    c.shape(stroke([(442, 334), (472, 390), (508, 368)], (30, 26, 20)), "#278d8f")
    c.shape(ellipse(511, 366, 11), skin)
    c.shape(
        smooth([(404, 268), (420, 236), (452, 230), (470, 250), (456, 290), (448, 326), (414, 330), (396, 306)]),
        "#4a2a22",
    )
    c.shape(stroke([(444, 320), (446, 300)], 18), shade)
    head = smooth([(426, 262), (446, 244), (470, 252), (476, 276), (468, 300), (450, 306), (434, 296)])
    c.shape(head, skin)
    c.shape(
        smooth([(412, 280), (416, 244), (446, 228), (474, 246), (456, 256), (440, 274), (432, 302), (414, 306)]),
        "#5c352a",
    )
    c.shape(smooth([(472, 266), (484, 281), (472, 285)]), skin)
    c.shape(ellipse(465, 271, 2.2, 3), "#2a1b18")
    c.shape(stroke(arc(464, 286, 8, 7, 30, 110), 2.6, soft=False), "#b0504a")
    c.shape(smooth([(416, 312), (446, 304), (474, 308), (474, 326), (440, 332), (414, 330)]), "#f0e2cc")
    _dome(c, 490, 226, 190, 128)


def _dome(c: Canvas, x: float, y: float, rx: float, ry: float) -> None:
    """The umbrella from the side: a half round with a scalloped rim."""
    n, rim = 6, []
    for k in range(n):
        left = x + rx - 2 * rx * k / n
        rim += arc(left - rx / n, y, rx / n, 17, 0, -180)
    dome = [*arc(x, y, rx, ry, 180, 360), *rim]
    c.shape(dome, ("#ffe07a", "#f9bf32", "#e59a1c"))
    with c.inside(dome):
        c.shape([*arc(x + 40, y, rx * 0.3, ry * 1.02, 270, 360), (x + rx, y + 20), (x + rx, y - ry)], "#c9780f38")
        for k in range(1, n):
            foot = x - rx + 2 * rx * k / n
            c.shape(stroke([(x, y - ry), (x + (foot - x) * 0.72, y - ry * 0.62), (foot, y)], 2), "#c9861f99")
        c.shape(ellipse(x - 96, y - 62, 26, 56, 42), "#fff3c066", blur=6)
    c.shape(stroke([(x, y - ry), (x - 1, y - ry - 16)], 6), "#2a2230")


def lighthouse(c: Canvas) -> None:
    """A lighthouse shines over a stormy sea at night, lightning behind it."""
    x: float
    y: float
    c.background("#10172f", "#27335a", "#4a5580", "#59648b")
    pick = random.Random(9)
    for y, dark, light in ((60, "#141c37", "#1d2747"), (150, "#1b2445", "#2c3861"), (236, "#2a3560", "#3d4a78")):
        for _ in range(16):
            x, r = pick.uniform(-40, 1000), pick.uniform(50, 96)
            c.shape(ellipse(x, y - 10, r * 1.5, r * 0.55), light, blur=4)
            c.shape(ellipse(x, y - 26, r * 1.5, r * 0.52), dark, blur=7)
    c.glow(220, 210, 250, "#cfd9ff", 0.7)
    bolt = [(236, 70), (214, 126), (240, 150), (206, 206), (226, 226), (190, 292), (204, 310), (180, 372)]
    for line, wide in (
        (bolt, 7),
        ([(240, 150), (276, 186), (270, 214), (304, 256)], 4),
        ([(206, 206), (166, 240), (170, 262)], 4),
    ):
        c.shape(stroke(line, (wide * 3, wide), soft=False), "#cdd6ff88", blur=6)
        c.shape(stroke(line, (wide, wide / 4), soft=False), "#fffdf0")
    c.shape([(0, 96), (640, 158), (640, 176), (0, 250)], ("#ffe9a500", "#ffe9a5cc"), across=True)
    c.shape([(690, 158), (960, 130), (960, 222), (690, 176)], ("#ffe9a5cc", "#ffe9a544"), across=True)
    for k, (base, fill) in enumerate(((392, "#34466e"), (436, "#2a3b62"), (486, "#203054"))):
        _waves(c, base, fill, k)
    rock = [(440, 640), (470, 560), (520, 520), (550, 462), (610, 440), (700, 432), (770, 446), (826, 500), (858, 560)]
    c.shape([*rock, (880, 640)], ("#4c4a5e", "#23243a"))
    c.shape([(550, 462), (610, 440), (640, 500), (580, 640), (470, 640), (520, 520)], "#16182c66")
    c.shape([(700, 432), (770, 446), (812, 500), (750, 520)], "#6c697a66")
    _tower(c)
    _waves(c, 548, "#182748", 3)
    for x, y, n, spread in ((500, 520, 90, 40), (880, 524, 60, 34)):
        for _ in range(n):
            c.shape(ellipse(pick.gauss(x, spread), y - abs(pick.gauss(0, spread)), pick.uniform(1, 6)), "#eaf2ffcc")
    _waves(c, 600, "#101c38", 4)
    for _ in range(190):
        x, y, long = pick.uniform(-20, 980), pick.uniform(-20, 640), pick.uniform(12, 26)
        c.shape(stroke([(x, y), (x - long * 0.34, y + long)], 1.1), "#dfe8ff50")


def _waves(c: Canvas, base: float, fill: str, k: int) -> None:
    """A row of rough swells, steep in front, white at the crests."""
    pick = random.Random(k + 20)
    size, x, top, crests = 12 + 5 * k, -80.0 - 30 * k, [], []
    while x < 1100:
        wide = pick.uniform(5, 8) * size
        tall = size * pick.uniform(0.7, 1.3)
        crests.append(
            [(x + wide * 0.24, base - tall * 0.1), (x + wide * 0.55, base - tall), (x + wide * 0.8, base - tall * 0.1)]
        )
        top += [(x, base + size * 0.7), *crests[-1]]
        x += wide
    c.shape([(-200, 660), *smooth(top, closed=False), (1200, 660)], fill)
    for crest in crests:
        c.shape(stroke([(px, py + 2) for px, py in crest], (0.6, 2 + 1.3 * k, 0.6)), "#dbe6fbcc")
        low = [(px + 6, py + size * 0.8) for px, py in crest]
        c.shape(stroke(low, (0.6, 1 + 0.5 * k, 0.6)), "#8fa4d066")


def _tower(c: Canvas) -> None:
    tower = [(628, 218), (702, 218), (726, 446), (604, 446)]
    c.shape(tower, ("#f7f3ea", "#fffdf6", "#b9b6c4"), across=True)
    with c.inside(tower):
        for y in (218, 314, 410):
            c.shape(box(590, y, 740, y + 48), ("#c4312f", "#e5483f", "#84202a"), across=True)
        c.shape([(682, 210), (760, 210), (760, 450), (694, 450)], "#20183a44")
    for y in (284, 380):
        c.shape(box(656, y - 12, 674, y + 16, 8), "#2b2a40")
        c.shape(box(660, y - 8, 670, y + 12, 5), "#ffd978")
    c.shape(box(614, 206, 716, 220, 3), "#2a2a3f")
    c.shape(box(640, 142, 690, 206), "#fff3b8")
    c.glow(665, 168, 130, "#fff2b0", 1)
    c.shape(ellipse(665, 170, 16, 20), "#ffffff")
    for x in (640, 656, 674, 690):
        c.shape(stroke([(x, 142), (x, 206)], 3), "#2a2a3f")
    c.shape([*arc(665, 144, 38, 40, 180, 360)], ("#d83f38", "#a12a2e"))
    c.shape(stroke([(665, 106), (665, 88)], 4), "#2a2a3f")
    for x in range(618, 716, 12):
        c.shape(stroke([(x, 190), (x, 208)], 1.8), "#2a2a3f")
    c.shape(stroke([(616, 190), (714, 190)], 2.6), "#2a2a3f")
    c.shape(box(648, 412, 682, 446, 12), "#3a2530")
    house = box(736, 404, 800, 446)
    c.shape(house, "#e9e4dc")
    c.shape([(728, 406), (768, 376), (808, 406)], "#a12f2f")
    c.shape(box(748, 416, 764, 434), "#ffd978")
    c.shape(box(776, 416, 790, 446), "#5a3b36")
