"""Style and meaning: the sentence says no more than what holds, the drawing shows every caption."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

from capeval_core.analysis.people import people
from capeval_core.figures import meaning, svg
from capeval_core.figures.meaning import CORNERS, Placed
from capeval_core.figures.palette import DARK, LIGHT
from tests.figures.hostile import ALL, check_figure

PEOPLE = people()
SAID = {"99 people in 100": 0.99, "nine people in ten": 0.9, "three people in four": 0.75}


def placed(x: float, y: float, grammar: float = 0.0, name: str = "B", reference: bool = False) -> Placed:
    return Placed(name, f"the caption of {name}", name, x, y, grammar, reference)


def test_a_plain_caption_that_says_what_people_say() -> None:
    x = float(PEOPLE.quantiles["sparcs"][100])
    y = float(PEOPLE.quantiles["spurts"][40])
    assert meaning.sentence(placed(x, y), PEOPLE) == "B says what people say, more plainly than three people in four."


def test_far_from_people_and_odd() -> None:
    text = meaning.sentence(placed(-9, 9, -2.5), PEOPLE)
    assert text == (
        "B says less of what people say than 99 people in 100, in more distinct words than 99 people in 100; its "
        "grammar is an outlier, 2.5 standard deviations below people's (MIMA)."
    )
    assert "no place here" in meaning.sentence(placed(float("nan"), 0), PEOPLE)


def test_what_is_said_never_exceeds_what_holds() -> None:
    """Over a thousand random places: each share named is at most the measured one, and a larger one would not hold."""
    chance = random.Random(0)
    for _ in range(1_000):
        one = placed(chance.gauss(0, 1.5), chance.gauss(0, 1.5), chance.gauss(0, 1.5))
        about_meaning, about_style = meaning.sentence(one, PEOPLE).split(", ", 1)
        check(about_meaning, PEOPLE.below("sparcs", one.meaning), "more of what", "less of what")
        check(about_style, PEOPLE.below("spurts", one.style), "more distinct", "more plainly")
        assert ("outlier" in about_style) == (one.grammar < -1.96)


def check(text: str, below: float, more: str, less: str) -> None:
    named = [share for words, share in SAID.items() if words in text]
    if not named:
        assert 0.25 < below < 0.75
        return
    (share,) = named
    assert (more in text) != (less in text)
    holds = below if more in text else 1 - below
    assert share <= holds
    assert not any(share < other <= holds for other in SAID.values())


def test_every_caption_is_a_labelled_point_and_the_corners_have_names() -> None:
    rows = [placed(0.1 * n, -0.2 * n, -3.0 if n == 2 else 0.0, f"candidate {n}") for n in range(12)]
    rows += [placed(0.3, 0.1 * n, name=f"ref {n}", reference=True) for n in range(1, 6)]
    figure = meaning.draw(rows, PEOPLE, 1.15, (), LIGHT)
    names = {name for trace in figure.data for name in (trace.text or ())}
    assert {one.name for one in rows} <= names
    clicks = {row[0] for trace in figure.data if trace.customdata is not None for row in trace.customdata}
    assert clicks == {one.key for one in rows}
    hints = " ".join(text for trace in figure.data for text in (trace.hovertext or ()))
    assert all(one.caption in hints for one in rows)
    assert hints.count("odd grammar") == 1
    written = " ".join(one.text for one in figure.layout.annotations)
    assert all(corner in written for corner in CORNERS)
    assert all(corner in svg.draw(figure, "x") for corner in CORNERS)


def test_the_note_names_the_ellipse_and_what_it_holds() -> None:
    rows = [placed(0, 0, -3.0), placed(float("nan"), 0, name="C"), placed(0, 0, name="ref 1", reference=True)]
    text = meaning.note(rows, PEOPLE, 1.15, own=False)
    assert PEOPLE.source in text
    (share,) = re.findall(r"(\d+)% of them lie inside", text)
    assert int(share) == round(100 * PEOPLE.inside(1.15))
    assert "far below people's: B." in text
    assert "Not scored by both: C." in text
    assert "From five references on" in text
    assert "own references" in meaning.note(rows, PEOPLE, 1.15, own=True)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_captions_and_names_are_text(palette: object) -> None:
    rows = [Placed(ALL, ALL, "1", 0, 0, -3), Placed("ref 1", ALL, "r", 1, 1, 0, True)]
    check_figure(meaning.draw(rows, PEOPLE, 1.15, ((0, 0), (1, 0), (1, 1)), palette))  # type: ignore[arg-type]


def test_the_ellipse_is_that_of_the_figures() -> None:
    figure = meaning.draw([placed(0, 0)], PEOPLE, 2.0, (), LIGHT)
    outline = np.array([figure.data[0].x, figure.data[0].y], dtype=float).T[:-1]
    assert outline.tolist() == pytest.approx(PEOPLE.outline(2.0)[::4], abs=1e-12)
