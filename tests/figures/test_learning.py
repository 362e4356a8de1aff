"""A training run drawn: the sentence, the curves and the table say what its figures say."""

from __future__ import annotations

from capeval_core.figures import learning
from capeval_core.figures.learning import Curve
from capeval_core.figures.palette import LIGHT
from capeval_core.figures.tables import render

FIGURES = {"words": 0.618, "retrieval": 0.92, "ranked": 0.95, "nll": 1.2}
SHIPPED = {"words": 0.31, "retrieval": 0.97, "ranked": 0.98, "nll": 3.0}


def test_sentences() -> None:
    assert learning.finished("i2ce", FIGURES, SHIPPED, {"retrieval": 0.004}) == (
        "Your model rebuilds 62 % of the words of captions it has not seen, and finds another caption of the same "
        "image for 92 % (guessing: under 1 %). The shipped model, on the same captions: 31 % and 97 %."
    )
    assert learning.under_way("i2ce", 3.0, 15, FIGURES, {}) == (
        "After 3 of 15 epochs it rebuilds 62 % of the words of captions it has not seen, and finds another caption of "
        "the same image for 92 %."
    )
    assert "has begun to learn" in learning.under_way("i2ce", 0.0, 15, {}, {})
    assert learning.finished("nneval", {"area": 0.907}, {}, {"area": 0.5}) == (
        "Your model puts a person's caption above a wrong one in 91 % of the pairs (guessing: 50 %)."
    )


def test_curves_stand_where_their_figures_are() -> None:
    lines = [Curve("words rebuilt", [(1, 0.2), (2, 0.5)], 0.4), Curve("image found", [(1, 0.3), (2, 0.51)])]
    drawn = learning.share_curves(lines, 4, LIGHT)
    assert [list(trace.y) for trace in drawn.data] == [[0.2, 0.5], [0.3, 0.51]]
    assert [shape.y0 for shape in drawn.layout.shapes] == [0.4]
    names = {note.text: note.y for note in drawn.layout.annotations}
    assert list(names) == ["shipped 40%", "words rebuilt 50%", "image found 51%"]
    assert min(abs(one - other) for one in names.values() for other in names.values() if one != other) > 0.05
    assert learning.loss_curves([Curve("loss", [(1, 4.0), (2, 2.0)])], 2, LIGHT).layout.yaxis.range[1] > 4
    assert learning.loss_curves([], 2, LIGHT).layout.yaxis.range[0] == 0


def test_the_better_of_the_two_is_bold() -> None:
    grid = learning.beside("i2ce", FIGURES, SHIPPED, {"retrieval": 0.1}, LIGHT)
    assert [[cell.bold for cell in row.cells[1:]] for row in grid.rows] == [[True, False], [False, True], [False, True]]
    assert [column.head.text for column in grid.columns[1:]] == ["your model", "shipped"]
    alone = learning.beside("nneval", {"area": 0.9, "told apart": float("nan")}, {}, {}, LIGHT)
    assert [column.head.text for column in alone.columns[1:]] == ["your model"]
    assert "90 %" in render(alone, LIGHT)
