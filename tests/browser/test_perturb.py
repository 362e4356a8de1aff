"""Perturb in a real browser. The link carries three metrics that need no model: what is tested here is the page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from capeval_core.io.workspace import StoredWorkspace
from pages.work import share
from pages.work.samples import samples
from tests.browser import places
from tests.browser.visitor import Visitor

METRICS = ("bleu_4", "rouge_l", "cider")


@pytest.fixture
def perturb(visitor: Visitor) -> Visitor:
    """On the first sample, in a session of its own."""
    canoe = samples()[0]
    captions = tuple(canoe.candidates.items())
    stored = StoredWorkspace(references=canoe.references, candidates=captions, metrics=METRICS, sample=canoe.id)
    visitor.open(f"/perturb?{share.PARAMETER}={share.encode(stored)}")
    return visitor


def test_the_grid_opens_changes_and_shows_both_evidences(perturb: Visitor) -> None:
    assert perturb.text(f"{places.cell('candidate', 'rouge_l')} .value") == "0.822"
    assert perturb.text(f"{places.cell('original', 'rouge_l')} .value") == "1.000"
    assert "-0." in perturb.text(f"{places.cell('reversed', 'rouge_l')} .change")
    assert perturb.sees(f"{places.row('synonyms')} mark")
    assert perturb.sees(places.words("cannot be made:"))

    before = perturb.text(places.caption("synonyms"))
    perturb.click(places.radio("1 little"))
    assert perturb.text(places.caption("synonyms")) != before

    perturb.fill(places.ADD_ROW, "a man in a <b>canoe</b> on a lake")
    assert perturb.text(f"{places.cell('own 1', 'rouge_l')} .value").startswith("0.")
    assert perturb.text(places.caption("own 1")) == "a man in a <b>canoe</b> on a lake"

    perturb.click(places.cell("own 1", "cider"))
    assert perturb.count(places.words("CIDEr is")) == 2
    assert perturb.sees(places.words("candidate beside your own"))

    perturb.fill(f"{places.row('candidate')} >> role=textbox", "a man on a lake")
    assert perturb.text(f"{places.cell('candidate', 'rouge_l')} .value") != "0.822"
    assert "as typed in the grid" in perturb.value(places.combobox("Caption to change"))


def test_another_image_then_anything_else(perturb: Visitor) -> None:
    """The browser keeps what a list showed until it is told otherwise; that must never come back as a value."""
    perturb.choose("Image", samples()[1].title)
    assert perturb.text(places.caption("candidate")) in samples()[1].candidates.values()
    perturb.click(places.radio("3 most"))
    assert perturb.text(places.caption("original")) == samples()[1].references[0]


def test_the_papers_example_then_inspect(perturb: Visitor) -> None:
    perturb.click(places.button("The paper's example"))
    assert "paper 0.20" in perturb.text(places.cell("given synonyms", "bleu_4"))
    assert perturb.sees(places.words("The paper smooths BLEU"))
    before = perturb.text(places.caption("candidate"))
    assert perturb.sees(places.popover("0 of 22 kinds"))
    perturb.click(places.by_role("button", "word order", exact=True))
    assert perturb.sees(places.popover("4 of 22 kinds"))
    assert perturb.text(places.caption("candidate")) == before
    assert "paper 0.45" in perturb.text(places.cell("candidate", "bleu_4"))  # the published numbers are still there
    assert perturb.sees(places.row("reversed"))
    perturb.click(places.popover("Export"))
    rows = perturb.download(places.button("Rows (CSV)")).read_text().splitlines()
    assert rows[0].startswith("image,row,caption,change,bleu_4,bleu_4 change")
    assert any(f",candidate,{before}," in row for row in rows)
    perturb.click(places.popover("Export"))
    perturb.click(places.by_role("button", "word order", exact=True))
    perturb.click(places.radio("Bars"))
    assert perturb.count(f"{places.CHART} .bars") > 0
    perturb.click(places.cell("given word order", "rouge_l"))
    perturb.click(places.button("Open in Inspect"))
    assert "in a small boat on a lake a man" in perturb.text(places.CHOSEN)
    assert perturb.count(places.CAPTIONS) == 4


def test_a_data_set_and_a_bad_file(perturb: Visitor, tmp_path: Path) -> None:
    bad, good = tmp_path / "bad.jsonl", tmp_path / "good.jsonl"
    bad.write_text('{"image_id": 1, "candidate": "a dog"}\n')
    rows = [
        {"image_id": n, "candidate": f"a man rides {n} horses on a beach", "references": ["a man"]} for n in range(6)
    ]
    good.write_text("".join(json.dumps(row) + "\n" for row in rows * 60))
    perturb.click(places.radio("A whole data set"))
    before = perturb.text(places.DATA)
    perturb.open_data(bad)
    assert perturb.sees(places.words("bad.jsonl: line 1: field references is missing"))
    assert perturb.text(places.DATA) == before
    perturb.open_data(good)
    assert "360 captions, 1 captioner, 6 images" in perturb.text(places.DATA)
    assert not perturb.sees(places.words("field references is missing"))
    perturb.fill(places.number("Captions to change"), "12")
    perturb.click(places.button("Measure"))
    assert perturb.sees(places.words("lowers the scores most"))
    assert perturb.count(f"{places.CHART} .bars") > 0
    perturb.click(places.radio("Distractors"))
    assert perturb.sees("role=columnheader[name='worst']")
    perturb.click(places.popover("Export"))
    assert perturb.download(places.button("Profile (CSV)")).read_text().startswith("kind,metric,pairs,candidate")
    perturb.click(places.popover("Export"))
    perturb.click(places.radio("Changed captions"))
    assert perturb.count("table.changed tbody tr") == 20
    perturb.fill(places.textbox("Search"), "3 horses beach")
    assert perturb.sees(places.words("a man rides 3 horses on a beach"))
    perturb.choose("Kind of change", "Reversed")
    text = perturb.text(places.first("table.changed button"))
    perturb.click(places.first("table.changed button"))
    assert text in perturb.text(places.CHOSEN)
