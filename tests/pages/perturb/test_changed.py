"""The changed captions of a measurement, and the grid's rows to take away."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from capeval_core import CaptionItem
from capeval_core.figures.palette import LIGHT
from capeval_core.perturb.study import Study, study
from pages.perturb import changed, exports, results
from pages.perturb.changed import Looking
from pages.perturb.lab import CANDIDATE, Lab
from pages.work import dataset, samples, session
from pages.work.cells import cells
from tests.figures.hostile import ALL
from tests.pages.app import drawn, labelled, settle, start

KEYS = ["bleu_1", "rouge_l"]


@pytest.fixture(scope="module")
def found() -> Study:
    return study(samples.as_items()[:8], ["order", "faults"], KEYS, samples=20)


def test_words_and_kind_find_rows(found: Study) -> None:
    assert changed.found(found, Looking()) == list(range(len(found.variants)))
    for number in changed.found(found, Looking(kind="typo")):
        assert found.variants[number].kind == "typo"
    item = found.items[found.variants[0].item]
    word = max(item.candidate.split(), key=len).strip(".").upper()
    rows = changed.found(found, Looking(search=f"{word} {item.image_id}"))
    assert rows
    assert all(found.items[found.variants[number].item].image_id == item.image_id for number in rows)
    assert changed.found(found, Looking(search="no such word")) == []


def test_the_largest_loss_comes_first_and_what_is_undefined_last(found: Study) -> None:
    values = found.scores["rouge_l"].copy()
    values[len(found.items) + 3] = math.nan
    holed = replace(found, scores={"rouge_l": values})
    rows = changed.found(holed, Looking(order="rouge_l"))
    changes = [holed.change("rouge_l", number) for number in rows]
    assert rows[-1] == 3
    assert changes[:-1] == sorted(changes[:-1])
    assert changes[0] < 0


def test_a_row_says_what_it_was_and_how_far_it_moved(found: Study) -> None:
    number = next(n for n in range(len(found.variants)) if abs(found.change("rouge_l", n)) > 0.01)
    tie = next(n for n in range(len(found.variants)) if found.variants[n].kind == "reversed")
    rows = changed.table(found, Looking(seen=4), [number, tie], LIGHT)
    first, second = rows["rows"]
    assert rows["ack"] == 4
    assert "".join(text for text, _ in first["pieces"]) == first["text"] == found.variants[number].text
    assert first["was"] == found.items[found.variants[number].item].candidate
    assert first["cells"][1]["c"] == f"{found.change('rouge_l', number):+.3f}"
    assert second["cells"][0] == second["cells"][0] | {"c": "=", "shade": ""}  # BLEU-1 sees no order: no win, no loss


def test_only_a_click_on_a_row_opens_it() -> None:
    looking = Looking()
    for sent in (None, [{"n": 1, "op": "open", "id": "2"}], [{"n": 2, "op": "open", "id": True}], [{"n": "3"}]):
        changed.act(looking, sent)
    assert (looking.opened, looking.seen) == (-1, 2)
    changed.act(looking, [{"n": 3, "op": "open", "id": 5}])
    changed.act(looking, [{"n": 3, "op": "open", "id": 6}])  # told again: done once
    assert looking.opened == 5


def test_the_files_are_plain_tables(found: Study) -> None:
    rows = list(csv.DictReader(io.StringIO(results.captions_csv(found))))
    assert [row["variant"] for row in rows] == [variant.text for variant in found.variants]
    assert float(rows[0]["rouge_l change"]) == pytest.approx(found.change("rouge_l", 0))
    lab = Lab(metrics=list(KEYS), references=["a dog runs"], caption="a dog", kinds=[])
    lab.own = {"own 1": "a dog runs", "own 2": "=SUM(A1)", "own 3": "never scored"}
    scored = [lab.item(text) for text in ("a dog", "a dog runs", "=SUM(A1)")]
    cells().want(("test", "changed"), scored, KEYS)
    assert cells().wait(scored, KEYS, {}, 60) == []
    table = list(csv.DictReader(io.StringIO(exports.rows_csv(lab, lab.rows(None), "<b>", cells(), {}))))
    assert [row["row"] for row in table] == ["original", "candidate", "your own", "your own", "your own"]
    assert float(table[2]["rouge_l change"]) == pytest.approx(float(table[2]["rouge_l"]) - float(table[1]["rouge_l"]))
    assert table[1]["rouge_l change"] == table[4]["rouge_l"] == table[4]["rouge_l change"] == ""
    assert not table[3]["caption"].startswith("=")
    assert table[0]["signatures"].startswith('{"bleu_1": "bleu')
    assert lab.rows(None)[1].id == CANDIDATE


def measured() -> Any:
    app = start("perturb")
    labelled(app.segmented_control, "View").set_value("A whole data set").run()
    held = app.session_state["measurement"]
    held.metrics, held.count = list(KEYS), 6
    labelled(app.pills, "Kinds of change").set_value(["order", "faults"]).run()
    labelled(app.button, "Measure").click().run()
    settle(app, "measure")
    labelled(app.segmented_control, "Result").set_value("Changed captions").run()
    assert not app.exception
    return app


def test_the_page_searches_turns_and_opens_a_row_in_inspect() -> None:
    app = measured()
    looking = app.session_state["measurement"].looking
    first = drawn(app, "rows")["rows"]
    assert len(first) == changed.PAGE
    labelled(app.button, "Next page").click().run()
    second = drawn(app, "rows")["rows"]
    assert not {row["id"] for row in first} & {row["id"] for row in second}
    labelled(app.text_input, "Search").set_value("no such word").run()
    assert looking.page == 0
    assert any("No changed caption" in box.value for box in app.info)
    labelled(app.text_input, "Search").set_value("").run()
    labelled(app.selectbox, "Kind of change").set_value("reversed").run()
    row = drawn(app, "rows")["rows"][0]
    assert row["label"] == "Reversed"
    looking.opened = row["id"]
    app.run()
    ws = app.session_state["ws"]
    chosen = ws.find(ws.chosen)
    assert (chosen.caption, chosen.system) == (row["text"], "Reversed")
    assert ws.find(ws.other).caption == row["was"]


def test_a_row_opens_after_another_data_set_was_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    item = CaptionItem("1", "a dog runs on a beach", ("a dog",), ALL)
    made = study([item], ["reversed"], ["bleu_1"], samples=2)
    held: dict[str, Any] = {}
    monkeypatch.setattr(session, "replace", lambda ws: held.update(ws=ws))
    monkeypatch.setattr(session, "workspace", lambda: held["ws"])
    changed.to_inspect(made, 0, dataset.from_samples())
    assert [one.caption for one in held["ws"].candidates] == [item.candidate, made.variants[0].text]
    assert np.isfinite(made.scores["bleu_1"]).all()
