"""Explore without a browser: filled from the samples, filters, tabs, the way to Inspect, exports, hostile text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from capeval_core import CaptionItem
from capeval_core.explore.kinds import KINDS
from capeval_core.figures.explore import NOTE
from capeval_core.io.dataset import DataSet
from pages.explore import cards, exports, state, views
from pages.explore.found import Found, gather
from pages.explore.state import BROKEN, COMPARE, DISAGREE, ERRORS, SLICES, TABS, WORDING, Explore
from pages.work import dataset
from pages.work.jobs import jobs
from tests.figures.hostile import HOSTILE
from tests.pages import app as running
from tests.pages.app import drawn, labelled, said
from tests.pages.safe import check

QUICK = ["bleu_1", "rouge_l", "cider"]
SHOWN = "hallucinating"


@pytest.fixture(scope="module")
def held() -> Iterator[AppTest]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(state, "first_keys", lambda data: QUICK)
        app = running.start("explore")
        yield app
        jobs().want(running.owner(app, "explore"), [])


@pytest.fixture
def page(held: AppTest) -> AppTest:
    """On the samples, as a first visit finds it."""
    return use(held, dataset.from_samples())


def use(app: AppTest, data: DataSet, **fields: Any) -> AppTest:
    """Another data set, as if its files had been opened, in a session that is new to the page."""
    app.switch_page("pages/explore/page.py")
    app.session_state[dataset.KEY] = dataset._Open(data)
    fresh = Explore(data)
    fresh.load(data)
    app.session_state[state.KEY] = fresh
    for name, value in fields.items():
        setattr(fresh, name, value)
    fresh.settle()
    return running.settle(app, "explore")


def held_state(app: AppTest) -> Explore:
    found: Explore = app.session_state[state.KEY]
    return found


def listed(app: AppTest) -> list[int]:
    return [row["id"] for row in drawn(app, "size")["rows"]]


def all_rows(app: AppTest) -> list[int]:
    return gather(held_state(app)).rows()


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
    labelled(page.button, "Show all captions again").click().run()
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


def large() -> DataSet:
    """Enough captions for slices, with scores, so that nothing has to be scored."""
    items, subjects = [], ("a dog", "two cats", "a man")
    for number in range(90):
        subject = subjects[number % 3]
        people = (
            f"{subject} on the grass in a park",
            f"{subject} outside on green grass",
            f"{subject} stands in a field",
        )
        for system in ("old", "new"):
            text = f"{subject} on the grass" if system == "new" or number % 3 else "a red bus near a wall a wall"
            items.append(CaptionItem(f"i{number}", text, people, system))
    chance = np.random.default_rng(0)
    scores = {key: chance.random(len(items)) for key in ("cider", "spice")}
    columns = {"place": tuple("ab"[number % 2] for number in range(len(items)))}
    return DataSet("large.jsonl", tuple(items), scores, columns=columns)


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


def test_the_list_as_csv_and_as_a_report(page: AppTest) -> None:
    use(page, dataset.from_samples(), system=SHOWN, sort="cider")
    found = gather(held_state(page))
    rows = list(csv.DictReader(io.StringIO(exports.table_csv(found))))
    assert [row["candidate"] for row in rows] == [found.data.items[row].candidate for row in found.rows()]
    assert {"errors", "evidence", "noun_support", "cider"} <= set(rows[0])
    text = exports.report(found)
    assert "<html" in text
    assert NOTE in text
    assert "http" not in text.replace("http://www.w3.org", "")


def test_hostile_text_stays_text(page: AppTest) -> None:
    items = tuple(
        CaptionItem(text, text, (text, "a dog on grass", "a dog"), HOSTILE[(place + 1) % len(HOSTILE)])
        for place, text in enumerate(HOSTILE)
    )
    data = DataSet(HOSTILE[0], items, columns={HOSTILE[1]: tuple(HOSTILE[: len(items)])})
    for tab in TABS:
        use(page, data, tab=tab, keys=["rouge_l"])
        check(page)


def test_captions_without_references_or_names(page: AppTest) -> None:
    data = DataSet("bare", tuple(CaptionItem(f"i{n}", "a dog a dog", (), "") for n in range(30)))
    for tab in TABS:
        use(page, data, tab=tab, keys=["spurts"] if tab == ERRORS else [])
        assert not page.exception
    use(page, data, keys=[])
    assert drawn(page, "size")["count"] == 30
    assert drawn(page, "bars")["bars"][0]["beside"] == ""


def test_stopped_and_gone_on_with(page: AppTest) -> None:
    data = replace(dataset.from_samples(), title="other", ratings=tuple((1.0,) for _ in dataset.from_samples().items))
    page.switch_page("pages/explore/page.py")
    page.session_state[dataset.KEY] = dataset._Open(data)
    page.session_state[state.KEY] = Explore(data, keys=[], stopped=True)
    page.run()
    assert "press Go on" in said(page)
    labelled(page.button, "Go on").click().run()
    running.settle(page, "explore")
    assert drawn(page, "size")["count"]


def test_a_link_waits_for_its_data_set(page: AppTest) -> None:
    use(page, dataset.from_samples(), linked={"data": "large.jsonl", "error": "repetition", "captioner": "old"})
    assert "another data set" in "".join(one.value for one in page.info)
    page.session_state[dataset.KEY] = dataset._Open(large())
    running.settle(page, "explore")
    assert (held_state(page).kind, held_state(page).system, held_state(page).linked) == ("repetition", "old", {})


def test_scores_stand_out_only_at_the_ends() -> None:
    data = large()
    found = Found(state=Explore(data), scores=dict(data.scores))
    shown = cards.standing_out(found, int(np.argmin(data.scores["cider"])))
    assert next(one for one in shown if one["label"] == "CIDEr")["end"] == "low"
    middle = int(np.argsort(data.scores["cider"])[len(data.items) // 2])
    assert "CIDEr" not in [one["label"] for one in cards.standing_out(found, middle)]


def test_the_summary_names_the_commonest_error(page: AppTest) -> None:
    use(page, large(), keys=[], system="old")
    assert "captions by old have an error" in views.summary(gather(held_state(page)))
