"""SPARCS drawn: the concepts people name, by how many of them do, and which the candidate has."""

from __future__ import annotations

import math
from collections.abc import Sequence

from capeval_core.figures.arithmetic import Number, Term, line, nothing
from capeval_core.figures.charts import Bar, bars
from capeval_core.figures.evidence import Chart, Evidence, Table
from capeval_core.figures.numbers import percent
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import clean, first, listing, plural, quoted, with_note
from capeval_core.metrics.sparcs import SparcsConcept, SparcsExplanation

MOST_BARS = 16
Row = tuple[str, SparcsConcept]  # its kind first


def draw(explanation: SparcsExplanation, palette: Palette) -> Evidence:
    shown = _shown(explanation)
    chart = Chart(f"Share of people who name each concept{_left_out(explanation, shown)}", _typicality(shown, palette))
    return Evidence(
        with_note(_sentence(explanation), explanation.note),
        (chart, _weights(explanation)) if shown else (),
        (_table(explanation),),
        _arithmetic(explanation),
    )


def _left_out(explanation: SparcsExplanation, shown: Sequence[Row]) -> str:
    """What the chart has no room for, counted as the sentence counts."""
    named, extra = len(explanation.matched) + len(explanation.missed), len(explanation.extra)
    if len(shown) == named + extra:
        return ""
    more = sum(kind == "extra" for kind, _ in shown)
    others = f", {more} of {extra} that nobody names" if extra else ""
    return f" ({len(shown) - more} of {plural(named, 'concept')} people name{others})"


def sums(explanation: SparcsExplanation) -> tuple[float, int, float]:
    """Weight found, concepts that nobody names (each weighs 1), weight of all that people name."""
    found = math.fsum(concept.typicality for concept in explanation.matched)
    return found, len(explanation.extra), found + math.fsum(concept.typicality for concept in explanation.missed)


def _arithmetic(explanation: SparcsExplanation) -> tuple[Term, ...]:
    found, extra, named = sums(explanation)
    if not found:
        return nothing("SPARCS", "no concept is shared")
    ours, others, theirs = Number(found, "weights"), Number(extra, "weights"), Number(named, "weights")
    return line("SPARCS", ["2 × ", ours, " / (", ours, " + ", others, " + ", theirs, ")"], explanation.value)


def _weights(explanation: SparcsExplanation) -> Table:
    found, extra, named = sums(explanation)
    steps = {
        "weight found: the bars of what it has, added up": found,
        "extra: concepts nobody names, 1 each": extra,
        "weight of all that people name": named,
        "precision: found / (found + extra)": explanation.precision,
        "recall: found / all that people name": explanation.recall,
    }
    return Table("From concepts to the score", {"step": list(steps), "value": list(steps.values())}, "weights")


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
    return listing(first((quoted(name(concept)) for concept in concepts), 3), last)


def name(concept: SparcsConcept) -> str:
    """A word people say, not the stem."""
    return (concept.words or concept.reference_words)[0]


def _shown(explanation: SparcsExplanation) -> list[Row]:
    rows = [("matched", concept) for concept in explanation.matched]
    rows += [("missed", concept) for concept in explanation.missed]
    rows.sort(key=lambda row: (-row[1].typicality, row[0] != "matched", row[1].stem))
    extra = [("extra", concept) for concept in explanation.extra][: MOST_BARS // 3]
    return rows[: MOST_BARS - len(extra)] + extra


def _typicality(shown: Sequence[Row], palette: Palette) -> object:
    return bars(palette, [_bar(kind, concept) for kind, concept in shown], 1.0, 360 if len(shown) > 12 else 320)


def _bar(kind: str, concept: SparcsConcept) -> Bar:
    text = {
        "matched": f"{percent(concept.typicality)}, found",
        "missed": f"{percent(concept.typicality)}, missed",
        "extra": "extra: nobody names it, costs a whole concept",
    }[kind]
    said = ", ".join(dict.fromkeys((*concept.words, *concept.reference_words)))
    return Bar(name(concept), concept.typicality, kind, text, f"{said}: {text}")


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
