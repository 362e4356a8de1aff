"""The Perturb page: its parts one by one, then the page without a browser."""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from capeval_core import CaptionItem, Evaluation, InvalidInput, evaluate, registry
from capeval_core.figures import perturb as figures
from capeval_core.figures.palette import LIGHT
from capeval_core.perturb import KINDS
from capeval_core.perturb.study import study
from capeval_core.shared import Progress
from pages.parts import (
    perturb_data,
    perturb_paper,
    perturb_results,
    perturb_sources,
    perturb_uploads,
    samples,
)
from pages.parts.perturb_bench import Bench, bench
from pages.parts.perturb_grid import grid_data, relative, shade
from pages.parts.perturb_lab import CANDIDATE, MOST_OWN, ORIGINAL, Lab, apply, changed, cut, kinds_of
from pages.parts.perturb_task import Task
from pages.parts.workspace import Workspace

APP = str(Path(__file__).parents[2] / "app.py")
CHEAP = ["bleu_4", "rouge_l", "cider"]
HOSTILE = [
    "<b>x</b> <img src=x onerror=alert(1)>",
    "# $x$ ![](http://evil/x.png)",
    "שלום \u202eעולם",
    "x " * 4_999,
    ".",
]


def silent(stage: str, done: int, total: int) -> None: ...


def paper_lab(metrics: Sequence[str] = CHEAP) -> Lab:
    lab = Lab(metrics=list(metrics))
    perturb_sources.open_source(lab, perturb_sources.find(perturb_sources.PAPER, Workspace()))
    return lab


class Counting:
    """evaluate(), counting calls and items."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def __call__(self, items: Sequence[CaptionItem], keys: Sequence[str], on_progress: Progress) -> Evaluation:
        self.sizes.append(len(items))
        return evaluate(items, keys, on_progress=on_progress)


# --- rows


@pytest.mark.parametrize(
    ("before", "after", "marked"),
    [
        ("a man in a boat", "a guy in a boat", ["guy"]),
        ("a man in a boat", "A man in a boat, at sunset.", ["at sunset."]),
        ("a man", "a 😀 man", ["😀"]),
        ("a man in a boat", "a man in", []),
        ("", "a b", ["a b"]),
    ],
)
def test_changed_words_are_marked(before: str, after: str, marked: list[str]) -> None:
    pieces = cut(after, changed(before, after))
    assert [text for text, mark in pieces if mark] == marked
    assert "".join(text for text, _ in pieces) == after


def test_neighbouring_marks_join() -> None:
    assert cut("on a lake now", [(3, 4), (0, 2), (5, 9)]) == (("on a lake", True), (" now", False))


def test_the_browser_edits_adds_removes_and_opens() -> None:
    lab = paper_lab()
    events = [
        {"n": 1, "op": "edit", "id": "given synonyms", "texts": ["a guy in a boat"]},
        {"n": 2, "op": "add", "texts": ["a first row\n a second  row"]},
        {"n": 3, "op": "remove", "id": "given redundancy"},
        {"n": 4, "op": "open", "id": "own 1", "key": "cider"},
    ]
    assert not apply(lab, events)
    assert not apply(lab, events)  # sent again until they are acknowledged: done once
    assert lab.given["given synonyms"] == ("synonyms", "a guy in a boat")
    assert list(lab.own.values()) == ["a first row", "a second row"]
    assert [row.id for row in lab.rows(None)] == [
        ORIGINAL,
        CANDIDATE,
        "given synonyms",
        "given word order",
        "own 1",
        "own 2",
    ]
    assert (lab.open_row, lab.open_key, lab.seen) == ("own 1", "cider", 4)
    assert apply(lab, [{"n": 5, "op": "edit", "id": CANDIDATE, "texts": ["a dog"]}])  # what stands above changes too
    assert lab.caption == "a dog"
    assert apply(lab, [{"n": 6, "op": "edit", "id": ORIGINAL, "texts": ["two dogs"]}])
    assert lab.references == ["two dogs"]


def test_nonsense_from_the_browser_changes_nothing() -> None:
    lab = paper_lab()
    rows = lab.rows(None)
    for sent in (None, 7, [3], [{"n": "1"}], [{"n": 1, "op": "edit", "id": "no such row", "texts": ["x"]}]):
        apply(lab, sent)
    apply(lab, [{"n": 2, "op": "add", "texts": [5, None, "  "]}, {"n": 3, "op": "open", "id": 9, "key": "nope"}])
    lab.settle(lab.rows(None))
    assert lab.rows(None) == rows
    assert lab.open_row == "given synonyms"
    assert lab.open_key in CHEAP


def test_too_much_is_refused_with_a_reason() -> None:
    lab = paper_lab()
    apply(lab, [{"n": 1, "op": "add", "texts": ["\n".join(f"row {n}" for n in range(MOST_OWN + 1))]}])
    assert len(lab.own) == MOST_OWN
    assert "at most 20" in lab.message
    apply(lab, [{"n": 2, "op": "edit", "id": CANDIDATE, "texts": ["x" * 10_001]}])
    assert "too long" in lab.message
    assert len(lab.caption) < 100


def test_a_made_row_that_was_typed_over_stays_until_another_is_made() -> None:
    lab = paper_lab()
    lab.kinds = ["reversed"]
    made = bench().make(lab.request(), silent)
    apply(lab, [{"n": 1, "op": "edit", "id": "reversed", "texts": ["lake a on"]}])
    row = next(row for row in lab.rows(made) if row.id == "reversed")
    assert (row.text, row.note) == ("lake a on", "edited by you")
    lab.kinds = ["reversed", "typo"]
    assert any(row.text == "lake a on" for row in lab.rows(bench().make(lab.request(), silent)))
    lab.seed = 1
    assert not any(row.text == "lake a on" for row in lab.rows(bench().make(lab.request(), silent)))


# --- scoring


def test_a_grid_is_one_evaluate_call_and_an_edit_scores_one_row() -> None:
    counting = Counting()
    own = Bench(counting)
    lab = paper_lab()
    lab.kinds = kinds_of(["order", "faults"])
    own.fill(lab, silent)
    made = own.variants(lab.request())
    assert made
    assert counting.sizes == [len({row.text for row in lab.rows(made)})]
    assert counting.sizes[0] >= 12
    assert own.complete(lab)
    apply(lab, [{"n": 1, "op": "add", "texts": ["a man on a lake"]}])
    assert not own.complete(lab)
    own.fill(lab, silent)
    own.fill(lab, silent)
    assert counting.sizes[1:] == [1]


def test_twelve_rows_by_all_metrics_take_under_two_seconds_when_warm() -> None:
    """Processor time: the other tests run beside this one."""
    lab = Lab()
    perturb_sources.open_source(lab, perturb_sources.find("canoe", Workspace()))
    lab.kinds = kinds_of(["synonyms", "order", "faults"])
    bench().fill(lab, silent)
    own = Bench()
    own._variants, own._shared = bench()._variants, bench()._shared
    made = own.variants(lab.request())
    assert made is not None
    lab.kinds = [variant.kind for variant in made][:10]
    own.make(lab.request(), silent)
    assert len(lab.rows(own.variants(lab.request()))) == 12
    before = time.process_time()
    own.fill(lab, silent)
    assert time.process_time() - before < 2
    assert own.complete(lab)


def test_the_grid_says_score_and_change_and_why_a_kind_is_missing() -> None:
    lab = paper_lab()
    lab.kinds = ["wrong_colour", "reversed"]
    bench().fill(lab, silent)
    data = grid_data(lab, bench(), LIGHT, {}, ("", 0, 0))
    assert not data["pending"]
    assert [column["key"] for column in data["columns"]] == CHEAP
    assert "Longest sequence" in data["columns"][1]["tip"]
    assert data["missing"] == [{"label": "Wrong colour", "reason": "the caption names no colour"}]
    rows = {row["id"]: row for row in data["rows"]}
    assert [cell["t"] for cell in rows[ORIGINAL]["cells"]] == ["1.000", "1.000", "10.0"]  # the ceiling
    assert not any("c" in cell for name in (ORIGINAL, CANDIDATE) for cell in rows[name]["cells"])
    scores = evaluate([lab.item(lab.caption), lab.item(rows["reversed"]["text"])], ["rouge_l"]).scores["rouge_l"]
    cell = rows["reversed"]["cells"][1]
    assert (cell["t"], cell["c"]) == (f"{scores[1]:.3f}", f"{scores[1] - scores[0]:+.3f}")
    assert cell["shade"].startswith("rgba(181,67,47")  # a loss


def test_before_it_is_scored_the_grid_waits() -> None:
    lab = paper_lab(["bleu_1"])
    lab.kinds = ["typo"]
    data = grid_data(lab, Bench(), LIGHT, {}, ("Parsing", 1, 4))
    assert data["pending"]
    assert data["status"] == "Parsing 25%"
    assert {cell["state"] for row in data["rows"] for cell in row["cells"]} == {"wait"}


@pytest.mark.parametrize(
    ("before", "after", "ceiling", "share"),
    [(0.5, 0.25, 1, -0.5), (0.0, 0.5, 1, 5.0), (0.0, 0.0, math.nan, 0.0), (0.0, 0.2, math.nan, 1.0), (-1, -2, 2, -1.0)],
)
def test_relative_change(before: float, after: float, ceiling: float, share: float) -> None:
    assert relative(before, after, ceiling) == pytest.approx(share)


def test_shades_deepen_with_the_change_and_vanish_without() -> None:
    spec = registry.get("bleu_4")
    assert shade(spec, 0.0, LIGHT) == ""
    depth = [float(shade(spec, share, LIGHT).rpartition(",")[2][:-1]) for share in (-0.1, -0.5, -1.0, -7.0)]
    assert depth == sorted(depth)
    assert depth[2] == depth[3] == 0.5
    assert shade(spec, 0.5, LIGHT).startswith("rgba(0,115,90")


# --- the paper's example


def test_the_toolkits_numbers_on_the_printed_sentences_are_ours() -> None:
    """pycocoevalcap's ROUGE-L and METEOR 1.5's jar on Table 2's sentences: what the page claims of them."""
    lab = paper_lab()
    items = [lab.item(row.text) for row in lab.rows(None)]
    scores = evaluate(items, ["rouge_l", "meteor", "spice"]).scores
    assert scores["rouge_l"] == pytest.approx([1, 0.82247191, 0.68539326, 0.7787234, 0.41123596], abs=1e-8)
    assert scores["meteor"] == pytest.approx([1, 0.37328352, 0.24001138, 0.36609346, 0.34398470], abs=1e-8)
    assert scores["spice"][1:] == pytest.approx([10 / 18, 2 / 18, 10 / 20, 10 / 18])


def test_no_reference_can_give_the_published_rouge_l() -> None:
    """A candidate of 14 words scored 0.67 and, with two unmatched words more, 0.66: whatever recall may be."""
    for matched, steps in itertools.product(range(1, 15), range(1, 1_001)):
        recall = steps / 1_000
        found = [2.44 * p * recall / (recall + 1.44 * p) for p in (matched / 14, matched / 16)]
        assert [round(value, 2) for value in found] != [0.67, 0.66]


def test_smoothed_bleu_is_nearer_to_the_paper() -> None:
    rows = {row.id: row.text for row in paper_lab().rows(None)}
    texts = [rows[name] for name in perturb_paper.ROWS[1:]]
    found = perturb_paper.smoothed(texts, rows[ORIGINAL])
    assert found == pytest.approx([0.404, 0.223, 0.376, 0.253], abs=1e-3)
    ours = {"bleu_4": [0.331, 0.0, 0.306, 0.0], "wmd": [0.19, 0.10, 0.18, 0.19]}
    said = dict(perturb_paper.reasons(texts, rows[ORIGINAL], ours))
    assert list(said) == ["bleu_4"]  # what agrees to rounding needs no reason
    assert "0.40, 0.22, 0.38, 0.25" in said["bleu_4"]


def test_published_numbers_stand_only_beside_the_papers_sentences() -> None:
    lab = paper_lab()
    paper = {row.id: row.text for row in lab.rows(None)}
    assert len(perturb_paper.published(paper, paper)) == 30
    found = perturb_paper.published(paper | {"given synonyms": "something else"}, paper)
    assert len(found) == 24
    assert found[CANDIDATE, "cider"] == 2.19
    assert set(perturb_paper.REASONS) | {"bleu_4"} == set(perturb_paper.PUBLISHED)


# --- a whole data set


@pytest.fixture(scope="module")
def profile() -> Any:
    return study(samples.as_items()[:16], ["order", "distractors"], ["bleu_1", "rouge_l"], samples=200)


def test_the_tables_have_the_papers_shapes(profile: Any) -> None:
    third = perturb_results.table_3(profile, LIGHT)
    head = third[: third.index("</thead>")]
    assert head.count("<th ") == 1 + len(perturb_results.tasks(profile)) + 2
    assert third.count('scope="row"') == 2
    assert "instances" in third
    fifth = perturb_results.table_5(profile, LIGHT)
    assert fifth.index("Replace scene") < fifth.index("Replace person") < fifth.index("Overall")
    assert fifth[: fifth.index("</thead>")].count("<th ") == 3
    assert "font-weight:700" in third


def test_exports_carry_every_cell_with_its_signature(profile: Any) -> None:
    rows = list(csv.DictReader(io.StringIO(perturb_results.to_csv(profile))))
    assert len(rows) == len(profile.cells)
    assert all(row["signature"].startswith(row["metric"]) for row in rows)
    assert float(rows[0]["change"]) == profile.cells[0].change
    content = json.loads(perturb_results.to_json(profile, {"data": "x"}))
    assert set(content["signatures"]) == {"bleu_1", "rouge_l"}
    assert len(content["variants"]) == len(profile.variants)
    assert "NaN" not in json.dumps(content)


def test_the_sentence_names_kind_and_metric(profile: Any) -> None:
    assert perturb_results.sentence(profile).startswith("Reversed moves the scores most: ROUGE-L goes -")


def test_bars_stand_a_panel_a_kind_a_bar_a_metric(profile: Any) -> None:
    moves = perturb_results.moves(profile)
    drawn = figures.sensitivity(moves, LIGHT)
    kinds = {move.kind for move in moves}
    assert kinds == {KINDS[kind].label for kind in kinds_of(["order"])}
    assert len(drawn.data) == len(kinds)
    assert all(len(bar.x) == 2 and bar.error_x.visible for bar in drawn.data if any(bar.x))


def test_bars_escape_names_and_end_at_the_edge() -> None:
    moves = [figures.Move("<b>own</b>", "bleu_1", 20_000.0), figures.Move("x", "bleu_1", -0.001)]
    drawn = figures.sensitivity(moves, LIGHT)
    texts = [note.text for note in drawn.layout.annotations]
    assert "<b>&lt;b&gt;own&lt;/b&gt;</b>" in texts
    assert {"> +999%", "0%"} <= set(texts)
    assert drawn.data[0].x == (1.0,)


ROW = {"image_id": 1, "candidate": "a dog", "references": ["a dog runs"]}


def test_an_upload_is_read_and_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    items = perturb_uploads.read_upload("mine.jsonl", json.dumps(ROW).encode())
    assert items == [CaptionItem("1", "a dog", ("a dog runs",))]
    table = b"image_id,candidate,reference_1\n1,a dog,a dog runs\n"
    assert perturb_uploads.read_upload("MINE.CSV", table) == items
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.exe", b"", "a.exe: unknown kind of file"),
        ("../../etc/a.jsonl", b"{oops", "../../etc/a.jsonl: line 1: broken JSON"),
        ("a.jsonl", b"", "no rows"),
        ("a.jsonl", b'{"image_id": 1, "candidate": "x"}', "line 1: field references is missing"),
        ("a.csv", b"image_id,candidate\n1,x\n", "field references is missing"),
        ("a.jsonl", b"\xff\xfe", "not UTF-8"),
        ("a.jsonl", json.dumps(ROW | {"candidate": "x" * 2_001}).encode(), "caption 1 is too long"),
        ("a.jsonl", json.dumps(ROW | {"references": ["x"] * 201}).encode(), "at most 200"),
        ("a.jsonl", bytes(perturb_uploads.MAX_BYTES + 1), "at most 25 MB"),
    ],
)
def test_a_bad_file_is_one_line_that_names_it(name: str, data: bytes, said: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        perturb_uploads.read_upload(name, data)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "capeval-" not in str(caught.value)  # our folder is nobody's business


def test_large_files_start_with_metrics_that_need_no_model() -> None:
    assert perturb_data.first_metrics(80) == list(registry.keys())
    assert "bleu_4" in perturb_data.first_metrics(5_000)
    assert not {"meteor", "spice", "bertscore"} & set(perturb_data.first_metrics(5_000))


# --- the background


def test_a_task_reports_and_ends() -> None:
    def work(report: Progress) -> int:
        report("half", 1, 2)
        return 7

    task = Task(work).start()
    assert task.wait(10)
    assert (task.result, task.error, task.progress, task.share) == (7, "", ("half", 1, 2), 0.5)


def test_a_task_is_cancelled_even_inside_a_metric() -> None:
    started, go_on = threading.Event(), threading.Event()

    def work(report: Progress) -> str:
        try:
            started.set()
            go_on.wait(10)
            report("more", 0, 0)
        except Exception:
            return "swallowed"  # as evaluate() does with a metric's own faults
        return "done"

    task = Task(work).start()
    started.wait(10)
    task.cancel()
    go_on.set()
    assert task.wait(10)
    assert (task.result, task.error) == (None, "cancelled")


def test_a_failed_task_says_why() -> None:
    def work(report: Progress) -> None:
        raise InvalidInput("wrong", expected="right")

    task = Task(work).start()
    assert task.wait(10)
    assert task.error == "wrong; expected right"


# --- the page


def opened(lab: Lab | None = None) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=120)
    app.session_state["lab"] = lab or paper_lab()
    app.switch_page("pages/perturb.py")
    return filled(app)


def filled(app: AppTest) -> AppTest:
    """Run, fill the grid as its task does, run again: what the browser's polls do."""
    app.run()
    assert not app.exception
    if app.session_state["lab"].caption:
        bench().fill(app.session_state["lab"], silent)
    app.run()
    assert not app.exception
    return app


def grid(app: AppTest) -> Any:
    return next(data for one in app.get("bidi_component") if "missing" in (data := json.loads(one.proto.json)))


def html(app: AppTest) -> str:
    return " ".join(str(one.proto.body) for one in app.get("html"))


def test_the_papers_example_has_published_numbers_and_reasons() -> None:
    app = opened()
    data = grid(app)
    assert [row["label"] for row in data["rows"]] == ["original", "candidate", "synonyms", "redundancy", "word order"]
    assert data["rows"][2]["cells"][0]["paper"] == "0.20"
    assert "The paper smooths BLEU" in html(app)
    assert "word order lowers BLEU-4, ROUGE-L and CIDEr notably" in html(app)
    assert len(app.get("plotly_chart")) >= 2  # both evidences
    app.session_state["lab"].caption = "a dog"
    app = filled(app)
    assert "paper" not in grid(app)["rows"][1]["cells"][0]
    assert "The paper smooths BLEU" not in html(app)


def test_kinds_strength_seed_and_metrics_change_the_grid() -> None:
    app = opened()
    app.selectbox(key="lab source").set_value("canoe")
    app = filled(app)
    first = grid(app)
    assert {row["id"] for row in first["rows"]} >= {ORIGINAL, CANDIDATE, "synonyms", "extra_phrase", "reversed"}
    assert any("cannot" not in one["reason"] and one["reason"] for one in first["missing"])
    app.segmented_control(key="lab strength").set_value(1)
    app = filled(app)
    assert app.session_state["lab"].strength == 1
    assert [row["text"] for row in grid(app)["rows"]] != [row["text"] for row in first["rows"]]
    app.pills(key="lab families").set_value(["distractors"])
    app = filled(app)
    assert {row["id"] for row in grid(app)["rows"]} - {ORIGINAL, CANDIDATE} <= set(kinds_of(["distractors"]))
    app.pills(key="lab metrics n-gram").set_value(["rouge_l"])
    app = filled(app)
    assert [column["key"] for column in grid(app)["columns"]] == ["rouge_l"]


@pytest.mark.parametrize("caption", HOSTILE, ids=["html", "markdown", "rtl", "long", "dot"])
def test_hostile_captions_leave_the_page_whole(caption: str) -> None:
    lab = paper_lab(["bleu_1", "rouge_l"])
    lab.caption, lab.references = caption, [caption, "a dog"]
    lab.own = {f"own {place}": text for place, text in enumerate(HOSTILE)}
    lab.kinds = list(KINDS)
    app = opened(lab)
    assert len(grid(app)["rows"]) >= 2 + len(HOSTILE)
    if len(caption) > 1_000:
        assert {one["reason"] for one in grid(app)["missing"]} == {"the caption has more than 100 words"}
    assert "<img src=x" not in html(app)
    assert "![](" not in " ".join(one.value for one in [*app.markdown, *app.caption])
    app.segmented_control(key="lab view").set_value("Bars").run()
    assert not app.exception


def test_without_references_or_metrics_or_caption_it_says_so() -> None:
    lab = paper_lab(["rouge_l"])
    lab.references, lab.given = [], {}
    app = opened(lab)
    assert grid(app)["rows"][0]["id"] == CANDIDATE
    assert grid(app)["rows"][0]["cells"][0]["state"] == "nan"
    lab.metrics = []
    assert any("No metric" in box.value for box in app.run().info)
    lab.metrics, lab.caption = ["rouge_l"], ""
    assert any("No caption" in box.value for box in app.run().info)


def test_rows_open_in_inspect() -> None:
    app = opened()
    lab = app.session_state["lab"]
    lab.open_row, lab.open_key = "given word order", "cider"
    app.button(key="lab to inspect").click().run()
    assert not app.exception
    ws = app.session_state["ws"]
    assert [one.system for one in ws.candidates] == ["candidate", "synonyms", "redundancy", "word order"]
    assert ws.references == list(lab.references)
    chosen = ws.find(ws.chosen)
    assert (chosen.system, ws.metric, ws.metrics) == ("word order", "cider", CHEAP)


def test_a_data_set_is_measured_in_the_background() -> None:
    app = opened()
    app.segmented_control(key="perturb_view").set_value("A whole data set").run()
    held = app.session_state["lab data"]
    assert len(held["items"]) == len(samples.as_items())
    held["metrics"], held["count"] = ["bleu_1", "rouge_l"], 8
    app.pills(key="lab data families").set_value(["order", "distractors"]).run()
    app.number_input[0].set_value(8).run()
    app.button(key="lab measure").click().run()
    assert not app.exception
    assert app.session_state["lab study task"].wait(60)
    app.run()
    assert not app.exception
    assert "moves the scores most" in html(app)
    assert app.get("plotly_chart")
    result = next(one for one in app.segmented_control if "Distractors" in one.options)
    result.set_value("Distractors").run()
    assert "Replace person" in html(app)


def test_a_bad_file_is_explained_and_the_data_stays() -> None:
    app = opened()
    app.segmented_control(key="perturb_view").set_value("A whole data set").run()
    app.file_uploader[0].set_value(("<b>.jsonl", b"{oops", "application/json")).run()
    assert not app.exception
    assert any("<b>.jsonl: line 1: broken JSON" in one.value for one in app.text)
    assert app.session_state["lab data"]["name"] == perturb_data.SAMPLES
    app.file_uploader[0].set_value(("<b>.jsonl", json.dumps(ROW).encode(), "application/json")).run()
    assert "&lt;b&gt;.jsonl" in html(app)
