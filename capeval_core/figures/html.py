"""Captions and tables as HTML, for the page and the report. Every text is escaped."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape
from typing import Any

from capeval_core.figures.charts import tint
from capeval_core.figures.evidence import Caption, Table, Word
from capeval_core.figures.palette import KINDS, MEANINGS, UNDERLINES, Palette
from capeval_core.figures.words import clean, short

LONGEST_WORD = 60
MOST_ROWS = 200


def caption_html(caption: Caption, palette: Palette) -> str:
    words = " ".join(_word(word, palette) for word in caption.words) or _span("nothing", f"color:{palette.faint}")
    name = _span(
        escape(clean(caption.label)),
        f"color:{palette.faint};font-size:0.85em;display:inline-block;min-width:11em;margin-right:0.5em",
    )
    return f'<p dir="ltr" style="margin:0.2em 0;line-height:2;color:{palette.text}">{name}{words}</p>'


def _word(word: Word, palette: Palette) -> str:
    text, colour = escape(short(word.text, LONGEST_WORD)), palette.of(word.kind)
    title = f' title="{escape(clean(word.hint))}"' if word.hint else ""
    if word.kind == "neutral":
        return f"<bdi{title}>{text}</bdi>"
    strength = 0.06 + 0.34 * min(max(word.weight, 0.0), 1.0)
    style = (
        f"background:{tint(colour, strength)};padding:0.1em 0.2em;border-radius:0.2em;overflow-wrap:anywhere;"
        f"text-decoration:underline {UNDERLINES[word.kind]} {colour} 1.5px;text-underline-offset:0.25em"
    )
    return f'<bdi class="{word.kind}" style="{style}"{title}>{text}</bdi>'


def _span(text: str, style: str) -> str:
    return f'<span style="{style}">{text}</span>'


def legend_html(palette: Palette, kinds: Iterable[str] = KINDS) -> str:
    """What the colours mean; name the kinds that are on show."""
    chosen = [kind for kind in KINDS if kind in set(kinds) and kind != "neutral"]
    parts = (f"{_word(Word(kind, kind, 0.5), palette)} {_span(escape(MEANINGS[kind]), '')}" for kind in chosen)
    style = f"margin:0.2em 0;color:{palette.faint};font-size:0.85em"
    return f'<p style="{style}">{"&ensp; ".join(parts)}</p>' if chosen else ""


def table_html(table: Table, palette: Palette) -> str:
    rule = f"border-bottom:1px solid {tint(palette.faint, 0.35)};padding:0.25em 1em 0.25em 0"
    rows = list(zip(*table.columns.values(), strict=True))
    head = "".join(
        f'<th scope="col" style="{rule};text-align:{_side(column)};font-weight:600">{escape(clean(name))}</th>'
        for name, column in table.columns.items()
    )
    sides = [_side(column) for column in table.columns.values()]
    body = "".join(
        "<tr>"
        + "".join(
            f'<td style="{rule};text-align:{side};font-variant-numeric:tabular-nums">{cell(value)}</td>'
            for value, side in zip(row, sides, strict=True)
        )
        + "</tr>"
        for row in rows[:MOST_ROWS]
    )
    left_out = f"<p>{len(rows) - MOST_ROWS:,} more rows are not shown.</p>" if len(rows) > MOST_ROWS else ""
    return (
        f'<table style="border-collapse:collapse;color:{palette.text};font-size:0.9em">'
        f'<caption style="text-align:left;color:{palette.faint};padding:0.4em 0">{escape(clean(table.title))}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{left_out}"
    )


def _side(column: Iterable[Any]) -> str:
    return "right" if all(isinstance(value, int | float) for value in column) else "left"


def cell(value: Any) -> str:
    """A table's value as text: three decimals, a dash for what is not defined."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        if math.isnan(value):
            return "–"
        return f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else escape(short(str(value), 200))
