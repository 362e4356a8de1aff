"""What MIMA and SPURTS share as metrics: option, scores and evidence. Torch is loaded when they score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from capeval_core.metrics.typicality.source import FlowContext, choose, stand_in_for
from capeval_core.option_fields import Checked, transformer
from capeval_core.resources.vocabulary import unknown_tokens
from capeval_core.shared import Shared
from capeval_core.text.unknown import Unknown
from capeval_core.types import Array, CaptionItem, Explanation, MetricResult, StandIn

MOST_WORDS = 60  # of a caption whose words are left out in turn


@dataclass(frozen=True, slots=True)
class Options(Checked):
    # Besides the choices: minilm, the folder of a transformer, or a name of the local hub cache.
    model: str = field(
        default="auto",
        metadata=transformer(
            "Transformer",
            "The language model whose attention is measured.",
            {
                "auto": "the paper's where this machine has it, else the estimate",
                "estimate": "the paper's value, estimated from MiniLM's attention",
            },
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowExplanation(Explanation):
    tokens: tuple[str, ...]  # in the transformer's order, its own ([CLS], [SEP]) included
    masked: tuple[bool, ...]  # a stop word: the padding token stood there, and nothing attended to it
    dropped: tuple[str, ...]  # punctuation, taken out
    flows: tuple[tuple[float, ...], ...]  # layers x heads: normalised mutual information of who attends to whom
    chosen_heads: tuple[int, ...]  # the strongest head of each layer
    median_layers: tuple[int, ...]  # the layer in the middle; of an even number of layers, the two
    flow: float  # mean of the chosen heads' flows in the median layers
    plain: float  # the value by the formula on these tokens: 1 - flow for MIMA, flow for SPURTS
    estimate: float | None  # of the paper's value; None when the plain value is the score
    method: str  # how `value` was made of this
    model: str  # the transformer whose flows these are
    words: tuple[str, ...]  # of the caption; none where nobody left each out in turn, as of a very long one
    without: tuple[float, ...]  # for each word the score of the caption without it


class FlowMetric:
    """Either metric; `key` says which."""

    key: str

    def __init__(self, options: Options, shared: Shared) -> None:
        self.options = options
        self.shared = shared
        self.context: FlowContext = shared.context[self.key]

    @classmethod
    def resolve(cls, options: Options, items: Sequence[CaptionItem], shared: Shared) -> FlowContext:
        return choose(options.model, cls.key)

    def score(self, items: Sequence[CaptionItem]) -> MetricResult:
        return flow_values(items, self.key, self.context, self.shared)

    def corpus(self, statistics: Array) -> dict[str, float]:
        return {self.key: float(statistics.mean())}

    def stand_in(self, key: str) -> StandIn | None:
        return stand_in_for({self.key: self.context}, key)

    def unknown(self, caption: str) -> Unknown:
        return unknown_to(self.context, caption, self.shared)

    def explain(self, item: CaptionItem, key: str) -> FlowExplanation:
        return explain_flow(item.candidate, self.key, self.context, self.shared)


def flow_values(items: Sequence[CaptionItem], key: str, context: FlowContext, shared: Shared) -> MetricResult:
    from capeval_core.metrics.typicality.values import measure_captions

    measured = measure_captions((item.candidate for item in items), key, context, shared)
    values = np.array([found.value for found in measured], dtype=np.float64)
    notes = {row: found.note for row, found in enumerate(measured) if found.note}
    return MetricResult(segments={key: values}, statistics=values[:, None], notes=notes)


def unknown_to(context: FlowContext, caption: str, shared: Shared) -> Unknown:
    return unknown_tokens(shared.transformer(context.transformer), caption)


def explain_flow(
    caption: str, key: str, context: FlowContext, shared: Shared, *, word_by_word: bool = True
) -> FlowExplanation:
    """`word_by_word`: also what the score would be without each word, which costs as many captions."""
    from capeval_core.metrics.typicality.information_flow import FORMULAS, strongest_flow
    from capeval_core.metrics.typicality.passes import run
    from capeval_core.metrics.typicality.values import measure_captions

    (measured,) = measure_captions([caption], key, context, shared)
    words = tuple(caption.split())
    words = words if word_by_word and len(words) <= MOST_WORDS else ()
    shorter = [" ".join((*words[:at], *words[at + 1 :])) for at in range(len(words))]
    model = shared.transformer(context.transformer)
    (passes,) = run(model, [caption], context.prepared, (key,))
    reading, heads = passes.readings[key], passes.flows[key].heads
    strongest = heads.max(axis=1)
    count = len(strongest)
    order = np.argsort(strongest, kind="stable")
    return FlowExplanation(
        value=measured.value,
        note=measured.note,
        tokens=reading.tokens,
        masked=reading.masked,
        dropped=reading.dropped,
        flows=tuple(map(tuple, heads.astype(np.float64).tolist())),
        chosen_heads=tuple(heads.argmax(axis=1).tolist()),
        median_layers=tuple(sorted(order[(count - 1) // 2 : count // 2 + 1].tolist())),
        flow=strongest_flow(heads),
        plain=FORMULAS[key](heads),
        estimate=measured.value if context.estimated and not reading.empty else None,
        method=describe(context.estimated, reading.empty, key),
        model=model.name,
        words=words,
        without=tuple(one.value for one in measure_captions(shorter, key, context, shared)),
    )


def describe(estimated: bool, empty: bool, key: str) -> str:
    if empty:
        return "an empty caption is given 0"
    if estimated:
        return (
            "estimate of the value by the paper's transformer: a regression on minilm's flows with and without stop "
            "words, lengths and mean vectors, fitted on the authors' published values (data/typicality.md)"
        )
    return "strongest head of each layer, median of the layers" + (", 1 minus that" if key == "mima" else "")
