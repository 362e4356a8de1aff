"""Captions as a transformer sees them: what it read, and the information that flowed through its heads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from capeval_core import pace
from capeval_core.metrics.typicality.information_flow import Flow, Reading, measure, read
from capeval_core.metrics.typicality.source import KEYS
from capeval_core.resources.transformer import Transformer


@dataclass(frozen=True, slots=True, eq=False)
class Passes:
    """One caption as a transformer saw it, with its stop words and without."""

    caption: str
    readings: dict[str, Reading]  # by metric key
    flows: dict[str, Flow]


def run(model: Transformer, captions: Sequence[str], prepared: bool, keys: Sequence[str] = KEYS) -> list[Passes]:
    readings = {
        key: [read(model, caption, stop_words=key == "mima", prepared=prepared) for caption in pace.each(captions)]
        for key in keys
    }
    flows = {key: measure(model, found) for key, found in readings.items()}
    return [
        Passes(caption, {key: readings[key][row] for key in keys}, {key: flows[key][row] for key in keys})
        for row, caption in enumerate(captions)
    ]
