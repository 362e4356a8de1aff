"""Reads back what `score` wrote: captions whose rows carry their scores."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from capeval_core.errors import InvalidInput
from capeval_core.io import readers, rows
from capeval_core.types import Array, CaptionItem


@dataclass(frozen=True, slots=True)
class ScoreTable:
    items: tuple[CaptionItem, ...]  # without references: scores need them no more
    scores: dict[str, Array]  # NaN where a row has no value


def read_scores(inputs: Sequence[str], keys: Collection[str]) -> ScoreTable | None:
    """The columns among `keys`, of files given as for `score` (and .parquet); None where no row has any of them."""
    items: list[CaptionItem] = []
    found: list[dict[str, float]] = []
    for name, path in readers.split_names(inputs):
        before = len(items)
        for where, row in _rows(path):
            items.append(rows.item(row | {"references": []} if isinstance(row, dict) else row, where, name, None))
            found.append({key: _value(row[key], f"{where}: field {key}") for key in keys if key in row})
        if len(items) == before:
            raise InvalidInput(f"{path}: line 1: the file has no rows", expected="at least one caption", found="none")
    columns = [key for key in keys if any(key in values for values in found)]
    if not columns:
        return None
    scores = {key: np.array([values.get(key, math.nan) for values in found]) for key in columns}
    return ScoreTable(tuple(items), scores)


def _rows(path: Path) -> Iterator[tuple[str, Any]]:
    if path.suffix != ".parquet":
        return readers.read_rows(path, references={})
    return _parquet(path)


def _parquet(path: Path) -> Iterator[tuple[str, Any]]:
    import pandas as pd

    try:
        table = pd.read_parquet(path)
    except (OSError, ValueError) as error:  # pyarrow's errors are ValueErrors
        raise InvalidInput(f"{path}: cannot be read", found=str(error)) from error
    for number, row in enumerate(table.to_dict("records"), 1):
        yield f"{path}: line {number}", row


def _value(given: Any, where: str) -> float:
    """A number; null, an empty cell and NaN are undefined."""
    if given is None or given == "":
        return math.nan
    try:
        if isinstance(given, bool) or not isinstance(given, int | float | str):
            raise ValueError
        value = float(given)
    except (ValueError, OverflowError):
        raise InvalidInput(where, expected="a number", found=repr(given)[:80]) from None
    if math.isinf(value):
        raise InvalidInput(where, expected="a finite number", found=repr(given))
    return value
