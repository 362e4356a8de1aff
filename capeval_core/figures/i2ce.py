"""I2CE drawn: how near each reference is, what each word does, and what the decoder can write again from the vector."""

from __future__ import annotations

from collections.abc import Callable

import plotly.graph_objects as go

from capeval_core.figures import influence
from capeval_core.figures.arithmetic import Number, Term, line, mean, nothing
from capeval_core.figures.charts import Bar, bars
from capeval_core.figures.evidence import Chart, Evidence, Table, Word
from capeval_core.figures.links import MOST_LINKED, Link, linked
from capeval_core.figures.numbers import number
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import clean, first, listing, noted, plural, quoted, with_note
from capeval_core.metrics.i2ce import I2ceExplanation


def draw(explanation: I2ceExplanation, palette: Palette) -> Evidence:
    if not any(reference.pooled for reference in explanation.references):
        none = nothing("I2CE", "there are no words to compare")
        sentence = with_note("I2CE has nothing to compare.", explanation.note)
        return Evidence(sentence, (), (_table(explanation),), none)
    near = noted("How near each reference is", len(explanation.references), influence.MOST_BARS, "reference")
    rebuilt = "What the decoder can write again from the candidate's vector alone"
    words, shares, kinds = explanation.words, explanation.influences, _kinds(explanation)
    return Evidence(
        with_note(_sentence(explanation), explanation.note),
        (
            influence.marked("candidate, shade: what a word adds", words, shares, kinds, _strange(explanation)),
            Chart(near, _near(explanation, palette), name="cosines"),
            Chart(noted(rebuilt, len(words), MOST_LINKED), _rebuilt(explanation, palette)),
            influence.chart(palette, words, shares, kinds),
        ),
        (_table(explanation),),
        _arithmetic(explanation),
    )


def _arithmetic(explanation: I2ceExplanation) -> tuple[Term, ...]:
    pooled = [one.cosine for one in explanation.references if one.pooled and one.cosine is not None]
    if len(pooled) == 1:
        return line("I2CE", ["cosine ", Number(explanation.value, "cosines")], explanation.value)
    return line("I2CE", mean(sorted(pooled, reverse=True), "cosines"), explanation.value)


def _sentence(explanation: I2ceExplanation) -> str:
    compared = [reference for reference in explanation.references if reference.cosine is not None]
    pooled = sum(reference.pooled for reference in compared)
    sentence = f"I2CE: the candidate's vector has a cosine of {number(explanation.value)} to "
    if len(compared) == 1:
        sentence += "the reference's"
    elif pooled == len(compared):
        sentence += f"those of {pooled} references on average"
    elif pooled == 1:
        sentence += f"the nearest of {len(compared)} references"
    else:
        sentence += f"those of the {pooled} nearest of {len(compared)} references on average"
    sentence += influence.clause(explanation.words, explanation.influences)
    sentence += _memory(explanation)
    unknown = [word for word, strange in zip(explanation.words, explanation.unknown, strict=True) if strange]
    if unknown:
        verb = "is" if len(unknown) == 1 else "are"
        sentence += f"; {listing(first(map(quoted, unknown), 3))} {verb} unknown to the network"
    return f"{sentence}."


def _memory(explanation: I2ceExplanation) -> str:
    """What the vector kept and lost."""
    kept, all_of_them = sum(explanation.kept), len(explanation.words)
    if kept == all_of_them and not any(explanation.added):
        return "; from its vector the decoder writes the candidate again, word for word"
    others = f", with {plural(sum(explanation.added), 'other')}" if any(explanation.added) else ""
    return f"; from its vector the decoder writes {kept} of {plural(all_of_them, 'word')} again{others}"


def _kinds(explanation: I2ceExplanation) -> list[str]:
    """An unknown word is not marked: it may well be in a reference, but the network cannot see that."""
    references = [reference.words for reference in explanation.references]
    known = zip(explanation.words, explanation.influences, explanation.unknown, strict=True)
    return ["neutral" if strange else influence.kind(word, share, references) for word, share, strange in known]


def _strange(explanation: I2ceExplanation) -> Callable[[int], str]:
    return lambda place: ", unknown to the network" if explanation.unknown[place] else ""


def _near(explanation: I2ceExplanation, palette: Palette) -> go.Figure:
    rows = []
    for place, reference in enumerate(explanation.references[: influence.MOST_BARS], 1):
        value = reference.cosine or 0.0
        said = "no words" if reference.cosine is None else number(value) + (", averaged" if reference.pooled else "")
        kind = "matched" if reference.pooled else "neutral"
        rows.append(Bar(f"reference {place}", value, kind, said, f"{said}: {' '.join(reference.words)}"))
    return bars(palette, rows, 1.0, 340, min(0.0, *(row.value for row in rows)))


def _rebuilt(explanation: I2ceExplanation, palette: Palette) -> go.Figure:
    above = [
        Word(word, "matched" if kept else "extra", 1.0, "written again" if kept else "lost: not written again there")
        for word, kept in zip(explanation.words, explanation.kept, strict=True)
    ]
    below = [
        Word(
            word,
            "missed" if added else "matched",
            1.0,
            "not in the candidate there" if added else "as in the candidate",
        )
        for word, added in zip(explanation.rebuilt, explanation.added, strict=True)
    ]
    left = [place for place, kept in enumerate(explanation.kept) if kept]
    right = [place for place, added in enumerate(explanation.added) if not added]
    links = [Link((one, 1), (two, 1), "matched", explanation.words[one]) for one, two in zip(left, right, strict=True)]
    return linked(palette, ("candidate", "written by the decoder"), (above, below), links)


def _table(explanation: I2ceExplanation) -> Table:
    references = explanation.references
    return Table(
        f"Each reference (the {explanation.top_k} nearest are averaged; network: {clean(explanation.model)})",
        {
            "reference": list(range(1, len(references) + 1)),
            "words": [clean(" ".join(reference.words)) for reference in references],
            "unknown words": [clean(" ".join(reference.unknown)) for reference in references],
            "cosine": [float("nan") if reference.cosine is None else reference.cosine for reference in references],
            "averaged": ["yes" if reference.pooled else "no" for reference in references],
        },
    )
