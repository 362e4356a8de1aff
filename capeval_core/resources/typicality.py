"""MIMA and SPURTS of captions: by a transformer's information flow, or the paper's values estimated from MiniLM's.

The paper measures MIMA on distilbert-base-uncased and SPURTS on distilroberta-base. Where these are not on the machine,
a kernel regression on what MiniLM does with the caption estimates what they would have said. It was fitted on the
authors' published values (capeval_core/training/typicality.py; data/typicality.md is its model card).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open

from capeval_core.errors import MissingResource
from capeval_core.resources import files
from capeval_core.resources.hub import find
from capeval_core.resources.information_flow import Flow, Reading, combine, measure, prepare, read
from capeval_core.resources.loading import load_once
from capeval_core.resources.transformer import PACKAGED, Transformer

ESTIMATE = "estimate"
PAPER = {"mima": "distilbert-base-uncased", "spurts": "distilroberta-base"}  # the authors' transformers
KEYS = tuple(PAPER)
VECTOR_LAYERS = (0, 1, 3, 5)  # whose mean vectors are features
MASK_PLACES = 24  # the first places of a caption: is a stop word there?
EXTREME = 6.0  # standard deviations; features go no farther
EMPTY = "the caption is empty: 0, as in the authors' program"
ONLY_STOP_WORDS = "no word is left beside stop words and punctuation"
CUT = "only the caption's beginning was read: it is longer than the transformer's limit"
Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Measured:
    value: float
    note: str  # what was odd about the caption, or nothing


@dataclass(frozen=True, slots=True, eq=False)
class Passes:
    """One caption as a transformer saw it, with its stop words and without."""

    caption: str
    readings: dict[str, Reading]  # by metric key
    flows: dict[str, Flow]


def choose(model: str, key: str) -> str:
    """`auto` is the paper's transformer where it is on this machine, else the estimate."""
    if model != "auto":
        return model
    return PAPER[key] if find(PAPER[key]) else ESTIMATE


def transformer_of(source: str) -> str:
    return PACKAGED if source == ESTIMATE else source


def is_prepared(source: str) -> bool:
    """Does it read text as the authors' program prepares it? See information_flow.py."""
    return source == ESTIMATE or Path(source).name in PAPER.values()


def run(model: Transformer, captions: Sequence[str], source: str, keys: Sequence[str] = KEYS) -> list[Passes]:
    prepared = is_prepared(source)
    readings = {
        key: [read(model, caption, stop_words=key == "mima", prepared=prepared) for caption in captions] for key in keys
    }
    flows = {key: measure(model, found) for key, found in readings.items()}
    return [
        Passes(caption, {key: readings[key][row] for key in keys}, {key: flows[key][row] for key in keys})
        for row, caption in enumerate(captions)
    ]


def plain(passes: Passes, key: str) -> float:
    """Eq. 7 for MIMA, Eq. 8 for SPURTS."""
    flow = combine(passes.flows[key].heads)
    return 1 - flow if key == "mima" else flow


def measure_captions(model: Transformer, captions: Sequence[str], key: str, source: str) -> dict[str, list[Measured]]:
    """By metric key: `key`, and whatever else the same passes gave."""
    keys = KEYS if source == ESTIMATE else (key,)
    passes = run(model, captions, source, keys)
    if source == ESTIMATE:
        values = dict(zip(KEYS, estimator().estimate(features(passes)).T.tolist(), strict=True))
    else:
        values = {key: [plain(found, key) for found in passes]}
    return {
        name: [
            Measured(0.0 if found.readings[name].empty else value, describe(found.readings[name]))
            for found, value in zip(passes, values[name], strict=True)
        ]
        for name in keys
    }


def describe(reading: Reading) -> str:
    if reading.empty:
        return EMPTY
    words = sum(not masked for masked in reading.masked) - reading.special
    return "; ".join(note for note, holds in ((ONLY_STOP_WORDS, not words), (CUT, reading.cut)) if holds)


def features(passes: Sequence[Passes]) -> dict[str, Array]:
    """What the estimate is made from, by group: (captions, features of the group)."""
    found: dict[str, Array] = {}
    for key in KEYS:
        heads = np.array([one.flows[key].heads for one in passes], dtype=np.float64)
        strongest = heads.max(axis=2)
        ordered = np.sort(strongest, axis=1)
        found[f"{key} flows"] = heads.reshape(len(heads), -1)
        found[f"{key} layers"] = np.hstack([strongest, ordered, heads.mean(axis=2), np.median(ordered, 1)[:, None]])
        for layer in VECTOR_LAYERS:
            found[f"{key} vector {layer}"] = np.array([one.flows[key].means[layer] for one in passes], dtype=np.float64)
    found["lengths"] = np.array([_lengths(one) for one in passes])
    found["stop words"] = np.array([_places(one.readings["spurts"].masked) for one in passes], dtype=np.float64)
    return found


def _lengths(passes: Passes) -> list[float]:
    whole, content = passes.readings["mima"], passes.readings["spurts"]
    tokens, left, masked = len(whole.ids), len(content.ids), sum(content.masked)
    return [
        tokens,
        left,
        masked,
        left - masked,
        *np.log1p([tokens, left, left - masked]),
        masked / left,
        len(prepare(passes.caption)),
        sum(token.startswith("##") for token in whole.tokens),
        left - len(set(content.ids)),  # tokens said before
        tokens - len(set(whole.ids)),
        tokens - left,
    ]


def _places(masked: Sequence[bool]) -> list[bool]:
    return [*masked[:MASK_PLACES], *[False] * (MASK_PLACES - len(masked))]


@dataclass(frozen=True, eq=False)
class Estimator:
    """A linear function of the features, and a Gaussian kernel to known captions on the features' principal axes."""

    mean: Array  # (features,)
    deviation: Array
    scale: Array  # the weight of each feature's group
    linear: Array  # (features, KEYS)
    axes: Array  # (features, dims); whole numbers -127 to 127, as the centres
    axes_unit: Array  # (dims,)
    centres: Array  # (captions, dims)
    centres_unit: Array  # (dims,)
    weights: Array  # (captions, KEYS)
    bias: Array  # (KEYS,)
    width: Array  # (1,)

    def estimate(self, groups: dict[str, Array]) -> Array:
        """(captions, KEYS), within 0 to 1 as every information flow is."""
        rows = scaled(np.hstack(list(groups.values())), self.mean, self.deviation, self.scale)
        near = kernel(rows @ self._projection, self._places, self.width)
        found: Array = np.clip(rows @ self.linear + near @ self.weights + self.bias, 0, 1)
        return found

    @cached_property
    def _projection(self) -> Array:
        return self.axes * self.axes_unit

    @cached_property
    def _places(self) -> Array:
        return self.centres * self.centres_unit


def scaled(rows: Array, mean: Array, deviation: Array, scale: Array) -> Array:
    found: Array = np.clip((rows - mean) / deviation, -EXTREME, EXTREME) * scale
    return found


def kernel(left: Array, right: Array, width: Array) -> Array:
    found = left @ right.T
    found *= 2
    found -= (left**2).sum(1)[:, None]
    found -= (right**2).sum(1)
    np.minimum(found, 0, out=found)
    found *= width
    np.exp(found, out=found)
    return found


@load_once()
def estimator() -> Estimator:
    return load(files.locate("typicality"))


def load(path: Path) -> Estimator:
    try:
        with safe_open(path, framework="numpy") as file:
            parts = {name: file.get_tensor(name).astype(np.float64) for name in file.keys()}
        return Estimator(**parts)
    except (OSError, SafetensorError, TypeError, KeyError) as error:
        raise MissingResource(
            f"the typicality estimate {path} cannot be read ({type(error).__name__}: {error})",
            fix="install CapEval again, or train it: python -m capeval_core train typicality --help",
        ) from error
