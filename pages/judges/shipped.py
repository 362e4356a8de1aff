"""The measured figures that come with the app (`make judges`), ready to be shown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from capeval_core import registry
from capeval_core.analysis import stored_judging
from capeval_core.analysis.judging import Judging
from capeval_core.analysis.significance import headline_values, significance
from capeval_core.analysis.williams import Matrix
from capeval_core.figures.judge_tables import COEFFICIENTS
from capeval_core.figures.people_table import Measured, Standing
from capeval_core.figures.tables import Badge
from capeval_core.figures.words import plural
from pages.shell.navigation import ASSETS

FILE = ASSETS / "judges" / "measured.json"
TITLES = {
    "flickr8k-expert": "Flickr8k-Expert",
    "flickr8k-cf": "Flickr8k-CF",
    "composite": "COMPOSITE",
    "pascal50s": "PASCAL-50S",
    "pascal50s-11": "PASCAL-50S, 11 votes",
}
FOUR = tuple(TITLES)[:4]  # of the table; the fifth has the older labels of the fourth
UNITS = {"kendall_b": "Kendall tau-b", "kendall_c": "Kendall tau-c"}


@dataclass(frozen=True)
class Shipped:
    judgings: Mapping[str, Judging]  # by data set
    corrected: Mapping[str, Matrix]  # p values after Holm's correction
    letters: Mapping[str, Mapping[str, str]]  # metrics that share one cannot be told apart
    published: Mapping[str, Mapping[str, Any]]  # by metric: by data set a share, or by group of pairs
    source: str  # of the published ones
    why: Mapping[str, Any]


@cache
def shipped() -> Shipped:
    content = json.loads(FILE.read_text(encoding="utf-8"))
    judgings = {key: stored_judging.load(one) for key, one in content["judgings"].items()}
    tested = {key: significance(one) for key, one in judgings.items()}
    return Shipped(
        judgings,
        {key: corrected for key, (corrected, _) in tested.items()},
        {key: letters for key, (_, letters) in tested.items()},
        content["published"]["metrics"],
        content["published"]["source"],
        content["why"],
    )


def measured(key: str) -> Measured:
    """A data set as a column of the table."""
    held = shipped()
    found, letters = held.judgings[key], held.letters[key]
    published = {metric: _share(values[key]) for metric, values in held.published.items() if key in values}
    if found.metrics:
        estimates = {metric: quality.of(found.headline) for metric, quality in found.metrics.items()}
        standings = {
            metric: Standing(one.value, one.low, one.high, letters.get(metric, "")) for metric, one in estimates.items()
        }
        unit = f"{COEFFICIENTS[found.headline]}, {plural(found.rows, 'caption')}"
        return Measured(TITLES[key], unit, standings, published, tip=found.protocol)
    standings = {
        metric: Standing(one.accuracy, one.low, one.high, letters.get(metric, ""))
        for metric, one in found.overall.items()
    }
    unit = f"% right, {plural(found.rows, 'pair')}, chance 50"
    return Measured(TITLES[key], unit, standings, published, chance=0.5, scale=100.0, tip=found.protocol)


def _share(published: Any) -> float:
    return float(published["mean"] if isinstance(published, dict) else published)


def order(key: str) -> list[str]:
    """The metrics, best first on this data set."""
    values = headline_values(shipped().judgings[key])
    return sorted(values, key=lambda metric: -values[metric])


def published_pairs(key: str) -> dict[str, Mapping[str, float]]:
    """By metric key: the published accuracy of each group of pairs."""
    held = shipped().published
    return {metric: values[key] for metric, values in held.items() if key in values and metric in registry.keys()}


def marks() -> dict[str, Badge]:
    """What stands in for an original, by metric key."""
    found: dict[str, str] = {}
    for one in shipped().judgings.values():
        found |= one.stand_ins
    return {
        key: Badge("≈ estimated" if text.startswith("estimated") else "≈ stand-in", text) for key, text in found.items()
    }
