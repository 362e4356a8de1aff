"""Two sentences, one above the other, linked word to word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from capeval_core.figures.charts import HEIGHT, Sketch, canvas, tint, write
from capeval_core.figures.evidence import Word
from capeval_core.figures.palette import Palette
from capeval_core.figures.words import clean, label

# A chart's lines say the same as the underlines of palette.UNDERLINES; plotly has no wavy line, so extra is dotted.
DASHES = {"matched": "solid", "near": "solid", "missed": "dash", "extra": "dot", "neutral": "solid"}
MOST_LINKED = 26  # words of a sentence in a chart of links
ROW = 110.0  # characters that fit in a row beside each other


@dataclass(frozen=True, slots=True)
class Link:
    candidate: tuple[int, int]  # first word, number of words
    reference: tuple[int, int]
    kind: str
    hint: str
    dash: str = "solid"
    width: float = 2.0
    text: str = ""  # written on the link


@dataclass(frozen=True, slots=True)
class Chunk:
    """Neighbours on both sides: first and last word of the candidate, then of the reference."""

    candidate: tuple[int, int]
    reference: tuple[int, int]


def linked(
    palette: Palette,
    names: tuple[str, str],
    rows: tuple[Sequence[Word], Sequence[Word]],
    links: Sequence[Link],
    chunks: Sequence[Chunk] = (),
    height: int = HEIGHT,
) -> go.Figure:
    """The candidate above, the reference below, and lines between their words."""
    shown = tuple(row[:MOST_LINKED] for row in rows)
    width = min(max(60.0, *map(_length, shown)), ROW * 2)
    size = 14 if width <= ROW else 10
    places = [_places(row, width) for row in shown]
    drawn = canvas(palette, (-1, width + 1), (-0.32, 1.32), height)
    for chunk in chunks:
        _draw_chunk(drawn, palette, chunk, places)
    for number, link in enumerate(links):
        _draw_link(drawn, palette, link, places, number)
    for side, (name, row) in enumerate(zip(names, shown, strict=True)):
        _draw_row(drawn, palette, row, places[side], 1.0 - side, size)
        write(drawn, 0, 1.25 - 1.5 * side, label(name, 60), palette.faint, size=12, anchor="left")
    return drawn.finish()


def _length(row: Sequence[Word]) -> float:
    return sum(_letters(word.text) + 2.2 for word in row)


def _letters(text: str) -> float:
    """About how many letters wide; scripts of wide characters take two places each."""
    return sum(1.0 if ord(character) < 0x1100 else 1.9 for character in label_text(text))


def label_text(text: str) -> str:
    text = clean(text)
    return text if len(text) <= 14 else f"{text[:13]}…"


def _places(row: Sequence[Word], width: float) -> list[tuple[float, float]]:
    """Where each word begins and ends: the row spread over the width, but not torn apart."""
    letters = [_letters(word.text) for word in row]
    gaps = max(len(row) - 1, 1)
    gap = min(max((width - sum(letters)) / gaps, 1.0), 6.0)
    at = (width - sum(letters) - gap * (len(row) - 1)) / 2
    found = []
    for length in letters:
        found.append((at, at + length))
        at += length + gap
    return found


def _draw_row(
    drawn: Sketch, palette: Palette, row: Sequence[Word], places: Sequence[tuple[float, float]], y: float, size: int
) -> None:
    middles = [(start + end) / 2 for start, end in places]
    drawn.add_trace(
        "scatter",
        x=middles,
        y=[y] * len(row),
        mode="text",
        text=[label(label_text(word.text)) for word in row],
        textfont={
            "size": size,
            "color": [palette.text if word.kind == "neutral" else palette.of(word.kind) for word in row],
        },
        hovertext=[label(word.hint or word.text, 200) for word in row],
        hoverinfo="text",
    )
    for word, (start, end) in zip(row, places, strict=True):
        if word.kind != "neutral":
            lines = (0.085, 0.105) if word.kind == "near" else (0.09,)
            for below in lines:
                drawn.add_shape(
                    type="line",
                    x0=start,
                    x1=end,
                    y0=y - below,
                    y1=y - below,
                    line={"color": palette.of(word.kind), "width": 1.5, "dash": DASHES[word.kind]},
                )


def _span(places: Sequence[tuple[float, float]], start: int, length: int) -> tuple[float, float] | None:
    if start + length > len(places):
        return None
    return places[start][0], places[start + length - 1][1]


def _draw_link(
    drawn: Sketch, palette: Palette, link: Link, places: Sequence[Sequence[tuple[float, float]]], number: int
) -> None:
    ends = _span(places[0], *link.candidate), _span(places[1], *link.reference)
    if ends[0] is None or ends[1] is None:
        return
    top, bottom = (sum(end) / 2 for end in ends if end)
    t = np.linspace(0, 1, 21)
    # A curve that leaves and arrives upright.
    x = top + (bottom - top) * (3 * t**2 - 2 * t**3)
    drawn.add_trace(
        "scatter",
        x=x,
        y=0.86 - 0.74 * t,
        mode="lines",
        line={"color": palette.of(link.kind), "width": link.width, "dash": link.dash},
        hovertext=label(link.hint, 200),
        hoverinfo="text",
    )
    if link.text:
        at = 0.26 + 0.14 * (number % 3)  # labels of neighbouring links stand at different heights
        place = top + (bottom - top) * (3 * at**2 - 2 * at**3)
        write(drawn, place, 0.86 - 0.74 * at, label(link.text), palette.text, size=11, background=palette.background)


def _draw_chunk(drawn: Sketch, palette: Palette, chunk: Chunk, places: Sequence[Sequence[tuple[float, float]]]) -> None:
    above = _span(places[0], chunk.candidate[0], chunk.candidate[1] - chunk.candidate[0] + 1)
    below = _span(places[1], chunk.reference[0], chunk.reference[1] - chunk.reference[0] + 1)
    if above is None or below is None:
        return
    t = np.linspace(0, 1, 21)
    ease = 3 * t**2 - 2 * t**3
    left, right = (above[i] + (below[i] - above[i]) * ease for i in (0, 1))
    y = 0.86 - 0.74 * t
    drawn.add_trace(
        "scatter",
        x=[above[0] - 0.6, *(left - 0.6), below[0] - 0.6, below[1] + 0.6, *(right + 0.6)[::-1], above[1] + 0.6],
        y=[1.12, *y, -0.14, -0.14, *y[::-1], 1.12],
        mode="lines",
        fill="toself",
        fillcolor=tint(palette.neutral, 0.13),
        line={"width": 0},
        hoverinfo="skip",
    )
