"""The report: everything is in it, as text, and it asks no server for anything."""

from __future__ import annotations

from dataclasses import replace

import pytest

from capeval_core import CaptionItem, explain, registry
from capeval_core.figures import draw, report
from capeval_core.figures.evidence import Caption, Evidence, Table, Word
from capeval_core.figures.palette import DARK, LIGHT
from capeval_core.figures.report import Finding, Report, Section, View
from capeval_core.figures.tables import Badge, Bar, Cell, Column, Grid, Row
from tests.figures.hostile import ALL, HOSTILE, TAGS, read

PNG = b"\x89PNG rest"


def made(text: str, *findings: Finding) -> Report:
    scores = Grid(
        (Column(Cell(text, badge=Badge("≈", text))),), (Row((Cell(text, tip=text, bar=Bar(0, 1, "#000000")),)),)
    )
    evidence = Evidence(text, (Caption(text, (Word(text, "extra", hint=text),)), Table(text, {text: [text, 0.5]})))
    found = findings or (Finding("BLEU-1", "0.500", evidence), Finding("SPICE", error=text))
    return Report(
        title=text,
        made="18 November 2026",
        image=PNG,
        credit=text,
        references=(text,),
        scores=scores,
        note=text,
        views=(View(text, text, (scores, Caption(text, (Word(text),))), text),),
        sections=(Section(text, found),),
        left_out=2,
        remarks=(text,),
        signatures=("bleu|x", text),
        version="1.2",
    )


def build(found: Report, dark: bool = False) -> str:
    return report.build(found, DARK if dark else LIGHT)


@pytest.mark.parametrize("text", [*HOSTILE, ALL])
def test_no_text_is_read_as_markup(text: str) -> None:
    tags, shown = read(build(made(text)))
    page = "html head meta title style body h1 h2 h3 div p ol li img details summary pre"
    assert {tag for tag, _ in tags} <= {*page.split(), *TAGS.split()}
    assert [attributes.get("src", "") for tag, attributes in tags if tag == "img"] == [
        "data:image/png;base64,iVBORyByZXN0"
    ]
    assert not any(name.startswith("on") for _, attributes in tags for name in attributes)
    kept = "".join(sign for sign in text if sign not in "\u202e\u2067\u2066")
    assert shown.count(kept) >= 12


def test_charts_are_drawn_and_hold_no_markup_of_others() -> None:
    item = CaptionItem("1", f"a dog {ALL}", ("a dog runs", f"two {ALL}"))
    findings = [Finding(registry.get(key).label, "", draw(explain(item, key), LIGHT)) for key in ("bleu_4", "wmd")]
    text = build(made("x", *findings))
    assert text.count("<svg") >= 2
    assert "<img src=x" not in text
    assert "<script" not in text
    assert not any(mark in text for mark in "\u202e\u2067\u2066")
    tags, _ = read(text)
    assert "src" not in {name for tag, attributes in tags for name in attributes if tag != "img"}
    links = [str(attributes["href"]) for _, attributes in tags if "href" in attributes]
    names = {attributes["id"] for _, attributes in tags if "id" in attributes}
    assert links
    assert {link.removeprefix("#") for link in links} <= names  # each number leads to where it is drawn


def test_what_is_empty_leaves_no_trace() -> None:
    bare = replace(
        made("x"), image=None, references=(), note="", left_out=0, views=(), sections=(), remarks=(), signatures=()
    )
    text = build(bare, dark=True)
    assert "<img" not in text
    assert "none</ol>" in text
    assert "left out" not in text
    assert DARK.background in text
    assert LIGHT.background not in text


def test_the_order_of_the_report() -> None:
    _, text = read(build(made("x")))
    line = "Made by CapEval 1.2 on 18 November 2026"
    parts = (line, "References", "Scores", "Evidence", "BLEU-1 0.500", "SPICE", "2 more", "How the numbers")
    places = [text.index(words) for words in parts]
    assert places == sorted(places)


def test_a_report_that_grows_too_large_leaves_evidence_out_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    one = made("x").sections[0]
    three = replace(made("x"), sections=(one, one, one))
    assert "of 2 more candidates" in build(three)
    monkeypatch.setattr(report, "MOST", 10)
    assert "of 4 more candidates" in build(three)  # the first is always there
