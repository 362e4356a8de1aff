"""The one HTML table: what its data say is what a reader sees, and nothing else."""

from __future__ import annotations

import pytest

from capeval_core.figures.markup import style
from capeval_core.figures.palette import DARK, LIGHT
from capeval_core.figures.tables import Badge, Bar, Cell, Column, Grid, Row, render
from tests.figures.hostile import ALL, HOSTILE, check_html, read

GRID = Grid(
    (
        Column(Cell("metric"), "left", names=True),
        Column(Cell("A", "20 captions", "tip of A"), rule="#123456", dashed=True),
    ),
    (
        Row((Cell("BLEU", badge=Badge("≈ estimated", "why")), Cell("0.500", "p .03", "tip", True, shade="#eeeeee"))),
        Row((Cell("CIDEr", faint=True), Cell(bar=Bar(0.25, 0.5, "#abcdef", (0.5,)))), heading="against human"),
        Row((Cell("sum", colour="#fedcba"), Cell("–")), bold=True),
    ),
    caption="Scores",
    note="3 more",
    full=True,
)


def test_everything_in_the_data_is_shown() -> None:
    tags, text = read(render(GRID, LIGHT))
    words = text.split()
    assert " ".join(words) == (
        "Scores metric A 20 captions BLEU ≈ estimated 0.500 p .03 against human CIDEr sum – 3 more"
    )
    assert [attributes.get("scope") for tag, attributes in tags if tag == "th"] == ["col", "col", "row", "row", "row"]
    titles = [attributes["title"] for _, attributes in tags if "title" in attributes]
    assert titles == ["tip of A", "why", "tip"]
    classes = [attributes["class"] for tag, attributes in tags if tag == "td" and "class" in attributes]
    assert classes == ["right bold", "right", "right"]
    styles = [attributes["style"] for _, attributes in tags if "style" in attributes][1:]
    assert styles == [
        "border-bottom:2px dashed #123456",
        "background:#eeeeee",
        "left:25.0%;width:25.0%;background:#abcdef",
        "left:50.0%",
        "color:#fedcba;",
    ]
    assert ("td", {"colspan": "2"}) in tags
    assert ("tr", {"class": "bold"}) in tags


def test_a_table_without_headings_has_no_head() -> None:
    shown = render(Grid((Column(), Column()), (Row((Cell("a"), Cell("b"))),)), LIGHT)
    assert "<thead" not in shown
    assert "<caption" not in shown


def test_a_row_of_another_length_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="a row of 1 cells in a table of 2 columns"):
        render(Grid((Column(), Column()), (Row((Cell("a"),)),)), LIGHT)


def test_colours_come_from_the_palette_and_rules_from_the_one_style_sheet() -> None:
    light, dark = render(GRID, LIGHT), render(GRID, DARK)
    assert f"--text:{LIGHT.text}" in light
    assert f"--text:{DARK.text}" in dark
    assert LIGHT.text not in dark
    assert light.count("<style") == 0
    assert style().count("{") == style().count("}")
    used = {name for _, attributes in read(light)[0] for name in (attributes.get("class") or "").split()}
    assert len(used) > 5
    assert [name for name in used if f".{name}" not in style()] == []


@pytest.mark.parametrize("text", [*HOSTILE, ALL])
def test_no_field_lets_markup_through(text: str) -> None:
    cell = Cell(text, text, text, badge=Badge(text, text))
    grid = Grid((Column(cell, names=True), Column(cell)), (Row((cell, cell), text),), text, text)
    shown = check_html(render(grid, LIGHT))
    kept = "".join(sign for sign in text if sign not in "\u202e\u2067\u2066")
    assert shown.count(kept) == 2 + 4 * 3 + 1


def test_a_tooltip_keeps_its_lines() -> None:
    assert 'title="one\ntwo"' in render(Grid((Column(),), (Row((Cell("x", tip="one\ntwo"),)),)), LIGHT)
