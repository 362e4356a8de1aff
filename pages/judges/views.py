"""The views of a finished judging, of the measured data sets and of the visitor's own: each answers a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import streamlit as st

from capeval_core.analysis.judging import Judging
from capeval_core.analysis.significance import headline_values, significance
from capeval_core.analysis.williams import Matrix
from capeval_core.figures import judge_tables, judge_words, judges
from capeval_core.figures.html import line_html
from capeval_core.figures.judge_tables import name
from capeval_core.figures.palette import Palette
from capeval_core.figures.tables import Grid, render
from pages.shell import theme
from pages.widgets.evidence import QUIET
from pages.work.memory import recall

PANEL = 305  # pixels of a small chart: four side by side on a wide screen, two on a narrow one
WIDEST = 900  # pixels of a matrix
AGREEMENT, REAL, ALIKE, BY_RATING = "Agreement", "Real differences", "Metrics alike", "Score by rating"
PAIRS, TOGETHER, CAPTIONERS, RATERS = "Pairs by group", "Together", "Captioners", "Raters"


@dataclass(frozen=True)
class Shown:
    """What is looked at: the judging, where it stands on the page, and what was published beside it."""

    found: Judging
    place: str  # tells the charts of one page apart
    palette: Palette
    published: Mapping[str, Mapping[str, float]]  # accuracies by metric and group of pairs

    @property
    def tests(self) -> tuple[Matrix, dict[str, str]]:
        return recall(("tests", self.place), lambda: significance(self.found))

    @property
    def order(self) -> list[str]:
        values = headline_values(self.found)
        return sorted(values, key=lambda key: -values[key] if values[key] == values[key] else 2.0)


def names(found: Judging) -> list[str]:
    """The views that apply."""
    parts = {
        AGREEMENT: bool(found.metrics),
        PAIRS: bool(found.pairs),
        REAL: len(found.williams or found.right) > 1,
        ALIKE: len(found.between) > 1,
        BY_RATING: bool(found.by_rating),
        TOGETHER: found.complementarity is not None,
        CAPTIONERS: bool(found.captioners),
        RATERS: found.agreement is not None,
    }
    return [view for view, there in parts.items() if there]


def show(view: str, found: Judging, place: str, published: Mapping[str, Mapping[str, float]] | None = None) -> None:
    SHOWN[view](Shown(found, place, theme.palette(), published or {}))


def ask(question: str, answer: str = "", help_text: str = "") -> None:
    """The question in plain words, what the numbers answer, and how to read what stands below."""
    palette = theme.palette()
    st.html(line_html("", palette, bold=question, large=True))
    if answer:
        st.html(line_html(answer, palette))
    if help_text:
        st.html(line_html(help_text, palette, quiet=True))


def agreement(shown: Shown) -> None:
    found = shown.found
    ceiling = found.agreement.one.of(found.headline).value if found.agreement else float("nan")
    reach = f" The mark is what people reach with each other: {ceiling:.3f}." if found.agreement else ""
    best = shown.order[0]
    top = found.metrics[best].of(found.headline)
    doubt = "" if top.low > 0 else " Its interval reaches down to 0, so this may be chance: more ratings would tell."
    coefficient = judge_tables.COEFFICIENTS[found.headline]
    ask(
        "Which metric agrees best with people?",
        f"{name(best)}, with {coefficient} {top.value:.3f}.{doubt}",
        f"The line on a bar is its 95 % interval, from drawing images again.{reach} Metrics that share a letter "
        "cannot be told apart by Williams' test of Pearson's correlations (Holm's correction).",
    )
    letters = shown.tests[1]
    _table(judge_tables.agreement_grid(found.metrics, found.headline, letters, shown.palette, ceiling), shown)


def pairs(shown: Shown) -> None:
    found = shown.found
    overall = {key: one.accuracy for key, one in found.overall.items()}
    said = judge_words.pairs_best(overall, list(found.pairs))
    beside = " In brackets: published." if shown.published else ""
    help_text = f"Per cent of pairs, with their 95 % interval.{beside}"
    ask("Which metric prefers the caption that people prefer?", said, help_text)
    _table(judge_tables.pairs_grid(found.pairs, shown.palette, shown.published), shown)


def real(shown: Shown) -> None:
    corrected = shown.tests[0]
    if shown.found.metrics:
        order = judge_tables.by_value(shown.found.metrics, "pearson")
        test = "Williams' test of Pearson's correlations"
    else:
        order, test = shown.order, "A paired t test over images"
    help_text = (
        f"Filled: the row's metric agrees with people better than the column's. {test}, p after Holm's correction; "
        "where nothing stands the difference may be chance."
    )
    ask("Which differences are real?", judge_words.differences(corrected, order), help_text)
    _matrix("wins", shown, lambda: judges.wins(corrected, order, shown.palette))


def alike(shown: Shown) -> None:
    help_text = "Spearman's correlation of every two metrics' scores; metrics alike stand side by side."
    ask("Which metrics say the same?", judge_words.alike(shown.found.between), help_text)
    _matrix("alike", shown, lambda: judges.similarity(shown.found.between, shown.palette))


def by_rating(shown: Shown) -> None:
    help_text = (
        "A box is the middle half of the scores, its line the median, its ends the 5 and 95 % marks. In a good metric "
        "the boxes climb."
    )
    ask("Do captions that people rate higher get higher scores?", "", help_text)
    order = [key for key in shown.order if shown.found.by_rating.get(key)] or list(shown.found.by_rating)
    panels = st.container(horizontal=True, gap="large", key=f"{shown.place}-panels")
    for key in order:
        levels = shown.found.by_rating[key]
        with panels.container(width=PANEL):
            st.html(line_html(judge_words.rises(levels), shown.palette, bold=name(key)))
            draw = partial(judges.score_by_rating, levels, name(key), shown.palette)
            drawn = recall(("by rating", shown.place, key, shown.palette.dark), draw)
            st.plotly_chart(drawn, key=f"{shown.place} by rating {key}", config=QUIET, theme=None)


def together(shown: Shown) -> None:
    found = shown.found.complementarity
    assert found
    ask("Would metrics together agree better?", judge_words.together(found))
    _table(judge_tables.weights_grid(found, shown.palette), shown)
    help_text = (
        "How far Pearson's correlation of the row's metric rises with the column's; empty where it may be chance."
    )
    ask("What does a second metric add?", "", help_text)
    _matrix("gains", shown, lambda: judges.gains(found, shown.palette))


def captioners(shown: Shown) -> None:
    help_text = "Means of each captioner; the intervals draw captioners, so with few of them they are wide."
    ask("Which metric ranks the captioners as people do?", "", help_text)
    _table(judge_tables.agreement_grid(shown.found.captioners, "pearson", {}, shown.palette), shown)


def raters(shown: Shown) -> None:
    found = shown.found.agreement
    assert found
    said = (
        f"Krippendorff's alpha is {found.alpha.value:.3f}; one rating against the mean of a caption's others has "
        f"Pearson {found.one.pearson.value:.3f}: more than that a metric cannot be expected to reach."
    )
    ask("How well do people agree with each other?", said, "0 is chance, 1 is full agreement.")
    _table(judge_tables.raters_grid(found), shown)


def _table(grid: Grid, shown: Shown) -> None:
    st.html(render(grid, shown.palette))


def _matrix(kind: str, shown: Shown, draw: Callable[[], object]) -> None:
    drawn = recall((kind, shown.place, shown.palette.dark), draw)
    with st.container(width=WIDEST):
        st.plotly_chart(drawn, key=f"{shown.place} {kind}", config=QUIET, theme=None)


SHOWN: dict[str, Callable[[Shown], None]] = {
    AGREEMENT: agreement,
    PAIRS: pairs,
    REAL: real,
    ALIKE: alike,
    BY_RATING: by_rating,
    TOGETHER: together,
    CAPTIONERS: captioners,
    RATERS: raters,
}
