"""Metrics against people drawn: the result's numbers, a dash where undefined, and no name of a stranger as markup."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.offline
import pytest

from capeval_core.analysis import judging, williams
from capeval_core.analysis.judging import Judging, Settings
from capeval_core.figures import judge_tables, judges, judges_report
from capeval_core.figures.palette import DARK, LIGHT
from capeval_core.figures.tables import Grid, render
from capeval_core.io.dataset import Pairs
from capeval_core.types import Array
from tests.figures.hostile import ALL, HOSTILE, TAGS, check_figure, check_html, read

FEW = Settings(samples=20)
IMAGES = [str(place // 3) for place in range(60)]


def captions(own: str = "own") -> Judging:
    generator = np.random.default_rng(0)
    quality = generator.normal(3, 1, 60)
    scores = {"cider": quality + generator.normal(0, 0.3, 60), own: quality + generator.normal(0, 2, 60)}
    scores["flat"] = np.ones(60)
    ratings: Array = np.clip(np.round(quality[:, None] + generator.normal(0, 0.5, (60, 2))), 1, 5).astype(np.float64)
    systems = [f"s{place % 5}" for place in range(60)]
    found = judging.judge_captions(scores, ratings, IMAGES, systems, FEW, raters=[own, "Bo"])
    stand_ins = {own: f"{own} stands in"}
    return replace(found, protocol=f"protocol of {own}", signatures={own: f"{own}|v:1"}, stand_ins=stand_ins)


def pairs(group: str = "HC", own: str = "own") -> Judging:
    scores = {own: np.arange(60.0), "cider": np.tile([1.0, 0.0], 30), "none": np.full(60, math.nan)}
    rows = list(range(30))
    groups = [group] * 20 + ["MM"] * 10
    two = Pairs(tuple(rows), tuple(row + 1 for row in rows), ("second",) * 30, tuple(groups))
    return judging.judge_pairs(scores, two, IMAGES, FEW)


def texts(grid: Grid) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in grid.rows]


def page(found: Judging, dark: bool = False) -> str:
    corrected = williams.holm(found.williams)
    groups = williams.letters(corrected, judge_tables.by_value(found.metrics, "pearson")) if found.metrics else {}
    text = judges_report.build(found, groups, corrected, DARK if dark else LIGHT)
    return text.replace(plotly.offline.get_plotlyjs(), "")


def test_the_best_stands_first_and_bold() -> None:
    found = captions()
    order = judge_tables.by_value(found.metrics, "kendall_c")
    assert order == ["cider", "own", "flat"]
    grid = judge_tables.agreement_grid(found.metrics, "kendall_c", {"cider": "a", "own": "ab"}, LIGHT, 0.6)
    best = found.metrics["cider"].kendall_c
    assert texts(grid)[0][:3] == ["CIDEr", f"{best.value:.3f}", f"{best.low:.3f} to {best.high:.3f}"]
    assert [row.cells[1].bold for row in grid.rows] == [True, False, False]
    assert [row[-1] for row in texts(grid)] == ["a", "ab", "–"]
    assert texts(grid)[2][1] == "–"
    bar = grid.rows[0].cells[3].bar
    assert bar is not None
    most = max(best.high, 0.6)
    assert bar.end == pytest.approx(best.value / most)
    assert bar.span == pytest.approx((best.low / most, best.high / most))
    assert bar.ticks == pytest.approx((0.6 / most,))
    assert grid.rows[2].cells[3].bar is None
    render(grid, LIGHT)


def test_pairs_by_group() -> None:
    grid = judge_tables.pairs_grid(pairs().pairs, LIGHT)
    assert [column.head.text for column in grid.columns] == ["metric", "HC", "MM", "mean", ""]
    assert texts(grid)[0][:4] == ["own", "100.0", "100.0", "100.0"]
    assert texts(grid)[1][:4] == ["CIDEr", "50.0", "50.0", "50.0"]
    assert texts(grid)[2][:4] == ["none", "–", "–", "–"]
    assert grid.columns[1].head.under == "20 pairs"


def heat(drawn: Any) -> dict[str, Any]:
    (trace,) = (one for one in json.loads(drawn.to_json())["data"] if one["type"] == "heatmap")
    return dict(trace)


def test_matrices_show_every_pair() -> None:
    found = captions()
    shown = heat(judges.similarity(found.between, LIGHT))
    rho = found.between["cider"]["own"]
    assert shown["text"][0][1].replace(".", "0.") == f"{rho:.2f}"
    assert [shown["text"][n][n] for n in range(2)] == ["1.00", "1.00"]
    wins = heat(judges.wins(found.williams, ["cider", "own"], LIGHT))
    p = found.williams["cider"]["own"]
    assert p < 0.001
    assert wins["text"] == [["", "&lt;.001"], ["", ""]]
    assert found.complementarity is not None
    gains = heat(judges.gains(found.complementarity, LIGHT))
    gain = found.complementarity.gains["own"]["cider"].gain.value
    assert gains["text"][1][0].replace("+.", "+0.") == f"{gain:+.2f}"


def test_one_box_per_rating() -> None:
    levels = captions().by_rating["cider"]
    drawn = judges.score_by_rating(levels, "CIDEr", LIGHT)
    (box,) = drawn.data
    assert list(box.median) == [level.quantiles[2] for level in levels]
    assert list(box.lowerfence) == [level.quantiles[0] for level in levels]
    assert [text.split("<br>")[1] for text in drawn.layout.xaxis.ticktext] == [str(level.count) for level in levels]


def test_weights_and_raters() -> None:
    found = captions()
    assert found.complementarity is not None
    assert found.agreement is not None
    weights = judge_tables.weights_grid(found.complementarity, LIGHT)
    assert texts(weights)[0][:2] == ["CIDEr", f"{found.complementarity.weights['cider']:.3f}"]
    assert f"Together: Pearson {found.complementarity.best.pearson.value:.3f}" in weights.note
    raters = judge_tables.raters_grid(found.agreement)
    assert [row[0] for row in texts(raters)] == ["any rating", "own", "Bo"]
    assert f"{found.agreement.alpha.value:.3f}" in raters.note


@pytest.mark.parametrize("text", [*HOSTILE, ALL])
def test_no_name_is_read_as_markup(text: str) -> None:
    found = captions(text)
    assert found.complementarity is not None
    assert found.agreement is not None
    for grid in (
        judge_tables.agreement_grid(found.metrics, "pearson", {text: "a"}, LIGHT),
        judge_tables.weights_grid(found.complementarity, LIGHT),
        judge_tables.raters_grid(found.agreement),
        judge_tables.pairs_grid(pairs(text, text).pairs, LIGHT),
    ):
        check_html(render(grid, LIGHT))
    for drawn in (
        judges.similarity(found.between, LIGHT),
        judges.wins(found.williams, list(found.metrics), LIGHT),
        judges.gains(found.complementarity, LIGHT),
        judges.score_by_rating(found.by_rating[text], text, LIGHT),
    ):
        check_figure(drawn)
    html = page(found)
    tags, _ = read(html)
    ours = f"html head meta title style script body h1 h2 h3 pre {TAGS}"
    assert {tag for tag, _ in tags} <= set(ours.split())
    assert not any(name.startswith("on") for _, attributes in tags for name in attributes)
    assert not any(mark in html for mark in "\u202e\u2067\u2066")


def test_the_report_asks_nobody_and_leaves_out_what_there_is_not() -> None:
    text = page(captions(), dark=True)
    assert "Which metric ranks the captioners as people do?" in text
    assert DARK.background in text
    tags, shown = read(text)
    assert not {"src", "href"} & {name for _, attributes in tags for name in attributes}
    assert "own|v:1" in shown
    assert "own stands in." in shown
    assert "protocol of own" in shown
    text = page(pairs())
    assert "Which differences are real?" not in text
    assert "How well do people agree with each other?" not in text
