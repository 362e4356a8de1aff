"""Where an estimate is not known to follow a change, or a number is odd, the grid says so in the cell."""

from __future__ import annotations

from capeval_core import registry
from capeval_core.figures.palette import LIGHT
from capeval_core.types import StandIn
from pages.perturb import grid
from pages.perturb.lab import Row
from pages.widgets import stand_ins
from pages.work.cells import Cell

ESTIMATED = StandIn("estimated", "a regression", "DistilBERT", "fetch it", error=0.03, unfit_for=("shuffled",))


def drawn(kind: str, cell: Cell) -> dict[str, object]:
    row = Row(kind, "a row", "a dog", (("a dog", False),))
    return grid._cell(registry.get("mima"), cell, Cell(0.5), None, None, row, LIGHT)


def test_a_kind_that_the_estimate_is_not_fit_for_is_marked() -> None:
    found = drawn("shuffled", Cell(0.4, stand_in=ESTIMATED))
    assert found["unfit"]
    assert stand_ins.UNFIT in str(found["tip"])
    for other in (drawn("synonyms", Cell(0.4, stand_in=ESTIMATED)), drawn("shuffled", Cell(0.4))):
        assert "unfit" not in other
        assert stand_ins.UNFIT not in str(other["tip"])


def test_an_odd_number_is_marked_and_its_tip_says_why() -> None:
    found = drawn("synonyms", Cell(0.4, "9 of 9 tokens are unknown"))
    assert found["doubt"]
    assert "9 of 9 tokens are unknown" in str(found["tip"])
    assert not drawn("synonyms", Cell(0.4))["doubt"]
