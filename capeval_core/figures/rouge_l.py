"""ROUGE-L drawn: the longest common subsequence marked on both sides, and what each reference would give."""

from __future__ import annotations

from capeval_core.figures.arithmetic import Term, fraction, line, nothing
from capeval_core.figures.charts import Bar, bars
from capeval_core.figures.evidence import Caption, Chart, Evidence, Table, Word
from capeval_core.figures.numbers import percent
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import MOST_REFERENCES, caption, clean, plural, with_note
from capeval_core.metrics.rouge_l import RougeLExplanation, RougeLReference

MOST_BARS = 5  # references in the chart, two bars each


def draw(explanation: RougeLExplanation, palette: Palette) -> Evidence:
    references, counts = explanation.references, _counting(explanation)
    # What the score is made of comes first: the chart shows a few references only.
    order = sorted(range(len(references)), key=lambda place: (place not in counts, -references[place].f_score))
    others = [part for place in order[1:MOST_REFERENCES] for part in _captions(explanation, place)]
    return Evidence(
        with_note(_sentence(explanation), explanation.note),
        (
            *_captions(explanation, order[0]),
            Chart(
                "Words in the same order, as shares of each side", _shares(explanation, order, palette), name="shares"
            ),
        ),
        (_table(explanation), *others),
        _arithmetic(explanation),
    )


def _sentence(explanation: RougeLExplanation) -> str:
    references = explanation.references
    for_precision, for_recall = _counting(explanation)
    if not any(reference.links for reference in references):
        if explanation.value:
            return "ROUGE-L takes the candidate, which has no words, for equal to a reference without words."
        return "ROUGE-L found no word that candidate and a reference share."
    best = references[for_precision]
    total = len(explanation.tokens)
    found = f"ROUGE-L found {len(best.links)} of the candidate's {plural(total, 'word')} in the same order"
    if best.recall == explanation.recall:
        return (
            f"{found} in reference {for_precision + 1}: {percent(best.precision)} of the candidate and "
            f"{percent(best.recall)} of the reference."
        )
    other = references[for_recall]
    return (
        f"{found} in reference {for_precision + 1} ({percent(best.precision)}), and {len(other.links)} of the "
        f"{plural(len(other.tokens), 'word')} of reference {for_recall + 1} ({percent(other.recall)}): "
        "each share is the best of any reference."
    )


def _counting(explanation: RougeLExplanation) -> tuple[int, int]:
    """The references that gave precision and recall."""
    references = explanation.references
    places = range(len(references))
    return (
        max(places, key=lambda place: (references[place].precision, references[place].recall)),
        max(places, key=lambda place: (references[place].recall, references[place].precision)),
    )


def _arithmetic(explanation: RougeLExplanation) -> tuple[Term, ...]:
    if not explanation.value:
        return nothing("ROUGE-L", "no word is shared")
    for_precision, for_recall = (explanation.references[place] for place in _counting(explanation))
    if not for_precision.links:  # a caption without words is one empty word to the toolkit, and equal to another
        return line("ROUGE-L", ["1"], explanation.value)
    precision = fraction(len(for_precision.links), len(explanation.tokens), "shares")
    recall = fraction(len(for_recall.links), len(for_recall.tokens), "shares")
    square = explanation.beta**2
    above = [f"{1 + square:.6g} × ", *precision, " × ", *recall]
    return line("ROUGE-L", [*above, " / (", *recall, f" + {square:.6g} × ", *precision, ")"], explanation.value)


def _captions(explanation: RougeLExplanation, place: int) -> tuple[Caption, Caption]:
    reference = explanation.references[place]
    ours, theirs = {link[0] for link in reference.links}, {link[1] for link in reference.links}
    return (
        caption(
            "candidate",
            explanation.tokens,
            lambda at: _mark(explanation.tokens[at], at in ours, "extra", reference.tokens),
        ),
        caption(
            f"reference {place + 1}",
            reference.tokens,
            lambda at: _mark(reference.tokens[at], at in theirs, "missed", explanation.tokens),
        ),
    )


def _mark(text: str, linked: bool, otherwise: str, other_side: tuple[str, ...]) -> Word:
    if linked:
        return Word(text, "matched", 0.5, "in the longest common sequence")
    hint = "the other side has it too, in another place" if text in other_side else "not on the other side"
    return Word(text, "neutral" if text in other_side else otherwise, 0.5, hint)


def _shares(explanation: RougeLExplanation, order: list[int], palette: Palette) -> object:
    rows = []
    for place in order[:MOST_BARS]:
        reference = explanation.references[place]
        lcs = len(reference.links)
        rows += [
            Bar(
                *_bar(f"reference {place + 1}: of the candidate", reference.precision, explanation.precision),
                f"{lcs} of {len(explanation.tokens):,}{_best(reference.precision, explanation.precision)}",
            ),
            Bar(
                *_bar("of the reference", reference.recall, explanation.recall),
                f"{lcs} of {len(reference.tokens):,}{_best(reference.recall, explanation.recall)}",
            ),
        ]
    return bars(palette, rows, 1.0, 340 if len(rows) > 4 else 320)


def _bar(name: str, share: float, best: float) -> tuple[str, float, str]:
    return name, share, "matched" if share == best and share else "neutral"


def _best(share: float, best: float) -> str:
    return ", counts" if share == best and share else ""


def _table(explanation: RougeLExplanation) -> Table:
    references: tuple[RougeLReference, ...] = explanation.references
    return Table(
        "Each reference",
        {
            "reference": list(range(1, len(references) + 1)),
            "caption": [clean(" ".join(reference.tokens)) for reference in references],
            "shared words in order": [len(reference.links) for reference in references],
            "precision": [reference.precision for reference in references],
            "recall": [reference.recall for reference in references],
            "F": [reference.f_score for reference in references],
        },
    )
