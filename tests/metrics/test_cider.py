"""CIDEr's idf sources, its plain variant and its evidence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from capeval_core import CaptionItem, InvalidInput, evaluate, explain
from capeval_core.metrics.cider import CiderExplanation
from capeval_core.resources import idf

ITEMS = [
    CaptionItem("1", "a dog runs on the grass", ("a brown dog runs on grass", "the dog is running")),
    CaptionItem("2", "a man rides a red bike", ("a man riding a bicycle", "the man is on a red bike")),
    CaptionItem("3", "two cats", ("two cats sleep on a sofa", "a pair of cats sleeping")),
]


def signature(items: list[CaptionItem], **options: str) -> str:
    return evaluate(items, ["cider"], options={"cider": options}).signatures["cider"]


def test_one_image_alone_is_not_zero_by_default() -> None:
    evaluation = evaluate(ITEMS[:1], ["cider"])
    assert evaluation.scores["cider"][0] > 1
    assert "idf:coco-val2014(40504 images" in evaluation.signatures["cider"]


def test_one_image_with_corpus_idf_is_zero_and_says_why() -> None:
    found = explain(ITEMS[0], "cider", options={"cider": {"idf": "corpus"}})
    assert found.value == 0.0
    assert "no idf" in found.note


def test_fifty_images_are_their_own_corpus() -> None:
    many = [CaptionItem(str(n), f"a dog number{n}", (f"the dog number{n}",)) for n in range(50)]
    assert "idf:corpus(50 images" in signature(many)
    assert "idf:coco-val2014" in signature(many[:49])
    # Two captioners of 25 images each are not 50 images.
    assert "idf:coco-val2014" in signature([replace(item, system=str(n % 2)) for n, item in enumerate(many)])


def test_each_system_has_its_own_corpus_and_repeated_images_count_once() -> None:
    alone = evaluate(ITEMS, ["cider"], options={"cider": {"idf": "corpus"}})
    named = [replace(item, system="a") for item in ITEMS]
    others = [replace(item, system="b") for item in ITEMS[:2]]
    again = replace(ITEMS[0], candidate="a dog", system="a")
    together = evaluate([*named, *others, again], ["cider"], options={"cider": {"idf": "corpus"}})
    np.testing.assert_allclose(together.scores["cider"][:3], alone.scores["cider"], atol=1e-12)
    assert not np.allclose(together.scores["cider"][3:5], alone.scores["cider"][:2])


def test_signature_names_the_content_not_the_order() -> None:
    assert signature(ITEMS, idf="corpus") == signature(ITEMS[::-1], idf="corpus")
    assert signature(ITEMS, idf="corpus") != signature(ITEMS[:2], idf="corpus")


def test_explanation_under_the_batch_context_equals_the_segment() -> None:
    options = {"cider": {"idf": "corpus"}}
    evaluation = evaluate(ITEMS, ["cider"], options=options)
    for item, value in zip(ITEMS, evaluation.scores["cider"], strict=True):
        found = explain(item, "cider", options=options, context=evaluation.context)
        assert isinstance(found, CiderExplanation)
        assert found.value == pytest.approx(value, abs=1e-12)
        assert found.signature == evaluation.signatures["cider"]
        total = sum(gram.contribution for reference in found.references for gram in reference.ngrams)
        assert total == pytest.approx(value, abs=1e-12)
        assert found.value == pytest.approx(10 * np.mean(found.similarities), abs=1e-12)


def test_a_foreign_context_is_refused() -> None:
    context = evaluate(ITEMS, ["cider"], options={"cider": {"idf": "corpus"}}).context
    with pytest.raises(InvalidInput, match="no idf table for system 'other'"):
        explain(replace(ITEMS[0], system="other"), "cider", context=context)


def test_evidence_shows_both_sides() -> None:
    found = explain(ITEMS[0], "cider")
    assert isinstance(found, CiderExplanation)
    by_words = {gram.words: gram for gram in found.references[0].ngrams}
    dog, brown, the = by_words["dog",], by_words["brown",], by_words["the",]
    assert (dog.candidate_count, dog.reference_count) == (1, 1)
    assert dog.candidate_weight == pytest.approx(dog.idf)
    assert (brown.candidate_count, brown.reference_count, brown.contribution) == (0, 1, 0.0)
    assert (the.candidate_count, the.reference_count) == (1, 0)
    assert found.references[0].ngrams[0].contribution == max(gram.contribution for gram in by_words.values())


def test_plain_variant_is_an_unclipped_cosine_without_length_penalty() -> None:
    item = CaptionItem("1", "cat cat cat", ("cat",))
    plain, clipped = (
        evaluate([item], ["cider"], options={"cider": {"variant": name}}).scores["cider"][0]
        for name in ("cider", "cider-d")
    )
    assert plain == pytest.approx(10 / 4)  # unigram cosine 1, no bigrams on the reference's side
    assert clipped == pytest.approx(10 / 4 / 3 * np.exp(-(2**2) / (2 * 6.0**2)))


def test_a_table_of_ones_own(tmp_path: Path) -> None:
    table = idf.count([["a dog", "a cat"], ["a cow"]], "mine")
    idf.save(table, tmp_path / "mine.npz")
    assert "idf:mine.npz(2 images" in signature(ITEMS, idf=str(tmp_path / "mine.npz"))
    (tmp_path / "broken.npz").write_bytes(b"PK\x03\x04 nothing")
    for name in ("absent.npz", "broken.npz"):
        with pytest.raises(InvalidInput):
            evaluate(ITEMS, ["cider"], options={"cider": {"idf": str(tmp_path / name)}})
