"""SPARCS drawn: the concepts people name, by how many of them do, and which the candidate has."""

from __future__ import annotations

from collections.abc import Sequence

from capeval_core.figures.charts import Bar, bars
from capeval_core.figures.evidence import Chart, Evidence, Table
from capeval_core.figures.numbers import percent
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import clean, first, listing, plural, quoted, with_note
from capeval_core.metrics.sparcs import SparcsConcept, SparcsExplanation

MOST_BARS = 16


def draw(explanation: SparcsExplanation, palette: Palette) -> Evidence:
    count = len(explanation.matched) + len(explanation.missed) + len(explanation.extra)
    title = "Share of people who name each concept"
    if count > MOST_BARS:
        title += f" ({MOST_BARS} of {count})"
    chart = Chart(title, _typicality(explanation, palette))
    return Evidence(
        with_note(_sentence(explanation), explanation.note), (chart,) if count else (), (_table(explanation),)
    )


def _sentence(explanation: SparcsExplanation) -> str:
    matched, missed, extra = explanation.matched, explanation.missed, explanation.extra
    if not (matched or extra) or not (matched or missed):
        return "SPARCS has nothing to compare."
    total = len(matched) + len(missed)
    sentence = (
        f"SPARCS found {len(matched)} of {plural(total, 'concept')} people name, {percent(explanation.recall)} of "
        "their weight"
    )
    if missed:
        sentence += f"; it misses {_names(missed)}"
    if extra:
        sentence += f"; nobody else says {_names(extra, 'or')}"
    return f"{sentence}."


def _names(concepts: Sequence[SparcsConcept], last: str = "and") -> str:
    return listing(first((quoted(_name(concept)) for concept in concepts), 3), last)


def _name(concept: SparcsConcept) -> str:
    """A word people say, not the stem."""
    return (concept.words or concept.reference_words)[0]


def _typicality(explanation: SparcsExplanation, palette: Palette) -> object:
    rows = [("matched", concept) for concept in explanation.matched]
    rows += [("missed", concept) for concept in explanation.missed]
    rows.sort(key=lambda row: (-row[1].typicality, row[0] != "matched", row[1].stem))
    extra = [("extra", concept) for concept in explanation.extra][: MOST_BARS // 3]
    shown = rows[: MOST_BARS - len(extra)] + extra
    return bars(palette, [_bar(kind, concept) for kind, concept in shown], 1.0, 360 if len(shown) > 12 else 320)


def _bar(kind: str, concept: SparcsConcept) -> Bar:
    text = {
        "matched": f"{percent(concept.typicality)}, found",
        "missed": f"{percent(concept.typicality)}, missed",
        "extra": "extra: nobody names it, costs a whole concept",
    }[kind]
    said = ", ".join(dict.fromkeys((*concept.words, *concept.reference_words)))
    return Bar(_name(concept), concept.typicality, kind, text, f"{said}: {text}")


def _table(explanation: SparcsExplanation) -> Table:
    rows = [
        (state, concept)
        for state, concepts in (
            ("matched", explanation.matched),
            ("missed", explanation.missed),
            ("extra", explanation.extra),
        )
        for concept in concepts
    ]
    return Table(
        f"Concepts; precision {percent(explanation.precision)}, recall {percent(explanation.recall)}",
        {
            "concept": [clean(concept.stem) for _, concept in rows],
            "state": [state for state, _ in rows],
            "people who name it": [concept.typicality for _, concept in rows],
            "in the candidate": [clean(", ".join(concept.words)) for _, concept in rows],
            "in the references": [clean(", ".join(concept.reference_words)) for _, concept in rows],
        },
    )
