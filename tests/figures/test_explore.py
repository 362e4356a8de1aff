"""Explore's tables and marked captions: what they say is what was found."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from capeval_core.explore.compare import compare
from capeval_core.explore.disagreement import Disagreement
from capeval_core.explore.findings import CaptionFindings, Error, WordSupport
from capeval_core.explore.kinds import KINDS
from capeval_core.explore.profile import profile
from capeval_core.explore.slices import slices
from capeval_core.explore.wording import wording
from capeval_core.figures import explore, explore_report
from capeval_core.figures.palette import DARK, LIGHT
from capeval_core.figures.tables import render
from capeval_core.types import CaptionItem, Explanation

TEXT = "A <b>cat</b> sat on a wall."
FOUND = CaptionFindings(
    "1",
    "m2",
    TEXT,
    TEXT,
    support=(WordSupport("cat", 0.9, "kitten", True, (5, 8)), WordSupport("wall", 0.2, "road", True, (22, 26))),
    noun_support=0.55,
    errors=(Error("invented_object", "wall", 0.8, 'None of 2 references mentions "wall".', ((22, 26),), 0),),
    telling=0,
    concepts=("kitten",),
    agreeing=2,
    size=6,
)
ITEM = CaptionItem("1", TEXT, ("A kitten on a <i>road</i>.", "A kitten."), "m2")


def many() -> tuple[list[CaptionItem], list[CaptionFindings]]:
    rows = [(n, system) for n in range(30) for system in ("human", "m2")]
    items = [replace(ITEM, image_id=str(n), system=system) for n, system in rows]
    findings = [
        replace(FOUND, image_id=str(n), system=system, errors=FOUND.errors if system == "m2" and n < 20 else ())
        for n, system in rows
    ]
    return items, findings


def test_words_are_marked_by_their_support_and_errors_stand_out() -> None:
    words = {word.text: word for word in explore.caption(FOUND).words}
    assert [word.text for word in explore.caption(FOUND).words] == TEXT.split()
    assert (words["<b>cat</b>"].kind, words["on"].kind) == ("neutral", "neutral")  # markup is no word of the support
    assert (words["wall."].kind, words["wall."].hint) == ("extra", 'None of 2 references mentions "wall".')
    plain = replace(FOUND, errors=(), text="cat wall", support=(
        WordSupport("cat", 0.9, "kitten", True, (0, 3)), WordSupport("wall", 0.5, "road", True, (4, 8))))  # fmt: skip
    kinds = [(word.kind, word.hint) for word in explore.caption(plain).words]
    assert kinds == [("matched", "support 0.90, closest: kitten"), ("near", "support 0.50, closest: road")]


def test_the_profile_shows_every_error_with_peoples_rate_beside_it() -> None:
    _, findings = many()
    profiles = profile(findings, samples=50)
    grid = explore.profile_grid(profiles, profiles[0], LIGHT)
    assert [row.cells[0].text for row in grid.rows] == [
        *(kind.label for kind in KINDS.values()), "Any error", "Support of nouns"
    ]  # fmt: skip
    invented = grid.rows[0].cells
    assert [cell.text for cell in invented[1:]] == ["0.0", "66.7", "0.0"]
    assert invented[2].bar is not None
    assert invented[2].bar.end == pytest.approx(1.0)
    assert invented[2].bar.hollow == 0.0
    assert explore.NOTE in grid.note


def test_differences_are_bold_where_they_are_sure() -> None:
    grid = explore.differences_grid(compare(many()[1], "m2", "human", samples=400))
    rows = {row.cells[0].text: row.cells[3] for row in grid.rows}
    assert rows["Nobody mentions it"].bold
    assert rows["Nobody mentions it"].text == "+66.7"
    assert not rows["Repetition"].bold


def test_why_metrics_disagree_names_both() -> None:
    one = Disagreement(0, 0.9, 0.1, "cider", "spice")
    said = explore.why(one, FOUND, None, None, LIGHT)
    assert said == 'CIDEr puts it high. SPICE puts it low. None of 2 references mentions "wall".'
    assert isinstance(FOUND.errors[0], Error)
    with pytest.raises(KeyError):  # an explanation that no module draws is a mistake of the caller
        explore.why(one, FOUND, Explanation(value=1.0), None, LIGHT)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_the_report_holds_everything_and_runs_nothing(palette: object) -> None:
    items, findings = many()
    profiles = profile(findings, samples=50)
    report = explore_report.Report(
        "A <title>",
        "60 captions",
        profiles,
        profiles[0],
        compare(findings, "m2", "human", samples=50),
        {"m2": slices(findings, rows=[row for row, one in enumerate(findings) if one.system == "m2"], least=1)},
        [wording(items, "m2")],
        items,
        findings,
        "1.0",
    )
    assert "filtered" not in explore_report.build(report, palette)  # type: ignore[arg-type]
    pictured = replace(report, filters="with <b>dogs</b>", pictures={findings[1].image_id: "data:image/jpeg;base64,QQ"})
    text = explore_report.build(pictured, palette)  # type: ignore[arg-type]
    assert "with &lt;b&gt;dogs&lt;/b&gt;" in text
    listed = text[text.index("The filtered captions") : text.index("The strongest captions")]
    assert listed.count('class="card"') == len(findings)
    assert listed.count('src="data:image/jpeg;base64,QQ"') == sum(
        one.image_id == findings[1].image_id for one in findings
    )
    assert not re.search(r"<(script|b|i)>|<title>A <title>", text)
    assert "A &lt;title&gt;" in text
    assert "Nobody mentions it: 20" in text
    assert "&lt;i&gt;road&lt;/i&gt;" in text
    assert "30 of 30 captions are distinct" not in text
    assert "1 of 30 captions are distinct" in text
    assert render(explore.words_grid(wording(items, "m2")), LIGHT)
