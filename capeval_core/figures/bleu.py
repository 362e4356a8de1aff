"""BLEU drawn: the matched n-grams of each order, the precisions, and which reference gave them."""

from __future__ import annotations

from collections.abc import Sequence

from capeval_core.figures.charts import Bar, bars
from capeval_core.figures.evidence import Caption, Chart, Evidence, Table, Word
from capeval_core.figures.numbers import number, percent
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import MOST_REFERENCES, caption, clean, listing, plural, with_note
from capeval_core.metrics.bleu import BleuExplanation

RUNS = ("word", "pair", "run of three", "run of four")
MANY = ("words", "pairs", "runs of three", "runs of four")
MOST_NGRAMS = 200


def draw(explanation: BleuExplanation, palette: Palette) -> Evidence:
    order = int(explanation.key[-1]) if explanation.key else 4
    best = _best_reference(explanation)
    captions = [_candidate(explanation, n) for n in range(order)]
    if explanation.references:
        captions.append(_reference(explanation, best, f"reference {best + 1}, the closest"))
    return Evidence(
        with_note(_sentence(explanation, order), explanation.note),
        (*captions, Chart("Share of the candidate that the references have", _precisions(explanation, order, palette))),
        (_credits(explanation), _ngram_table(explanation, order), *_others(explanation, best)),
    )


def _sentence(explanation: BleuExplanation, order: int) -> str:
    if not explanation.tokens:
        return f"BLEU-{order} found nothing: the candidate has no words."
    counted = [(hits, total, n) for n, (hits, total) in enumerate(explanation.precisions[:order]) if total]
    found = [f"{hits} of {plural(total, RUNS[n], MANY[n])}" for hits, total, n in counted]
    sentence = f"BLEU-{order} found {listing(found)} in the references"
    missing = [RUNS[n] for n, (hits, _) in enumerate(explanation.precisions[:order]) if not hits]
    if missing and explanation.value < 0.01:  # smoothing lifts it
        return f"{sentence}; without a shared {missing[0]} it is close to 0."
    return f"{sentence}; {_length(explanation)}."


def _length(explanation: BleuExplanation) -> str:
    length, closest = len(explanation.tokens), explanation.reference_length
    if explanation.brevity_penalty > 0.9999:
        return "its length costs nothing"
    return f"being shorter than the closest reference ({length} words, not {closest}) lowers it to {_kept(explanation)}"


def _kept(explanation: BleuExplanation) -> str:
    return percent(explanation.brevity_penalty)


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


def _best_reference(explanation: BleuExplanation) -> int:
    """The one with most matches, long ones first."""
    return max(
        range(len(explanation.references)), key=lambda place: (sum(_hits(explanation, place)), -place), default=0
    )


def _precisions(explanation: BleuExplanation, order: int, palette: Palette) -> object:
    rows = [
        Bar(
            MANY[n],
            hits / total if total else 0.0,
            "matched" if n < order else "neutral",
            f"{hits} of {total:,}" if n < order else f"{hits} of {total:,}, not counted by BLEU-{order}",
        )
        for n, (hits, total) in enumerate(explanation.precisions)
    ]
    penalty = explanation.brevity_penalty
    rows.append(Bar("length", penalty, "neutral", f"× {number(penalty)} (brevity penalty)"))
    return bars(palette, rows, 1.0, 320)


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
