"""The guides of assets/guides/, one per metric, in their sections; and what was measured for them.

Every sentence that says something of a metric ends in the name of a check, `<!-- like_this -->`, which is not shown:
tests/pages/guide/claims/ has a function of that name, and the suite runs them all. Numbers in the text come from the
measured files: `{change KEY KIND}`, `{people KEY p10|median|p90}`, `{error KEY}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from capeval_core.figures.numbers import relative_change, score
from capeval_core.metrics.typicality.reliability import reliability

FOLDER = Path(__file__).parents[2] / "assets" / "guides"
SECTIONS = ("Idea", "Formula", "Good at", "Fooled by", "Try it")
CHECK = re.compile(r"\s*<!-- (\w+) -->")
FIGURE = re.compile(r"\{(change|people|error) (\w+) ?([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Guide:
    metric: str
    sections: Mapping[str, str]  # markdown, ours
    references: tuple[str, ...]  # of the example: none for metrics that need none
    captions: tuple[str, str]
    look: str  # what to look at in the example


@cache
def guide(metric: str) -> Guide:
    sections = {title: shown(text) for title, text in written(FOLDER / f"{metric}.md").items()}
    example = re.findall(r"^- (reference|A|B|look): (.+(?:\n  .+)*)$", sections["Try it"], flags=re.MULTILINE)
    said = {name: " ".join(text.split()) for name, text in example}
    references = tuple(text for name, text in example if name == "reference")
    return Guide(metric, sections, references, (said["A"], said["B"]), said["look"])


def written(path: Path) -> dict[str, str]:
    """By title the sections of a file, as they are written: with checks and without numbers."""
    parts = re.split(r"^## (.+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {title: body.strip() for title, body in zip(parts[::2], parts[1::2], strict=True)}


def shown(text: str) -> str:
    return FIGURE.sub(lambda found: _figure(*found.groups()), CHECK.sub("", text))


def _figure(what: str, key: str, which: str) -> str:
    if what == "change":
        return relative_change(measured()["sensitivity"]["values"][key][which]["change"])
    if what == "people":
        return score(measured()["human"]["values"][key][which])
    known = reliability()
    return f"{known.error[key]:.2f}" if known else "an unknown amount"


@cache
def measured() -> Any:
    """Ranges of human captions and sensitivities; `make guide-figures` writes them, with their provenance."""
    return json.loads((FOLDER / "measured.json").read_text(encoding="utf-8"))
