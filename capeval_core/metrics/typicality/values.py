"""MIMA and SPURTS of captions: by a transformer's information flow, or the paper's values estimated from MiniLM's.

Each distinct caption passes through the transformer once per evaluation, for MIMA, SPURTS and SMURF together; the
estimate gives both values of the same passes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from capeval_core import pace
from capeval_core.metrics.typicality.estimate import estimator, features
from capeval_core.metrics.typicality.information_flow import FORMULAS, Reading
from capeval_core.metrics.typicality.passes import run
from capeval_core.metrics.typicality.reliability import reliability
from capeval_core.metrics.typicality.source import KEYS, FlowContext
from capeval_core.resources.transformer import Transformer
from capeval_core.shared import Shared
from capeval_core.types import Array

AT_ONCE = 500  # captions between two reports of progress
EMPTY = "the caption is empty: 0, as in the authors' program"
ONLY_STOP_WORDS = "no word is left beside stop words and punctuation"
UNLIKE = (
    "unlike the captions the estimate learned from ({share:.0%} of new captions are); of such captions nine in ten are "
    "estimated to within {error:.2f}"
)
CUT = "only the caption's beginning was read: it is longer than the transformer's limit"


@dataclass(frozen=True, slots=True)
class Measured:
    value: float
    note: str  # what was odd about the caption, or nothing


def measure_captions(captions: Iterable[str], key: str, context: FlowContext, shared: Shared) -> list[Measured]:
    """MIMA or SPURTS (`key`) of each caption; what another metric has measured in this evaluation is taken over."""
    texts = list(captions)
    known = shared.table("typicality", key, context.source)
    new = sorted((text for text in set(texts) if text not in known), key=lambda text: (len(text), text))
    parts = [new[start : start + AT_ONCE] for start in range(0, len(new), AT_ONCE)]
    model = shared.transformer(context.transformer)
    for part in shared.track("Information flow", parts, len(parts)):
        for name, found in _measure(model, part, key, context).items():
            shared.table("typicality", name, context.source).update(zip(part, found, strict=True))
    return [known[text] for text in texts]


def _measure(model: Transformer, captions: Sequence[str], key: str, context: FlowContext) -> dict[str, list[Measured]]:
    """By metric key: `key`, and whatever else the same passes gave."""
    keys = KEYS if context.estimated else (key,)
    passes = run(model, captions, context.prepared, keys)
    doubts = {name: [""] * len(passes) for name in keys}
    if context.estimated:
        found = features(passes)
        pace.look()
        table, likeness = estimator().compare(found)
        pace.look()
        values = dict(zip(KEYS, table.T.tolist(), strict=True))
        doubts = {name: _doubts(name, likeness) for name in keys}
    else:
        values = {key: [FORMULAS[key](found.flows[key].heads) for found in passes]}
    return {
        name: [
            Measured(0.0 if found.readings[name].empty else value, describe(found.readings[name], doubt))
            for found, value, doubt in zip(passes, values[name], doubts[name], strict=True)
        ]
        for name in keys
    }


def _doubts(key: str, likeness: Array) -> list[str]:
    """What is said of an estimate for a caption unlike all that the estimate learned from."""
    known = reliability()
    if known is None:
        return [""] * len(likeness)
    far = UNLIKE.format(share=known.unlike, error=known.unlike_error[key])
    return [far if alike < known.likeness else "" for alike in likeness.tolist()]


def describe(reading: Reading, doubt: str = "") -> str:
    if reading.empty:
        return EMPTY
    words = sum(not masked for masked in reading.masked) - reading.special
    notes = ((ONLY_STOP_WORDS, not words), (CUT, reading.cut), (doubt, bool(doubt)))
    return "; ".join(note for note, holds in notes if holds)
