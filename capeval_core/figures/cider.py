"""CIDEr drawn: how much each word earned as shade, the n-grams that earned it, and each reference's share."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from capeval_core.figures.arithmetic import Number, Term, joined, line
from capeval_core.figures.charts import figure, tint, written_on
from capeval_core.figures.evidence import Caption, Chart, Evidence, Table, Word
from capeval_core.figures.numbers import number
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import MOST_REFERENCES, caption, clean, label, listing, quoted, with_note
from capeval_core.metrics.cider import CiderExplanation, CiderReference

MOST_NGRAMS = 12


@dataclass(slots=True)
class _Gram:
    """One n-gram over all references."""

    words: tuple[str, ...]
    candidate_count: int
    idf: float
    references: int = 0  # how many have it
    reference_weight: float = 0.0
    contribution: float = 0.0


def draw(explanation: CiderExplanation, palette: Palette) -> Evidence:
    grams = _add_up(explanation)
    best = max(range(len(explanation.references)), key=lambda place: sum(explanation.references[place].similarities))
    return Evidence(
        with_note(_sentence(explanation, grams), explanation.note),
        (
            _candidate(explanation, grams),
            _reference(explanation, best, f"reference {best + 1}, the most similar"),
            Chart("What each reference adds to the score, by length of n-gram", _shares(explanation, palette)),
            _orders(explanation),
            _table(grams, "N-grams that earned most", earned=True),
        ),
        (
            _table(grams, "Heaviest n-grams of the references that the candidate lacks", earned=False),
            _references(explanation),
            *(_reference(explanation, place, f"reference {place + 1}") for place in _others(explanation, best)),
        ),
        _arithmetic(explanation),
    )


def _arithmetic(explanation: CiderExplanation) -> tuple[Term, ...]:
    shares = joined([[Number(value, "orders")] for value in explanation.similarities], " + ")
    return line("CIDEr", ["10 × (", *shares, ") / 4"], explanation.value)


def _orders(explanation: CiderExplanation) -> Table:
    found = explanation.similarities
    return Table(
        "Similarity by length of n-gram, mean of the references",
        {
            "n-grams": ["words", "pairs", "runs of three", "runs of four"],
            "similarity": list(found),
            "adds to the score": [10 * value / 4 for value in found],
        },
        "orders",
    )


def _others(explanation: CiderExplanation, best: int) -> list[int]:
    return [place for place in range(len(explanation.references)) if place != best][:MOST_REFERENCES]


def _add_up(explanation: CiderExplanation) -> list[_Gram]:
    """Every n-gram of either side once, what earned most first."""
    found: dict[tuple[str, ...], _Gram] = {}
    for reference in explanation.references:
        for gram in reference.ngrams:
            entry = found.setdefault(gram.words, _Gram(gram.words, gram.candidate_count, gram.idf))
            entry.references += gram.reference_count > 0
            entry.reference_weight += gram.reference_weight
            entry.contribution += gram.contribution
    return sorted(found.values(), key=lambda gram: (-gram.contribution, -gram.reference_weight, gram.words))


def _sentence(explanation: CiderExplanation, grams: list[_Gram]) -> str:
    earned = [f"{quoted(' '.join(gram.words))} ({number(gram.contribution)})" for gram in grams if gram.contribution][
        :3
    ]
    if not earned:
        sentence = "CIDEr found no n-gram of weight that candidate and references share"
    else:
        part = "its largest part comes" if len(earned) == 1 else "its largest parts come"
        sentence = f"CIDEr is {number(explanation.value)}; {part} from {listing(earned)}"
    missed = [gram for gram in grams if not gram.candidate_count and len(gram.words) == 1 and gram.reference_weight > 0]
    heaviest = sorted(missed, key=lambda gram: (-gram.reference_weight, gram.words))[:2]
    if heaviest:
        sentence += f"; of single words it misses {listing([quoted(gram.words[0]) for gram in heaviest])} most"
    return f"{sentence}."


def _earned_by_place(explanation: CiderExplanation, grams: list[_Gram]) -> list[float]:
    """The contributions shared out among the words of each n-gram, and among its places in the candidate."""
    value = {
        gram.words: gram.contribution / (gram.candidate_count * len(gram.words)) for gram in grams if gram.contribution
    }
    earned = [0.0] * len(explanation.tokens)
    for size in range(1, 5):
        for start in range(len(earned) - size + 1):
            share = value.get(explanation.tokens[start : start + size])
            if share:
                for place in range(start, start + size):
                    earned[place] += share
    return earned


def _candidate(explanation: CiderExplanation, grams: list[_Gram]) -> Caption:
    earned = _earned_by_place(explanation, grams)
    most = max(earned, default=0.0) or 1.0
    known = {word for reference in explanation.references for word in reference.tokens}

    def mark(place: int) -> Word:
        text = explanation.tokens[place]
        kind = "matched" if text in known else "extra"
        hint = f"earned {number(earned[place])} of {number(explanation.value)}" if text in known else "in no reference"
        return Word(text, kind, earned[place] / most if text in known else 0.3, hint)

    return caption("candidate, shade: what it earned", explanation.tokens, mark)


def _reference(explanation: CiderExplanation, place: int, name: str) -> Caption:
    reference = explanation.references[place]
    weights = {gram.words[0]: gram.reference_weight for gram in reference.ngrams if len(gram.words) == 1}
    most, said = max(weights.values(), default=0.0) or 1.0, set(explanation.tokens)

    def mark(at: int) -> Word:
        text = reference.tokens[at]
        weight = weights.get(text, 0.0)
        return Word(text, "matched" if text in said else "missed", weight / most, f"weight {number(weight)} (tf-idf)")

    return caption(f"{name}, shade: weight", reference.tokens, mark)


def _points(explanation: CiderExplanation, reference: CiderReference) -> list[float]:
    return [10 * value / 4 / len(explanation.references) for value in reference.similarities]


def _shares(explanation: CiderExplanation, palette: Palette) -> object:
    order = sorted(
        range(len(explanation.references)), key=lambda place: -sum(explanation.references[place].similarities)
    )
    shown = [(place, _points(explanation, explanation.references[place])) for place in order[:MOST_REFERENCES]]
    drawn, rows = figure(palette), list(range(len(shown)))
    for n in range(4):
        share = 0.85 - 0.2 * n
        drawn.add_bar(
            orientation="h",
            y=rows,
            x=[points[n] for _, points in shown],
            marker={"color": tint(palette.matched, share), "line": {"color": palette.background, "width": 1}},
            hovertext=[f"{n + 1}-grams of reference {place + 1}: {points[n]:.3f}" for place, points in shown],
            hoverinfo="text",
            text=[
                f"n={n + 1}" if row == 0 and points[n] > 0.08 * sum(shown[0][1]) else ""
                for row, (_, points) in enumerate(shown)
            ],
            textposition="inside",
            insidetextanchor="middle",
            insidetextfont={"color": written_on(palette.matched, share, palette)},
            textangle=0,
        )
    most = max((sum(points) for _, points in shown), default=0.0) or 1.0
    for row, (_, points) in enumerate(shown):
        drawn.add_annotation(
            x=sum(points),
            y=row,
            text=f" {number(sum(points))}",
            showarrow=False,
            xanchor="left",
            font={"color": palette.text},
        )
    names = [f"{place + 1}  {label(' '.join(explanation.references[place].tokens), 40)}  " for place, _ in shown]
    drawn.update_yaxes(
        tickmode="array", tickvals=rows, ticktext=names, range=[max(len(rows), 4) - 0.5, -0.5], automargin=True
    )
    drawn.update_xaxes(visible=False, range=[0, most * 1.15])
    drawn.update_layout(barmode="stack", bargap=0.4)
    return drawn


def _table(grams: list[_Gram], title: str, *, earned: bool) -> Table:
    if earned:
        shown = [gram for gram in grams if gram.contribution > 0][:MOST_NGRAMS]
    else:
        lacking = [gram for gram in grams if not gram.candidate_count]
        shown = sorted(lacking, key=lambda gram: (-gram.reference_weight, gram.words))[:MOST_NGRAMS]
    columns: dict[str, list[object]] = {
        "n-gram": [clean(" ".join(gram.words)) for gram in shown],
        "references that have it": [gram.references for gram in shown],
        "rarity (idf)": [gram.idf for gram in shown],
    }
    if earned:
        columns["contribution"] = [gram.contribution for gram in shown]
    else:
        columns["weight in the references"] = [gram.reference_weight for gram in shown]
    return Table(title, columns)


def _references(explanation: CiderExplanation) -> Table:
    references = explanation.references
    by_place: dict[str, list[object]] = defaultdict(list)
    for place, reference in enumerate(references):
        by_place["reference"].append(place + 1)
        by_place["caption"].append(clean(" ".join(reference.tokens)))
        by_place["length penalty"].append(reference.length_penalty)
        for n, value in enumerate(reference.similarities):
            by_place[f"similarity, n={n + 1}"].append(value)
    return Table(f"Each reference (idf from {explanation.idf_source}, {explanation.idf_images:,} images)", by_place)
