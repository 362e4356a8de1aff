"""Compare: two captioners on the same images; what differs, what the newer one fixed, what it broke."""

from __future__ import annotations

import streamlit as st

from capeval_core.explore.compare import Change, Comparison, Difference
from capeval_core.explore.kinds import KINDS
from capeval_core.figures.explore import label
from capeval_core.figures.html import line_html
from capeval_core.figures.palette import Palette
from capeval_core.figures.tables import Bar, Cell, Column, Grid, Row, render
from capeval_core.figures.words import listing, plural, short
from pages.explore import cards
from pages.explore.found import Found
from pages.explore.state import BROKEN, COMPARE, FIXED, pick, shown_name
from pages.shell import theme

LEVEL = 0.05
WIDEST = 940  # pixels of the table


def show(found: Found) -> None:
    palette, state = theme.palette(), found.state
    if len(found.data.systems) < 2:
        st.info("This data set has one captioner: comparing needs two of the same images.")
        return
    told = found.comparison()
    if told is None:
        st.html(line_html(found.error or "The two captioners are being compared.", palette, large=True))
        return
    none = "No difference between the two is larger than chance allows."
    for text in told.sentences or (none,):
        st.html(line_html(text, palette))
    with st.container(width=WIDEST):
        st.html(render(grid(told, palette), palette))
    changes = told.fixed if state.changes == FIXED else told.broken
    counts = {FIXED: len(told.fixed), BROKEN: len(told.broken)}
    mixed = f" In {plural(told.mixed, 'image')} some errors are gone and others new." if told.mixed else ""
    st.html(
        line_html(f"Fixed: errors are gone, no other kind is new. Broken: the reverse.{mixed}", palette, quiet=True)
    )
    pick(
        st.segmented_control, "Changes", "changes", (FIXED, BROKEN), label_visibility="collapsed",
        show=lambda name: f"{name} ({counts[name]:,})",
    )  # fmt: skip
    if not changes:
        st.info(
            f"In no image errors are {'gone' if state.changes == FIXED else 'new'} and everything else is as it was."
        )
        return
    old, new = (shown_name(short(name, 30)) for name in (told.against, told.system))
    has, lacks = (old, new) if state.changes == FIXED else (new, old)
    beside = {one.against: one.system for one in changes}
    notes = {one.against: f"{has} has, {lacks} has not: {_kinds(one)}" for one in changes}
    cards.show(found, list(beside), notes=notes, beside=beside, place=COMPARE)


def _kinds(one: Change) -> str:
    return listing([KINDS[kind].label.lower() for kind in one.kinds])


def grid(told: Comparison, palette: Palette) -> Grid:
    most = max([max(abs(one.low), abs(one.high)) for one in told.differences] + [1.0])
    rows = tuple(Row(tuple(_cells(one, most, palette))) for one in told.differences)
    heads = (
        Column(Cell("error, of 100 captions"), "left", names=True),
        Column(Cell(shown_name(short(told.against, 24)))),
        Column(Cell(shown_name(short(told.system, 24)))),
        Column(Cell("difference", tip="95 % interval, paired by image"), "left"),
        Column(Cell("p", tip="paired bootstrap over images, after Holm's correction")),
    )
    note = (
        f"Over {plural(told.images, 'image')} that both have captions of. Right of the line: the newer one errs more."
    )
    return Grid(heads, rows, "", note, full=True)


def _cells(one: Difference, most: float, palette: Palette) -> list[Cell]:
    sure = one.corrected < LEVEL
    colour = palette.neutral if not sure else palette.extra if one.difference > 0 else palette.matched
    start, end = sorted((0.5, 0.5 + one.difference / most / 2))
    span = (0.5 + one.low / most / 2, 0.5 + one.high / most / 2)
    sign = "" if not sure else " ▲" if one.difference > 0 else " ▼"
    if not (one.difference or one.low or one.high):
        return [Cell(label(one.kind)), Cell(f"{one.against:.1f}"), Cell(f"{one.system:.1f}"), Cell("none"), Cell("–")]
    said = f"{one.difference:+.1f}{sign}"
    return [
        Cell(label(one.kind), bold=sure),
        Cell(f"{one.against:.1f}"),
        Cell(f"{one.system:.1f}"),
        Cell(said, bold=sure, beside=f"({one.low:+.1f} to {one.high:+.1f})", bar=Bar(start, end, colour, (0.5,), span)),
        Cell(f"{one.corrected:.3f}"),
    ]
