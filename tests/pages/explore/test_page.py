"""Explore without a browser: filled from the samples, filters, tabs, the way to Inspect, what the browser sends."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from capeval_core.explore.kinds import KINDS
from capeval_core.figures.explore import NOTE
from capeval_core.io.dataset import DataSet
from pages.explore import cards, state
from pages.explore.found import gather
from pages.explore.state import BROKEN, COMPARE, DISAGREE, ERRORS, SLICES, TABS, WORDING
from pages.work import dataset
from tests.pages.app import drawn, labelled, said
from tests.pages.explore.opened import all_rows, held_state, large, listed, use

QUICK = ["bleu_1", "rouge_l", "cider"]
SHOWN = "hallucinating"


def test_the_samples_fill_it_at_once(page: AppTest) -> None:
    assert NOTE in said(page)
    assert "have an error that the references can tell" in said(page)
    bars = drawn(page, "bars")["bars"]
    assert [bar["id"] for bar in bars] == list(KINDS)
    assert all(bar["beside"].startswith("people ") for bar in bars)
    shown = drawn(page, "size")
    assert shown["count"] == len(dataset.from_samples().systems[held_state(page).system])
    assert all(card["thumb"].startswith("data:image/jpeg;base64,") for card in shown["rows"])
    assert all(card["reference"] for card in shown["rows"])


def test_nothing_is_called_hallucinated(page: AppTest) -> None:
    """What nobody mentions may be there; only the sample captioner of that name may be called so."""
    use(
        page,
        DataSet("renamed", tuple(replace(one, system=f"s{len(one.system)}") for one in dataset.from_samples().items)),
    )
    assert "hallucinat" not in str([said(page), *(one.proto.json for one in page.get("bidi_component"))]).lower()


def test_a_bar_filters_and_a_second_click_takes_it_back(page: AppTest) -> None:
    use(page, dataset.from_samples(), system=SHOWN)
    everything = listed(page)
    bar = max(drawn(page, "bars")["bars"], key=lambda one: one["captions"])
    page.session_state[state.KEY].kind = bar["id"]
    page.run()
    assert drawn(page, "size")["count"] == bar["captions"]
    assert all(any(chip["kind"] == bar["id"] for chip in card["chips"]) for card in drawn(page, "size")["rows"])
    assert [one["id"] for one in drawn(page, "bars")["bars"] if one["on"]] == [bar["id"]]
    page.session_state[state.KEY].kind = ""
    page.run()
    assert listed(page) == everything


def test_words_order_and_clear(page: AppTest) -> None:
    use(page, dataset.from_samples(), system=SHOWN)
    first = dataset.from_samples().items[listed(page)[0]]
    word = max(first.candidate.split(), key=len)
    page.text_input(key="explore words").set_value(word).run()
    assert all(word.lower() in dataset.from_samples().items[row].candidate.lower() for row in listed(page))
    page.text_input(key="explore words").set_value("no such word at all").run()
    assert not page.exception
    assert "No caption passes all filters" in "".join(one.value for one in page.info)
    labelled(page.button, "Show all").click().run()
    labelled(page.selectbox, "Sort by").set_value("cider").run()
    values = [gather(held_state(page)).scores["cider"][row] for row in listed(page)]
    assert values == sorted(values)


def test_a_score_range(page: AppTest) -> None:
    use(page, dataset.from_samples(), ranged="cider")
    values = gather(held_state(page)).scores["cider"]
    count = len(all_rows(page))
    page.slider[0].set_value((0, 40)).run()
    (low, high) = held_state(page).ranges["cider"]
    own = values[dataset.from_samples().systems[held_state(page).system]]
    assert low == own.min()
    assert 0 < len(all_rows(page)) < count
    assert all(low <= values[row] <= high for row in all_rows(page))
    page.slider[0].set_value((0, 100)).run()
    assert held_state(page).ranges == {}


@pytest.mark.parametrize("tab", TABS)
def test_every_tab_opens(page: AppTest, tab: str) -> None:
    use(page, dataset.from_samples(), tab=tab)
    assert not page.exception
    assert held_state(page).tab == tab


def test_slices_disagreement_wording_and_two_captioners(page: AppTest) -> None:
    data = large()
    use(page, data, tab=SLICES, keys=["cider", "spice"], system="old")
    slices = drawn(page, "lead")["rows"]
    assert slices
    use(page, data, tab=DISAGREE, keys=["cider", "spice"], system="old")
    shown = drawn(page, "size")["rows"]
    assert all(card["note"] for card in shown)
    assert all(data.items[card["id"]].system == "old" for card in shown)
    use(page, data, tab=WORDING, keys=[], system="old")
    assert "captions are distinct" in said(page)
    use(page, data, tab=COMPARE, keys=[], system="old", newer="new")
    card = drawn(page, "size")["rows"][0]
    assert (data.items[card["id"]].system, data.items[card["beside"]["id"]].system) == ("old", "new")
    use(page, data, tab=COMPARE, keys=[], system="new", newer="old", changes=BROKEN)
    assert drawn(page, "size")["count"] >= 20


def test_a_slice_filters(page: AppTest) -> None:
    data = large()
    use(page, data, keys=["cider", "spice"], system="old")
    found = gather(held_state(page))
    first = (found.slices() or [])[0]
    use(page, data, keys=["cider", "spice"], system="old", slice=first.name)
    assert sorted(all_rows(page)) == sorted(first.rows)


def test_a_card_opens_in_inspect_and_back_is_the_same_place(page: AppTest) -> None:
    use(page, dataset.from_samples(), system=SHOWN, sort="cider")
    before, row = listed(page), listed(page)[3]
    page.session_state[cards.OPENED] = row
    page.session_state[state.KEY].at = row
    page.run()
    assert not page.exception
    ws = page.session_state["ws"]
    assert (ws.origin, ws.find(ws.chosen).caption) == ("explore", dataset.from_samples().items[row].candidate)
    assert ws.image
    page.switch_page("pages/explore/page.py").run()
    assert listed(page) == before
    assert drawn(page, "size")["at"] == row


def test_events_of_the_browser_are_checked(page: AppTest) -> None:
    use(page, dataset.from_samples())
    found = held_state(page)

    def told(**event: Any) -> bool:
        number = found.seen.get("cards x", 0) + 1
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(cards, "held", lambda: found)
            return cards.act([event | {"n": number}], "cards x", 45, 100)

    assert not told(op="page", id=1)
    assert found.page == 1
    told(op="page", id=99)
    assert found.page == 2
    for nonsense in (
        {"op": "page", "id": "x"},
        {"op": "open", "id": -1},
        {"op": "open", "id": 10**9},
        {"op": "kind", "id": "x"},
        {},
    ):
        assert not told(**nonsense)
    assert told(op="kind", id="repetition")
    assert (found.kind, found.page, found.tab) == ("repetition", 0, ERRORS)
