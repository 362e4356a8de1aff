"""MIMA and SPURTS drawn: the information flow of every head, the strongest of each layer, the layers in the middle."""

from __future__ import annotations

from capeval_core.figures.evidence import Caption, Chart, Evidence, Table, Word
from capeval_core.figures.matrix import MOST_SIDE, Cell, matrix
from capeval_core.figures.numbers import number
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import caption, listing, noted, with_note
from capeval_core.metrics.typicality import FlowExplanation


def draw(explanation: FlowExplanation, palette: Palette, key: str = "") -> Evidence:
    key = key or explanation.key
    parts: tuple[Caption | Chart, ...] = _tokens(explanation)
    if explanation.flows:
        parts = (_heads(explanation, palette), *parts)
    return Evidence(with_note(_sentence(explanation, key), explanation.note), parts, (_table(explanation),))


def _sentence(explanation: FlowExplanation, key: str) -> str:
    name = key.upper()
    # A caption without words is given 0, whatever flows among the transformer's own tokens.
    if not explanation.flows or (explanation.estimate is None and explanation.value != explanation.plain):
        return f"{name} has nothing to read."
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
    return f"{sentence}."


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
    return Chart(noted(title, max(len(names), len(heads)), MOST_SIDE, "row"), drawn, clicks)


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
