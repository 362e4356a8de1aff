"""Where an estimate is not known to follow a change, or a number is odd, the grid says so in the cell."""

from __future__ import annotations

from dataclasses import replace

from capeval_core import registry
from capeval_core.figures.palette import LIGHT
from capeval_core.perturb.study import study
from capeval_core.types import StandIn
from pages.perturb import changed, grid, results, stored
from pages.perturb.lab import Row
from pages.widgets import stand_ins
from pages.work import samples
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


def test_changed_captions_of_a_data_set_are_marked_too() -> None:
    """And the sentence above them rests on no such number."""
    found = study(samples.as_items()[:4], ["shuffled", "synonyms"], ["rouge_l"], samples=50)
    assert results.sentence(found)
    again = stored.unpack(stored.pack(replace(found, stand_ins={"rouge_l": ESTIMATED})))
    assert again
    for row in changed.table(again, changed.Looking(), range(len(again.variants)), LIGHT)["rows"]:
        unfit = row["label"] == "Shuffled words"
        assert [cell["unfit"] for cell in row["cells"]] == [unfit]
        assert (stand_ins.UNFIT in row["cells"][0]["tip"]) is unfit
    assert "Shuffled" not in results.sentence(again)
    assert [move.kind for move in results.moves(again) if "not fit" in move.hint] == ["Shuffled words"]


def test_an_odd_number_is_marked_and_its_tip_says_why() -> None:
    found = drawn("synonyms", Cell(0.4, "9 of 9 tokens are unknown"))
    assert found["doubt"]
    assert "9 of 9 tokens are unknown" in str(found["tip"])
    assert not drawn("synonyms", Cell(0.4))["doubt"]
