"""The one store of scores: the service's numbers, each scored once, whoever asks and on whatever page."""

from __future__ import annotations

import math
from typing import Any

import pytest

from capeval_core import CaptionItem, Evaluation, evaluate, registry
from capeval_core import options as metric_options
from pages.work import cells as module
from pages.work import jobs
from pages.work.bands import bands
from tests.pages.cases import NGRAM, REFERENCES, Counting, finish, make, store


def test_scores_are_the_services_and_only_what_changed_is_scored_again() -> None:
    counting = Counting()
    cells, ws = store(counting), make()
    finish(cells, ws)
    expected = evaluate(ws.items(), NGRAM).scores
    for key in NGRAM:
        found = [cells.get(item, key) for item in ws.items()]
        assert [cell.value for cell in found if cell] == expected[key].tolist()
    counting.calls.clear()
    ws.candidates[1].caption = "a dog sleeps"
    finish(cells, ws)
    assert counting.calls == [(["a dog sleeps"], tuple(NGRAM))]  # one caption, all metrics, one call
    counting.calls.clear()
    finish(cells, ws)
    assert counting.calls == []


def test_another_session_finds_the_scores() -> None:
    counting = Counting()
    cells = store(counting)
    finish(cells, make())
    counting.calls.clear()
    finish(cells, make())
    assert counting.calls == []


def test_other_options_are_other_cells() -> None:
    cells, ws = store(), make(["a dog runs"], ["bleu_4", "rouge_l"])
    finish(cells, ws)
    ws.options = {"bleu": metric_options.make("bleu", {"smoothing": "lin-och"})}
    (item,) = ws.items()
    assert cells.get(item, "bleu_4", ws.options) is None
    assert cells.get(item, "rouge_l", ws.options) is not None  # its own options are the same
    finish(cells, ws)
    plain, smoothed = cells.get(item, "bleu_4"), cells.get(item, "bleu_4", ws.options)
    assert plain
    assert smoothed
    assert plain.value < smoothed.value == evaluate([item], ["bleu_4"], options=ws.options).scores["bleu_4"][0]
    assert "lin-och" in smoothed.signature


def test_a_metric_made_of_others_follows_their_options() -> None:
    options = {"cider": metric_options.make("cider", {"variant": "cider"})}
    item = CaptionItem("x", "a dog", REFERENCES)
    assert module._address(item, "spider", options) != module._address(item, "spider", {})
    assert module._address(item, "spice", options) == module._address(item, "spice", {})


def test_with_idf_of_the_batch_each_caption_is_a_batch_of_its_own() -> None:
    counting = Counting()
    cells, ws = store(counting), make(["a dog runs", "a cat sleeps"], ["cider"])
    ws.options = {"cider": metric_options.make("cider", {"idf": "corpus"})}
    finish(cells, ws)
    assert all(len(captions) == 1 for captions, _ in counting.calls)
    found = [cells.get(item, "cider", ws.options) for item in ws.items()]
    assert [cell.value for cell in found if cell] == [0.0, 0.0]  # one image alone: every idf is 0


def test_a_broken_metric_says_why_and_the_worker_lives() -> None:
    def broken(items: Any, keys: Any, **more: Any) -> Evaluation:
        raise RuntimeError("boom")

    cells, ws = store(broken), make()
    finish(cells, ws)
    cell = cells.get(ws.items()[0], "bleu_1")
    assert cell
    assert cell.failed
    assert math.isnan(cell.value)
    assert "boom" in cell.note
    assert cells.telling(ws.items(), NGRAM, {})["bleu_1"] == cell
    finish(cells, make(["another caption"]))


@pytest.mark.parametrize("asked", [True, False])
def test_what_failed_is_tried_again(asked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[bool] = []

    def mended(items: Any, keys: Any, **more: Any) -> Evaluation:
        calls.append(True)
        if len(calls) == 1:
            raise RuntimeError("boom")
        return evaluate(items, keys, **more)

    cells, ws = store(mended), make(keys=["rouge_l"])
    finish(cells, ws)
    finish(cells, ws)
    assert len(calls) == 1  # not at once: it would fail again
    if asked:
        cells.forget_failures()  # the page's "Try again"
    else:
        monkeypatch.setattr(module, "RETRY_AFTER", 0.0)
    finish(cells, ws)
    assert {cell.failed for item in ws.items() if (cell := cells.get(item, "rouge_l"))} == {False}


def test_three_hundred_candidates_are_scored_in_pieces() -> None:
    counting = Counting()
    cells, ws = store(counting), make([f"a dog number {n}" for n in range(300)], ["bleu_1"])
    finish(cells, ws)
    assert max(len(captions) for captions, _ in counting.calls) == module.AT_ONCE
    assert sum(len(captions) for captions, _ in counting.calls) == 303


def test_an_edit_is_a_short_job_and_more_captions_keep_no_edit_waiting() -> None:
    cells = store()
    for count, level in ((2, 0), (module.FEW, 0), (module.FEW + 1, 1), (300, 1)):
        asked = make([f"a dog number {n}" for n in range(count)]).items()
        assert {job.level for job in cells.missing(asked, NGRAM, {})} == {level}, count


def test_the_band_is_each_reference_against_the_others() -> None:
    cells, ws = store(), make()
    finish(cells, ws)
    values = [
        evaluate([CaptionItem("x", text, tuple(r for r in REFERENCES if r != text))], ["rouge_l"]).scores["rouge_l"][0]
        for text in REFERENCES
    ]
    band = bands(ws, cells, NGRAM)["rouge_l"]
    assert (band.low, band.middle, band.high) == (min(values), sorted(values)[1], max(values))
    ws.set_references(REFERENCES[:1])
    assert bands(ws, cells, NGRAM) == {}


def test_the_process_has_one_store_and_one_runner() -> None:
    assert module.cells() is module.cells()
    assert module.cells().jobs is jobs.jobs()


def test_what_shares_its_passes_is_one_job() -> None:
    found = store().missing([CaptionItem("x", "a dog", REFERENCES)], list(registry.keys()), {})
    groups = [job.address[1] for job in found if isinstance(job.address, tuple)]
    assert ("spice", "spider") in groups
    assert ("sparcs", "spurts", "mima", "smurf") in groups
