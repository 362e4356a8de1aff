"""NNEval drawn: each score it read, beside people's, and how far each pushes the log-odds from the mean caption."""

from __future__ import annotations

import plotly.graph_objects as go

from capeval_core import registry
from capeval_core.figures.arithmetic import Formula, Number, Term, line
from capeval_core.figures.charts import Bar, bars
from capeval_core.figures.evidence import Chart, Evidence, Table
from capeval_core.figures.numbers import number, percent
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import listing, with_note
from capeval_core.metrics.nneval import NNEvalExplanation, NNEvalFeature

NAMED = 2  # scores the sentence names on each side
LEAST = 0.005  # a push that would be written 0.00 is none


def draw(explanation: NNEvalExplanation, palette: Palette) -> Evidence:
    return Evidence(
        with_note(_sentence(explanation), explanation.note),
        (
            Chart(
                "From the mean caption to this one: log-odds of a person", _pushes(explanation, palette), name="pushes"
            ),
            _table(explanation),
        ),
        arithmetic=_arithmetic(explanation),
    )


def _label(feature: NNEvalFeature) -> str:
    return registry.get(feature.key).label


def _name(explanation: NNEvalExplanation) -> str:
    return registry.get(explanation.key).label if explanation.key else "NNEval"


def _sentence(explanation: NNEvalExplanation) -> str:
    odds = f"log-odds {number(explanation.log_odds)}, where the mean caption of its training has"
    sentence = f"{_name(explanation)} gives a person {percent(explanation.value)}: {odds} {number(explanation.start)}"
    raising, lowering = (_most(explanation, sign) for sign in (1, -1))
    parts = [f"raised most by {raising}"] if raising else []
    parts += [f"lowered most by {lowering}"] if lowering else []
    return f"{sentence}. They are {' and '.join(parts)}." if parts else f"{sentence}. No score moves them."


def _most(explanation: NNEvalExplanation, sign: int) -> str:
    moving = [one for one in explanation.features if sign * one.push >= LEAST]
    moving.sort(key=lambda one: -sign * one.push)
    return listing([f"{_label(one)} ({one.push:+.2f})" for one in moving[:NAMED]])


def _arithmetic(explanation: NNEvalExplanation) -> tuple[Term, ...]:
    formula: list[str | Number | Term] = ["1 / (1 + exp(−(", *_signed(explanation.start, first=True)]
    for one in explanation.features:
        formula += _signed(one.push)
    return line(_name(explanation), [*formula, ")))"], explanation.value)


def _signed(value: float, *, first: bool = False) -> Formula:
    return [("−" if value < 0 else "") if first else " − " if value < 0 else " + ", Number(abs(value), "pushes")]


def _pushes(explanation: NNEvalExplanation, palette: Palette) -> go.Figure:
    ordered = sorted(explanation.features, key=lambda one: -abs(one.push))
    rows = [
        Bar("mean caption", explanation.start, "neutral", number(explanation.start)),
        *(
            Bar(
                _label(one),
                one.push,
                "matched" if one.push >= 0 else "extra",
                f"{one.push:+.2f}",
                f"{_label(one)} {number(one.value)}, people's mean {number(one.people_mean)}: {one.push:+.2f}",
            )
            for one in ordered
        ),
        Bar("this caption", explanation.log_odds, "neutral", number(explanation.log_odds)),
    ]
    values = [row.value for row in rows]
    most, least = max(0.0, *values), min(0.0, *values)
    return bars(palette, rows, most if most > least else 1.0, 320 if len(rows) <= 10 else 360, least)


def _table(explanation: NNEvalExplanation) -> Table:
    features = explanation.features
    return Table(
        "What the network read, beside people's captions in its training",
        {
            "score of": [_label(one) for one in features],
            "this caption": [one.value for one in features],
            "people's mean": [one.people_mean for one in features],
            "people's deviation": [one.people_spread for one in features],
            "deviations from the mean": [one.distance for one in features],
            "push on the log-odds": [one.push for one in features],
        },
        name="features",
    )
