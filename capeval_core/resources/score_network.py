"""NNEval's network: metric scores in, the probability that a person wrote the caption out. Read from safetensors only.

A file holds, for one variant or both, the weights of each layer, what each score is scaled by, and what people's
captions have; its metadata names the family (nneval or nneval_plus), the scores and how it was trained. Nothing in it
is trusted: shapes, sizes and names are checked before a number is used.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from capeval_core.errors import InvalidInput
from capeval_core.resources import trained
from capeval_core.resources.loading import load_once

Array = npt.NDArray[np.float64]
ABOUT, FAMILY = "about", "family"
CURVES: Mapping[str, Callable[[Array], Array]] = {
    "": lambda values: values,
    "square root": np.sqrt,
    "cube root": np.cbrt,
}
VARIANTS = ("free", "monotone")
LARGEST = 25_000_000  # bytes of a file
WIDEST = 4_096  # units of a layer
LAYERS = 3
TABLES = ("low", "high", "centre", "people_mean", "people_spread")


@dataclass(frozen=True, eq=False)
class ScoreNetwork:
    family: str  # the metric it is for: nneval or nneval_plus
    variant: str
    features: tuple[str, ...]  # metric keys, in the order of the inputs
    curves: tuple[str, ...]  # what is applied to each before it is scaled
    low: Array  # after the curve: becomes -1
    high: Array  # becomes 1
    centre: Array  # the mean caption, scaled; both classes weigh the same
    people_mean: Array  # of people's captions, as the metrics give them
    people_spread: Array
    layers: tuple[tuple[Array, Array], ...]  # weights (out, in) and biases
    facts: Mapping[str, Any]  # how it was trained

    def scaled(self, values: Array) -> Array:
        """(captions, features) of scores -> the inputs, -1 to 1; beyond what training saw nothing counts."""
        curved = np.column_stack([CURVES[curve](column) for curve, column in zip(self.curves, values.T, strict=True)])
        found: Array = np.clip(2 * (curved - self.low) / (self.high - self.low) - 1, -1, 1)
        return found

    def log_odds(self, inputs: Array) -> Array:
        """Of scaled inputs: how much more likely a person is than a machine, as a logarithm."""
        *hidden, (weights, biases) = self.layers
        for weight, bias in hidden:
            inputs = np.maximum(inputs @ weight.T + bias, 0)
        scores = inputs @ weights.T + biases
        found: Array = scores[:, 1] - scores[:, 0]
        return found

    def probability(self, values: Array) -> Array:
        """P(human) of scores."""
        return sigmoid(self.log_odds(self.scaled(values)))

    def pushes(self, inputs: Array) -> Array:
        """How far each input moves the log-odds away from the mean caption's: integrated gradients (Sundararajan et
        al. 2017). The network is linear between the places where a unit starts or stops, so the integral is exact."""
        steps = self._breaks(inputs)
        way = inputs - self.centre
        middle = self.centre + ((steps[1:] + steps[:-1]) / 2)[:, None] * way
        found: Array = (np.diff(steps)[:, None] * self._gradients(middle)).sum(axis=0) * way
        return found

    def _breaks(self, inputs: Array) -> Array:
        """Where on the straight way from the mean caption a unit's sign changes, 0 and 1 included."""
        steps = np.array([0.0, 1.0])
        for depth in range(1, len(self.layers)):
            before = self._before(self.centre + steps[:, None] * (inputs - self.centre), depth)
            left, right = before[:-1], before[1:]
            change = np.sign(left) * np.sign(right) < 0
            share = np.divide(left, left - right, out=np.zeros_like(left), where=change)
            found = steps[:-1, None] + share * np.diff(steps)[:, None]
            steps = np.unique(np.concatenate([steps, found[change]]))
        return steps

    def _before(self, inputs: Array, depth: int) -> Array:
        """What enters the units of a layer, counted from 1; linear between two steps of the layers before."""
        for weight, bias in self.layers[: depth - 1]:
            inputs = np.maximum(inputs @ weight.T + bias, 0)
        weight, bias = self.layers[depth - 1]
        return np.asarray(inputs @ weight.T + bias)

    def _gradients(self, inputs: Array) -> Array:
        *hidden, (last, _) = self.layers
        active = []
        for weight, bias in hidden:
            before = inputs @ weight.T + bias
            active.append(before > 0)
            inputs = np.maximum(before, 0)
        slope = np.broadcast_to(last[1] - last[0], inputs.shape)
        for (weight, _), units in zip(reversed(hidden), reversed(active), strict=True):
            slope = (slope * units) @ weight
        return slope


def sigmoid(values: Array) -> Array:
    """Without overflow on either side."""
    small = np.exp(-np.abs(values))
    return np.asarray(np.where(values >= 0, 1 / (1 + small), small / (1 + small)))


def write(networks: Sequence[ScoreNetwork], path: Path) -> None:
    """One file for all variants of one family; whole or not at all."""
    tensors: dict[str, Array] = {}
    for one in networks:
        tensors |= {f"{one.variant} {name}": getattr(one, name) for name in TABLES}
        for number, (weight, bias) in enumerate(one.layers, 1):
            tensors |= {f"{one.variant} weight {number}": weight, f"{one.variant} bias {number}": bias}
    about = {one.variant: {"features": one.features, "curves": one.curves, "facts": one.facts} for one in networks}
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    plain = {name: np.ascontiguousarray(value, dtype=np.float64) for name, value in tensors.items()}
    save_file(plain, partial, metadata={FAMILY: networks[0].family, ABOUT: json.dumps(about)})
    partial.replace(path)


@load_once(keep=8)
def open_network(family: str, source: str, variant: str) -> ScoreNetwork:
    """`shipped`, the path of a file that `train nneval` wrote, or one trained in the app. A file with one variant
    gives that one, whichever is asked for."""
    found = load(trained.locate(family, source))
    one = found.get(variant) or next(iter(found.values()))
    if one.family != family:
        raise InvalidInput("this network belongs to another metric", expected=family, found=one.family[:40])
    return one


def load(path: Path) -> dict[str, ScoreNetwork]:
    """By variant; InvalidInput says what is wrong with a file."""
    try:
        if path.stat().st_size > LARGEST:
            raise ValueError(f"{path.stat().st_size:,} bytes; at most {LARGEST:,}")
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name).astype(np.float64) for name in file.keys()}
        about = json.loads(metadata[ABOUT])
        if not about or not isinstance(about, dict) or not about.keys() <= set(VARIANTS):
            raise ValueError(f"no variant is {' or '.join(VARIANTS)}")
        return {variant: _made(metadata[FAMILY], variant, about[variant], tensors) for variant in about}
    except (OSError, SafetensorError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise InvalidInput(
            f"{path.name} is no network for NNEval",
            expected="a file that `python -m capeval_core train nneval` wrote",
            found=f"{type(error).__name__}: {error}"[:200],
        ) from error


def _made(family: str, variant: str, about: Any, tensors: Mapping[str, Array]) -> ScoreNetwork:
    features, curves = (_names(about[name], name) for name in ("features", "curves"))
    if not features or len(set(features)) != len(features) or len(curves) != len(features):
        raise ValueError("features")
    if not set(curves) <= CURVES.keys() or not isinstance(about["facts"], dict):
        raise ValueError("curves or facts")
    layers, size = [], len(features)
    for number in range(1, LAYERS + 1):
        weight, bias = (tensors[f"{variant} {name} {number}"] for name in ("weight", "bias"))
        if weight.ndim != 2 or weight.shape[1] != size or bias.shape != weight.shape[:1] or not 0 < len(bias) <= WIDEST:
            raise ValueError(f"layer {number} has the shape {weight.shape}")
        layers.append((weight, bias))
        size = len(bias)
    tables = {name: tensors[f"{variant} {name}"] for name in TABLES}
    if size != 2 or any(table.shape != (len(features),) for table in tables.values()):
        raise ValueError("the shape of the tables")
    numbers = [*tables.values(), *(part for layer in layers for part in layer)]
    if not all(np.isfinite(one).all() for one in numbers) or (tables["high"] <= tables["low"]).any():
        raise ValueError("numbers that are not finite, or a range that is empty")
    return ScoreNetwork(family, variant, features, curves, layers=tuple(layers), facts=about["facts"], **tables)


def _names(given: Any, what: str) -> tuple[str, ...]:
    if not isinstance(given, Sequence) or isinstance(given, str) or not all(isinstance(one, str) for one in given):
        raise ValueError(f"{what}: not a list of names")
    return tuple(given)
