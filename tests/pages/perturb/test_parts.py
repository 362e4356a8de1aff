"""The grid of the Perturb page, part by part: rows, scoring, the paper's numbers, work in the background."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Sequence

import pytest

from capeval_core import evaluate, registry
from capeval_core.figures.palette import LIGHT
from capeval_core.perturb import KINDS, Variants
from pages.perturb import paper, sources, variants
from pages.perturb.grid import counts, grid_data, relative, shade
from pages.perturb.lab import CANDIDATE, MOST_OWN, ORIGINAL, Lab, apply, kinds_of
from pages.work.cells import Cells, cells
from pages.work.jobs import jobs
from pages.work.workspace import Workspace
from tests.pages.cases import ME, SOON, Counting, store

CHEAP = ["bleu_4", "rouge_l", "cider"]


def paper_lab(metrics: Sequence[str] = CHEAP) -> Lab:
    lab = Lab(metrics=list(metrics))
    sources.open_source(lab, sources.find(sources.PAPER, Workspace()))
    return lab


def made(lab: Lab) -> Variants:
    """The changed captions, waited for."""
    if variants.find(lab.request()) is None:
        jobs().want(ME, [variants.job(lab.request())])
        assert jobs().finish(ME, SOON)
    outcome = variants.find(lab.request())
    assert outcome is not None
    assert not outcome.error
    found: Variants = outcome.result
    return found


def score(lab: Lab, store: Cells) -> None:
    items = [lab.item(row.text) for row in lab.rows(made(lab))]
    store.want(ME, items, lab.metrics)
    assert store.wait(items, lab.metrics, {}, SOON) == []


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
    apply(lab, [{"n": 1, "op": "edit", "id": "reversed", "texts": ["lake a on"]}])
    row = next(row for row in lab.rows(made(lab)) if row.id == "reversed")
    assert (row.text, row.note) == ("lake a on", "edited by you")
    lab.kinds = ["reversed", "typo"]
    assert any(row.text == "lake a on" for row in lab.rows(made(lab)))
    lab.seed = 1
    assert not any(row.text == "lake a on" for row in lab.rows(made(lab)))


def test_what_inspect_has_scored_the_grid_does_not_score_again() -> None:
    counting = Counting()
    own = store(counting)
    lab = paper_lab()
    lab.kinds = kinds_of(["order", "faults"])
    score(lab, own)
    assert len({caption for captions, _ in counting.calls for caption in captions}) >= 12
    counting.calls.clear()
    own.want(ME, [lab.item(lab.caption)], lab.metrics)  # Inspect shows the same candidate
    assert own.wait([lab.item(lab.caption)], lab.metrics, {}, SOON) == []
    assert counting.calls == []
    apply(lab, [{"n": 1, "op": "add", "texts": ["a man on a lake"]}])
    score(lab, own)
    score(lab, own)
    assert counting.calls == [(["a man on a lake"], tuple(CHEAP))]  # one row, all metrics, one call


def test_twelve_rows_by_all_metrics_take_under_two_seconds_when_warm() -> None:
    """Processor time: the other tests run beside this one."""
    lab = Lab()
    sources.open_source(lab, sources.find("canoe", Workspace()))
    lab.kinds = kinds_of(["synonyms", "order", "faults"])
    score(lab, store())
    lab.kinds = [variant.kind for variant in made(lab)][:10]
    rows = lab.rows(made(lab))
    assert len(rows) == 12
    before = time.process_time()
    score(lab, store())
    assert time.process_time() - before < 2


def test_the_grid_says_score_and_change_and_why_a_kind_is_missing() -> None:
    lab = paper_lab()
    lab.kinds = ["wrong_colour", "reversed"]
    score(lab, cells())
    data = grid_data(lab, made(lab), {}, LIGHT, {})
    assert not data["pending"]
    assert [column["key"] for column in data["columns"]] == CHEAP
    assert "Longest sequence" in data["columns"][1]["tip"]
    assert data["missing"] == [{"label": "Wrong colour", "reason": "the caption names no colour of a thing"}]
    rows = {row["id"]: row for row in data["rows"]}
    assert [cell["t"] for cell in rows[ORIGINAL]["cells"]] == ["1.000", "1.000", "10.0"]  # the ceiling
    assert not any("c" in cell for name in (ORIGINAL, CANDIDATE) for cell in rows[name]["cells"])
    scores = evaluate([lab.item(lab.caption), lab.item(rows["reversed"]["text"])], ["rouge_l"]).scores["rouge_l"]
    cell = rows["reversed"]["cells"][1]
    assert (cell["t"], cell["c"]) == (f"{scores[1]:.3f}", f"{scores[1] - scores[0]:+.3f}")
    assert cell["shade"].startswith("rgba(181,67,47")  # a loss


def test_before_it_is_scored_the_grid_waits() -> None:
    lab = paper_lab(["bleu_1"])
    lab.caption, lab.kinds, lab.given = "nobody has ever scored this", ["typo"], {}
    data = grid_data(lab, None, {}, LIGHT, {})
    assert data["pending"]
    assert data["missing"] == [{"label": KINDS["typo"].label, "reason": "…"}]
    assert {cell["state"] for row in data["rows"][1:] for cell in row["cells"]} == {"wait"}


@pytest.mark.parametrize(
    ("before", "after", "ceiling", "share"),
    [(0.5, 0.25, 1, -0.5), (0.0, 0.5, 1, 5.0), (0.0, 0.0, math.nan, 0.0), (0.0, 0.2, math.nan, 1.0), (-1, -2, 2, -1.0)],
)
def test_relative_change(before: float, after: float, ceiling: float, share: float) -> None:
    assert relative(before, after, ceiling) == pytest.approx(share)


@pytest.mark.parametrize(
    ("before", "after", "moved"),
    [
        (0.5, 0.25, True),
        (0.0, 0.2, True),
        (0.3, 0.3, False),
        (0.0, 0.0, False),
        (0.0003, 0.0, False),
        (0.02, 0.018, True),
    ],
)
def test_ties_and_zeros_are_neither_gain_nor_loss(before: float, after: float, moved: bool) -> None:
    assert counts(before, after) == moved


def test_shades_deepen_with_the_change_and_vanish_without() -> None:
    spec = registry.get("bleu_4")
    assert shade(spec, 0.0, LIGHT) == ""
    depth = [float(shade(spec, share, LIGHT).rpartition(",")[2][:-1]) for share in (-0.1, -0.5, -1.0, -7.0)]
    assert depth == sorted(depth)
    assert depth[2] == depth[3] == 0.5
    assert shade(spec, 0.5, LIGHT).startswith("rgba(0,115,90")


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
    texts = [rows[name] for name in paper.ROWS[1:]]
    found = paper.smoothed(texts, rows[ORIGINAL])
    assert found == pytest.approx([0.404, 0.223, 0.376, 0.253], abs=1e-3)
    ours = {"bleu_4": [0.331, 0.0, 0.306, 0.0], "wmd": [0.19, 0.10, 0.18, 0.19]}
    said = dict(paper.reasons(texts, rows[ORIGINAL], ours))
    assert list(said) == ["bleu_4"]  # what agrees to rounding needs no reason
    assert "0.40, 0.22, 0.38, 0.25" in said["bleu_4"]


def test_published_numbers_stand_only_beside_the_papers_sentences() -> None:
    lab = paper_lab()
    texts = {row.id: row.text for row in lab.rows(None)}
    assert len(paper.published(texts, texts)) == 30
    found = paper.published(texts | {"given synonyms": "something else"}, texts)
    assert len(found) == 24
    assert found[CANDIDATE, "cider"] == 2.19
    assert set(paper.REASONS) | {"bleu_4"} == set(paper.PUBLISHED)
