"""Inspect in a real browser: what a visitor does in the first minutes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from capeval_core import CaptionItem, evaluate, registry
from pages.shell.navigation import PAGES
from tests.browser import places
from tests.browser.reader import Reader
from tests.browser.visitor import Visitor
from tests.io.hostile import photograph

REFERENCES = ["a man riding a wave on a surfboard", "A surfer rides a big wave.", "someone surfing in the ocean"]
TYPED, EDITED = "a man surfs a wave", "a surfer rides a big wave"


def test_first_visit_shows_scores_and_every_evidence_view(inspect: Visitor) -> None:
    assert inspect.count(places.SCORES) == 4
    assert inspect.text(places.score(0, "rouge_l")) == "0.822"
    assert inspect.sees(places.BEST)
    for key in registry.keys():
        inspect.click(places.score(0, key))
        assert inspect.checked(places.radio(registry.get(key).label)), key
        assert not inspect.sees(places.words("could not be drawn")), key
        inspect.check()


def test_the_table_marks_what_is_chosen_below_it(inspect: Visitor) -> None:
    inspect.click(places.radio("CIDEr"))
    assert inspect.text(places.OPEN_METRIC).startswith("CIDEr")
    inspect.choose("Candidate", "generic: a man in a boat")
    assert inspect.text(f"{places.CHOSEN} .text") == "a man in a boat"


def test_other_views_open(inspect: Visitor) -> None:
    for view in ("Blame map", "Compare two", "Profile"):
        inspect.click(places.radio(view))
        assert inspect.sees(places.CHART), view
        inspect.check()


def test_own_image_and_captions_score_as_the_command_line_says(inspect: Visitor, tmp_path: Path) -> None:
    (tmp_path / "x.png").write_bytes(photograph("PNG"))
    inspect.click(places.popover("Upload image"))
    inspect.upload(tmp_path / "x.png")
    assert inspect.sees(places.words("No candidates yet"))
    assert inspect.texts(places.REFERENCES) == []
    inspect.close()
    for text in REFERENCES:
        inspect.fill(places.ADD_REFERENCE, text)
    assert inspect.texts(places.REFERENCES) == REFERENCES
    inspect.fill(places.ADD_CANDIDATE, TYPED)
    assert inspect.count(places.SCORES) == 1
    keys = ("bleu_1", "rouge_l", "meteor", "cider")
    table = evaluate([CaptionItem("1", text, tuple(REFERENCES)) for text in (TYPED, EDITED)], keys).table
    for key in keys:
        assert inspect.text(places.score(0, key)) == f"{table[key][0]:.3f}"
    inspect.fill(places.candidate(1), EDITED)
    assert inspect.text(places.score(0, "bleu_1")) == f"{table['bleu_1'][1]:.3f}"


def test_a_click_in_the_flow_matrix_is_read_out(inspect: Visitor) -> None:
    inspect.click(places.score(0, "wmd"))
    assert inspect.sees(places.words("Click a point or a cell to read it."))
    before = inspect.texts(places.LINES)
    for number in range(3):  # a small flow lies under the number beside it
        inspect.click_at(places.nth(places.MARKER, number))
        if inspect.texts(places.LINES) != before:
            return
    pytest.fail("three clicks on the flow matrix said nothing")


def test_a_click_on_a_point_of_style_and_meaning_chooses_its_caption(inspect: Visitor) -> None:
    inspect.click(places.radio("Style and meaning"))
    assert inspect.sees(places.words("careful says"))
    references = 5  # their points come first
    inspect.click_at(places.nth(places.POINT, references + 1))
    assert "a man in a boat" in inspect.text(places.CHOSEN)
    assert inspect.sees(places.words("generic says"))
    inspect.click(places.first(places.PICK))  # what is chosen elsewhere afterwards stays chosen
    assert inspect.sees(places.words("careful says"))


def test_a_word_people_mention_marks_the_candidates(inspect: Visitor) -> None:
    inspect.click(places.chip("canoe"))
    assert inspect.count(".has") == 2
    assert inspect.count(".lacks") == 2
    assert set(inspect.texts("mark")) == {"canoe"}


def test_report_downloads_and_opens_on_any_screen(inspect: Visitor, read: Callable[[Path], Reader]) -> None:
    inspect.click(places.popover("Export"))
    file = inspect.download(places.button("Report (HTML"))
    assert file.stat().st_size < 2_000_000
    reader = read(file)
    for title in ("Style and meaning", "Profile", "Comparison", "Blame map", "Evidence"):
        assert reader.count(f"role=heading[name='{title}']") == 1, title
    assert reader.count("svg.chart") > 20
    assert reader.count(".scores tr") == 6
    assert reader.cut(1440) == []
    assert not any(one.startswith("<html") for one in reader.cut(390))  # a chart scrolls, the page does not
    assert reader.outside == []


def test_two_visitors_keep_their_own_captions(inspect: Visitor, other: Visitor) -> None:
    inspect.fill(places.candidate(2), "mine alone")
    other.fill(places.candidate(2), "theirs alone")
    assert inspect.texts(places.CAPTIONS)[1] == "mine alone"
    assert other.texts(places.CAPTIONS)[1] == "theirs alone"
    assert "mine alone" not in other.texts(places.CAPTIONS)


def test_a_deep_link_opens_each_page(visitor: Visitor) -> None:
    for place, (_, title, _, address) in enumerate(PAGES):
        visitor.open(f"/{address}" if place else "/")  # the first is the one without an address
        opened(visitor, title)


def test_a_deep_link_is_the_first_thing_a_server_is_asked_for(cold: Callable[[str], Visitor]) -> None:
    found = cold(f"/{PAGES[-1][3]}")
    opened(found, PAGES[-1][1])
    found.leave()


def opened(visitor: Visitor, title: str) -> None:
    assert visitor.title() == f"{title} · CapEval"
    for row in PAGES:
        assert visitor.sees(places.link(row[1]))
    visitor.check()


def test_back_and_forward_go_from_page_to_page(inspect: Visitor) -> None:
    inspect.click(places.link("Guide"))
    assert inspect.path == "/guide"
    inspect.click(places.radio("ROUGE-L"))
    assert inspect.path == "/guide?metric=rouge_l"
    inspect.back()
    inspect.back()
    assert inspect.path == "/"
    assert inspect.count(places.SCORES) == 4
    inspect.forward()
    assert inspect.path.startswith("/guide")


def test_old_scores_go_at_the_moment_of_enter(inspect: Visitor) -> None:
    row = f"{places.SCORES}:nth-of-type(2)"  # rows of captions and of scores take turns
    known = len(registry.keys())
    assert [inspect.count(f"{row} td{state}") for state in ("", ".wait")] == [known, 0]
    assert inspect.enter(places.candidate(1), "a canoe on a calm lake", f"{row} td.wait") == [""] * known
    assert inspect.count(f"{row} td.wait") == 0
    assert inspect.text(places.candidate(1)) == "a canoe on a calm lake"
    said = inspect.enter(places.ADD_CANDIDATE, "a man in a boat", ".status")
    assert said == ["scoring the change"]
    assert inspect.text(".status") == "all scores are in"


def test_other_references_are_other_scores_from_the_moment_of_enter(inspect: Visitor) -> None:
    compares = [spec.key for spec in registry.select(None) if spec.needs_references]
    rows = inspect.count(places.SCORES)
    gone = inspect.enter(places.textbox("reference 1"), "a man in a canoe on a lake", f"{places.SCORES} td.wait")
    assert gone == [""] * len(compares) * rows
    assert inspect.count("td.wait") == 0


def test_an_edit_costs_little_when_the_models_are_loaded(inspect: Visitor) -> None:
    """In seconds of the processor: what else the machine does makes no difference."""
    inspect.fill(places.candidate(1), "a man paddles")  # the models are warm after this
    before = inspect.text(places.score(0, "bleu_1"))
    spent = inspect.server.processor_seconds()
    inspect.fill(places.candidate(1), "a man paddles a small canoe on a lake")
    assert inspect.text(places.score(0, "bleu_1")) != before
    spent = inspect.server.processor_seconds() - spent
    print(f"an edit cost {spent:.2f} processor seconds")
    assert spent < 3
