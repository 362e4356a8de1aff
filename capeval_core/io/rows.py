"""The fields of one row, each checked, or an error that names file, line and field."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from capeval_core.errors import InvalidInput

References = Mapping[str, tuple[str, ...]]  # by image id
_KINDS = {dict: "an object", list: "a list", str: "text", int: "a number", float: "a number", bool: "true/false"}


def parse_json(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidInput(f"{where}: broken JSON", found=f"{error.msg} at column {error.colno}") from error
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{where}: broken JSON", found=str(error) or "nested too deeply") from error


def identifier(row: Mapping[str, Any], where: str) -> str:
    """Image ids may be numbers or text; 7 and "7" are the same image."""
    if "image_id" not in row:
        raise InvalidInput(f"{where}: field image_id is missing")
    found = row["image_id"]
    if isinstance(found, bool) or not isinstance(found, int | str):
        raise InvalidInput(f"{where}: field image_id", expected="text or a whole number", found=kind(found))
    return text(str(found), f"{where}: field image_id")


def caption_field(row: Mapping[str, Any], where: str) -> str:
    if "candidate" in row or "caption" in row:
        return "candidate" if "candidate" in row else "caption"
    raise InvalidInput(f"{where}: field candidate is missing", fix="add it (or caption)")


def text(found: Any, where: str) -> str:
    if not isinstance(found, str):
        raise InvalidInput(where, expected="text", found=kind(found))
    try:
        found.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"{where}: not valid Unicode", found=f"half a character at position {error.start}"
        ) from error
    return found


def references(found: Any, where: str, name: str = "references") -> tuple[str, ...]:
    if not isinstance(found, list):
        raise InvalidInput(f"{where}: field {name}", expected="a list of texts", found=kind(found))
    return tuple(text(one, f"{where}: field {name}[{place}]") for place, one in enumerate(found))


def number(found: Any, where: str) -> float:
    """null, an empty cell and NaN are undefined."""
    if found is None or found == "":
        return math.nan
    try:
        if isinstance(found, bool) or not isinstance(found, int | float | str):
            raise ValueError
        value = float(found)
    except (ValueError, OverflowError):
        raise InvalidInput(where, expected="a number", found=repr(found)[:80]) from None
    if math.isinf(value):
        raise InvalidInput(where, expected="a finite number", found=repr(found))
    return value


def numbers(found: Any, where: str) -> tuple[float, ...]:
    """One number, none where it is undefined; or a list of them (a table's cell: as JSON) in which NaN keeps its place:
    it is a rater's who did not answer."""
    if isinstance(found, str) and found.lstrip().startswith("["):
        found = parse_json(found, where)
    if isinstance(found, list):
        values = (number(one, f"{where}[{place}]") for place, one in enumerate(found))
        return tuple(math.nan if math.isnan(value) else value for value in values)
    value = number(found, where)
    return () if math.isnan(value) else (value,)


def kind(found: Any) -> str:
    return "null" if found is None else _KINDS.get(type(found), type(found).__name__)
