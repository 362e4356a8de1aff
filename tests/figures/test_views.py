"""Blame map, profile and comparison: pure drawings of finished results."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from capeval_core import registry
from capeval_core.figures import blame, compare, profile, spreads, why
from capeval_core.figures.blame import Blame
from capeval_core.figures.html import caption_html
from capeval_core.figures.palette import DARK, LIGHT
from capeval_core.figures.perturb import Move, sensitivity
from capeval_core.figures.scales import Band, Scale, ends
from capeval_core.figures.spreads import Mean, Ridge
from capeval_core.figures.systems import Axis, Dot, Group, scatter
from capeval_core.figures.tables import render
from tests.figures.hostile import ALL, HOSTILE, IMAGE, check_figure, check_html

CHANGES = np.array([[0.0, -0.5, 0.1], [0.0, -2.0, 0.2]])
FOUND = Blame(("a", "dog", "flies"), ("bleu_1", "cider"), np.array([0.5, 2.0]), CHANGES)
NOTHING = "There is no word to delete, or no metric that can score this caption."
BANDS = {"cider": Band(1.0, 2.0, 4.0)}


def test_changes_are_scaled_by_the_caption_or_the_best_person() -> None:
    assert blame.scaled(FOUND, {}).tolist() == [[0.0, -1.0, 0.2], [0.0, -1.0, 0.1]]
    assert blame.scaled(FOUND, BANDS).tolist() == [[0.0, -1.0, 0.2], [0.0, -0.5, 0.05]]


def test_the_blame_map_says_and_shows_the_same() -> None:
    assert blame.sentence(FOUND, {}) == (
        "Deleting “dog” costs most: 2 of 2 scores fall. Deleting “flies” gains most: 2 of 2 scores rise."
    )
    drawn = blame.draw(FOUND, {}, LIGHT)
    assert [list(row) for row in drawn.data[0].text] == [["", "-.50", "+.10"], ["", "-2.00", "+.20"]]
    assert drawn.data[0].customdata[0][1] == "without “dog” BLEU-1 changes by -0.500<br>from 0.500 to 0.000"
    assert list(drawn.layout.xaxis.ticktext) == ["a", "dog", "flies"]


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (Blame((), (), np.zeros(0), np.zeros((0, 0))), NOTHING),
        (Blame(("a",), ("bleu_1",), np.ones(1), np.zeros((1, 1))), "No word changes a score."),
        (Blame(("a",), ("bleu_1",), np.ones(1), np.full((1, 1), math.nan)), "No word changes a score."),
    ],
)
def test_a_blame_map_with_nothing_to_blame(found: Blame, sentence: str) -> None:
    assert blame.sentence(found, {}) == sentence


def test_a_scale_runs_from_the_worst_to_the_best_on_show(monkeypatch: pytest.MonkeyPatch) -> None:
    scale = Scale("bleu_1", [0.2, 0.4], Band(0.1, 0.3, 0.8))
    assert (scale.at(0.0), scale.at(0.8)) == (0.0, 1.0)
    endless = replace(registry.get("cider"), bounds=(-math.inf, math.inf))
    monkeypatch.setattr(registry, "get", lambda key: endless)
    assert Scale("cider", [-2.0, 2.0], None).at(-2.0) == 0.0
    lower = replace(endless, direction="lower")
    monkeypatch.setattr(registry, "get", lambda key: lower)
    assert Scale("cider", [-2.0, 2.0], None).at(2.0) == 0.0


def test_the_profile_draws_each_candidate_and_peoples_range() -> None:
    values = [{"bleu_1": 0.5, "cider": 1.0}, {"cider": 2.0}]
    drawn = profile.draw(["one", "two"], values, BANDS, LIGHT)
    assert [trace.name for trace in drawn.data] == ["one", "two"]
    assert list(drawn.layout.yaxis.ticktext) == ["BLEU-1", "CIDEr"]
    assert list(drawn.data[1].x) == [0.5]  # of 4, what the best person reaches
    assert list(drawn.data[1].y) == [1]
    (shape,) = drawn.layout.shapes
    assert (shape.x0, shape.x1, shape.y0) == (0.25, 1.0, pytest.approx(0.68))
    assert drawn.data[0].customdata[1] == "CIDEr 1.000<br>people reach 1.000 to 4.000"


def test_a_comparison_has_a_bar_towards_the_better_one() -> None:
    left, right = {"bleu_1": 0.5, "cider": 1.0, "wmd": 0.1}, {"bleu_1": 0.25, "cider": 2.0}
    grid = compare.differences(left, right, LIGHT, BANDS, {"cider": "why"})
    assert [row.cells[0].text for row in grid.rows] == ["BLEU-1", "CIDEr"]
    (_, first, bar, second, apart), (_, third, other, fourth, _) = (row.cells for row in grid.rows)
    assert (first.text, second.text, apart.text) == ("0.500", "0.250", "-0.250")
    assert (first.bold, second.bold, third.bold, fourth.bold) == (True, False, False, True)
    assert bar.bar
    assert other.bar
    assert (bar.bar.start, bar.bar.end) == (0.25, 0.5)
    assert (other.bar.start, other.bar.end) == (0.5, 0.625)  # a quarter of what the best person reaches
    assert other.under == "why"
    check_html(render(grid, DARK))


@pytest.mark.parametrize(("left", "right"), [(0.5, 0.5), (0.0, 0.0), (1e-9, 2e-5), (0.41230, 0.41234)])
def test_what_reads_the_same_is_level(left: float, right: float) -> None:
    (row,) = compare.differences({"bleu_4": left}, {"bleu_4": right}, LIGHT, {}, {}).rows
    _, first, bar, second, apart = row.cells
    assert not first.bold
    assert not second.bold
    assert bar.bar
    assert bar.bar.start == bar.bar.end
    assert apart.text == "level"
    assert why.overall({"bleu_4": left}, {"bleu_4": right}, ([], [])) == "Of 1 score 1 is level."


def test_the_blame_map_counts_what_it_shows() -> None:
    """A change that the map leaves empty is none."""
    changes = np.array([[-0.2], [-0.0004], [0.0], [math.nan], [0.004]])
    keys = ("bleu_1", "bleu_2", "bleu_3", "bleu_4", "rouge_l")
    found = Blame(("dog",), keys, np.full(5, 0.5), changes)
    assert blame.sentence(found, {}) == "Deleting “dog” costs most: 1 of 5 scores fall, 1 rise."
    shown = [text for (text,) in blame.draw(found, {}, LIGHT).data[0].text]
    assert shown == ["-.20", "", "", "", "+.004"]


def test_the_profile_counts_no_score_of_nothing() -> None:
    bands = {"bleu_4": Band(0.0, 0.0, 0.2), "cider": Band(1.0, 2.0, 4.0), "wmd": Band(0.1, 0.2, 0.3)}
    said = profile.sentence({"bleu_4": 0.0, "cider": 1.5, "wmd": 0.05, "spice": 0.2}, bands)
    assert said == "The chosen caption is within people's range (grey) or better for 1 of 3 metrics."
    assert profile.sentence({"spice": 0.2}, bands) == ""


def test_a_bar_ends_at_what_people_reach() -> None:
    assert ends("cider", [0.4], Band(0.5, 0.8, 1.6)) == (0.0, 1.6)
    assert ends("cider", [2.0, 0.4], Band(0.5, 0.8, 1.6)) == (0.0, 2.0)
    assert ends("cider", [0.4], None) == (0.0, 10.0)
    assert ends("bleu_4", [0.0], Band(0.0, 0.0, 0.0)) == (0.0, 1.0)
    assert ends("smurf", [1.0, -2.0], Band(0.5, 2.0, 3.0)) == (-2.0, 3.0)


@pytest.mark.parametrize("text", [*HOSTILE, ALL])
def test_a_visitors_words_stay_words(text: str) -> None:
    words = tuple(text.split())
    found = Blame(words, ("bleu_1",), np.ones(1), np.array([[-0.1 * (n + 1) for n in range(len(words))]]))
    check_figure(blame.draw(found, {}, DARK))
    assert "\u202e" not in blame.sentence(found, {})
    names = check_figure(profile.draw([text], [{"bleu_1": 0.5}], {}, DARK))
    assert ("&lt;img" in names) == (IMAGE in text)
    for caption in compare.word_diff(text, "a dog", [text, "a cat"]):
        check_html(caption_html(caption, DARK))


@pytest.mark.parametrize("text", [*HOSTILE, ALL])
def test_names_of_captioners_and_kinds_stay_names(text: str) -> None:
    at = ((0.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    dots = tuple(Dot(point, str(n), (text, text)) for n, point in enumerate(at))
    groups = [Group(text, dots, at, at[0], text, text), Group("people", dots, at, at[1], "a dog", reference=True)]
    check_figure(scatter(DARK, groups, Axis(text, text), Axis(text)))
    check_figure(spreads.ridges(DARK, [Ridge(text, np.array([0.1, 0.5]), True), Ridge("b", np.array([0.2]))]))
    check_figure(spreads.decay(DARK, [Mean(0.0, 0.5, 0.4, 0.6), Mean(1.0, 0.1, 0.0, 0.2)], text))
    check_figure(sensitivity([Move(text, "bleu_1", -0.2, hint=text)], DARK))
