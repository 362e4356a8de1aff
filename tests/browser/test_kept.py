"""Nothing is lost in a real browser: reloads, a killed server, two tabs, undo."""

from __future__ import annotations

from collections.abc import Callable

from capeval_core import registry
from pages.shell import keeper
from pages.work import keeping
from tests.browser import places
from tests.browser.visitor import Visitor
from tests.pages.test_walk import QUICK, link


def at(**more: str) -> str:
    """The first sample, by metrics that need no model."""
    return "/?" + "&".join(f"{name}={value}" for name, value in (link() | more).items())


def test_a_reload_brings_back_what_was_changed_and_back_leads_back(visitor: Visitor) -> None:
    visitor.open(at())
    first = visitor.path
    assert visitor.address == first  # a visit keeps nothing
    visitor.fill(places.candidate(1), "a caption of my own")
    visitor.click(places.score(1, "rouge_l"))
    address, shown = visitor.address, visitor.texts(places.CAPTIONS)
    assert f"{keeping.PARAMETER}=" in address
    visitor.reload()
    assert (visitor.address, visitor.texts(places.CAPTIONS)) == (address, shown)
    assert visitor.checked(places.radio("ROUGE-L"))
    identity = address.split(f"{keeping.PARAMETER}=")[1]
    visitor.click(places.link("Guide"))
    assert visitor.address == f"/guide?{keeping.PARAMETER}={identity}"
    visitor.reload()  # from here too
    visitor.back()
    assert visitor.path == first
    assert visitor.texts(places.CAPTIONS)[0] == "a caption of my own"
    assert identity not in visitor.server.log.read_text()


def test_undo_and_redo_by_keyboard_but_not_in_a_field(visitor: Visitor) -> None:
    visitor.open(at())
    before = visitor.texts(places.CAPTIONS)
    visitor.fill(places.candidate(1), "a caption of my own")
    visitor.press_on(places.ADD_CANDIDATE, "Control+z")  # the field's own undo
    assert visitor.texts(places.CAPTIONS)[0] == "a caption of my own"
    visitor.click(places.score(1, "rouge_l"))
    visitor.undo()
    assert visitor.texts(places.CAPTIONS) == before
    visitor.redo()
    assert visitor.texts(places.CAPTIONS)[0] == "a caption of my own"
    visitor.click(places.button("Undo"))
    assert visitor.texts(places.CAPTIONS) == before


def test_a_popover_shows_what_is_chosen_and_changes_nothing_by_itself(visitor: Visitor) -> None:
    """Its widgets are not in the browser while it is closed: they must not come back with another value."""
    visitor.open(at())
    visitor.fill(places.candidate(1), "a caption of my own")
    visitor.click(places.popover("Metrics"))
    assert visitor.count(places.PRESSED) == len(QUICK)
    visitor.click(f"{places.PRESSED}:has-text('BLEU-2')")
    visitor.press("Escape")
    visitor.click(places.popover("Options"))
    visitor.press("Escape")
    visitor.click(places.button("your own image and captions"))
    visitor.click(places.button("Undo"))
    columns = visitor.texts("tr.names th")
    assert len(columns) == len(QUICK) - 1
    assert not any("⚙" in column for column in columns)
    visitor.click(places.popover("Metrics"))
    assert visitor.count(places.PRESSED) == len(QUICK) - 1
    visitor.click(places.button("All metrics"))  # changed by another widget while it is open
    assert visitor.count(places.PRESSED) == len(registry.keys())


def test_two_tabs_of_one_address_both_go_on(visitor: Visitor, other: Visitor) -> None:
    visitor.open(at())
    visitor.fill(places.candidate(1), "from the first")
    other.open(visitor.address)
    visitor.fill(places.candidate(1), "the first again")
    assert not visitor.sees(places.words("another tab"))
    other.fill(places.candidate(2), "from the second")
    assert other.sees(places.words("also open in another tab"))
    assert other.address != visitor.address
    other.reload()
    assert other.texts(places.CAPTIONS)[:2] == ["from the first", "from the second"]
    visitor.reload()
    assert visitor.texts(places.CAPTIONS)[0] == "the first again"


def test_a_killed_server_is_told_and_when_it_is_back_the_page_goes_on(
    without_models: Callable[[str], Visitor],
) -> None:
    found = without_models(at())
    found.fill(places.candidate(1), "typed just before")
    address = found.address
    found.server.kill()
    assert found.gone() == keeper.GONE + keeper.SAFE
    found.click_unheard(places.score(1, "rouge_l"))
    found.type_unheard(places.candidate(2), "typed while it was gone")
    assert not found.sees_dialog()
    found.server.begin()
    found.back_again()
    assert found.address == address
    assert found.texts(places.CAPTIONS)[:2] == ["typed just before", "typed while it was gone"]
    assert found.checked(places.radio("ROUGE-L"))
    found.click(places.score(0, "bleu_1"))
    assert found.checked(places.radio("BLEU-1"))
    found.reload()
    assert found.texts(places.CAPTIONS)[:2] == ["typed just before", "typed while it was gone"]
    found.leave()
