"""The published figures of metrics against people, read from ../shared/JUDGES.md: nothing of them is typed in here."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from capeval_core import registry

COLUMNS = {"F8k-Expert": "flickr8k-expert", "F8k-CF": "flickr8k-cf", "COMPOSITE": "composite", "PASCAL": "pascal50s"}
OLDER = "pascal50s-11"
GROUPS = ("HC", "HI", "HM", "MM", "mean")


def read(path: Path) -> dict[str, Any]:
    """By metric (its key, or its name where CapEval has none): data set -> a share, or by group of pairs."""
    text = path.read_text(encoding="utf-8").split("## Published")[1]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    names = [_data_set(cell) for cell in _cells(lines[0])[1:]]
    found: dict[str, Any] = {}
    for line in lines[2:]:
        metric, *cells = _cells(line)
        values = {name: _value(cell) for name, cell in zip(names, cells, strict=True) if cell}
        found[_key(metric)] = values
    older = re.search(r"11 votes: (.*?)\.\n", text)
    for part in older[1].split(";") if older else ():
        metric, _, numbers = part.strip().partition(" ")
        found[_key(metric)][OLDER] = _value(numbers)
    source = re.search(r"Source: (.*?), tables", text)
    return {"source": source[1] if source else "", "metrics": found}


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def _data_set(head: str) -> str:
    return next(key for name, key in COLUMNS.items() if head.startswith(name))


def _key(name: str) -> str:
    plain = name.lower().replace("-", "_")
    return plain if plain in registry.keys() else name


def _value(cell: str) -> float | dict[str, float]:
    """ "32.3 (32.2)": the first is the one of our protocol; "60.4 / 90.6 / ...": by group."""
    numbers = [round(float(number) / 100, 4) for number in re.findall(r"[\d.]+", cell.split("(")[0])]
    return numbers[0] if len(numbers) == 1 else dict(zip(GROUPS, numbers, strict=True))
