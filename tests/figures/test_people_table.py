"""The table of metrics against people, its sentences and the LaTeX table: every number is the judging's own."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from capeval_core.analysis import judging
from capeval_core.analysis.judging import Settings
from capeval_core.figures import judge_latex, judge_words, people_table
from capeval_core.figures.judge_tables import name
from capeval_core.figures.palette import LIGHT
from capeval_core.figures.people_table import Measured, Standing
from capeval_core.figures.tables import Badge, render
from tests.analysis.test_judging import IMAGES, SYSTEMS, data
from tests.analysis.test_significance import two
from tests.figures.hostile import ALL, check_html

FEW = Settings(samples=20)
EXPERT = Measured(
    "Expert",
    "tau-c",
    {
        "spice": Standing(0.45, 0.43, 0.47, "a"),
        "bleu_1": Standing(0.3, math.nan, math.nan),
        "mima": Standing(-0.1, -0.2, 0),
    },
    {"spice": 0.44, "CLIPScore": 0.5},
)
PAIRS = Measured("Pairs", "%", {"spice": Standing(0.75, 0.7, 0.8)}, chance=0.5, scale=100.0)


def test_values_published_ones_and_bars() -> None:
    grid = people_table.grid([EXPERT, PAIRS], ["spice", "bleu_1", "mima"], {"spice": Badge("≈", "tip")}, LIGHT)
    best = grid.rows[0].cells[1]
    assert (best.text, best.beside, best.bold) == ("0.450", "(0.440)", True)
    assert best.badge is not None
    assert best.badge.text == "a"
    assert best.tip == "SPICE on Expert: 0.450, 95 % between 0.430 and 0.470; published 0.440"
    assert best.bar is not None
    assert best.bar.end == pytest.approx(0.45 / 0.5)  # the longest bar is the published one
    assert best.bar.span == pytest.approx((0.43 / 0.5, 0.47 / 0.5))
    assert best.bar.hollow == pytest.approx(0.44 / 0.5)
    right = grid.rows[0].cells[2]
    assert (right.text, right.beside) == ("75.0", "")
    assert right.bar is not None
    assert right.bar.end == pytest.approx((0.75 - 0.5) / 0.3)  # from chance
    plain = grid.rows[1].cells[1]
    assert plain.bar is not None
    assert (plain.bar.span, plain.bar.hollow, plain.bold) == (None, None, False)
    below = grid.rows[2].cells[1].bar
    assert below is not None
    assert below.end == 0
    assert grid.rows[1].cells[2].text == ""
    others = grid.rows[3]
    assert (others.cells[0].text, others.cells[1].beside, others.heading) == (
        "CLIPScore",
        "(0.500)",
        people_table.PUBLISHED_ONLY,
    )
    check_html(render(grid, LIGHT))


@pytest.mark.parametrize("seed", range(20))
def test_sentences_say_what_the_matrix_says(seed: int) -> None:
    generator = np.random.default_rng(seed)
    order = ["spice", "cider", "meteor", "bleu_1"]
    found: dict[str, dict[str, float]] = {key: {} for key in order}
    for place, one in enumerate(order):
        for other in order[place + 1 :]:
            found[one][other] = float(generator.choice([0.01, 0.3]))
            found[other][one] = 1 - found[one][other]
    text = judge_words.differences(found, order)
    labels = {name(key): key for key in order}
    for one, other in re.findall(r"([\w-]+) beats ([\w-]+)(?=[;.])", text):
        assert found[labels[one]][labels[other]] < 0.05
    for one, other in re.findall(r"([\w-]+) and ([\w-]+) cannot be told apart", text):
        assert found[labels[one]][labels[other]] >= 0.05
    wins = sum(p < 0.05 for p in found["spice"].values())
    assert ("than every other metric here" in text) == (wins == 3)
    if 0 < wins < 3:
        assert f"SPICE beats {wins} of 3 other metrics" in text


def test_what_a_judging_says_in_words() -> None:
    scores, ratings = data()
    found = judging.judge_captions(scores, ratings, IMAGES, SYSTEMS, FEW)
    rho, one, other = max((rho, a, b) for a, row in found.between.items() for b, rho in row.items())
    said = judge_words.alike(found.between)
    assert said.startswith((f"{name(one)} and {name(other)} put",))
    assert f"(Spearman {rho:.2f})" in said
    levels = found.by_rating["cider"]
    assert judge_words.rises(levels) == (
        f"median rises from {levels[0].quantiles[2]:.3f} to {levels[-1].quantiles[2]:.3f}"
    )
    assert judge_words.rises(levels[:1]) == ""
    assert "at the lowest and at the highest" in judge_words.rises((levels[0], levels[0]))
    assert found.complementarity
    together = judge_words.together(found.complementarity)
    best = max(found.complementarity.alone.values())
    assert f"alone has {best:.3f}" in together
    assert f"reaches Pearson {found.complementarity.best.pearson.value:.3f}" in together
    chosen = judging.judge_pairs(scores, two(), IMAGES, FEW)
    shares = {key: one.accuracy for key, one in chosen.overall.items()}
    assert f"{100 * max(shares.values()):.1f} % of the pairs" in judge_words.pairs_best(shares, ["a", "b"])
    assert judge_words.pairs_best({"cider": math.nan}, []).startswith("No metric")


def test_latex_has_every_value_and_escapes_names() -> None:
    scores, ratings = data()
    found = judging.judge_captions({**scores, ALL: scores["cider"]}, ratings, IMAGES, SYSTEMS, FEW)
    text = judge_latex.build(found, list(found.metrics), {"cider": "ab"})
    assert rf"CIDEr & {found.metrics['cider'].pearson.value:.3f}" in text.replace(r"\textbf{", "").replace("}", "")
    assert text.count(r"\textbf{") >= 4
    assert text.count(r" \\") == 1 + len(found.metrics)
    body = text.split(r"\midrule")[1].split(r"\bottomrule")[0]
    assert not re.search(r"(?<!\\)[$#%_](?!\w*})", body.replace(r"\textbf", ""))
    pairs = judging.judge_pairs(scores, two(), IMAGES, FEW)
    assert "metric & a & b & mean" in judge_latex.build(pairs, list(scores), {})
    assert f"{100 * pairs.overall['cider'].accuracy:.1f}" in judge_latex.build(pairs, list(scores), {})
    assert judge_latex.escape("a_b & 50%\\") == r"a\_b \& 50\%\textbackslash{}"
