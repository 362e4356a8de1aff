"""Inspect's table, report and exports, without Streamlit."""

from __future__ import annotations

import io
import json
from datetime import datetime

import pandas as pd
import pytest

from capeval_core import CaptionItem, InvalidInput, evaluate, registry
from capeval_core.figures import blame as figures
from capeval_core.figures.palette import LIGHT
from capeval_core.io.images import read_image
from pages.inspect import blame, exports, report, table
from pages.work import uploads
from pages.work.bands import bands
from pages.work.workspace import Workspace
from tests.pages.cases import ME, NGRAM, REFERENCES, SOON, finish, make, picture, store

HOSTILE = "<script>alert(1)</script> $x$ ![](http://evil/x.png)"


def test_the_table_marks_the_best_and_gives_reasons() -> None:
    cells, ws = store(), make()
    finish(cells, ws)
    data = table.table_data(ws, cells, LIGHT, None)
    assert [column["key"] for column in data["columns"]] == NGRAM
    assert [row["cells"][0]["best"] for row in data["rows"]] == [True, False]
    assert data["pending"] is False
    assert data["status"] == "all scores are in"
    assert table.table_data(Workspace(metrics=NGRAM), cells, LIGHT, None)["status"] == ""
    json.dumps(data, allow_nan=False)
    ws.set_references(())
    finish(cells, ws)
    data = table.table_data(ws, cells, LIGHT, None)
    assert {(cell["t"], cell["state"]) for row in data["rows"] for cell in row["cells"]} == {("–", "nan")}
    assert "has none" in data["rows"][0]["cells"][0]["tip"]


def test_a_column_says_which_options_are_not_the_default() -> None:
    from capeval_core import options as metric_options

    cells, ws = store(), make()
    ws.options = {"bleu": metric_options.make("bleu", {"smoothing": "lin-och"})}
    columns = table.table_data(ws, cells, LIGHT, None)["columns"]
    assert [bool(column["options"]) for column in columns] == [True, True, False]
    assert "lin-och" in columns[0]["options"]


def test_blame_is_the_change_without_each_word() -> None:
    cells, item = store(), CaptionItem("x", "a dog dog runs", REFERENCES)
    items = blame.variants(item)
    cells.want(ME, items, NGRAM)
    assert cells.wait(items, NGRAM, {}, SOON) == []
    found = blame.collect(items, NGRAM, {}, cells)
    assert found.words == ("a", "dog", "dog", "runs")
    shorter = ["dog dog runs", "a dog runs", "a dog runs", "a dog dog"]
    scores = evaluate([CaptionItem("x", text, REFERENCES) for text in shorter], NGRAM).scores
    for row, key in enumerate(found.keys):
        assert (found.value[row] + found.change[row]).tolist() == pytest.approx(scores[key].tolist())
    assert "“dog”" in figures.sentence(found, {})
    assert len(figures.draw(found, {}, LIGHT).data[0].z) == len(NGRAM)
    with pytest.raises(InvalidInput, match="at most 60 words"):
        blame.variants(CaptionItem("x", "dog " * 61, REFERENCES))


def test_the_report_stands_alone_and_escapes() -> None:
    cells, ws = store(), make([HOSTILE, "a dog"])
    ws.image = read_image(picture("PNG"))
    finish(cells, ws)
    text = report.build(ws, cells, ME)
    assert text.count("<svg") >= 3
    assert "<script" not in text
    assert "&lt;script&gt;alert" in text
    assert "data:image/jpeg;base64," in text
    assert "≈" not in text
    assert 'src="http' not in text
    assert 'href="http' not in text
    assert all(registry.get(key).label in text for key in NGRAM)


def test_the_report_is_dated_and_has_the_views_that_are_not_about_one_metric() -> None:
    cells, ws = store(), make(["a dog runs", "a cat sleeps"])
    finish(cells, ws)
    text = report.build(ws, cells, ME)
    assert f"{datetime.now().astimezone():%d %B %Y}" in text
    for view in ("Profile", "Comparison", "Blame map"):
        assert f"<h2>{view}</h2>" in text
    items = blame.variants(ws.item(ws.candidates[0]))
    assert figures.sentence(blame.collect(items, NGRAM, {}, cells), bands(ws, cells, NGRAM)).split(".")[0] in text
    assert "Style and meaning" not in text  # SPARCS and SPURTS are not chosen


def test_exports_carry_every_digit_and_signatures() -> None:
    cells, ws = store(), make(["=cmd()", "a dog"])
    ws.title = "dog, running.png"
    finish(cells, ws)
    value = evaluate(ws.items(), ["rouge_l"]).scores["rouge_l"][1]
    content = json.loads(exports.scores_json(ws, cells))
    assert content["candidates"][1]["scores"]["rouge_l"] == value
    assert content["signatures"]["rouge_l"].startswith("rouge_l|")
    assert content["image"] == "dog, running.png"
    text = exports.scores_csv(ws, cells)
    table = pd.read_csv(io.StringIO(text))
    assert list(table.columns) == ["image_id", "system", "candidate", *NGRAM, "references", "signatures"]
    assert len(table) == 2
    assert pd.api.types.is_float_dtype(table["rouge_l"])
    assert table["rouge_l"][1] == pytest.approx(value, abs=1e-15)
    assert table["candidate"][0] == "'=cmd()"  # a spreadsheet shows it, and runs nothing
    assert set(table["image_id"]) == {"dog, running.png"}
    for references, signatures in zip(table["references"], table["signatures"], strict=True):
        assert json.loads(references) == list(REFERENCES)
        assert json.loads(signatures) == content["signatures"]


def test_the_table_of_scores_opens_here_again() -> None:
    cells, ws = store(), make()
    finish(cells, ws)
    found = uploads.read_dataset([("scores.csv", exports.scores_csv(ws, cells).encode())])
    assert [item.candidate for item in found.items] == [one.caption for one in ws.candidates]
    assert found.items[0].references == REFERENCES
    assert found.scores["rouge_l"].tolist() == evaluate(ws.items(), ["rouge_l"]).scores["rouge_l"].tolist()
