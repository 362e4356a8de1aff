"""What MIMA and SPURTS share: the transformer they choose, one pass over a batch's captions, and their evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from capeval_core.option_fields import Checked, transformer
from capeval_core.shared import Shared
from capeval_core.types import Array, CaptionItem, Explanation, MetricResult, StandIn

ESTIMATED = "estimated from minilm"
ORIGINALS = {"mima": ("DistilBERT", "distilbert-base-uncased"), "spurts": ("DistilRoBERTa", "distilroberta-base")}


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


@dataclass(frozen=True, slots=True)
class FlowContext:
    """Which transformer scores, chosen once per evaluation."""

    source: str

    @property
    def label(self) -> str:
        return ESTIMATED if self.source == "estimate" else Path(self.source).name

    def signature(self) -> dict[str, str]:
        return {"model": self.label}

    @property
    def word(self) -> str:
        """What a value by this transformer is towards the paper's: "" for one that was somebody's choice."""
        return {"estimate": "estimated", "minilm": "stand-in"}.get(self.source, "")


def stand_in_for(contexts: Mapping[str, FlowContext]) -> StandIn | None:
    """What stands in for the paper's transformers, by metric: where one part is estimated, the whole is."""
    word = max((context.word for context in contexts.values()), key=["", "stand-in", "estimated"].index)
    lacking = [key for key, context in contexts.items() if context.word]
    if not word:
        return None
    original = " and ".join(ORIGINALS[key][0] for key in lacking)
    fetch = "; ".join(f"python -m capeval_core resources fetch {ORIGINALS[key][1]}" for key in lacking)
    if word == "estimated":
        fix = f"{fetch}; then start CapEval again; it takes the original by itself"
        return StandIn(word, "a regression on MiniLM's attention", original, fix)
    settings = " ".join(f"--set {key}.model=auto" for key in lacking)
    return StandIn(word, "MiniLM-L6", original, f"{fetch}; python -m capeval_core score ... {settings}")


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


class FlowMetric:
    """Either metric; `key` says which."""

    key: str

    def __init__(self, options: Options, shared: Shared) -> None:
        self.options = options
        self.shared = shared
        self.context: FlowContext = shared.context[self.key]

    @classmethod
    def resolve(cls, options: Options, items: Sequence[CaptionItem], shared: Shared) -> FlowContext:
        return choose(options, cls.key)

    def score(self, items: Sequence[CaptionItem]) -> MetricResult:
        return flow_values(items, self.key, self.context, self.shared)

    def corpus(self, statistics: Array) -> dict[str, float]:
        return {self.key: float(statistics.mean())}

    def stand_in(self, key: str) -> StandIn | None:
        return stand_in_for({self.key: self.context})

    def explain(self, item: CaptionItem, key: str) -> FlowExplanation:
        return explain_flow(item.candidate, self.key, self.context, self.shared)


def choose(options: Options, key: str) -> FlowContext:
    from capeval_core.resources import typicality

    return FlowContext(typicality.choose(options.model, key))


def flow_values(items: Sequence[CaptionItem], key: str, context: FlowContext, shared: Shared) -> MetricResult:
    measured = shared.typicality([item.candidate for item in items], key, context.source)
    values = np.array([found.value for found in measured], dtype=np.float64)
    notes = {row: found.note for row, found in enumerate(measured) if found.note}
    return MetricResult(segments={key: values}, statistics=values[:, None], notes=notes)


def explain_flow(caption: str, key: str, context: FlowContext, shared: Shared) -> FlowExplanation:
    from capeval_core.resources import typicality

    (measured,) = shared.typicality([caption], key, context.source)
    estimated = context.source == typicality.ESTIMATE
    model = shared.transformer(typicality.transformer_of(context.source))
    (passes,) = typicality.run(model, [caption], context.source, (key,))
    reading, heads = passes.readings[key], passes.flows[key].heads
    strongest = heads.max(axis=1)
    count = len(strongest)
    order = np.argsort(strongest, kind="stable")
    plain = typicality.plain(passes, key)
    return FlowExplanation(
        value=measured.value,
        note=measured.note,
        tokens=reading.tokens,
        masked=reading.masked,
        dropped=reading.dropped,
        flows=tuple(map(tuple, heads.astype(np.float64).tolist())),
        chosen_heads=tuple(heads.argmax(axis=1).tolist()),
        median_layers=tuple(sorted(order[(count - 1) // 2 : count // 2 + 1].tolist())),
        flow=1 - plain if key == "mima" else plain,
        plain=plain,
        estimate=measured.value if estimated and not reading.empty else None,
        method=describe(estimated, reading.empty, key),
        model=model.name,
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
