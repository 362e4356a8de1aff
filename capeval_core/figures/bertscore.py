"""BERTScore drawn: the tokens' similarities with the greedy matches framed."""

from __future__ import annotations

from capeval_core.figures.arithmetic import Formula, Number, Term, harmonic, line, nothing
from capeval_core.figures.evidence import Caption, Chart, Evidence, Table, Word
from capeval_core.figures.matrix import MOST_SIDE, Cell, matrix
from capeval_core.figures.numbers import number
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import caption, clean, noted, quoted, short, with_note
from capeval_core.metrics.bertscore import BertScoreExplanation

MOST_OTHERS = 3  # references drawn besides the best
PERFECT = 0.995  # a similarity that reads as 1.00


def draw(explanation: BertScoreExplanation, palette: Palette) -> Evidence:
    best = explanation.best
    others = [place for place in range(len(explanation.references)) if place != best][:MOST_OTHERS]
    return Evidence(
        with_note(_sentence(explanation), explanation.note),
        (*_captions(explanation, best), _matrix(explanation, best, palette)),
        (_table(explanation), *(_matrix(explanation, place, palette) for place in others)),
        _arithmetic(explanation),
    )


def _arithmetic(explanation: BertScoreExplanation) -> tuple[Term, ...]:
    if not explanation.value:
        return nothing("BERTScore", "there is nothing to compare")
    reference = explanation.references[explanation.best]
    precision, recall = [Number(reference.precision, "candidate")], [Number(reference.recall, "reference")]
    formulas: dict[str, Formula] = {
        "f1": harmonic(precision, recall),
        "precision": ["precision ", *precision],
        "recall": ["recall ", *recall],
    }
    return line("BERTScore", formulas[explanation.measure], explanation.value)


def _counted(tokens: tuple[str, ...], weights: tuple[float, ...]) -> list[int]:
    return [place for place in range(len(tokens)) if weights[place] > 0]


def _sentence(explanation: BertScoreExplanation) -> str:
    reference = explanation.references[explanation.best]
    ours = _counted(explanation.tokens, explanation.weights)
    theirs = _counted(reference.tokens, reference.weights)
    if not ours or not theirs or not explanation.value:
        return "BERTScore has nothing to compare."
    sentence = (
        f"BERTScore: the mean similarity of the candidate's tokens to their best matches in reference "
        f"{explanation.best + 1} is {number(reference.precision)}, of the reference's tokens to theirs "
        f"{number(reference.recall)}"
    )
    # Both ways: a token of the reference may find nothing, while all of the candidate find something.
    pairs = [(i, reference.candidate_matches[i]) for i in ours] + [(reference.reference_matches[j], j) for j in theirs]
    i, j = min(pairs, key=lambda pair: (reference.similarity[pair[0]][pair[1]], pair))
    similarity = reference.similarity[i][j]
    if similarity < PERFECT:
        pair = f"{quoted(explanation.tokens[i])} with {quoted(reference.tokens[j])}"
        sentence += f"; the weakest of these matches is {pair} ({number(similarity)})"
    return f"{sentence}."


def _captions(explanation: BertScoreExplanation, place: int) -> tuple[Caption, Caption]:
    reference = explanation.references[place]

    def ours(i: int) -> Word:
        j = reference.candidate_matches[i]
        return _mark(explanation.tokens[i], reference.tokens[j], reference.similarity[i][j], explanation.weights[i])

    def theirs(j: int) -> Word:
        i = reference.reference_matches[j]
        return _mark(reference.tokens[j], explanation.tokens[i], reference.similarity[i][j], reference.weights[j])

    return (
        caption(f"candidate, mean {number(reference.precision)}", explanation.tokens, ours, "candidate"),
        caption(f"reference {place + 1}, mean {number(reference.recall)}", reference.tokens, theirs, "reference"),
    )


def _mark(token: str, partner: str, similarity: float, weight: float) -> Word:
    if not weight:
        return Word(token, hint="weighs nothing")
    hint = f"best match: {short(partner)}, similarity {similarity:.2f}"
    return Word(token, "matched" if token == partner else "near", max(similarity, 0.0) ** 2, hint)


def _matrix(explanation: BertScoreExplanation, place: int, palette: Palette) -> Chart:
    reference = explanation.references[place]

    def cell(i: int, j: int) -> Cell:
        similarity = reference.similarity[i][j]
        forth = reference.candidate_matches[i] == j and explanation.weights[i] > 0
        back = reference.reference_matches[j] == i and reference.weights[j] > 0
        meets = [
            text for met, text in ((forth, "the candidate's best match"), (back, "the reference's best match")) if met
        ]
        pair = f"{short(explanation.tokens[i])} -> {short(reference.tokens[j])}"
        hint = f"{pair}: similarity {similarity:.2f}" + (f", {' and '.join(meets)}" if meets else "")
        return Cell(max(similarity, 0.0), f"{similarity:.2f}" if meets else "", hint, _frame(forth, back))

    drawn, clicks = matrix(palette, (explanation.tokens, reference.tokens), cell, 1.0, 360)
    longest = max(len(explanation.tokens), len(reference.tokens))
    frames = "solid frame: the candidate's best match, dashed: the reference's only"
    title = f"Similarity to reference {place + 1}'s tokens; {frames}"
    return Chart(noted(title, longest, MOST_SIDE, "token"), drawn, clicks)


def _frame(forth: bool, back: bool) -> str:
    return "solid" if forth else "dash" if back else ""


def _table(explanation: BertScoreExplanation) -> Table:
    references = explanation.references
    return Table(
        f"Each reference (layer {explanation.layer} of {explanation.model}; idf: {explanation.idf_source})",
        {
            "reference": list(range(1, len(references) + 1)),
            "tokens": [clean(" ".join(reference.tokens)) for reference in references],
            "precision": [reference.precision for reference in references],
            "recall": [reference.recall for reference in references],
            "F1": [reference.f1 for reference in references],
            "cut": [reference.cut for reference in references],
        },
    )
