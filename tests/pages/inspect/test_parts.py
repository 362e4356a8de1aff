"""Inspect's table, report and exports, without Streamlit."""

from __future__ import annotations

import json

import plotly.offline
import pytest

from capeval_core import CaptionItem, InvalidInput, evaluate, registry
from capeval_core.figures import blame as figures
from capeval_core.figures.palette import LIGHT
from capeval_core.io.images import read_image
from pages.inspect import blame, exports, report, table
from tests.pages.cases import ME, NGRAM, REFERENCES, SOON, finish, make, picture, store

HOSTILE = "<script>alert(1)</script> $x$ ![](http://evil/x.png)"


def test_the_table_marks_the_best_and_gives_reasons() -> None:
    cells, ws = store(), make()
    finish(cells, ws)
    data = table.table_data(ws, cells, LIGHT, None)
    assert [column["key"] for column in data["columns"]] == NGRAM
    assert [row["cells"][0]["best"] for row in data["rows"]] == [True, False]
    assert data["pending"] is False
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
    text = report.build(ws, cells).replace(plotly.offline.get_plotlyjs(), "")
    assert text.count("Plotly.newPlot") >= 1
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text
    assert "data:image/jpeg;base64," in text
    assert "≈" not in text
    assert 'src="http' not in text
    assert 'href="http' not in text
    assert all(registry.get(key).label in text for key in NGRAM)


def test_exports_carry_every_digit_and_signatures() -> None:
    cells, ws = store(), make(["=cmd()", "a dog"])
    finish(cells, ws)
    content = json.loads(exports.scores_json(ws, cells))
    assert content["candidates"][1]["scores"]["rouge_l"] == evaluate(ws.items(), ["rouge_l"]).scores["rouge_l"][1]
    assert content["signatures"]["rouge_l"].startswith("rouge_l|")
    rows = exports.scores_csv(ws, cells).splitlines()
    assert rows[0] == "system,candidate,bleu_1,bleu_2,rouge_l"
    assert rows[1].startswith(",'=cmd()")  # a spreadsheet shows it, and runs nothing
    assert "rouge_l|" in rows[-1]
