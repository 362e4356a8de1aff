"""People's captions in numbers: what they score by meaning, style and grammar, and how that spreads.

The figures are measured by bench/people.py on human captions of COCO (karpathy_a), each scored against four others of
the same image, and shipped in data/people.json; nothing in them is typed in.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from capeval_core.analysis import ellipses
from capeval_core.analysis.systems import AXES, GRAMMAR, THRESHOLD, Scale, measure
from capeval_core.resources.loading import load_once
from capeval_core.types import Array

FILE = Path(__file__).parents[1] / "data" / "people.json"
KEYS = (*AXES, GRAMMAR)
STEPS = np.linspace(0.0, 1.0, 201)  # shares of people whose values are kept


@dataclass(frozen=True, slots=True, eq=False)
class People:
    captions: int
    source: str  # in words
    scales: Mapping[str, Scale]  # by metric key
    covariance: Array  # (2, 2): of meaning and style, in standard deviations
    quantiles: Mapping[str, Array]  # by metric key, in standard deviations: the value that each share of STEPS is below
    distances: Array  # the same of their distance from the mean, in the ellipse's own measure
    signatures: Mapping[str, str]

    def outline(self, size: float) -> Array:
        """(corners, 2): the ellipse around all of them."""
        return ellipses.outline(np.zeros(2), self.covariance, size)

    def inside(self, size: float) -> float:
        """The share of their captions that lies inside it."""
        return float(np.interp(size, self.distances, STEPS))

    def below(self, key: str, standardised: float) -> float:
        """The share of their captions with a lower value."""
        return float(np.interp(standardised, self.quantiles[key], STEPS, left=0.0, right=1.0))

    def is_odd(self, standardised: float) -> bool:
        """Grammar so far below people's that SMURF punishes it."""
        return standardised < THRESHOLD


def describe(scores: Mapping[str, Array], signatures: Mapping[str, str], source: str) -> dict[str, Any]:
    """The figures of a lot of people's captions, as they are shipped."""
    scales = {key: measure(scores[key]) for key in KEYS}
    standardised = {key: scales[key].standardise(scores[key]) for key in KEYS}
    points = np.stack([standardised[key] for key in AXES], axis=1)
    _, covariance = ellipses.mean_and_covariance(ellipses.moments(points).sum(axis=0))
    away = np.sqrt(np.einsum("ij,jk,ik->i", points, np.linalg.inv(covariance), points))
    return {
        "captions": len(points),
        "source": source,
        "scales": {key: {"mean": one.mean, "deviation": one.deviation} for key, one in scales.items()},
        "covariance": covariance.tolist(),
        "quantiles": {key: _rounded(np.quantile(values, STEPS)) for key, values in standardised.items()},
        "distances": _rounded(np.quantile(away, STEPS)),
        "signatures": {key: signatures[key] for key in KEYS},
    }


def _rounded(values: Array) -> list[float]:
    return [round(value, 4) for value in values.tolist()]


@load_once()
def people() -> People:
    found = json.loads(FILE.read_text(encoding="utf-8"))
    return People(
        captions=found["captions"],
        source=found["source"],
        scales={key: Scale(**one) for key, one in found["scales"].items()},
        covariance=np.array(found["covariance"]),
        quantiles={key: np.array(values) for key, values in found["quantiles"].items()},
        distances=np.array(found["distances"]),
        signatures=found["signatures"],
    )
