"""What fitting the estimate of MIMA and SPURTS needs: published values, MiniLM's passes, kernel ridge regression."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.linalg import solve  # type: ignore[import-untyped]

from capeval_core.errors import InvalidInput
from capeval_core.metrics.typicality import passes
from capeval_core.metrics.typicality.estimate import Estimator, kernel, scaled
from capeval_core.metrics.typicality.information_flow import prepare
from capeval_core.metrics.typicality.passes import Passes
from capeval_core.metrics.typicality.source import ESTIMATE, FlowContext
from capeval_core.resources.transformer import PACKAGED, open_transformer
from capeval_core.types import Array

RUN_AT_ONCE = 2_000
GROUP_WEIGHTS = {"flows": 1.0, "layers": 0.5, "lengths": 1.0, "stop words": 1.0, "vector": 1.0}


@dataclass(frozen=True, slots=True)
class Settings:
    seed: int = 1
    folds: int = 5
    dims: int = 256  # principal axes of the features
    width: float = 0.1  # of the kernel: exp(-width x squared distance)
    linear: float = 0.3  # weight of the linear kernel beside it
    ridge: float = 0.1


@dataclass(frozen=True, slots=True)
class Published:
    """Captions with the values their authors' program gave; one row each."""

    images: npt.NDArray[np.str_]
    systems: npt.NDArray[np.str_]
    captions: list[str]
    targets: Array  # (captions, KEYS)
    sparcs: Array


def read_published(path: Path) -> Published:
    """JSONL (or .gz): image_id, system, caption and scores with SPURTS, MIMA and SPARCS."""
    rows = []
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                row = json.loads(line)
                values = [float(row["scores"][name]) for name in ("MIMA", "SPURTS", "SPARCS")]
                rows.append((str(row["image_id"]), str(row["system"]), str(row["caption"]), *values))
            except (ValueError, KeyError, TypeError) as error:
                expected = "image_id, system, caption and scores with MIMA, SPURTS, SPARCS"
                raise InvalidInput(f"{path}, line {number}", expected=expected, found=repr(error)) from error
    if not rows:
        raise InvalidInput(f"{path} has no captions", expected="one JSON object a line")
    images, systems, captions, mima, spurts, sparcs = zip(*rows, strict=True)
    return Published(np.array(images), np.array(systems), list(captions), np.array([mima, spurts]).T, np.array(sparcs))


def run(captions: list[str], log: Callable[[str], None], source: str = ESTIMATE) -> list[Passes]:
    """Each caption's passes through MiniLM, read as `source` reads it."""
    model = open_transformer(PACKAGED)
    distinct = sorted(set(captions), key=lambda text: (len(text), text))
    found: dict[str, Passes] = {}
    for start in range(0, len(distinct), RUN_AT_ONCE):
        part = distinct[start : start + RUN_AT_ONCE]
        found |= zip(part, passes.run(model, part, FlowContext(source).prepared), strict=True)
        log(f"{len(found)} of {len(distinct)} captions read")
    return [found[caption] for caption in captions]


def fit(groups: dict[str, Array], targets: Array, captions: list[str], settings: Settings) -> Estimator:
    """Kernel ridge regression; what is stored in few bits is rounded before anything is fitted on it."""
    rows = np.hstack(list(groups.values()))
    mean, deviation = single(rows.mean(axis=0)), single(np.maximum(rows.std(axis=0), 1e-6))
    scale = single(np.concatenate([np.full(group.shape[1], _scale(name, group)) for name, group in groups.items()]))
    bias = targets.mean(axis=0)
    # Captions of one wording have one value: one row with their weight stands for them.
    texts = np.array([prepare(caption) for caption in captions])
    _, first, count = np.unique(texts, return_index=True, return_counts=True)
    rows = scaled(rows[first], mean, deviation, scale)
    axes, axes_unit = rounded(principal_axes(rows, count)[:, : settings.dims])
    centres, centres_unit = rounded(rows @ (axes * axes_unit))
    width = np.array([settings.width])
    places = centres * centres_unit
    similar = kernel(places, places, width) + settings.linear * (rows @ rows.T)
    similar[np.diag_indices_from(similar)] += settings.ridge / count
    weights = solve(similar, targets[first] - bias, assume_a="pos", overwrite_a=True, check_finite=False)
    linear = settings.linear * rows.T @ weights
    return Estimator(mean, deviation, scale, linear, axes, axes_unit, centres, centres_unit, weights, bias, width)


def principal_axes(rows: Array, count: npt.NDArray[np.int64]) -> Array:
    if len(rows) < rows.shape[1]:  # then this way is the shorter one
        found: Array = np.linalg.svd(rows * np.sqrt(count)[:, None], full_matrices=False)[2].T
        return found
    return np.linalg.eigh((rows.T * count) @ rows)[1][:, ::-1]


def single(values: Array) -> Array:
    return values.astype(np.float32).astype(np.float64)


def rounded(columns: Array) -> tuple[Array, Array]:
    """Whole numbers that fit a byte, and each column's unit."""
    unit = single(np.maximum(np.abs(columns).max(axis=0), 1e-12) / 127)
    return np.clip(np.round(columns / unit), -127, 127), unit


def _scale(name: str, group: Array) -> float:
    """A group counts by its weight, however many features it has."""
    weight = next(weight for kind, weight in GROUP_WEIGHTS.items() if kind in name)
    return float(np.sqrt(weight / group.shape[1]))


def tensors(found: Estimator) -> dict[str, Any]:
    """Each part in the type that holds it; the weights' rounding (6e-8 of each) is far below the estimate's error."""
    kinds: dict[str, Any] = {"axes": np.int8, "centres": np.int8, "bias": np.float64, "width": np.float64}
    names = [field.name for field in fields(found)]
    return {name: np.ascontiguousarray(getattr(found, name), kinds.get(name, np.float32)) for name in names}
