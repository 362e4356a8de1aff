"""The one HTML table: cells as plain data, drawn by templates/table.html."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup

from capeval_core.figures.markup import fill
from capeval_core.figures.palette import Palette


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar on a track; its places are shares of the track's width, 0 to 1."""

    start: float
    end: float
    colour: str
    ticks: tuple[float, ...] = ()
    span: tuple[float, float] | None = None  # an interval: a thin line with two ends
    hollow: float | None = None  # a hollow mark: somebody else's value


@dataclass(frozen=True, slots=True)
class Badge:
    text: str
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    text: str = ""
    under: str = ""  # a second line, small
    tip: str = ""  # shown when the pointer rests on the cell
    bold: bool = False
    faint: bool = False
    colour: str = ""  # of the text
    shade: str = ""  # behind it
    bar: Bar | None = None
    badge: Badge | None = None
    beside: str = ""  # behind the text, faint


@dataclass(frozen=True, slots=True)
class Column:
    head: Cell = Cell()
    align: Literal["left", "right", "center"] = "right"
    names: bool = False  # its cells are the names of the rows
    wide: bool = False  # it gets the width that is left
    wraps: bool = False  # a long heading may take two lines
    rule: str = ""  # colour of the line under the heading
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    cells: tuple[Cell, ...]
    heading: str = ""  # a line of its own above the row
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    caption: str = ""
    note: str = ""  # below the table
    full: bool = False  # as wide as its place
    stacks: bool = False  # on a narrow screen each row becomes a list, its cells named

    @property
    def has_heads(self) -> bool:
        return any(column.head.text for column in self.columns)


def render(grid: Grid, palette: Palette, anchor: str = "") -> Markup:
    """Looks right where markup.style() is on the page."""
    for row in grid.rows:
        if len(row.cells) != len(grid.columns):
            raise ValueError(f"a row of {len(row.cells)} cells in a table of {len(grid.columns)} columns")
    return fill("table.html", palette, grid=grid, anchor=anchor)
