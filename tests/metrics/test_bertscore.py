"""BERTScore against the bert-score package, its evidence, its idf, and its odd cases."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from capeval_core import CaptionItem, InvalidInput, evaluate, service
from capeval_core.metrics.bertscore import (
    MEASURES,
    BertScore,
    BertScoreExplanation,
    Options,
    harmonic_mean,
    unit,
)
from capeval_core.resources import files
from capeval_core.shared import Shared
from capeval_core.types import Array, MetricResult
from tests.cases import golden, karpathy, needs_shared

GOLDEN = golden("bertscore")
ITEMS = [CaptionItem("1", case["candidate"], tuple(case["references"])) for case in GOLDEN["cases"]]
ITEM = CaptionItem("1", "A dog runs on the beach", ("The puppy is running by the sea", "a dog on sand", "two men"))


def score(items: list[CaptionItem], shared: Shared | None = None, **options: Any) -> MetricResult:
    """Vectors of an earlier call are used again where `shared` is handed over."""
    chosen, shared = Options(**options), shared or Shared()
    shared.context["bertscore"] = BertScore.resolve(chosen, items, shared)
    return BertScore(chosen, shared).score(items)


def value(candidate: str, *references: str, **options: Any) -> float:
    return float(score([CaptionItem("1", candidate, references)], **options).segments["bertscore"][0])


def explain(item: CaptionItem, context: Any = None, **options: Any) -> BertScoreExplanation:
    found = service.explain(item, "bertscore", options={"bertscore": options}, context=context)
    assert isinstance(found, BertScoreExplanation)
    return found


@pytest.fixture(scope="module")
def shared() -> Shared:
    return Shared()


@pytest.mark.parametrize("run", GOLDEN["runs"], ids=lambda run: f"layer {run['layer']}, idf {run['idf']}")
def test_golden(run: Any, shared: Shared) -> None:
    for measure in MEASURES:
        found = score(ITEMS, shared, layer=run["layer"], idf=run["idf"], measure=measure)
        assert_allclose(found.segments["bertscore"], run[measure], atol=1e-5, rtol=0)


@needs_shared
def test_parity_with_the_package() -> None:
    package: Any = pytest.importorskip("bert_score")
    # A long one in every batch of 64 pairs, that the package pads all the others: see the module's docstring.
    long = CaptionItem("long", "dog " * 40, ("dog " * 40,) * 4)
    four = [item for item in karpathy()[0] if len(item.references) == 4]
    items = [item for start in range(0, 510, 15) for item in (*four[start : start + 15], long)]
    folder = str(files.locate("minilm-config").parent)
    theirs: list[Array] = [
        values.numpy()
        for values in package.score(
            [item.candidate for item in items],
            [list(item.references) for item in items],
            model_type=folder,
            num_layers=6,
            idf=True,
            nthreads=0,
            batch_size=64,
            device="cpu",
        )
    ]
    shared = Shared()
    for measure, expected in zip(MEASURES, theirs, strict=True):
        found = score(items, shared, model=folder, idf="references", measure=measure)
        assert_allclose(found.segments["bertscore"], expected, atol=1e-5, rtol=0)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("idf", ["none", "references"])
def test_evidence_adds_up(measure: str, idf: str) -> None:
    evaluation = evaluate([ITEM], ["bertscore"], options={"bertscore": {"measure": measure, "idf": idf}})
    found = explain(ITEM, evaluation.context, measure=measure, idf=idf)
    assert found.value == evaluation.scores["bertscore"][0] == getattr(found, measure)
    assert found.signature == evaluation.signatures["bertscore"]
    assert found.tokens == ("[CLS]", "a", "dog", "runs", "on", "the", "beach", "[SEP]")
    assert found.weights[0] == found.weights[-1] == found.idf[0] == 0.0
    for reference in found.references:
        similarity = np.array(reference.similarity)
        assert similarity.shape == (len(found.tokens), len(reference.tokens))
        assert sum(reference.weights) == pytest.approx(1.0)
        assert_allclose(np.array(reference.idf) / sum(reference.idf), reference.weights)
        rows, columns = np.arange(len(found.tokens)), np.arange(len(reference.tokens))
        ours = similarity[rows, reference.candidate_matches]
        theirs = similarity[reference.reference_matches, columns]
        assert (ours == similarity.max(axis=1)).all()
        assert (theirs == similarity.max(axis=0)).all()
        assert reference.precision == pytest.approx(ours.clip(min=0) @ np.array(found.weights))
        assert reference.recall == pytest.approx(theirs.clip(min=0) @ np.array(reference.weights))
        total = reference.precision + reference.recall
        assert reference.f1 * total == pytest.approx(2 * reference.precision * reference.recall)
    assert getattr(found.references[found.best], measure) == found.value
    assert found.precision == max(reference.precision for reference in found.references)
    assert found.recall == max(reference.recall for reference in found.references)


def test_identical_text_is_one_and_the_best_reference_counts() -> None:
    assert value(ITEM.candidate, ITEM.candidate) == pytest.approx(1.0, abs=1e-9)
    assert explain(ITEM).best == 0 or value(ITEM.candidate, *ITEM.references) == explain(ITEM).value
    alone = [value(ITEM.candidate, reference) for reference in ITEM.references]
    assert value(ITEM.candidate, *ITEM.references) == pytest.approx(max(alone), abs=1e-6)
    assert explain(ITEM).best == int(np.argmax(alone))


def test_idf_of_references_counts_texts() -> None:
    shared = Shared()
    found = BertScore.resolve(Options(idf="references"), [ITEM, ITEM], shared)
    assert found.weights.of(["[CLS]", "dog", "a", "zebra"]) == [0.0, math.log(7 / 3), math.log(7 / 3), math.log(7)]
    assert found.signature()["idf"].startswith("references(6)(")
    other = BertScore.resolve(Options(idf="references"), [ITEM], shared)
    assert other.signature() != found.signature()


def test_idf_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"dog": 3, "[CLS]": 9, "": 0.5}), encoding="utf-8")
    found = explain(ITEM, idf=str(path))
    assert found.idf == (0.0, 0.5, 3.0, 0.5, 0.5, 0.5, 0.5, 0.0)
    assert found.idf_source == "weights.json"
    assert "idf:weights.json(2 tokens," in found.signature
    path.write_text(json.dumps({"dog": 3, "a": 1}), encoding="utf-8")
    assert explain(ITEM, idf=str(path)).idf == (0.0, 1.0, 3.0, 3.0, 3.0, 3.0, 3.0, 0.0)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"a": -1}', '{"a": NaN}', '{"a": "1"}', '{"a": true}', "{"])
def test_a_wrong_file_of_weights(text: str, tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"weights\.json"):
        score([ITEM], idf=str(path))


@pytest.mark.parametrize(
    ("candidate", "references", "note"),
    [
        ("", ("a dog",), "The candidate has no tokens: 0."),
        (" \t ", ("a dog", ""), "The candidate has no tokens: 0."),
        ("\x00", ("",), "The candidate has no tokens: 0."),
        ("a dog", ("", " "), "No reference has tokens: 0."),
    ],
)
def test_nothing_to_compare_is_zero_and_says_why(candidate: str, references: tuple[str, ...], note: str) -> None:
    item = CaptionItem("1", candidate, references)
    for measure in MEASURES:
        result = score([item], measure=measure)
        assert result.segments["bertscore"].tolist() == [0.0]
        assert result.notes == {0: note}
        assert explain(item, measure=measure).note == note


def test_an_empty_reference_counts_zero() -> None:
    result = score([CaptionItem("1", "a dog", ("", "a cat"))])
    assert result.segments["bertscore"][0] == pytest.approx(value("a dog", "a cat"), abs=1e-6)
    assert result.notes == {0: "1 of 2 references have no tokens and count 0."}


def test_tokens_without_weight() -> None:
    item = CaptionItem("1", "a dog", ("a dog",))  # one text: what it has, every text has
    result = score([item], idf="references")
    assert result.segments["bertscore"].tolist() == [0.0]
    assert "Every token of the candidate has idf 0" in result.notes[0]
    assert "Every token of 1 of 1 references has idf 0" in result.notes[0]


def test_long_text_is_cut_and_says_so() -> None:
    item = CaptionItem("1", "dog " * 600, ("dog " * 700, "a dog"))
    found = explain(item)
    assert (len(found.tokens), found.cut) == (512, True)
    assert [reference.cut for reference in found.references] == [True, False]
    assert "Only the candidate's first 512 tokens" in found.note
    assert "first 512 tokens of 1 of 2 references" in found.note


def test_each_caption_of_a_part_passes_once(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = Shared().transformer("minilm").encoder
    passed: list[int] = []
    steps = encoder.steps

    def counted(ids: Any, *rest: Any, **more: Any) -> Any:
        passed.append(len(ids))
        return steps(ids, *rest, **more)

    monkeypatch.setattr(encoder, "steps", counted)
    score([ITEM, ITEM])
    assert sum(passed) == len({ITEM.candidate, *ITEM.references})


def test_a_token_with_no_similar_one_counts_zero() -> None:
    found = explain(CaptionItem("1", "A giraffe bends over a wooden fence", ("Commuters check their phones",)))
    best = np.array(found.references[0].similarity).max(axis=1)
    assert best.min() < 0
    assert found.precision == pytest.approx(np.maximum(best, 0) @ np.array(found.weights))


def test_zeros() -> None:
    assert_allclose(harmonic_mean(np.array([0.5, 0.5, 0.0]), np.array([0.25, 0.0, 0.0])), [1 / 3, 0, 0])
    assert unit(np.zeros((1, 3), dtype=np.float32)).tolist() == [[0.0, 0.0, 0.0]]


def test_signature_names_model_layer_and_idf() -> None:
    found = explain(ITEM).signature
    assert found.startswith("bertscore|model:minilm|layer:6|idf:none|measure:f1|tok:model|res:minilm|")


def test_wrong_options() -> None:
    with pytest.raises(InvalidInput, match="f1, precision or recall"):
        Options(measure="f2")
    with pytest.raises(InvalidInput, match="layer; expected a whole number, 0 or more; found -1"):
        Options(layer=-1)
    with pytest.raises(InvalidInput, match="minilm has no layer 7"):
        score([ITEM], layer=7)
    skipped = evaluate([ITEM], ["bertscore"], options={"bertscore": {"model": "no-such-model"}}).skipped
    assert "no-such-model" in str(skipped["bertscore"])
