"""What stands in a link to Explore: the data set's name, the filters, the order. Readable, and read without trust."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from capeval_core import registry

DATA = "data"
FIELDS = ("tab", "system", "against", "kind", "slice", "words", "sort", "newer", "changes", "between", "ranges")
NAMES = {"tab": "view", "system": "captioner", "kind": "error"}  # as they stand in the link, where they differ
LONGEST = 300  # characters of one value
MOST_RANGES = 30


def write(title: str, state: Any, fresh: Any) -> str:
    """The query of a link: what differs from a first visit, and the data set's name."""
    asked = {DATA: title[:LONGEST]}
    for name in FIELDS:
        value = getattr(state, name)
        if value == getattr(fresh, name) and name != "system":
            continue
        asked[NAMES.get(name, name)] = _written(value)[:LONGEST]
    return urlencode(asked)


def _written(value: Any) -> str:
    if isinstance(value, dict):
        return ";".join(f"{key}:{low!r}:{high!r}" for key, (low, high) in value.items())
    return ";".join(value) if isinstance(value, tuple) else str(value)


def read(query: Mapping[str, str]) -> dict[str, str]:
    """What the address asks for; empty where it says nothing about a data set."""
    if DATA not in query:
        return {}
    names = (DATA, *(NAMES.get(name, name) for name in FIELDS))
    return {name: str(query[name])[:LONGEST] for name in names if name in query}


def text(asked: Mapping[str, str]) -> str:
    return urlencode(sorted(asked.items()))


def is_for(asked: Mapping[str, str], title: str) -> bool:
    return asked.get(DATA) == title[:LONGEST]


def fields(asked: Mapping[str, str]) -> dict[str, Any]:
    """Values of the state's fields; what cannot be one is left out, and the state settles the rest."""
    found: dict[str, Any] = {}
    for name in FIELDS:
        value = asked.get(NAMES.get(name, name))
        if value is None:
            continue
        if name == "ranges":
            found[name] = _ranges(value)
        elif name == "between":
            first, _, second = value.partition(";")
            found[name] = (first, second)
        else:
            found[name] = value
    return found


def _ranges(value: str) -> dict[str, tuple[float, float]]:
    found = {}
    for part in value.split(";")[:MOST_RANGES]:
        key, _, ends = part.partition(":")
        try:
            low, high = (float(end) for end in ends.split(":"))
        except ValueError:
            continue
        if key in registry.keys() and math.isfinite(low) and math.isfinite(high) and low <= high:
            found[key] = (low, high)
    return found
