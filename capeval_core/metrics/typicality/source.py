"""Which transformer measures MIMA and SPURTS, and what that makes of the value. Looks at files; loads nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from capeval_core.metrics.typicality.reliability import reliability
from capeval_core.resources.hub import find
from capeval_core.types import StandIn

ESTIMATE = "estimate"
ESTIMATED = "estimated from minilm"
MINILM = "minilm"
PAPER = {"mima": "distilbert-base-uncased", "spurts": "distilroberta-base"}  # the authors' transformers
KEYS = tuple(PAPER)
_TITLES = {"mima": "DistilBERT", "spurts": "DistilRoBERTa"}


@dataclass(frozen=True, slots=True)
class FlowContext:
    """Which transformer scores, chosen once per evaluation."""

    source: str

    @property
    def label(self) -> str:
        return ESTIMATED if self.estimated else Path(self.source).name

    @property
    def estimated(self) -> bool:
        return self.source == ESTIMATE

    @property
    def transformer(self) -> str:
        return MINILM if self.estimated else self.source

    @property
    def prepared(self) -> bool:
        """Does it read text as the authors' program prepares it? See information_flow.py."""
        return self.estimated or Path(self.source).name in PAPER.values()

    @property
    def word(self) -> str:
        """What a value by this transformer is towards the paper's: "" for one that was somebody's choice."""
        return {ESTIMATE: "estimated", MINILM: "stand-in"}.get(self.source, "")

    def signature(self) -> dict[str, str]:
        return {"model": self.label}


def choose(model: str, key: str) -> FlowContext:
    """`auto` is the paper's transformer where it is on this machine, else the estimate."""
    if model != "auto":
        return FlowContext(model)
    return FlowContext(PAPER[key] if find(PAPER[key]) else ESTIMATE)


def stand_in_for(contexts: Mapping[str, FlowContext], metric: str) -> StandIn | None:
    """What stands in for the paper's transformers behind `metric`: where one part is estimated, the whole is."""
    word = max((context.word for context in contexts.values()), key=["", "stand-in", "estimated"].index)
    lacking = [key for key, context in contexts.items() if context.word]
    if not word:
        return None
    original = " and ".join(_TITLES[key] for key in lacking)
    fetch = "; ".join(f"python -m capeval_core resources fetch {PAPER[key]}" for key in lacking)
    if word == "estimated":
        fix = f"{fetch}; then start CapEval again; it takes the original by itself"
        found = StandIn(word, "a regression on MiniLM's attention", original, fix)
        known = reliability()
        if known is None:
            return found
        errors = known.error.get(metric), known.mean_error.get(metric)
        return replace(found, error=errors[0], mean_error=errors[1], unfit_for=known.unfit_for[metric])
    settings = " ".join(f"--set {key}.model=auto" for key in lacking)
    return StandIn(word, "MiniLM-L6", original, f"{fetch}; python -m capeval_core score ... {settings}")
