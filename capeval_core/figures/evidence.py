"""Evidence as something to look at: a sentence, a line of arithmetic, then marked captions, charts and tables.

`draw(explanation, palette)` in figures/__init__.py makes it from an explanation. The page and the HTML report both show
these parts, each in its own way, so that a metric is drawn in one place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import plotly.graph_objects as go

from capeval_core.figures.arithmetic import Term
from capeval_core.figures.palette import KINDS


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    kind: str = "neutral"  # one of palette.KINDS
    weight: float = 1.0  # 0 to 1: the strength of its shade
    hint: str = ""  # shown when the pointer rests on it


@dataclass(frozen=True, slots=True)
class Caption:
    """A sentence whose words are marked."""

    label: str  # "candidate", "reference 2"
    words: tuple[Word, ...]
    name: str = ""  # what a number of the line of arithmetic links to


@dataclass(frozen=True, slots=True)
class Chart:
    title: str
    figure: go.Figure  # user text in it is escaped
    # What a click on a point says, by the point's customdata[0]; empty: the chart takes no clicks.
    clicks: Mapping[str, str] = field(default_factory=dict)
    name: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    columns: Mapping[str, Sequence[Any]]  # equal lengths; numbers stay numbers
    name: str = ""


Part = Caption | Chart | Table


@dataclass(frozen=True, slots=True)
class Evidence:
    sentence: str  # plain text, made from the explanation: what a student reads first
    parts: tuple[Part, ...]
    details: tuple[Part, ...] = ()  # shown on demand
    arithmetic: tuple[Term, ...] = ()  # the score as one line of numbers


def used_kinds(parts: Sequence[Part]) -> list[str]:
    """The kinds of words on show, for the legend."""
    used = {word.kind for part in parts if isinstance(part, Caption) for word in part.words}
    return [kind for kind in KINDS if kind in used]
