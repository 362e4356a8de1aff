"""A judging as plain data and back: the figures that come with the app are kept this way."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from capeval_core.analysis.agreement import Agreement
from capeval_core.analysis.by_rating import Level
from capeval_core.analysis.complementarity import Complementarity, Gain
from capeval_core.analysis.correlations import Estimate, Quality
from capeval_core.analysis.judging import Judging
from capeval_core.analysis.pairs import Accuracy

Plain = Mapping[str, Any]


def dump(found: Judging) -> dict[str, Any]:
    return dataclasses.asdict(found)


def load(content: Plain) -> Judging:
    """What `dump` gave; a value that JSON could not hold (null) is NaN again."""
    held = _numbers(content)
    together = held["complementarity"]
    held["metrics"] = {key: _quality(one) for key, one in held["metrics"].items()}
    held["pairs"] = {group: {key: Accuracy(**one) for key, one in row.items()} for group, row in held["pairs"].items()}
    held["overall"] = {key: Accuracy(**one) for key, one in held["overall"].items()}
    held["agreement"] = _agreement(held["agreement"]) if isinstance(held["agreement"], dict) else None
    held["by_rating"] = {
        key: tuple(Level(**level | {"quantiles": tuple(level["quantiles"])}) for level in levels)
        for key, levels in held["by_rating"].items()
    }
    held["complementarity"] = _complementarity(together) if isinstance(together, dict) else None
    held["captioners"] = {key: _quality(one) for key, one in held["captioners"].items()}
    return Judging(**held)


def _numbers(part: Any) -> Any:
    if isinstance(part, Mapping):
        return {name: _numbers(value) for name, value in part.items()}
    if isinstance(part, list | tuple):
        return [_numbers(value) for value in part]
    return float("nan") if part is None else part


def _quality(content: Plain) -> Quality:
    estimates = {name: Estimate(**one) for name, one in content.items() if name != "count"}
    return Quality(**estimates, count=content["count"])


def _agreement(content: Plain) -> Agreement:
    raters = {name: _quality(one) for name, one in content["raters"].items()}
    return Agreement(Estimate(**content["alpha"]), content["captions"], _quality(content["one"]), raters)


def _complementarity(content: Plain) -> Complementarity:
    gains = {
        key: {other: Gain(one["together"], Estimate(**one["gain"])) for other, one in row.items()}
        for key, row in content["gains"].items()
    }
    return Complementarity(**dict(content) | {"best": _quality(content["best"]), "gains": gains})
