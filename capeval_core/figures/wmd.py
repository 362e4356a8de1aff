"""WMD drawn: how much of each word's weight moves where and how far, as links and as a matrix."""

from __future__ import annotations

from dataclasses import replace

from capeval_core.figures.arithmetic import Number, Term, line, mean, nothing
from capeval_core.figures.evidence import Caption, Chart, Evidence, Table, Word
from capeval_core.figures.links import MOST_LINKED, Link, linked
from capeval_core.figures.matrix import MOST_SIDE, Cell, matrix
from capeval_core.figures.numbers import number, percent
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import caption, clean, first, listing, noted, quoted, short, with_note
from capeval_core.metrics.wmd import WmdExplanation, WmdReference

MOST_OTHERS = 4  # references drawn besides the nearest
THIN = 1e-9  # flow below this is rounding


def draw(explanation: WmdExplanation, palette: Palette) -> Evidence:
    order = sorted(range(len(explanation.references)), key=lambda place: (_distance(explanation, place), place))
    if explanation.distance is None:
        none = nothing("WMD", "there are no words to compare")
        return Evidence(with_note("WMD has nothing to compare.", explanation.note), (), (_table(explanation),), none)
    best, averaged = order[0], explanation.combine != "min"
    others = [place for place in order[1 : MOST_OTHERS + 1] if explanation.references[place].distance is not None]
    return Evidence(
        with_note(_sentence(explanation, best), explanation.note),
        (
            replace(_links(explanation, best, palette), name="distance"),
            _matrix(explanation, best, palette),
            *([_table(explanation)] if averaged else []),
        ),
        (
            *(
                part
                for place in others
                for part in (_links(explanation, place, palette), _matrix(explanation, place, palette))
            ),
            *([] if averaged else [_table(explanation)]),
            *_unknown(explanation),
        ),
        _arithmetic(explanation),
    )


def _arithmetic(explanation: WmdExplanation) -> tuple[Term, ...]:
    assert explanation.distance is not None
    if explanation.combine == "min":
        return line("WMD", ["exp(−", Number(explanation.distance, "distance"), ")"], explanation.value)
    found = [reference.similarity for reference in explanation.references if reference.distance is not None]
    return line("WMD", mean(found, "references"), explanation.value)


def _distance(explanation: WmdExplanation, place: int) -> float:
    found = explanation.references[place].distance
    return float("inf") if found is None else found


def _sentence(explanation: WmdExplanation, best: int) -> str:
    reference = explanation.references[best]
    assert reference.distance is not None
    where = f"reference {best + 1}" + ("" if explanation.combine == "min" else ", the nearest")
    if reference.distance < THIN:
        sentence = f"WMD moves nothing: {where} has the same words with the same weights"
    else:
        moves = _costliest(reference)
        steps = [f"{quoted(explanation.words[i])} to {quoted(reference.words[j])} ({number(c)})" for c, i, j in moves]
        said = f"the costliest {'move is' if len(steps) == 1 else 'moves are'} {listing(steps)}"
        sentence = f"WMD moves the words {number(reference.distance)} on average to become those of {where}; {said}"
    if explanation.unknown:
        unknown = first(map(quoted, explanation.unknown), 3)
        sentence += f"; {listing(unknown)} {'has' if len(explanation.unknown) == 1 else 'have'} no vector"
    compared = sum(reference.distance is not None for reference in explanation.references)
    if explanation.combine == "mean" and compared > 1:
        return f"{sentence}. The score is the mean of {compared} references' similarities."
    return f"{sentence}."


def _costliest(reference: WmdReference) -> list[tuple[float, int, int]]:
    """Of all moves the two that cost most: cost, the word that moves, the word it moves to."""
    costs = [
        (flow * cost, i, j)
        for i, (flows, distances) in enumerate(zip(reference.flow, reference.cost, strict=True))
        for j, (flow, cost) in enumerate(zip(flows, distances, strict=True))
    ]
    return sorted((move for move in costs if move[0] > THIN), key=lambda move: (-move[0], *move[1:]))[:2]


def _hint(explanation: WmdExplanation, reference: WmdReference, i: int, j: int) -> str:
    flow, cost = reference.flow[i][j], reference.cost[i][j]
    pair = f"{short(explanation.words[i])} -> {short(reference.words[j])}"
    if flow < THIN:
        return f"{pair}: no weight moves; their distance is {cost:.1f}"
    return f"{pair}: {flow:.3f} of the weight moves a distance of {cost:.1f}, cost {flow * cost:.2f}"


def _links(explanation: WmdExplanation, place: int, palette: Palette) -> Chart:
    reference = explanation.references[place]
    heaviest = max(max(row) for row in reference.flow)
    links = []
    for i, row in enumerate(reference.flow[:MOST_LINKED]):
        for j, flow in enumerate(row[:MOST_LINKED]):
            if flow < THIN:
                continue
            travel, kind = flow * reference.cost[i][j], "near" if reference.cost[i][j] else "matched"
            text = f"{travel:.2f}" if travel > 0.07 * (reference.distance or 0.0) else ""
            width = 1 + 7 * flow / heaviest
            links.append(Link((i, 1), (j, 1), kind, _hint(explanation, reference, i, j), "solid", width, text))
    words = _words(explanation.words, reference.words, "near"), _words(reference.words, explanation.words, "near")
    longest = max(len(explanation.words), len(reference.words))
    title = f"Reference {place + 1}: {number(reference.distance or 0.0)} apart; width: weight that moves, number: cost"
    return Chart(
        noted(title, longest, MOST_LINKED), linked(palette, ("candidate", f"reference {place + 1}"), words, links)
    )


def _words(words: tuple[str, ...], others: tuple[str, ...], otherwise: str) -> list[Word]:
    return [Word(word, "matched" if word in others else otherwise) for word in words]


def _matrix(explanation: WmdExplanation, place: int, palette: Palette) -> Chart:
    reference = explanation.references[place]

    def cell(i: int, j: int) -> Cell:
        flow = reference.flow[i][j]
        text = f"{flow:.3f}".removeprefix("0") if flow >= 0.0005 else ""
        return Cell(flow, text, _hint(explanation, reference, i, j))

    drawn, clicks = matrix(palette, (explanation.words, reference.words), cell)
    longest = max(len(explanation.words), len(reference.words))
    title = noted(f"Weight that moves from the candidate to reference {place + 1}", longest, MOST_SIDE)
    return Chart(title, drawn, clicks)


def _table(explanation: WmdExplanation) -> Table:
    references = explanation.references
    return Table(
        f"Each reference ({explanation.vectors} knows {percent(explanation.coverage)} of the words)",
        {
            "reference": list(range(1, len(references) + 1)),
            "words compared": [clean(" ".join(reference.words)) for reference in references],
            "no vector": [clean(" ".join(reference.unknown)) for reference in references],
            "distance": [
                float("nan") if reference.distance is None else reference.distance for reference in references
            ],
            "similarity": [reference.similarity for reference in references],
        },
        "references",
    )


def _unknown(explanation: WmdExplanation) -> list[Caption]:
    if not explanation.unknown:
        return []
    mark = [Word(text, "extra", 0.3, f"not in {explanation.vectors}: left out") for text in explanation.unknown]
    return [caption("candidate's words without a vector", explanation.unknown, mark.__getitem__)]
