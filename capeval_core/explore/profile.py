"""The profile of a captioner: how many of 100 captions have each error, with bootstrap intervals by image."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from capeval_core.analysis import bootstrap
from capeval_core.explore.findings import CaptionFindings
from capeval_core.explore.kinds import KINDS
from capeval_core.types import Array

ANY = "any"


@dataclass(frozen=True, slots=True)
class Rate:
    """Per 100 captions; NaN where there is nothing to count or, of an interval, fewer than two images."""

    rate: float
    low: float
    high: float
    captions: int  # that have it


@dataclass(frozen=True, slots=True)
class SystemProfile:
    system: str
    captions: int
    images: int
    rates: dict[str, Rate]  # by kind, in the table's order
    any: Rate  # captions with an error of any kind
    noun_support: Rate  # mean of the captions', 0 to 1, and its interval; `captions` have one
    errors: int  # of all captions together


def by_system(findings: Sequence[CaptionFindings]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for row, one in enumerate(findings):
        found.setdefault(one.system, []).append(row)
    return found


def profile(
    findings: Sequence[CaptionFindings], *, samples: int = bootstrap.SAMPLES, seed: int = 0
) -> list[SystemProfile]:
    """One profile per captioner, in order of appearance."""
    return [
        _profile(system, [findings[row] for row in rows], samples, seed) for system, rows in by_system(findings).items()
    ]


def indicators(findings: Sequence[CaptionFindings]) -> dict[str, Array]:
    """By kind, and for any of them: 100 for a caption that has it, else 0."""
    columns: dict[str, Array] = {kind: np.zeros(len(findings)) for kind in KINDS}
    columns[ANY] = np.zeros(len(findings))
    for row, one in enumerate(findings):
        for kind in one.kinds:
            columns[kind][row] = 100.0
        columns[ANY][row] = 100.0 if one.errors else 0.0
    return columns


def supports(findings: Sequence[CaptionFindings]) -> Array:
    return np.array([np.nan if one.noun_support is None else one.noun_support for one in findings])


def _profile(system: str, findings: Sequence[CaptionFindings], samples: int, seed: int) -> SystemProfile:
    numbers: dict[str, int] = {}
    owners = np.array([numbers.setdefault(one.image_id, len(numbers)) for one in findings])
    columns = {**indicators(findings), "noun_support": supports(findings)}
    sums = np.stack([_sums(values, owners, len(numbers)) for values in columns.values()], axis=1)
    blocks = [np.tensordot(counts, sums, axes=1) for counts in bootstrap.draw(len(numbers), samples, seed)]
    drawn = _means(np.concatenate(blocks)) if len(numbers) > 1 else np.full((2, len(columns)), np.nan)
    means = _means(sums.sum(axis=0))
    captions = {key: int((values > 0).sum()) for key, values in columns.items()}
    captions["noun_support"] = int(np.isfinite(columns["noun_support"]).sum())
    rates = {
        key: Rate(float(means[place]), *_interval(drawn[:, place], captions[key], len(numbers)), captions[key])
        for place, key in enumerate(columns)
    }
    return SystemProfile(
        system,
        len(findings),
        len(numbers),
        {kind: rates[kind] for kind in KINDS},
        rates[ANY],
        rates["noun_support"],
        sum(len(one.errors) for one in findings),
    )


def _interval(drawn: Array, captions: int, images: int) -> tuple[float, float]:
    """Of what no caption has, every sample has none: the bound is that of a share, none seen on so many images."""
    if not captions and images > 1:
        return 0.0, 100.0 * (1.0 - 0.025 ** (1.0 / images))
    return bootstrap.interval(drawn)


def _sums(values: Array, owners: Array, images: int) -> Array:
    """(images, 2): sum and number of the defined values."""
    defined = np.isfinite(values)
    columns = (np.where(defined, values, 0.0), defined.astype(np.float64))
    return np.stack([np.bincount(owners, weights, minlength=images) for weights in columns], axis=1)


def _means(sums: Array) -> Array:
    totals, numbers = sums[..., 0], sums[..., 1]
    return np.divide(totals, numbers, out=np.full_like(totals, np.nan), where=numbers > 0)
