"""The report of a workspace: its table says what Inspect's says."""

from __future__ import annotations

from capeval_core import evaluate
from capeval_core import options as metric_options
from capeval_core.figures.numbers import score
from capeval_core.figures.palette import LIGHT
from pages.inspect import report
from pages.work.bands import bands
from tests.pages.cases import NGRAM, finish, make, store


def test_best_values_bars_bands_and_options() -> None:
    cells, ws = store(), make(["a dog runs on grass", "a cat sleeps"])
    ws.options = {"bleu": metric_options.make("bleu", {"smoothing": "lin-och"})}
    finish(cells, ws)
    grid = report._scores(ws, cells, cells.telling(ws.items(), ws.metrics, ws.options), LIGHT)
    assert [column.head.text for column in grid.columns] == ["captioner", "candidate", "BLEU-1", "BLEU-2", "ROUGE-L"]
    assert "lin-och" in grid.columns[2].head.under
    assert grid.columns[4].head.under == ""
    people, first, second = grid.rows
    values = evaluate(ws.items(), NGRAM, options=ws.options).scores["rouge_l"]
    best, other = first.cells[4], second.cells[4]
    assert (best.text, best.bold) == (f"{score(float(values[0]))} ★", True)
    assert (other.text, other.bold) == (score(float(values[1])), False)
    band = bands(ws, cells, NGRAM)["rouge_l"]
    assert best.bar
    assert best.bar.end == float(values[0])
    assert best.bar.ticks == (band.low, band.high)
    assert people.cells[1].text == "people reach"


def test_what_cannot_be_scored_says_why() -> None:
    cells, ws = store(), make()
    ws.set_references(())
    finish(cells, ws)
    grid = report._scores(ws, cells, {}, LIGHT)
    assert {cell.text for row in grid.rows for cell in row.cells[2:]} == {"–"}
    assert all("reference" in cell.tip for row in grid.rows[1:] for cell in row.cells[2:])
