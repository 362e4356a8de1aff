"""The Systems page: opens on the samples, loads files, compares, exports, and leads to Inspect."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from capeval_core import CaptionItem, MissingResource, evaluate, registry
from capeval_core.analysis import bootstrap, systems
from capeval_core.analysis.bootstrap import Comparison
from capeval_core.figures.palette import LIGHT
from capeval_core.io.dataset import DataSet
from capeval_core.types import StandIn
from pages.systems import exports, scores, state, table, toolbar
from pages.systems.scores import Scored
from pages.systems.state import BASES, NEEDED, SCALES, Systems
from pages.work import costs, dataset, scoring, uploads
from pages.work.jobs import jobs
from tests.pages import app as running
from tests.pages.app import SOON, labelled

QUICK = ["bleu_4", "rouge_l", *NEEDED]
ME = ("me", "systems")
GLOVE = StandIn("stand-in", "GloVe", "word2vec", "fetch it")
RESULTS = [{"image_id": 1, "caption": "a dog runs"}, {"image_id": 2, "caption": "a cat sits"}]
ANNOTATIONS = {"annotations": [{"image_id": 1, "caption": "a dog"}, {"image_id": 2, "caption": "a cat"}]}


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Iterator[AppTest]:
    """The page on the samples, scored by a few quick metrics."""
    monkeypatch.setattr(state, "first_keys", lambda data: QUICK)
    app = running.start("systems")
    yield settle(app)
    jobs().want(running.owner(app, "systems"), [])


def settle(app: AppTest) -> AppTest:
    return running.settle(app, "systems")


def use(app: AppTest, data: DataSet) -> None:
    """Another data set, as if its files had been opened."""
    app.session_state[dataset.KEY].data = data


def shown(app: AppTest) -> str:
    return "\n".join([str(one.proto.body) for one in app.get("html")] + [one.value for one in app.text])


def charts(app: AppTest) -> list[dict[str, Any]]:
    return [json.loads(one.proto.spec) for one in app.get("plotly_chart")]


def scored(state: Systems) -> Scored:
    """Scores, comparisons and intervals of a state, waited for."""
    for _ in range(4):
        found = scores.gather(state)
        found.analysis(state.main_axes())
        for key in found.scores:
            found.comparisons(key)
        if not jobs().want(ME, found.tasks):
            return found
        assert jobs().finish(ME, SOON)
    raise AssertionError("never done")


def state_of(data: DataSet, keys: list[str]) -> Systems:
    made = Systems(data, keys=keys)
    made.settle()
    return made


def test_opens_on_the_samples(page: AppTest) -> None:
    assert not page.exception
    assert not page.error
    text = shown(page)
    assert f"All 5 chosen metrics are scored; {len(registry.keys()) - 5} more can be chosen" in text
    assert "Ellipse overlap" in text
    assert "Grammar penalty" in text
    assert "In meaning (SPARCS) " in text
    assert "not whether they are true" in text
    assert f"Points: all {len(dataset.from_samples().items)} captions." in text
    (drawn,) = charts(page)
    assert {one["name"] for one in drawn["data"] if "customdata" in one} == set(dataset.from_samples().systems)
    assert "≈ estimated" in text


@pytest.mark.parametrize("view", state.VIEWS)
def test_every_view_opens(page: AppTest, view: str) -> None:
    page.session_state["systems"].view = view
    settle(page)
    assert not page.exception
    expected = {"Distributions": len(QUICK)}.get(view, 1)
    assert len(charts(page)) == expected


def test_a_clicked_caption_leads_to_inspect(page: AppTest) -> None:
    state: Systems = page.session_state["systems"]
    row = state.data.systems["generic"][3]
    state.point = row
    item = state.data.items[row]
    page.run()
    assert item.candidate in shown(page)
    page.button(key="to inspect").click().run()
    assert not page.exception
    ws = page.session_state["ws"]
    assert tuple(ws.references) == item.references
    assert [one.system for one in ws.candidates] == list(state.data.systems)
    chosen = ws.find(ws.chosen)
    assert chosen is not None
    assert chosen.caption == item.candidate
    assert ws.image


def test_files_take_the_place_of_the_samples_and_a_bad_one_does_not(page: AppTest) -> None:
    files = [("m2.json", RESULTS), ("xt.json", RESULTS), ("val.json", ANNOTATIONS)]
    upload(page, [(name, json.dumps(data).encode()) for name, data in files])
    assert list(page.session_state["systems"].data.systems) == ["m2", "xt"]
    assert "4 captions, 2 captioners, 2 images" in shown(page)
    upload(page, [("m2.json", b"[{broken")])
    assert [one.value for one in page.error] == ["These files were not opened. What was open still is."]
    assert "m2.json: line 1: broken JSON" in shown(page)
    assert list(page.session_state["systems"].data.systems) == ["m2", "xt"]
    page.run()
    assert not page.error  # said once
    assert not page.exception


def upload(page: AppTest, files: list[tuple[str, bytes]]) -> None:
    page.file_uploader[0].set_value([(name, data, "application/json") for name, data in files])
    labelled(page.button, "Open them").click().run()
    jobs().finish(running.owner(page, "systems"), SOON)


def test_cancel_stops_and_goes_on(page: AppTest) -> None:
    # Captions no other test has scored: results are shared by all sessions of a process.
    items = tuple(replace(item, image_id=f"stopped {item.image_id}") for item in dataset.from_samples().items)
    use(page, DataSet("stopped", items))
    page.run()
    state: Systems = page.session_state["systems"]
    state.keys, state.stopped = [*QUICK, "cider"], True
    page.run()
    assert "CIDEr" in shown(page).split("Stopped before")[1]
    labelled(page.button, "Go on").click().run()
    settle(page)
    assert "All 6 chosen metrics are scored" in shown(page)


def test_a_metric_that_cannot_score_says_so_and_the_table_stays(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(items: Any, keys: Any, **more: Any) -> Any:
        raise MissingResource("no <b>weights</b>", fix="fetch them")

    monkeypatch.setattr(scoring, "evaluate", fail)
    items = tuple(replace(item, image_id=f"other {item.image_id}") for item in dataset.from_samples().items)
    use(page, DataSet("others", items))
    settle(page)
    assert not page.exception
    assert any("no <b>weights</b>. Fix: fetch them" in one.value for one in page.text)
    assert [one.value for one in page.warning] == [
        "SPARCS could not score, so it cannot be an axis.", "SPURTS could not score, so it cannot be an axis."
    ]  # fmt: skip


def small() -> DataSet:
    """Two captioners of eight images; b is a with one word more, c shares no image with them."""
    captions = ["a dog runs fast", "a cat sits", "the red bus stops here", "two men talk"] * 2
    items = [CaptionItem(str(n), text, (f"{text} today", "a thing"), "a") for n, text in enumerate(captions)]
    items += [replace(item, candidate=f"{item.candidate} today", system="b") for item in items]
    items += [CaptionItem("z", "a bird", ("a bird",), "c")]
    return DataSet("small", tuple(items))


def test_numbers_are_those_of_the_core_on_both_bases() -> None:
    state = state_of(small(), ["bleu_1", "rouge_l"])
    evaluation = evaluate(state.data.items, state.keys)
    for basis in BASES:
        state.basis = basis
        found = scored(state)
        tests = found.comparisons("bleu_1")
        assert tests is not None
        assert set(tests) == {"b"}
        rows = state.data.systems["b"]
        if basis == BASES[1]:
            expected = bootstrap.compare_corpus(evaluation, "b", "a", keys=["bleu_1"])["bleu_1"]
            assert found.value("bleu_1", "b") == pytest.approx(evaluation.corpus_of(rows)["bleu_1"])
        else:
            expected = bootstrap.compare_means(state.data.items, evaluation.scores, "b", "a")["bleu_1"]
            assert found.value("bleu_1", "b") == pytest.approx(evaluation.scores["bleu_1"][rows].mean())
        assert tests["b"] == expected
    assert scored(state).value("bleu_1", "a") != pytest.approx(evaluation.scores["bleu_1"][:8].mean(), abs=1e-6)


def test_the_table_says_what_was_compared_with_what() -> None:
    state = state_of(small(), ["rouge_l"])
    found = scored(state)
    (row,) = table.rows(found, None)
    assert row.heading == "mean of captions, significance against a"
    _, of_a, of_b, of_c = row.cells
    assert of_a.tip == "the others are compared with a"
    assert of_b.under.startswith("▲ p ")
    assert of_c.tip == "no image in common with a"
    state.against = "b"
    assert table.rows(scored(state), None)[0].cells[1].under.startswith("▼ p ")


def test_better_depends_on_the_direction() -> None:
    spec = registry.get("rouge_l")
    test = Comparison(0.5, 0.4, 0.1, 0.05, 0.15, 0.01, 10)
    assert table.mark(spec, test) == "▲ "
    assert table.mark(replace(spec, direction="lower"), test) == "▼ "
    assert table.mark(spec, replace(test, p_value=0.05)) == ""
    assert table.mark(spec, replace(test, p_value=math.nan)) == ""
    assert [table.probability(p) for p in (1 / 1001, 0.0234, 1.0)] == ["<.001", ".023", "1.000"]


def test_names_in_the_table_are_text() -> None:
    items = tuple(replace(item, system=f"<script>{item.system}") for item in small().items)
    found = scored(state_of(DataSet("x", items), ["rouge_l"]))
    content = table.html(found, table.rows(found, None), LIGHT)
    assert "<script" not in content
    assert "&lt;script&gt;a" in content


def test_overlap_and_penalty_are_those_of_the_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "SAMPLES", 50)
    data = dataset.from_samples()
    scores = {key: np.random.default_rng(place).normal(size=len(data.items)) for place, key in enumerate(NEEDED)}
    state = state_of(DataSet("given", data.items, scores), list(NEEDED))
    for scale in SCALES:
        state.scale = scale
        found = scored(state).analysis(state.main_axes())
        assert found is not None
        scales = systems.PUBLISHED if scale == SCALES[1] else None
        expected = systems.analyse(data.items, scores, "human", scales=scales, samples=50)
        for one, other in zip(found.systems, expected.systems, strict=True):
            assert one.cloud is not None
            assert other.cloud is not None
            assert (one.cloud.overlap, one.cloud.overlap_low) == (other.cloud.overlap, other.cloud.overlap_low)
            assert one.penalty == other.penalty


def test_scores_that_came_along_have_no_corpus_score() -> None:
    data = small()
    state = state_of(DataSet("given", data.items, {"cider": np.arange(float(len(data.items)))}), ["cider"])
    assert scored(state).value("cider", "a") == 3.5
    state.basis = BASES[1]
    (row,) = table.rows(scored(state), None)
    assert {cell.tip for cell in row.cells[1:]} == {table.NO_CORPUS}


def test_exports_carry_every_digit_and_can_be_loaded_again() -> None:
    found = scored(state_of(small(), ["bleu_4", "rouge_l"]))
    again = uploads.read_dataset([("scores.jsonl", exports.captions(found, ".jsonl").encode())])
    assert again.items == found.data.items
    np.testing.assert_array_equal(again.scores["rouge_l"], found.scores["rouge_l"])
    table = json.loads(exports.table_json(found, None))
    assert table["systems"][1]["rouge_l"] == found.value("rouge_l", "b")
    assert table["metrics_are"] == "mean of captions"
    assert set(table["signatures"]) == {"bleu_4", "rouge_l"}
    rows = pd.read_csv(io.StringIO(exports.table_csv(found, None)))
    assert rows["system"].tolist() == ["a", "b", "c"]
    assert rows["rouge_l"][1] == pytest.approx(found.value("rouge_l", "b"), abs=1e-15)
    assert np.isnan(rows["p_rouge_l"][2])
    assert json.loads(rows["signatures"][0]) == found.signatures
    assert set(rows["p_against"]) == {found.state.against}


def test_large_files_start_with_what_is_needed_or_quick_and_the_cheapest_first() -> None:
    large = DataSet("large", small().items * 100)
    chosen = state.first_keys(large)
    left_out = [key for key in registry.keys() if key not in chosen]
    assert {*NEEDED, "bleu_4", "cider"} <= set(chosen)
    assert all(costs.cost(key) <= state.QUICK for key in chosen if key not in NEEDED)
    assert left_out
    assert all(costs.cost(key) > state.QUICK for key in left_out)
    assert state.first_keys(small()) == list(registry.keys())
    found = scores.gather(state_of(large, chosen))
    spent = [costs.cost(key) for key in found.pending]
    assert spent == sorted(spent)


def test_the_state_of_scores_is_true() -> None:
    every = len(registry.keys())
    assert toolbar.state_of_scores(2, 3) == f"2 of 3 chosen metrics are scored; {every - 3} more can be chosen"
    assert toolbar.state_of_scores(every, every) == f"All {every} chosen metrics are scored"


def test_the_grammar_penalty_is_per_1000_captions_with_the_sum_beside_it() -> None:
    data = dataset.from_samples()
    values = {key: np.random.default_rng(place).normal(size=len(data.items)) for place, key in enumerate(NEEDED)}
    found = scored(state_of(DataSet("penalties", data.items, values), list(NEEDED)))
    analysis = found.analysis(found.state.main_axes())
    assert analysis is not None
    (row,) = [one for one in table.rows(found, analysis) if one.cells[0].text.startswith("Grammar penalty")]
    for cell, one in zip(row.cells[1:], analysis.systems, strict=True):
        assert cell.text == f"{one.penalty / one.count * 1_000:.1f}"
        assert cell.under == f"sum {one.penalty:.2f}"


def test_a_badge_says_how_far_an_estimate_may_be_off() -> None:
    estimated = StandIn("estimated", "a regression", "DistilBERT", "fetch it", error=0.031, mean_error=0.0073)
    found = Scored(state=state_of(small(), ["mima"]), stand_ins={"mima": estimated, "wmd": GLOVE})
    assert [table.badge(found, key) for key in ("mima", "wmd", "bleu_1")] == ["estimated, ± 0.03", "stand-in", ""]
    assert table.mean_badge(found, "mima") == "estimated, ± 0.032"  # one of the captioners has one caption
    assert table.mean_badge(found, "wmd") == "stand-in"
    assert table.mean_badge(found, "mima", "wmd") == table.word(found, "mima") == "estimated"
