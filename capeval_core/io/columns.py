"""Columns we have no name for: kept as they are, through every format and back.

A table's cells are text. A column whose cells are all JSON as we write it (7, 0.5, true, "7", ["a"]) is read as those
values, any other as text; writing quotes text that would be taken for something else. An empty cell is no value.
A cell that a spreadsheet would run gets an apostrophe in front, which is dropped again when the table is read.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from capeval_core.errors import InvalidInput
from capeval_core.io import rows

DEEPEST = 50  # lists and objects inside one another: more than anybody needs, less than Python's own limit
RISKY = ("=", "+", "-", "@", "\t", "\r", "\n")  # a spreadsheet runs a cell that starts so


@dataclass(frozen=True, slots=True)
class Json:
    """A list or an object, kept as its text: a twentieth of the memory of what it stands for."""

    text: str

    def load(self) -> Any:
        return json.loads(self.text)


Value = None | bool | int | float | str | Json


def kept(found: Any, where: str) -> Value:
    """A field of a row as it is kept: JSON has neither NaN nor infinity, so one is no value and the other its name."""
    if found is None or isinstance(found, bool | int):
        return found
    if isinstance(found, float):
        return found if math.isfinite(found) else None if math.isnan(found) else str(found)
    if isinstance(found, str):
        return rows.text(found, where)
    if _is_deep(found):
        raise InvalidInput(f"{where}: nested too deeply", expected=f"at most {DEEPEST} levels")
    try:
        text = _dump(found)
    except ValueError:
        text = _dump(_finite(found))
    return Json(rows.text(text, where))


def _is_deep(found: Any, left: int = DEEPEST) -> bool:
    inner = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    return not left or any(_is_deep(value, left - 1) for value in inner if isinstance(value, list | dict))


def _finite(found: Any) -> Any:
    if isinstance(found, dict):
        return {name: _finite(value) for name, value in found.items()}
    if isinstance(found, list):
        return [_finite(value) for value in found]
    return kept(found, "") if isinstance(found, float) else found


def _dump(found: Any) -> str:
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def encode(values: Sequence[Value]) -> list[str]:
    """Cells of a table that `decode` reads as these values."""
    if all(value is None or isinstance(value, str) for value in values):
        cells = ["" if value is None else str(value) for value in values]
        if decode(cells) == list(values):
            return [guard(cell) for cell in cells]
    return [_cell(value) for value in values]


def _cell(value: Value) -> str:
    if value is None:
        return ""
    return value.text if isinstance(value, Json) else _dump(value)


def decode(cells: Iterable[str | None]) -> list[Value]:
    """Cells as the table has them, apostrophes already dropped."""
    found = ["" if cell is None else cell for cell in cells]
    values: list[Value] = []
    for cell in found:
        value = None if not cell else _parse(cell)
        if value is _NOTHING:
            return [cell or None for cell in found]
        values.append(value)
    return values


_NOTHING: Any = object()


def _parse(cell: str) -> Any:
    """The value a cell spells just as we would."""
    try:
        value = json.loads(cell)
        if _dump(value) != cell:
            return _NOTHING
    except (ValueError, RecursionError):
        return _NOTHING
    return Json(cell) if isinstance(value, list | dict) else value


def guard(text: str) -> str:
    return f"'{text}" if text.lstrip("'").startswith(RISKY) else text


def unguard(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(RISKY) else cell
