"""The line of arithmetic in a real browser: a number leads to where it is drawn."""

from __future__ import annotations

from tests.browser import places
from tests.browser.visitor import Visitor


def test_a_number_leads_to_the_part_that_shows_it(inspect: Visitor) -> None:
    inspect.click(places.score(0, "meteor"))
    assert inspect.text(places.ARITHMETIC).startswith("METEOR: 1 / (0.15/")
    assert inspect.count(places.REACHED) == 0
    inspect.click(places.first(f"{places.ARITHMETIC} a"))
    assert "From matches to the score" in inspect.text(places.REACHED)
    assert 0 <= inspect.box(places.REACHED)["y"] < 1100
    inspect.click(places.score(0, "rouge_l"))  # the page goes on as before
    assert inspect.text(places.ARITHMETIC).startswith("ROUGE-L: 2.44 ×")
