"""MIMA and SPURTS drawn: the information flow of every head, the strongest of each layer, the layers in the middle."""

from __future__ import annotations

from capeval_core.figures.arithmetic import Number, Term, line, mean, nothing
from capeval_core.figures.charts import Bar, bars
from capeval_core.figures.evidence import Caption, Chart, Evidence, Table, Word
from capeval_core.figures.matrix import MOST_SIDE, Cell, matrix
from capeval_core.figures.numbers import change, number, tie
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import caption, listing, noted, quoted, with_note
from capeval_core.metrics.typicality import FlowExplanation

MOST_BARS = 14


def draw(explanation: FlowExplanation, palette: Palette, key: str = "") -> Evidence:
    key = key or explanation.key
    parts: tuple[Caption | Chart | Table, ...] = _tokens(explanation)
    if explanation.flows:
        effects = (_effects(explanation, palette),) if explanation.words else ()
        parts = (*effects, _heads(explanation, palette), *parts)
    return Evidence(
        with_note(_sentence(explanation, key), explanation.note),
        parts,
        (_table(explanation),),
        _arithmetic(explanation, key),
    )


def unread(explanation: FlowExplanation) -> bool:
    """A caption without words is given 0, whatever flows among the transformer's own tokens."""
    return not explanation.flows or (explanation.estimate is None and explanation.value != explanation.plain)


def _arithmetic(explanation: FlowExplanation, key: str) -> tuple[Term, ...]:
    if unread(explanation):
        return nothing(key.upper(), "there is nothing to read")
    strongest = [explanation.flows[layer][explanation.chosen_heads[layer]] for layer in explanation.median_layers]
    formula = [*(["1 − "] if key == "mima" else []), *mean(strongest, "heads")]
    if explanation.estimate is not None:
        apart = explanation.estimate - explanation.plain
        formula += [" − " if apart < 0 else " + ", Number(abs(apart), "heads"), " by the estimate"]
    return line(key.upper(), formula, explanation.value)


def _moves(explanation: FlowExplanation) -> list[float]:
    """What each word does to the score: with it, less without it."""
    return [explanation.value - value for value in explanation.without]


def _sentence(explanation: FlowExplanation, key: str) -> str:
    if unread(explanation):
        return f"{key.upper()} has nothing to read."
    layers = [str(layer + 1) for layer in explanation.median_layers]
    where = f"middle layer{'s' if len(layers) > 1 else ''} ({listing(layers)})"
    sentence = (
        f"In the {where} of {explanation.model} the strongest heads carry a flow of {number(explanation.flow)} out of 1"
    )
    if key == "mima":
        sentence += f"; MIMA, how ordinary the wording is, is 1 minus that: {number(explanation.plain)}"
    else:
        sentence += "; SPURTS, how distinct the content words are, is that flow with stop words hidden"
    if explanation.estimate is not None:
        sentence += f". The score, {number(explanation.estimate)}, estimates what the paper's transformer would give"
    return f"{sentence}{_most(explanation)}."


def _most(explanation: FlowExplanation) -> str:
    """The words that do most, if any does something that shows."""
    moves = _moves(explanation)
    if len(moves) < 2:
        return ""
    best, worst = (end(range(len(moves)), key=moves.__getitem__) for end in (max, min))
    said = [
        f"{quoted(explanation.words[place])} {does} it most ({change(moves[place])})"
        for place, does, counts in ((best, "raises", moves[best] > 0), (worst, "lowers", moves[worst] < 0))
        if counts and not tie(moves[place], 0)
    ]
    return f". Of its words {listing(said)}" if said else ""


def _effects(explanation: FlowExplanation, palette: Palette) -> Chart:
    moves = _moves(explanation)
    kept = sorted(sorted(range(len(moves)), key=lambda place: -abs(moves[place]))[:MOST_BARS])
    rows = [Bar(explanation.words[place], moves[place], "neutral", change(moves[place])) for place in kept]
    title = "What each word does to the score: with it, less without it"
    if len(kept) < len(moves):
        title += f" (the {len(kept)} that do most, of {len(moves)})"
    ends = [0.0, *(moves[place] for place in kept)]
    return Chart(title, bars(palette, rows, max(*ends, 0.001), 320 if len(rows) < 10 else 360, min(ends)), name="words")


def _heads(explanation: FlowExplanation, palette: Palette) -> Chart:
    def cell(layer: int, head: int) -> Cell:
        flow = explanation.flows[layer][head]
        chosen = explanation.chosen_heads[layer] == head
        said = ", the strongest of its layer" if chosen else ""
        middle = "; this layer is in the middle and counts" if chosen and layer in explanation.median_layers else ""
        hint = f"layer {layer + 1}, head {head + 1}: flow {flow:.3f}{said}{middle}"
        return Cell(flow, f"{flow:.2f}", hint, "solid" if chosen else "")

    layers = range(len(explanation.flows))
    names = [f"{'middle: ' if layer in explanation.median_layers else ''}layer {layer + 1}" for layer in layers]
    heads = [f"head {head + 1}" for head in range(len(explanation.flows[0]))]
    drawn, clicks = matrix(palette, (names, heads), cell)
    title = "Flow of each head; framed: the strongest of its layer"
    return Chart(
        f"{noted(title, max(len(names), len(heads)), MOST_SIDE, 'row')}{_apart(explanation)}", drawn, clicks, "heads"
    )


def _apart(explanation: FlowExplanation) -> str:
    """How the score comes of the heads, where it is more than their flow."""
    if explanation.estimate is None:
        return ""
    apart = change(explanation.estimate - explanation.plain)
    return f" · these heads alone give {number(explanation.plain)}; the estimate for the paper's transformer: {apart}"


def _tokens(explanation: FlowExplanation) -> tuple[Caption, ...]:
    def mark(place: int) -> Word:
        if explanation.masked[place]:
            return Word("·", hint=f"{explanation.tokens[place]}: a stop word, hidden")
        return Word(explanation.tokens[place])

    parts = [caption("what it reads", explanation.tokens, mark)]
    if any(explanation.masked):
        hidden = [token for token, masked in zip(explanation.tokens, explanation.masked, strict=True) if masked]
        parts.append(caption("hidden stop words", hidden, lambda place: Word(hidden[place])))
    if explanation.dropped:
        parts.append(caption("punctuation left out", explanation.dropped, lambda at: Word(explanation.dropped[at])))
    return tuple(parts)


def _table(explanation: FlowExplanation) -> Table:
    layers = list(range(len(explanation.flows)))
    return Table(
        f"Strongest heads. How the score is made: {explanation.method}",
        {
            "layer": [layer + 1 for layer in layers],
            "strongest head": [explanation.chosen_heads[layer] + 1 for layer in layers],
            "flow": [explanation.flows[layer][explanation.chosen_heads[layer]] for layer in layers],
            "in the middle": [layer in explanation.median_layers for layer in layers],
        },
    )
