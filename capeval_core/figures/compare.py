"""Two candidates side by side: which words they share, and how far apart their scores are."""

from __future__ import annotations

from collections.abc import Mapping

from capeval_core import registry
from capeval_core.figures.differences import shared
from capeval_core.figures.evidence import Caption, Word
from capeval_core.figures.numbers import change, score
from capeval_core.figures.palette import Palette
from capeval_core.figures.tables import Bar, Cell, Column, Grid, Row


def word_diff(left: str, right: str) -> tuple[Caption, Caption]:
    """Both captions with the words they share and the words that only one has."""
    same = shared(left, right)
    first, second = (
        tuple(Word(word, "matched" if both else kind) for word, both in zip(text.split(), flags, strict=True))
        for text, flags, kind in zip((left, right), same, ("extra", "missed"), strict=True)
    )
    return Caption("A", first), Caption("B", second)


def differences(left: Mapping[str, float], right: Mapping[str, float], palette: Palette) -> Grid:
    """One row per metric: both values, and a bar towards the better one, as long as the gap is beside the larger."""
    columns = (
        Column(Cell("metric"), "left", names=True),
        Column(Cell("A")),
        Column(Cell("A better · B better"), "center", wide=True),
        Column(Cell("B")),
        Column(Cell("B - A")),
    )
    keys = [key for key in registry.keys() if key in left and key in right]
    return Grid(columns, tuple(_row(key, left[key], right[key], palette) for key in keys), full=True)


def _row(key: str, left: float, right: float, palette: Palette) -> Row:
    spec = registry.get(key)
    gain = (right - left) if spec.direction == "higher" else (left - right)
    half = 0.5 * min(abs(gain) / (max(abs(left), abs(right)) or 1.0), 1.0)
    start, end, colour = (0.5, 0.5 + half, 0) if gain > 0 else (0.5 - half, 0.5, 1)
    return Row(
        (
            Cell(spec.label),
            Cell(score(left), bold=gain < 0),
            Cell(bar=Bar(start, end, palette.systems[colour], (0.5,))),
            Cell(score(right), bold=gain > 0),
            Cell(change(right - left)),
        )
    )
