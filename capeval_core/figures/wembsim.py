"""WEmbSim drawn: the captions as points of a plane, and what each word adds."""

from __future__ import annotations

import plotly.graph_objects as go

from capeval_core.figures import influence
from capeval_core.figures.arithmetic import MANY, Number, Term, joined, line, mean, nothing
from capeval_core.figures.charts import figure
from capeval_core.figures.evidence import Chart, Evidence, Table
from capeval_core.figures.numbers import number, percent
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import clean, first, label, listing, noted, plural, quoted, with_note
from capeval_core.metrics.wembsim import WEmbSimExplanation

MOST_POINTS = 50
WAYS = {"mean": "on average", "max": "to the nearest", "min": "to the farthest"}


def draw(explanation: WEmbSimExplanation, palette: Palette) -> Evidence:
    if not any(reference.cosine is not None for reference in explanation.references):
        none = nothing("WEmbSim", "there are no words to compare")
        sentence = with_note("WEmbSim has nothing to compare.", explanation.note)
        return Evidence(sentence, (), (_table(explanation),), none)
    plane = f"The captions in a plane that shows {percent(explanation.spread)} of how they differ"
    kinds = _kinds(explanation)
    return Evidence(
        with_note(_sentence(explanation), explanation.note),
        (
            influence.marked(
                "words, shade: what they add", explanation.words, explanation.contributions, kinds, lambda _: ""
            ),
            Chart(
                noted(plane, len(explanation.references), MOST_POINTS, "reference"),
                _plane(explanation, palette),
                name="cosines",
            ),
            influence.chart(palette, explanation.words, explanation.contributions, kinds),
        ),
        (_table(explanation),),
        _arithmetic(explanation),
    )


def _arithmetic(explanation: WEmbSimExplanation) -> tuple[Term, ...]:
    found = [reference.cosine for reference in explanation.references if reference.cosine is not None]
    if len(found) == 1 or (len(found) > MANY and explanation.combine != "mean"):
        return line("WEmbSim", ["cosine ", Number(explanation.value, "cosines")], explanation.value)
    if explanation.combine == "mean":
        return line("WEmbSim", mean(found, "cosines"), explanation.value)
    every = joined([[Number(cosine, "cosines")] for cosine in found], ", ")
    return line("WEmbSim", [f"{explanation.combine}(", *every, ")"], explanation.value)


def _sentence(explanation: WEmbSimExplanation) -> str:
    compared = [reference for reference in explanation.references if reference.cosine is not None]
    where = f"those of {plural(len(compared), 'reference')}" if len(compared) > 1 else "the reference's"
    way = f" {WAYS[explanation.combine]}" if len(compared) > 1 else ""
    sentence = f"WEmbSim: the candidate's mean word vector has a cosine of {number(explanation.value)} to {where}{way}"
    sentence += influence.clause(explanation.words, explanation.contributions)
    if explanation.unknown:
        unknown = first(map(quoted, explanation.unknown), 3)
        sentence += f"; {listing(unknown)} {'has' if len(explanation.unknown) == 1 else 'have'} no vector"
    return f"{sentence}."


def _kinds(explanation: WEmbSimExplanation) -> list[str]:
    references = [reference.words for reference in explanation.references]
    pairs = zip(explanation.words, explanation.contributions, strict=True)
    return [influence.kind(word, share, references) for word, share in pairs]


def _plane(explanation: WEmbSimExplanation, palette: Palette) -> go.Figure:
    drawn = figure(palette, 360)
    points = [
        (place, reference)
        for place, reference in enumerate(explanation.references[:MOST_POINTS], 1)
        if reference.position is not None
    ]
    for _, reference in points:
        if explanation.position and reference.position:
            pair = explanation.position, reference.position
            line = {"color": palette.faint, "width": 1, "dash": "dot"}
            drawn.add_scatter(x=[p[0] for p in pair], y=[p[1] for p in pair], mode="lines", line=line, hoverinfo="skip")
    places = [reference.position for _, reference in points if reference.position]
    height = explanation.position[1] if explanation.position else 0.0
    names = [f"{place} · {number(reference.cosine or 0.0)}" for place, reference in points]
    hints = [f"reference {place}: {' '.join(reference.words)}" for place, reference in points]
    # A name stands on the side of its point where no line is.
    _add_points(drawn, palette, places, names, hints, [y > height for _, y in places])
    if explanation.position:
        above = [sum(y > height for _, y in places) <= len(places) / 2]
        words = [" ".join(explanation.words)]
        _add_points(drawn, palette, [explanation.position], ["candidate"], words, above, candidate=True)
    every = [*places, *([explanation.position] if explanation.position else [])]
    for axis, update in ((0, drawn.update_xaxes), (1, drawn.update_yaxes)):
        low, high = min(point[axis] for point in every), max(point[axis] for point in every)
        edge = 0.15 * (high - low) or 0.1
        update(visible=False, range=[low - edge, high + edge])
    return drawn


def _add_points(
    drawn: go.Figure,
    palette: Palette,
    places: list[tuple[float, float]],
    names: list[str],
    hints: list[str],
    above: list[bool],
    candidate: bool = False,
) -> None:
    colour = palette.accent if candidate else palette.neutral
    drawn.add_scatter(
        x=[x for x, _ in places],
        y=[y for _, y in places],
        mode="markers+text",
        marker={"size": 13 if candidate else 10, "color": colour, "symbol": "diamond" if candidate else "circle"},
        text=names,
        textposition=["top center" if up else "bottom center" for up in above],
        textfont={"color": palette.accent if candidate else palette.text},
        hovertext=[label(hint, 200) for hint in hints],
        hoverinfo="text",
        cliponaxis=False,
    )


def _table(explanation: WEmbSimExplanation) -> Table:
    references = explanation.references
    return Table(
        f"Each reference ({explanation.vectors} knows {percent(explanation.coverage)} of the words)",
        {
            "reference": list(range(1, len(references) + 1)),
            "words compared": [clean(" ".join(reference.words)) for reference in references],
            "no vector": [clean(" ".join(reference.unknown)) for reference in references],
            "cosine": [float("nan") if reference.cosine is None else reference.cosine for reference in references],
        },
    )
