"""BLEU drawn: the matched n-grams of each order, the precisions, and which reference gave them."""

from __future__ import annotations

from collections.abc import Sequence

from capeval_core.figures.arithmetic import Formula, Number, Term, fraction, joined, line, nothing
from capeval_core.figures.charts import Bar, bars
from capeval_core.figures.evidence import Caption, Chart, Evidence, Table, Word
from capeval_core.figures.numbers import number, percent
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import MOST_REFERENCES, caption, clean, listing, plural, with_note
from capeval_core.metrics.bleu import BleuExplanation

RUNS = ("word", "pair", "run of three", "run of four")
MANY = ("words", "pairs", "runs of three", "runs of four")
MOST_NGRAMS = 200
NONE = 1e-6  # what the toolkit's guards against division by zero make of no n-grams at all


def draw(explanation: BleuExplanation, palette: Palette) -> Evidence:
    order = int(explanation.key[-1]) if explanation.key else 4
    best = _best_reference(explanation, order)
    captions = [_candidate(explanation, n) for n in range(order)]
    if explanation.references:
        captions.append(_reference(explanation, best, f"reference {best + 1}, {_alone(explanation)}"))
    return Evidence(
        with_note(_sentence(explanation, order), explanation.note),
        (
            *captions,
            Chart(
                "Share of the candidate that the references have",
                _precisions(explanation, order, palette),
                name="precisions",
            ),
        ),
        (_credits(explanation), _ngram_table(explanation, order), *_others(explanation, best)),
        _arithmetic(explanation, order),
    )


def _sentence(explanation: BleuExplanation, order: int) -> str:
    if not explanation.tokens:
        return f"BLEU-{order} found nothing: the candidate has no words."
    counted = [(hits, total, n) for n, (hits, total) in enumerate(explanation.precisions[:order]) if total]
    found = [f"{hits} of {plural(total, RUNS[n], MANY[n])}" for hits, total, n in counted]
    sentence = f"BLEU-{order} found {listing(found)} in the references"
    if explanation.smoothing == "none":
        missing = [RUNS[n] for hits, _, n in counted if not hits]
        if missing:
            return f"{sentence}; without a shared {missing[0]} it is close to 0."
        if len(counted) < order:
            return f"{sentence}; too short for a {RUNS[len(counted)]}, it is kept low."
    return f"{sentence}; {_length(explanation)}."


def _length(explanation: BleuExplanation) -> str:
    """Length alone decides here which reference is nearest: not the one with most matches."""
    if explanation.brevity_penalty > 0.9999:
        return "its length costs nothing"
    length = plural(len(explanation.tokens), "word")
    nearest = f"the reference nearest in length ({length}, not {explanation.reference_length})"
    return f"being shorter than {nearest} lowers it to {percent(explanation.brevity_penalty)}"


def _arithmetic(explanation: BleuExplanation, order: int) -> tuple[Term, ...]:
    name = f"BLEU-{order}"
    if not explanation.tokens:
        return nothing(name, "the candidate has no words")
    shares = joined([_share(explanation, n) for n in range(order)], " × ")
    root: Formula = [" × (", *shares, f")^(1/{order})"] if order > 1 else [" × ", *shares]
    return line(name, ["brevity ", Number(explanation.brevity_penalty, "precisions"), *root], explanation.value)


def share(explanation: BleuExplanation, n: int) -> float:
    """The precision of an order as the score has it."""
    hits, total = explanation.precisions[n]
    if explanation.smoothing != "none" and n:
        return (hits + 1) / (total + 1)
    return hits / total if total else NONE


def _share(explanation: BleuExplanation, n: int) -> Formula:
    hits, total = explanation.precisions[n]
    if explanation.smoothing != "none" and n:
        return ["(", Number(hits, "precisions"), " + 1)/(", Number(total, "precisions"), " + 1)"]
    return fraction(hits, total, "precisions") if total else [Term(f"{NONE:f}", "precisions")]


def _candidate(explanation: BleuExplanation, n: int) -> Caption:
    known = {word for reference in explanation.references for word in reference}
    words, pieces = explanation.matched[0], explanation.matched[n]

    def mark(place: int) -> Word:
        text = explanation.tokens[place]
        if pieces[place]:
            return Word(text, "matched", 0.5, f"in a {RUNS[n]} that a reference has" if n else "a reference has it")
        if not words[place]:
            hint = "said more often than in any reference" if text in known else "in no reference"
            return Word(text, "extra", 0.5, hint)
        return Word(text, hint=f"a reference has the word, but no {RUNS[n]} with it")

    hits, total = explanation.precisions[n]
    return caption(f"{MANY[n]}, {hits} of {total:,}", explanation.tokens, mark)


def _reference(explanation: BleuExplanation, place: int, name: str) -> Caption:
    tokens, said = explanation.references[place], set(explanation.tokens)
    return caption(name, tokens, lambda at: Word(tokens[at], "matched" if tokens[at] in said else "missed", 0.5))


def _hits(explanation: BleuExplanation, place: int) -> list[int]:
    """How many n-grams of each order this reference alone would give."""
    return [sum(min(gram.count, gram.reference_counts[place]) for gram in grams) for grams in explanation.ngrams]


def _best_reference(explanation: BleuExplanation, order: int) -> int:
    """The one with most matches of the orders that count; the first of several."""
    return max(
        range(len(explanation.references)),
        key=lambda place: (sum(_hits(explanation, place)[:order]), -place),
        default=0,
    )


def _alone(explanation: BleuExplanation) -> str:
    return "the only one" if len(explanation.references) == 1 else "which matches most"


def _precisions(explanation: BleuExplanation, order: int, palette: Palette) -> object:
    rows = [
        Bar(
            MANY[n],
            hits / total if total else 0.0,
            "matched" if n < order else "neutral",
            _of(hits, total, explanation.smoothing)
            if n < order
            else f"{hits} of {total:,}, not counted by BLEU-{order}",
        )
        for n, (hits, total) in enumerate(explanation.precisions)
    ]
    penalty = explanation.brevity_penalty
    rows.append(Bar("length", penalty, "neutral", f"× {number(penalty)} (brevity penalty)"))
    return bars(palette, rows, 1.0, 320)


def _of(hits: int, total: int, smoothing: str) -> str:
    return f"{hits} of {total:,}" if total or smoothing != "none" else f"0 of 0, counts as {NONE:f}"


def _credits(explanation: BleuExplanation) -> Table:
    places = range(len(explanation.references))
    hits = [_hits(explanation, place) for place in places]
    columns: dict[str, Sequence[object]] = {
        "reference": [place + 1 for place in places],
        "caption": [clean(" ".join(tokens)) for tokens in explanation.references],
        "length": [len(tokens) for tokens in explanation.references],
    }
    columns |= {f"{MANY[n]} matched": [row[n] for row in hits] for n in range(len(RUNS))}
    return Table("What each reference alone would match", columns)


def _ngram_table(explanation: BleuExplanation, order: int) -> Table:
    grams = [gram for n in range(order - 1, -1, -1) for gram in explanation.ngrams[n]]
    shown = [gram for gram in grams if gram.clipped][:MOST_NGRAMS]
    return Table(
        "Matched n-grams, long ones first" + (f" (the first {MOST_NGRAMS})" if len(shown) == MOST_NGRAMS else ""),
        {
            "n-gram": [clean(" ".join(gram.words)) for gram in shown],
            "in the candidate": [gram.count for gram in shown],
            "counted": [gram.clipped for gram in shown],
            "in references": [
                ", ".join(str(place + 1) for place, count in enumerate(gram.reference_counts) if count)
                for gram in shown
            ],
        },
    )


def _others(explanation: BleuExplanation, best: int) -> list[Caption]:
    places = [place for place in range(len(explanation.references)) if place != best]
    return [_reference(explanation, place, f"reference {place + 1}") for place in places[:MOST_REFERENCES]]
