"""SMURF drawn: what each of its three terms adds, then the evidence of each."""

from __future__ import annotations

import plotly.graph_objects as go

from capeval_core.figures import flow, sparcs
from capeval_core.figures.arithmetic import Number, Term, line
from capeval_core.figures.charts import figure, tint
from capeval_core.figures.evidence import Chart, Evidence, Table
from capeval_core.figures.numbers import change, number, score, tie
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import with_note
from capeval_core.metrics.smurf import SmurfExplanation, SmurfTerm

NAMES = ("what it says<br>SPARCS", "style reward<br>SPURTS", "grammar penalty<br>MIMA")


def draw(explanation: SmurfExplanation, palette: Palette) -> Evidence:
    said = sparcs.draw(explanation.sparcs, palette)
    style = flow.draw(explanation.spurts, palette, "spurts")
    grammar = flow.draw(explanation.mima, palette, "mima")
    unit = "in standard deviations of people's captions"
    return Evidence(
        with_note(_sentence(explanation), explanation.note),
        (Chart(f"From SPARCS to SMURF, {unit}", _steps(explanation, palette), name="steps"), *said.parts),
        (_table(explanation), *said.details, *style.parts, *style.details, *grammar.parts, *grammar.details),
        _arithmetic(explanation),
    )


def _arithmetic(explanation: SmurfExplanation) -> tuple[Term, ...]:
    first, *others = (term.contribution for term in explanation.terms if term.counted)
    formula: list[str | Number | Term] = ["−" if first < 0 else "", Number(abs(first), "steps")]
    for part in others:
        formula += [" − " if part < 0 else " + ", Number(abs(part), "steps")]
    divided = ["(", *formula, f") / {explanation.divisor}"] if explanation.divisor > 1 else formula
    return line("SMURF", divided, explanation.value)


def _sentence(explanation: SmurfExplanation) -> str:
    semantics, style, grammar = explanation.terms
    sentence = (
        f"SMURF {number(explanation.value)}: what the caption says is {_beside(semantics, ' standard deviations')}"
    )
    if style.counted:
        reward = "nothing" if tie(style.contribution, 0) else f"{number(style.contribution)}"
        earned = f"where people's mean style earns {number(-explanation.threshold)}"
        sentence += f"; its style, {_beside(style)}, earns {reward} {earned}"
    else:
        sentence += ", so little that its style earns nothing"
    if tie(grammar.contribution, 0):
        sentence += f"; its grammar, {_beside(grammar)}, costs nothing"
    else:
        sentence += f"; its odd grammar, {_beside(grammar)}, costs {number(-grammar.contribution)}"
    if explanation.divisor > 1:
        sentence += f". The score is the sum of these over {explanation.divisor}"
    return f"{sentence}."


def _beside(term: SmurfTerm, unit: str = "") -> str:
    if tie(term.standardised, 0):
        return "at people's mean"
    return f"{number(abs(term.standardised))}{unit} {'above' if term.standardised > 0 else 'below'} people's mean"


def _steps(explanation: SmurfExplanation, palette: Palette) -> go.Figure:
    """A waterfall: each bar begins where the one before ends."""
    drawn = figure(palette)
    steps = [term.contribution if term.counted else 0.0 for term in explanation.terms]
    total = sum(steps)
    names = [*NAMES, "score<br>SMURF"]
    texts = [change(term.contribution) if term.counted else "not counted" for term in explanation.terms]
    last = score(explanation.value) + (f" = {score(total)} / {explanation.divisor}" if explanation.divisor > 1 else "")
    drawn.add_waterfall(
        x=names,
        y=[*steps, explanation.value],
        measure=["relative", "relative", "relative", "absolute"],
        text=[*texts, last],
        textposition="outside",
        connector={"line": {"color": palette.faint, "width": 1, "dash": "dot"}},
        increasing={"marker": _fill(palette.matched)},
        decreasing={"marker": _fill(palette.extra)},
        totals={"marker": _fill(palette.accent)},
        width=0.5,
        cliponaxis=False,
        hoverinfo="skip",
    )
    reached = [0.0, explanation.value, *(sum(steps[: n + 1]) for n in range(3))]
    edge = 0.2 * (max(reached) - min(reached)) or 1.0  # room for the numbers at the ends of the bars
    drawn.update_yaxes(visible=False, range=[min(reached) - edge, max(reached) + edge])
    drawn.add_hline(y=0, line={"color": palette.faint, "width": 1})
    drawn.update_xaxes(automargin=True, tickangle=0)
    return drawn


def _fill(colour: str) -> dict[str, object]:
    return {"color": tint(colour, 0.55), "line": {"color": colour, "width": 1}}


def _table(explanation: SmurfExplanation) -> Table:
    terms = explanation.terms
    return Table(
        f"Terms (Eq. 12, {explanation.fusion}). {explanation.branch}",
        {
            "term": [term.name.upper() for term in terms],
            "score": [term.raw for term in terms],
            "people's mean": [term.standard.mean for term in terms],
            "people's deviation": [term.standard.deviation for term in terms],
            "standardised": [term.standardised for term in terms],
            "contribution": [term.contribution for term in terms],
            "counted": [term.counted for term in terms],
        },
    )
