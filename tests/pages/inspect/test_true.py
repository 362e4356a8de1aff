"""Zeros and ties on Inspect are nobody's win; a comparison says why, by the references."""

from __future__ import annotations

import pytest

from capeval_core import registry
from capeval_core.figures.palette import LIGHT
from pages.inspect import comparison
from pages.inspect.table import best_rows
from pages.widgets.evidence import anchor
from pages.work.cells import Cell
from tests.pages.cases import finish, make, store


@pytest.mark.parametrize(
    ("key", "values", "best"),
    [
        ("bleu_4", [0.0, 1e-5], set()),  # both read 0.000
        ("bleu_4", [0.4, 0.4], set()),
        ("bleu_4", [0.41231, 0.41234, 0.2], {0, 1}),  # both read 0.412
        ("bleu_4", [0.2], set()),
        ("bleu_4", [0.0, 0.2], {1}),
        ("smurf", [0.0, -1.5], {0}),  # 0 is not the worst SMURF there is
    ],
)
def test_a_star_is_for_the_best_that_is_not_nothing(key: str, values: list[float], best: set[int]) -> None:
    assert best_rows(registry.get(key), [Cell(value) for value in values]) == best


def test_a_comparison_says_why() -> None:
    cells, ws = store(), make(["a dog runs on the beach", "a cat sleeps"])
    finish(cells, ws)
    found = comparison.collect(ws, ws.candidates[0], ws.candidates[1], cells, LIGHT)
    assert found.sentence.startswith("Of 3 scores A is ahead in 3. Only A says “dog”")
    kinds = [word.kind for word in found.captions[1].words]
    assert kinds[0] != "extra"
    assert kinds[1:] == ["extra", "extra"]
    reasons = [row.cells[2].under for row in found.table.rows]
    assert all(reason.startswith("A is ahead: ") for reason in reasons)


def test_the_ids_of_two_evidences_differ() -> None:
    assert anchor("A", "bleu_4") == "capeval-a-bleu-4-"
    assert anchor("", "bleu_4") == "capeval-bleu-4-"
