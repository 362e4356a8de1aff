"""The report of `judge`: one HTML file with every table and chart. Opens anywhere, asks no server for anything."""

from __future__ import annotations

import math
from collections.abc import Iterator

import plotly.graph_objects as go
import plotly.io
import plotly.offline
from markupsafe import Markup

from capeval_core.analysis.judging import Judging
from capeval_core.figures import judge_tables, judges
from capeval_core.figures.judge_tables import name
from capeval_core.figures.markup import fill, style
from capeval_core.figures.palette import Palette
from capeval_core.figures.tables import Grid, render

Part = tuple[str, str, Markup]  # the question, the answer's one line of help, the answer


def build(found: Judging, letters: dict[str, str], corrected: judges.Matrix, palette: Palette) -> str:
    """`corrected` are the p values to show, `letters` each metric's: two that share one cannot be told
    apart."""
    parts = [*_quality(found, letters, corrected, palette), *_pairs(found, palette), *_rest(found, palette)]
    return fill(
        "judges.html",
        palette,
        title="Metrics against people",
        protocol=found.protocol,
        parts=parts,
        boxes=[(name(key), _chart(judges.score_by_rating(levels, name(key), palette)))
               for key, levels in found.by_rating.items() if levels],
        signatures=list(found.signatures.values()),
        stand_ins=[f"{name(key)}: {badge}." for key, badge in found.stand_ins.items()],
        script=Markup(plotly.offline.get_plotlyjs()),
        style=style(),
    )  # fmt: skip


def _quality(found: Judging, letters: dict[str, str], corrected: judges.Matrix, palette: Palette) -> Iterator[Part]:
    if not found.metrics:
        return
    ceiling = found.agreement.one.of(found.headline).value if found.agreement else math.nan
    grid = judge_tables.agreement_grid(found.metrics, found.headline, letters, palette, ceiling)
    reach = f" People with each other: {ceiling:.3f}, the mark on a bar." if found.agreement else ""
    yield (
        "Which metric agrees best with people?",
        f"The line on a bar is its 95 % interval.{reach}",
        _table(grid, palette),
    )
    order = judge_tables.by_value(found.metrics, "pearson")
    help_text = (
        "Filled: the row's metric has the higher Pearson correlation (Williams' test, p after Holm's correction)."
    )
    yield "Which differences are real?", help_text, _chart(judges.wins(corrected, order, palette))


def _pairs(found: Judging, palette: Palette) -> Iterator[Part]:
    if found.pairs:
        grid = judge_tables.pairs_grid(found.pairs, palette)
        yield "Which metric prefers the caption that people prefer?", "Per cent of pairs.", _table(grid, palette)


def _rest(found: Judging, palette: Palette) -> Iterator[Part]:
    if len(found.between) > 1:
        drawn = judges.similarity(found.between, palette)
        yield "Which metrics say the same?", "Spearman's correlation; metrics alike stand side by side.", _chart(drawn)
    if found.complementarity:
        grid = judge_tables.weights_grid(found.complementarity, palette)
        question = "Would metrics together agree better?"
        yield question, "The weights of the best combination, none below 0.", _table(grid, palette)
        help_text = (
            "How far Pearson's correlation of the row's metric rises with the column's; empty where that may be chance."
        )
        yield "What does a second metric add?", help_text, _chart(judges.gains(found.complementarity, palette))
    if found.captioners:
        grid = judge_tables.agreement_grid(found.captioners, "pearson", {}, palette)
        question = "Which metric ranks the captioners as people do?"
        yield question, "Means of each captioner; intervals draw captioners.", _table(grid, palette)
    if found.agreement:
        grid = judge_tables.raters_grid(found.agreement)
        question = "How well do people agree with each other?"
        yield (
            question,
            "Against the mean of a caption's other ratings: the most a metric can reach.",
            _table(grid, palette),
        )


def _table(grid: Grid, palette: Palette) -> Markup:
    return render(grid, palette)


def _chart(drawn: go.Figure) -> Markup:
    # Ours: the texts in a figure are escaped where it is drawn.
    quiet = {"displayModeBar": False, "responsive": True}
    return Markup(plotly.io.to_html(drawn, full_html=False, include_plotlyjs=False, config=quiet))
