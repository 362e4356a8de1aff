"""What scoring takes: measured seconds per 1,000 captions by metric. `make costs` writes them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from capeval_core import registry
from pages.work.scoring import together

FILE = Path(__file__).parents[2] / "assets" / "costs.json"


@cache
def measured() -> Any:
    return json.loads(FILE.read_text(encoding="utf-8"))


def cost(key: str) -> float:
    """Processor seconds per 1,000 captions with 4 references each, the model loaded."""
    found: float = measured()["seconds"][registry.get(key).metric]
    return found


def cheapest_first(keys: Iterable[str]) -> list[str]:
    return sorted(keys, key=cost)


def listing(keys: Sequence[str], captions: int) -> str:
    """Cheapest first with the expected time of each, what is scored together once: BLEU 2 s, SPURTS and MIMA 40 s."""
    groups: dict[str, list[str]] = {}
    for key in cheapest_first(keys):
        groups.setdefault(together(key), []).append(key)
    said = []
    for group in groups.values():
        names = dict.fromkeys(registry.title(registry.get(key).metric) for key in group)
        said.append(f"{' and '.join(names)} {duration(max(map(cost, group)) * captions / 1_000)}")
    return ", ".join(said)


def duration(seconds: float) -> str:
    if seconds < 1:
        return "under 1 s"
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
