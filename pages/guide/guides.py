"""The guides of assets/guides/, one per metric, in their sections; and what was measured for them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "assets" / "guides"
SECTIONS = ("Idea", "Formula", "Good at", "Fooled by", "Try it")


@dataclass(frozen=True, slots=True)
class Guide:
    metric: str
    sections: Mapping[str, str]  # markdown, ours
    references: tuple[str, ...]  # of the example: none for metrics that need none
    captions: tuple[str, str]
    look: str  # what to look at in the example


@cache
def guide(metric: str) -> Guide:
    text = (FOLDER / f"{metric}.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)[1:]
    sections = {title: body.strip() for title, body in zip(parts[::2], parts[1::2], strict=True)}
    example = re.findall(r"^- (reference|A|B|look): (.+)$", sections["Try it"], flags=re.MULTILINE)
    said = dict(example)
    references = tuple(words for name, words in example if name == "reference")
    return Guide(metric, sections, references, (said["A"], said["B"]), said["look"])


@cache
def measured() -> Any:
    """Ranges of human captions and sensitivities; `make guide-figures` writes them, with their provenance."""
    return json.loads((FOLDER / "measured.json").read_text(encoding="utf-8"))
