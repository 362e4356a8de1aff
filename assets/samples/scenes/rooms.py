"""A living room with a sleeping cat."""

from __future__ import annotations

from canvas import Canvas, arc, box, ellipse, smooth, stroke

from scenes.nature import cloud


def livingroom(c: Canvas) -> None:
    """An orange cat sleeps on a teal sofa in a living room with a lamp and a plant."""
    c.shape(box(0, 0, 960, 480), ("#f1dfcb", "#e9d0b8"))
    c.shape(box(0, 470, 960, 640), ("#b9814f", "#8f5c36"))
    for y in (492, 522, 560, 604):
        c.shape(box(0, y, 960, y + 1.6), "#6f432588")
    for k in range(14):
        x, y = (k * 137) % 960, (470, 493, 523, 561, 605)[k % 5]
        c.shape(box(x, y, x + 1.6, y + 30), "#6f432588")
    c.shape(box(0, 460, 960, 474), "#fbf1e4")
    _window(c)
    for x, y, w, h in ((420, 90, 92, 116), (530, 110, 110, 84)):
        c.shape(box(x + 4, y + 6, x + w + 4, y + h + 6), "#7d5a3c44", blur=3)
        c.shape(box(x, y, x + w, y + h), "#5a3d2a")
        c.shape(box(x + 8, y + 8, x + w - 8, y + h - 8), "#fbf4e8")
    c.shape(ellipse(466, 136, 22), "#e2794a")
    c.shape(smooth([(434, 190), (450, 160), (478, 172), (500, 150), (500, 190)]), "#2f7a7d")
    c.shape(box(434, 188, 498, 198), "#2f7a7d")
    for x, h in ((556, 30), (574, 44), (592, 36), (608, 24)):
        c.shape(box(x, 178 - h, x + 11, 178, 3), "#c9953f" if h > 32 else "#b5544a")
    c.glow(770, 190, 250, "#fff3c8", 0.85)
    c.shape(stroke([(770, 540), (770, 200)], 6), "#3a3230")
    c.shape(ellipse(770, 542, 40, 8), "#3a3230")
    c.shape([(738, 128), (802, 128), (832, 208), (708, 208)], ("#ffeebb", "#f9cf7a"))
    c.shape(ellipse(480, 574, 380, 50), "#c4574a")
    c.shape(ellipse(480, 574, 346, 41), "#efdcc0")
    c.shape(ellipse(480, 574, 316, 35), "#c4574a")
    _sofa(c)
    _sleeping_cat(c)
    _plant(c)
    c.shape(ellipse(500, 622, 170, 11), "#4a2c1a77", blur=5)
    for x in (366, 634):
        c.shape(stroke([(x, 576), (x - (x - 500) * -0.08, 622)], (9, 6)), "#5a3620")
    c.shape(ellipse(500, 566, 168, 22), "#6f4427")
    c.shape(ellipse(500, 560, 168, 22), ("#c08a55", "#a06c3c"))
    c.shape([(410, 548), (486, 544), (494, 560), (414, 566)], "#2f5f8f")
    c.shape([(414, 540), (482, 536), (492, 552), (416, 558)], "#f4ecdf")
    c.shape([(414, 536), (482, 532), (492, 548), (416, 554)], "#d1644f")
    c.shape(stroke(arc(592, 546, 11, 10, -90, 90), 4.5, soft=False), "#f7f2e8")
    c.shape(box(558, 528, 592, 564, 7), ("#fffaf0", "#dccfbd"))
    c.shape(ellipse(575, 530, 16, 4.6), "#6b4226")


def _window(c: Canvas) -> None:
    pane = box(90, 70, 330, 340)
    c.shape(pane, ("#8fcbea", "#d9eff5"))
    with c.inside(pane):
        cloud(c, 160, 140, 0.5)
        cloud(c, 284, 190, 0.4)
        c.shape(smooth([(60, 280), (150, 250), (250, 284), (360, 256), (360, 360), (60, 360)]), ("#9cc57a", "#6fa05a"))
        c.shape(ellipse(280, 262, 34, 40), "#5a914f")
        c.shape(ellipse(250, 276, 26, 28), "#6ba45a")
    for a, b in (((90, 205), (330, 205)), ((210, 70), (210, 340))):
        c.shape(stroke([a, b], 7), "#fdf7ee")
    c.shape(stroke([(90, 70), (330, 70), (330, 340), (90, 340), (90, 70)], 13, soft=False), "#fdf7ee")
    c.shape(box(74, 340, 346, 354, 3), "#fdf7ee")
    c.shape(box(80, 354, 340, 360), "#c9a98a66")
    for x0, way in ((58, 1), (362, -1)):
        edge = [(x0 + way * 58, 56), (x0 + way * 46, 200), (x0 + way * 20, 320), (x0 + way * 30, 446)]
        curtain = [
            *smooth(edge, closed=False),
            *smooth([(x0 - way * 12, 446), (x0 - way * 4, 320), (x0 - way * 8, 56)], closed=False),
        ]
        c.shape(curtain, ("#d98a5a", "#c4703f"))
        with c.inside(curtain):
            for dx in (10, 26):
                c.shape(
                    stroke([(x0 + way * dx, 50), (x0 + way * dx * 0.9, 240), (x0 + way * dx * 0.6, 450)], 4),
                    "#8f4a2455",
                )
    c.shape(stroke([(36, 56), (384, 56)], 7), "#5a3d2a")


def _sofa(c: Canvas) -> None:
    teal, dark, light = "#2f8a8a", "#1f6a6e", "#48a5a0"
    c.shape(ellipse(480, 540, 320, 16), "#4a1f1a88", blur=6)
    for x in (226, 734):
        c.shape(stroke([(x, 516), (x, 542)], (13, 8)), "#4a2f1f")
    c.shape(box(216, 288, 744, 470, 34), (light, teal, dark))
    c.shape(stroke([(480, 300), (480, 420)], 3), "#1a585c88")
    c.shape(box(220, 462, 740, 526, 14), dark)
    for x0, x1 in ((230, 478), (482, 730)):
        c.shape(box(x0, 408, x1, 476, 18), (light, teal))
    for x0, x1 in ((180, 250), (710, 780)):
        c.shape(box(x0, 356, x1, 526, 32), (light, teal, dark))
    for pts, fill in (
        ([(268, 330), (344, 318), (358, 398), (282, 412)], ("#f4c85a", "#dea336")),
        ([(616, 322), (696, 334), (684, 414), (604, 404)], ("#f2e6d4", "#d9c4a8")),
    ):
        c.shape(smooth(pts), fill)
    for k in range(3):
        c.shape(stroke([(622 + k * 22, 338 + k * 2), (614 + k * 22, 394 + k * 2)], 4), "#c4574a")


def _sleeping_cat(c: Canvas) -> None:
    fur, dark, light = "#e8924a", "#c46a28", "#fbe6cc"
    c.shape(ellipse(470, 424, 112, 9), "#123f4288", blur=4)
    body = smooth([(376, 400), (392, 356), (446, 328), (512, 334), (560, 366), (574, 408), (540, 426), (410, 428)])
    c.shape(body, (fur, "#dc8038"))
    with c.inside(body):
        for x in (450, 482, 514):
            c.shape(stroke([(x, 322), (x + 12, 350), (x + 10, 376)], (12, 9, 2)), dark)
        c.shape(ellipse(470, 430, 110, 16), "#a8561e66", blur=5)
    c.shape(stroke([(566, 404), (540, 424), (470, 424), (428, 418)], (26, 26, 22, 12)), fur)  # tail around the body
    for x in (540, 512, 484):
        c.shape(stroke([(x, 412), (x - 3, 435)], 6), dark)
    c.shape(stroke([(446, 421), (428, 418)], (16, 12)), light)
    for ear in ([(352, 362), (350, 326), (380, 344)], [(398, 342), (424, 322), (426, 360)]):
        c.shape(smooth(ear, steps=8), fur)
        mid = (sum(p[0] for p in ear) / 3, sum(p[1] for p in ear) / 3)
        c.shape([(mid[0] + (px - mid[0]) * 0.5, mid[1] + (py - mid[1]) * 0.5) for px, py in ear], "#eeb09a")
    head = ellipse(388, 378, 46, 38)
    c.shape(head, fur)
    with c.inside(head):
        c.shape(ellipse(384, 402, 26, 20), light)
        for x in (376, 388, 400):
            c.shape(stroke([(x, 336), (x, 356)], (7, 2)), dark)
    for x in (366, 404):
        c.shape(stroke(arc(x, 374, 9, 6, 10, 170), 2.8, soft=False), "#4a2a18")
    c.shape([(379, 388), (391, 388), (385, 395)], "#c45a5a")
    c.shape(stroke(arc(380, 396, 5, 4, 0, 150), 2, soft=False), "#4a2a18")
    c.shape(stroke(arc(390, 396, 5, 4, 30, 180), 2, soft=False), "#4a2a18")
    for way in (-1, 1):
        for dy in (-3, 5):
            c.shape(stroke([(385 + way * 22, 394 + dy * 0.4), (385 + way * 54, 392 + dy * 2)], (1.4, 0.7)), "#fff8ee")


def _plant(c: Canvas) -> None:
    c.shape(ellipse(872, 576, 60, 9), "#4a2c1a77", blur=4)
    leaves = (
        (-70, 300, "#3f8a57"),
        (66, 310, "#2f7a4f"),
        (-34, 250, "#4f9c5f"),
        (36, 256, "#3f8a57"),
        (0, 226, "#5fae68"),
        (-84, 372, "#2f7a4f"),
        (76, 380, "#4f9c5f"),
    )
    for dx, top, fill in leaves:
        tip, foot = (872 + dx, top), (872 + dx * 0.05, 490)
        c.shape(stroke([foot, (872 + dx * 0.35, (top + 490) / 2 + 20), (872 + dx * 0.8, top + 50)], 4), "#2f6a45")
        lean = dx * 0.3
        leaf = smooth([tip, (tip[0] + 24 - lean, top + 44), (tip[0] - lean, top + 106), (tip[0] - 26 - lean, top + 46)])
        c.shape(leaf, fill)
        c.shape(stroke([tip, (tip[0] - lean, top + 100)], (1, 2.4)), "#d9f0c455")
    c.shape([(826, 484), (918, 484), (904, 574), (840, 574)], ("#f0e4d2", "#fbf4e8", "#c9b496"), across=True)
    c.shape(box(820, 478, 924, 494, 5), "#fbf4e8")
