"""The estimate of the paper's MIMA and SPURTS, for machines that have only MiniLM.

The paper measures MIMA on distilbert-base-uncased and SPURTS on distilroberta-base. Where these are not on the machine,
a kernel regression on what MiniLM does with the caption estimates what they would have said. It was fitted on the
authors' published values (capeval_core/training/flow_estimate.py; data/typicality.md is its model card).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open

from capeval_core import pace
from capeval_core.errors import MissingResource
from capeval_core.metrics.typicality.information_flow import prepare
from capeval_core.metrics.typicality.passes import Passes
from capeval_core.metrics.typicality.source import KEYS
from capeval_core.resources import files
from capeval_core.resources.loading import load_once
from capeval_core.types import Array

VECTOR_LAYERS = (0, 1, 3, 5)  # whose mean vectors are features
MASK_PLACES = 24  # the first places of a caption: is a stop word there?
EXTREME = 6.0  # standard deviations; features go no farther


def features(passes: Sequence[Passes]) -> dict[str, Array]:
    """What the estimate is made from, by group: (captions, features of the group)."""
    found: dict[str, Array] = {}
    for key in pace.each(KEYS):
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
        return self.compare(groups)[0]

    def compare(self, groups: dict[str, Array]) -> tuple[Array, Array]:
        """The estimates, and how like each caption is to the nearest one learned from: 1 the same, 0 nothing alike."""
        rows = scaled(np.hstack(list(groups.values())), self.mean, self.deviation, self.scale)
        pace.look()
        near = kernel(rows @ self._projection, self._places, self.width)
        pace.look()
        found: Array = np.clip(rows @ self.linear + near @ self.weights + self.bias, 0, 1)
        return found, near.max(axis=1)

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
