"""SPIDEr drawn: its two halves, then the evidence of each."""

from __future__ import annotations

from capeval_core.figures import cider, spice
from capeval_core.figures.arithmetic import Number, line
from capeval_core.figures.charts import Bar, bars
from capeval_core.figures.evidence import Chart, Evidence
from capeval_core.figures.numbers import number, percent
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import with_note
from capeval_core.metrics.spider import SpiderExplanation


def draw(explanation: SpiderExplanation, palette: Palette) -> Evidence:
    left, right = spice.draw(explanation.spice, palette), cider.draw(explanation.cider, palette)
    return Evidence(
        with_note(_sentence(explanation), explanation.note),
        (
            Chart("SPIDEr is the sum of these halves", _halves(explanation, palette), name="halves"),
            *left.parts[:2],
            *right.parts[:2],
        ),
        (*left.parts[2:], *left.details, *right.parts[2:], *right.details),
        line(
            "SPIDEr",
            ["(", Number(explanation.spice.value, "halves"), " + ", Number(explanation.cider.value, "halves"), ") / 2"],
            explanation.value,
        ),
    )


def _sentence(explanation: SpiderExplanation) -> str:
    sentence = (
        f"SPIDEr is the mean of SPICE ({number(explanation.spice.value)}) and CIDEr ({number(explanation.cider.value)})"
    )
    if not explanation.value:
        return f"{sentence}."
    share = explanation.cider.value / 2 / explanation.value
    return f"{sentence}; CIDEr, on its scale up to 10, gives {percent(share)} of it."


def _halves(explanation: SpiderExplanation, palette: Palette) -> object:
    rows = [
        *(
            Bar(f"half of {name}", value / 2, "matched", f"{number(value / 2)}, half of {number(value)}")
            for name, value in (("SPICE", explanation.spice.value), ("CIDEr", explanation.cider.value))
        ),
        Bar("SPIDEr", explanation.value, "neutral", number(explanation.value)),
    ]
    return bars(palette, rows, explanation.value or 1.0, 320)
