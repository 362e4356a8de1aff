"""Captions, evidence tables and lines of text as HTML, for the page and the report."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from markupsafe import Markup

from capeval_core.figures import tables
from capeval_core.figures.arithmetic import Term
from capeval_core.figures.charts import tint
from capeval_core.figures.evidence import Caption, Table, Word
from capeval_core.figures.markup import fill
from capeval_core.figures.numbers import UNDEFINED
from capeval_core.figures.palette import KINDS, MEANINGS, Palette
from capeval_core.figures.tables import Cell, Column, Grid, Row
from capeval_core.figures.words import short

LONGEST_WORD = 60
LONGEST_TEXT = 200
MOST_ROWS = 200


def caption_html(caption: Caption, palette: Palette, anchor: str = "") -> Markup:
    """`anchor`: the id that a link on the same page leads to."""
    words = [_marked(word, palette) for word in caption.words]
    return fill("caption.html", palette, label=caption.label, words=words, anchor=anchor)


def legend_html(palette: Palette, kinds: Iterable[str] = KINDS) -> Markup:
    """What the colours mean; name the kinds that are on show."""
    chosen = [kind for kind in KINDS if kind in set(kinds) and kind != "neutral"]
    entries = [(_marked(Word(kind, kind, 0.5), palette), MEANINGS[kind]) for kind in chosen]
    return fill("legend.html", palette, entries=entries) if entries else Markup()


def line_html(
    text: str, palette: Palette, *, bold: str = "", large: bool = False, quiet: bool = False, anchor: str = ""
) -> Markup:
    """One paragraph; what is bold stands first."""
    return fill("line.html", palette, text=text, bold=bold, large=large, quiet=quiet, anchor=anchor)


def arithmetic_html(terms: Sequence[Term], palette: Palette, prefix: str = "") -> Markup:
    """The line of arithmetic; with a prefix each number links to the part whose anchor is prefix and name."""
    return fill("arithmetic.html", palette, terms=terms, prefix=prefix) if terms else Markup()


def _marked(word: Word, palette: Palette) -> dict[str, str]:
    strength = 0.06 + 0.34 * min(max(word.weight, 0.0), 1.0)
    shade = "" if word.kind == "neutral" else tint(palette.of(word.kind), strength)
    return {"text": short(word.text, LONGEST_WORD), "kind": word.kind, "shade": shade, "hint": word.hint}


def table_html(table: Table, palette: Palette, anchor: str = "") -> Markup:
    names, columns = list(table.columns), list(table.columns.values())
    rows = list(zip(*columns, strict=True))
    shown = tuple(Row(tuple(Cell(shown_value(value)) for value in row)) for row in rows[:MOST_ROWS])
    heads = tuple(
        Column(Cell(name), "right" if _numeric(column) else "left", wraps=True)
        for name, column in zip(names, columns, strict=True)
    )
    left_out = f"{len(rows) - MOST_ROWS:,} more rows are not shown." if len(rows) > MOST_ROWS else ""
    return tables.render(Grid(heads, shown, table.title, left_out), palette, anchor)


def _numeric(column: Sequence[Any]) -> bool:
    return all(isinstance(value, int | float) for value in column)


def shown_value(value: Any) -> str:
    """Three decimals, a dash for what is not defined."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return UNDEFINED if math.isnan(value) else f"{round(value, 3) + 0.0:.3f}"  # never -0.000
    return f"{value:,}" if isinstance(value, int) else short(str(value), LONGEST_TEXT)
