"""The Judges page: measured figures, the visitor's ratings, a rating session with its reveal, the way to Inspect."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from capeval_core import CaptionItem, evaluate, registry
from capeval_core.analysis import judging
from capeval_core.analysis.judging import Settings
from capeval_core.io.dataset import DataSet, Pairs
from pages.judges import exports, shipped, state, views, why
from pages.judges.differ import VIEW as DIFFER
from pages.judges.rating import BETTER
from pages.judges.state import MEASURED, OWN, RATE, TABLE, Judges
from pages.work import dataset
from pages.work.jobs import jobs
from tests.figures.hostile import ALL, HOSTILE
from tests.pages import app as running
from tests.pages.app import labelled, said
from tests.pages.safe import check

QUICK = ["bleu_1", "rouge_l", "cider"]


@pytest.fixture(scope="module")
def held() -> Iterator[AppTest]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(state, "first_keys", lambda data: QUICK)
        app = running.start("judges")
        yield app
        jobs().want(running.owner(app, "judges"), [])


@pytest.fixture
def page(held: AppTest) -> AppTest:
    """On the samples, as a first visit finds it."""
    return use(held, dataset.from_samples())


def use(app: AppTest, data: DataSet, **fields: Any) -> AppTest:
    """Another data set, as if its files had been opened, in a session that is new to the page."""
    app.switch_page("pages/judges/page.py")
    app.session_state[dataset.KEY] = dataset._Open(data)
    app.session_state["judges"] = Judges(data)
    app.session_state["judges"].load(data)
    for name, value in fields.items():
        setattr(app.session_state["judges"], name, value)
    return running.settle(app, "judges")


def held_state(app: AppTest) -> Judges:
    found: Judges = app.session_state["judges"]
    return found


def rated(count: int = 24) -> DataSet:
    generator = np.random.default_rng(0)
    items, ratings = [], []
    for number in range(count):
        good = number % 5
        words = " ".join(["a", "dog", "runs", "over", "grass"][: good + 1])
        items.append(CaptionItem(f"i{number // 4}", f"{words} {number}", ("a dog runs over grass",), f"s{number % 4}"))
        ratings.append((float(good + 1), float(np.clip(good + 1 + generator.integers(-1, 2), 1, 5))))
    return DataSet("made", tuple(items), ratings=tuple(ratings))


# The measured figures


def test_the_first_view_is_the_table_of_the_four_data_sets(page: AppTest) -> None:
    assert not page.exception
    text = said(page)
    for title in ("Flickr8k-Expert", "Flickr8k-CF", "COMPOSITE", "PASCAL-50S"):
        assert title in text
    found = shipped.shipped().judgings["flickr8k-expert"].metrics["spice"].kendall_c.value
    published = shipped.shipped().published["spice"]["flickr8k-expert"]
    assert re.search(rf"{found:.3f}</bdi>\s*<span class=\"faint beside\">\({published:.3f}\)", text)
    assert "MiniLM-L6" in text
    assert "RoBERTa-large" in text


def test_every_measured_view_opens_with_a_question(page: AppTest) -> None:
    for view in [TABLE, *views.SHOWN]:
        if view == views.CAPTIONERS:
            continue  # none of the four names captioners
        page.session_state["judges"].shipped_view = view
        page.run()
        assert not page.exception, view
        assert held_state(page).shipped_view == view
        assert re.search(r"<b>[^<]+\?</b>", running.html(page)), view


def test_measured_figures_are_of_this_version_and_near_the_published() -> None:
    """The promise of the table: `make judges` writes it, and these cells stand where papers have them."""
    content = json.loads(shipped.FILE.read_text(encoding="utf-8"))
    assert set(content["judgings"]) == set(shipped.TITLES)
    for key, limit in (("flickr8k-expert", 0.01), ("flickr8k-cf", 0.01)):
        gaps = why.away(key)
        for metric in ("bleu_1", "bleu_4", "rouge_l", "meteor", "cider", "spice"):
            assert abs(gaps[metric]) <= limit + 5e-4, (key, metric)
    for found in shipped.shipped().judgings.values():
        assert set(found.signatures) == set(found.between)


def test_sentences_stand_on_the_figures() -> None:
    for _, text in why.notes():
        assert text
    gaps = why.away("flickr8k-expert")
    gap = next(iter(gaps.values()))
    assert gap == pytest.approx(
        shipped.shipped().judgings["flickr8k-expert"].metrics[next(iter(gaps))].kendall_c.value
        - shipped.shipped().published[next(iter(gaps))]["flickr8k-expert"]
    )
    for key in shipped.TITLES:
        by = ", by Pearson's correlation: " if shipped.shipped().judgings[key].metrics else ": "
        assert why.sentence(key).startswith(shipped.TITLES[key] + by)


# The visitor's ratings


def test_ratings_of_the_open_data_set(page: AppTest) -> None:
    data = rated()
    use(page, data, tab=OWN)
    text = said(page)
    assert "24 rated captions, up to 2 ratings each" in text
    assert "Which metric agrees best with people?" in text
    scores = scores_of(data)
    expected = judging.judge(data.items, scores, ratings=data.ratings or (), settings=Settings(samples=1000))
    best = max(scores, key=lambda key: expected.metrics[key].kendall_c.value)
    assert f"{registry.get(best).label}, with Kendall tau-c {expected.metrics[best].kendall_c.value:.3f}." in text
    for view in [*views.names(expected), DIFFER]:
        page.session_state["judges"].view = view
        running.settle(page, "judges")
        assert held_state(page).view == view
        assert re.search(r"<b>[^<]+\?</b>", running.html(page)), view


def scores_of(data: DataSet) -> dict[str, Any]:
    return evaluate(data.items, QUICK).scores


def test_a_row_opens_its_caption_in_inspect(page: AppTest) -> None:
    use(page, rated(), tab=OWN, view=DIFFER)
    row = running.drawn(page, "heads")["rows"][0]
    page.session_state["caption to open"] = row["id"]
    page.run()
    assert not page.exception
    ws = page.session_state["ws"]
    chosen = ws.find(ws.chosen)
    assert chosen is not None
    assert chosen.caption == row["caption"]


def test_pairs_and_captioners_have_their_own_views(page: AppTest) -> None:
    data = rated()
    two = Pairs(tuple(range(0, 24, 2)), tuple(range(1, 24, 2)), ("first", "second") * 6, ("a", "b", "c") * 4)
    use(page, replace(data, ratings=None, pairs=two), tab=OWN)
    assert "12 pairs of captions with a winner" in said(page)
    assert "Which metric prefers the caption that people prefer?" in said(page)
    page.session_state["judges"].view = DIFFER
    page.run()
    assert "prefers:" in json.dumps(running.drawn(page, "heads")["rows"])
    people = "".join(json.dumps({"system": f"s{n}", "rating": n % 3}) + "\n" for n in range(4))
    use(page, replace(data, ratings=None), tab=OWN, files={"people.jsonl": people.encode()})
    assert "4 captioners with a rating" in said(page)


def test_jobs_that_are_done_at_once_are_waited_for_too(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is done between the run that asks for it and the look at what is left: scores, then the agreement."""
    run = AppTest.run

    def run_and_finish(app: AppTest, **more: Any) -> AppTest:
        run(app, **more)
        assert jobs().finish(running.owner(app, "judges"), running.SOON)
        return app

    monkeypatch.setattr(AppTest, "run", run_and_finish)
    use(page, rated(28), tab=OWN)
    assert "Which metric agrees best with people?" in said(page)


def test_two_raters_files_show_how_far_they_agree(page: AppTest) -> None:
    data = replace(rated(), ratings=None)
    give = {
        name: "".join(
            json.dumps({"image_id": one.image_id, "candidate": one.candidate, "rating": (n * step) % 5 + 1}) + "\n"
            for n, one in enumerate(data.items)
        ).encode()
        for name, step in (("ann.jsonl", 1), ("bob.jsonl", 2))
    }
    use(page, data, tab=OWN, files=give, view=views.RATERS)
    text = said(page)
    assert "Krippendorff" in text
    assert ">ann<" in text
    assert ">bob<" in text


def test_columns_of_the_file_can_be_metrics(page: AppTest) -> None:
    data = rated()
    data = replace(data, columns={"mine": tuple(range(24)), "words": ("x",) * 24, "flag": (True, False) * 12})
    assert state.numeric(data) == ["mine"]
    use(page, data, tab=OWN, columns=["mine"], keys=["rouge_l"])
    assert ">mine<" in said(page)


def test_nothing_rated_teaches_and_leads_to_rate_here(page: AppTest) -> None:
    use(page, dataset.from_samples(), tab=OWN)
    assert "Nobody has rated these captions yet" in page.info[0].value
    labelled(page.button, "Rate them here").click().run()
    assert held_state(page).tab == RATE


def test_too_few_ratings_are_said(page: AppTest) -> None:
    data = rated()
    few = tuple(one if row < 5 else () for row, one in enumerate(data.ratings or ()))
    use(page, replace(data, ratings=few), tab=OWN)
    assert "too little to compare with" in page.info[0].value
    assert "expected 10 or more captions with a rating; found 5" in said(page)


def test_a_bad_raters_file_is_named_and_changes_nothing(page: AppTest) -> None:
    use(page, rated(), tab=OWN)
    labelled(page.file_uploader, "Files of ratings").set_value(
        [("bad.jsonl", b'{"image_id": "i0", "rating": "good"}\n', "application/json")]
    )
    labelled(page.button, "Add them").click().run()
    assert [one.value for one in page.error] == ["These ratings were not taken. What was there still is."]
    assert "bad.jsonl: line 1: field rating; expected a number" in said(page)
    assert held_state(page).files == {}


def test_exports() -> None:
    data = rated()
    found = judging.judge(data.items, scores_of(data), ratings=data.ratings or (), settings=Settings(samples=30))
    found = replace(found, protocol="made: 24", signatures={"cider": "cider|x"})
    rows = list(csv.DictReader(io.StringIO(exports.to_csv(found))))
    assert [row["metric"] for row in rows] == exports.order(found)
    for row in rows:
        assert float(row["kendall_c"]) == found.metrics[row["metric"]].kendall_c.value
        assert row["protocol"] == "made: 24"
    assert "Which metric agrees best with people?" in exports.to_html(found)
    assert r"\begin{tabular}" in exports.to_latex(found)
    two = Pairs(tuple(range(0, 24, 2)), tuple(range(1, 24, 2)), ("first", "second") * 6, ("a", "b", "c") * 4)
    pairs = judging.judge(data.items, scores_of(data), pairs=two, settings=Settings(samples=30))
    (first, *_) = csv.DictReader(io.StringIO(exports.to_csv(pairs)))
    assert float(first["mean"]) == max(one.accuracy for one in pairs.overall.values())


# Rating


def test_rating_shows_no_name_and_no_score(page: AppTest) -> None:
    use(page, dataset.from_samples(), tab=RATE)
    drawn = running.drawn(page, "keys")
    shown = json.dumps(drawn["captions"])
    assert not [name for name in dataset.from_samples().systems if name in shown]
    items = dataset.from_samples().items
    assert len({items[one["task"][0]].image_id for one in drawn["captions"]}) == 1
    assert labelled(page.button, "Reveal").disabled


def test_a_rater_without_an_image_reads_what_people_wrote(page: AppTest) -> None:
    data = rated()
    use(page, data, tab=RATE)
    shown = said(page)
    assert "What people wrote of it" in shown
    assert any("\n".join(item.references) in shown for item in data.items)


def test_rate_five_images_reveal_and_differ(page: AppTest) -> None:
    use(page, dataset.from_samples(), tab=RATE)
    rating = held_state(page).rating
    while rating.images < 5 or rating.place < 5:
        task = rating.task
        assert task
        rating.answer(task, str(1 + task[0] % 5))
    page.run()
    labelled(page.button, "Reveal").click().run()
    running.settle(page, "judges")
    assert "You judged 25 captions of 5 images" in said(page)
    assert "Which metric agrees best with people?" in said(page)
    page.session_state["judges"].view = DIFFER
    page.run()
    assert "Where do you and the metric differ most?" in said(page)
    labelled(page.button, "Rate on").click().run()
    assert "25 of 100 captions done" in said(page)
    page.session_state["judges"].tab = OWN
    running.settle(page, "judges")
    assert "25 rated captions, up to 1 rating each" in said(page)


def test_the_better_of_two(page: AppTest) -> None:
    use(page, dataset.from_samples(), tab=RATE)
    rating = held_state(page).rating
    rating.mode = BETTER
    page.run()
    assert len(running.drawn(page, "keys")["captions"]) == 2
    for _ in range(12):
        task = rating.task
        assert task
        rating.answer(task, "first")
    rating.revealed = True
    running.settle(page, "judges")
    assert "You judged 12 pairs" in said(page)
    assert "Which metric prefers the caption that people prefer?" in said(page)


def test_another_data_set_starts_another_session(page: AppTest) -> None:
    use(page, dataset.from_samples(), tab=RATE)
    held_state(page).rating.answer(held_state(page).rating.task or (), "3")
    page.session_state[dataset.KEY].data = rated()
    page.run()
    assert held_state(page).rating.answers == {}
    assert held_state(page).tab == RATE


# Strangers' texts


def hostile() -> DataSet:
    items = [
        CaptionItem(f"{image} {ALL}", f"a dog {number} {text}", (f"the dog {ALL}",), text)
        for number, image in enumerate(("one", "two", "three"))
        for text in HOSTILE
    ]
    ratings = tuple((float(row % 5), float(row % 3)) for row in range(len(items)))
    columns = {ALL: tuple(range(len(items)))}
    return DataSet(ALL, tuple(items), ratings=ratings, columns=columns, notes=(ALL,))


def test_what_a_file_brings_is_text(page: AppTest) -> None:
    data = hostile()
    use(page, data, tab=OWN, columns=[ALL], files={})
    for view in [*views.SHOWN, DIFFER]:
        page.session_state["judges"].view = view
        check(running.settle(page, "judges"))
    page.session_state["judges"].tab = RATE
    page.session_state["judges"].rating.rater = ALL[:60]
    check(page.run())
    page.session_state["judges"].message = ALL
    check(page.run())


def test_tabs_are_where_they_were(page: AppTest) -> None:
    assert held_state(page).tab == MEASURED
    check(page)
