"""evaluate() and explain(): the contract of DESIGN.md."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from capeval_core import CaptionItem, InvalidInput, MetricFailed, MissingResource, evaluate, explain, registry
from capeval_core.metrics.rouge_l import RougeL
from capeval_core.resources import files
from capeval_core.types import MetricResult

ITEMS = [
    CaptionItem("1", "a dog runs", ("the dog is running", "a dog")),
    CaptionItem("2", "a cat", ()),
    CaptionItem("1", "two dogs", ("the dog is running", "a dog")),
]
NGRAM = ["bleu_4", "rouge_l", "cider"]


def test_table_keeps_rows_in_order_with_a_column_a_metric() -> None:
    table = evaluate(ITEMS, NGRAM).table
    assert list(table.columns) == ["image_id", "system", "candidate", *NGRAM]
    assert table["candidate"].tolist() == ["a dog runs", "a cat", "two dogs"]


def test_no_references_is_undefined_with_a_reason_never_zero() -> None:
    evaluation = evaluate(ITEMS, NGRAM)
    for key in NGRAM:
        assert np.isnan(evaluation.scores[key]).tolist() == [False, True, False]
        assert "has none" in evaluation.notes[key][1]
    with_references = [ITEMS[0], ITEMS[2]]
    assert evaluation.corpus == pytest.approx(evaluate(with_references, NGRAM).corpus)


@pytest.mark.parametrize("key", ["bertscore", "wmd", "wembsim", "spice", "spider", "mima", "spurts", "smurf"])
def test_words_that_a_resource_does_not_know_are_said_beside_the_score(key: str) -> None:
    """In another language a score says little, however high it is."""
    foreign = CaptionItem("3", "一只狗在海滩上奔跑", ("一只狗在沙滩上跑",))
    evaluation = evaluate([ITEMS[0], foreign], [key])
    assert "unknown to" not in evaluation.notes[key].get(0, "")
    assert "of the candidate" in evaluation.notes[key][1]
    assert "unknown to" in evaluation.notes[key][1]
    assert "1 of 2 items have many words that " in evaluation.remarks[key]
    assert "unknown to" in explain(foreign, key).note
    assert "unknown to" not in explain(ITEMS[0], key).note


def test_metrics_that_only_compare_words_know_them_all() -> None:
    foreign = CaptionItem("3", "一只狗在海滩上奔跑", ("一只狗在沙滩上跑",))
    assert not evaluate([foreign], NGRAM).remarks


def test_nothing_to_score_is_undefined() -> None:
    for items in ([], [ITEMS[1]]):
        evaluation = evaluate(items, NGRAM)
        assert all(np.isnan(value) for value in evaluation.corpus.values())
        assert not evaluation.skipped


def test_corpus_is_resummed_from_rows() -> None:
    evaluation = evaluate(ITEMS, ["bleu_1", *NGRAM], options={"cider": {"idf": "coco"}})
    again = evaluate([ITEMS[2], ITEMS[2], ITEMS[0]], ["bleu_1", *NGRAM], options={"cider": {"idf": "coco"}})
    assert evaluation.corpus_of([2, 2, 0]) == pytest.approx(again.corpus)


def test_a_metric_that_breaks_costs_nobody_else_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: RougeL, items: Sequence[CaptionItem]) -> MetricResult:
        raise ZeroDivisionError("boom")

    monkeypatch.setattr(RougeL, "score", broken)
    evaluation = evaluate(ITEMS, NGRAM)
    assert isinstance(evaluation.skipped["rouge_l"], MetricFailed)
    assert "boom" in str(evaluation.skipped["rouge_l"])
    assert list(evaluation.scores) == ["bleu_4", "cider"]


def test_a_missing_resource_is_skipped_with_its_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPEVAL_COCO_VAL_DF", "/nowhere")
    files.locate.cache_clear()
    try:
        evaluation = evaluate(ITEMS, NGRAM)
    finally:
        monkeypatch.undo()
        files.locate.cache_clear()
    assert isinstance(evaluation.skipped["cider"], MissingResource)
    assert "/nowhere is missing" in str(evaluation.skipped["cider"])
    assert list(evaluation.scores) == ["bleu_4", "rouge_l"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"blue": {}}, "unknown metric 'blue'"),
        ({"bleu": {"smooth": "x"}}, "no option 'smooth'"),
        ({"bleu": {"smoothing": "x"}}, "BLEU's smoothing; expected none or lin-och; found 'x'"),
        ({"bleu": {"smoothing": 3}}, "BLEU's smoothing; expected none or lin-och; found 3"),
        ({"bleu": "lin-och"}, "BLEU's options; expected a mapping or its Options; found str"),
        ({"rouge_l": {"beta": -1}}, "ROUGE-L's beta; expected a number from 0.01 to 100; found -1"),
        ({"cider": {"sigma": 0}}, "CIDEr's sigma; expected a number from 0.01 to 1000; found 0"),
        ({"cider": {"variant": "e"}}, "CIDEr's variant; expected cider-d or cider; found 'e'"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        evaluate(ITEMS, NGRAM, options=options)


@pytest.mark.parametrize(
    "item",
    [
        "a dog",
        CaptionItem("1", None, ("a",)),  # type: ignore[arg-type]
        CaptionItem(1, "a", ("a",)),  # type: ignore[arg-type]
        CaptionItem("1", "a", ["a"]),  # type: ignore[arg-type]
        CaptionItem("1", "a", (None,)),  # type: ignore[arg-type]
    ],
)
def test_items_of_the_wrong_type_are_refused(item: Any) -> None:
    with pytest.raises(InvalidInput):
        evaluate([item], NGRAM)


def test_unknown_metric_is_refused_by_name() -> None:
    with pytest.raises(InvalidInput, match="unknown metric 'blue_4'"):
        evaluate(ITEMS, ["blue_4"])
    with pytest.raises(InvalidInput, match="unknown metric"):
        explain(ITEMS[0], "blue_4")


def test_explaining_without_references_says_what_is_missing() -> None:
    with pytest.raises(InvalidInput, match="at least one reference"):
        explain(ITEMS[1], "rouge_l")


def test_signature_tells_options_tokenizer_resources_and_version() -> None:
    signatures = evaluate(ITEMS, ["bleu_2", "meteor"], options={"bleu": {"smoothing": "lin-och"}}).signatures
    assert signatures["bleu_2"].startswith("bleu_2|smoothing:lin-och|tok:coco-ptb|v:")
    assert "|res:meteor-jar+meteor-paraphrases|" in signatures["meteor"]
    assert explain(ITEMS[0], "bleu_2", options={"bleu": {"smoothing": "lin-och"}}).signature == signatures["bleu_2"]


def test_signature_names_a_resource_of_ones_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own = tmp_path / "my.jar"
    own.write_bytes(files.locate("meteor-jar").read_bytes())
    monkeypatch.setenv("CAPEVAL_METEOR_JAR", str(own))
    assert "|res:meteor-jar(my.jar)+meteor-paraphrases|" in evaluate(ITEMS, ["meteor"]).signatures["meteor"]


def test_progress_is_reported_in_order() -> None:
    seen: list[tuple[str, int, int]] = []
    evaluate(ITEMS, NGRAM, on_progress=lambda *step: seen.append(step))
    assert {stage for stage, _, _ in seen} == {"ROUGE-L"}
    assert [done for _, done, _ in seen] == [0, 1]


def test_metrics_are_scored_in_the_order_asked_for_and_once() -> None:
    assert list(evaluate(ITEMS, ["rouge_l", "bleu_4", "rouge_l"]).scores) == ["rouge_l", "bleu_4"]
    assert list(evaluate(ITEMS).scores) == list(registry.keys())
