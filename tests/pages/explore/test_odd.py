"""Explore's exports, and data sets that are odd: hostile, without references, stopped, asked for by a link."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import numpy as np
from streamlit.testing.v1 import AppTest

from capeval_core import CaptionItem
from capeval_core.figures.explore import NOTE
from capeval_core.io.dataset import DataSet
from pages.explore import cards, exports, state, views
from pages.explore.found import Found, gather
from pages.explore.state import ERRORS, TABS, Explore
from pages.work import dataset
from tests.figures.hostile import HOSTILE
from tests.pages import app as running
from tests.pages.app import drawn, labelled, said
from tests.pages.explore.opened import held_state, large, use
from tests.pages.safe import check

QUICK = ["bleu_1", "rouge_l", "cider"]
SHOWN = "hallucinating"


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
