"""WMD against gensim, its evidence, its odd cases, and its agreement with Flickr8k's experts."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from capeval_core import CaptionItem, InvalidInput, evaluate
from capeval_core.metrics import wmd, word_bags
from capeval_core.metrics.wmd import Options, Wmd, WmdExplanation
from capeval_core.metrics.word_bags import Bag
from capeval_core.shared import Shared
from capeval_core.text.stopwords import stopwords
from tests.cases import SHARED, golden, needs_shared

ITEM = CaptionItem(
    "1",
    "A man plays the guitar on a stage",
    ("A musician performs for a crowd", "the man with a zzqxv guitar", "guitar"),
)


def metric(**options: str) -> Wmd:
    return Wmd(Options(**options), Shared())


def value(candidate: str, *references: str, **options: str) -> float:
    return float(metric(**options).score([CaptionItem("1", candidate, references)]).segments["wmd"][0])


def explain(item: CaptionItem, **options: str) -> WmdExplanation:
    return metric(**options).explain(item, "wmd")


@pytest.mark.parametrize("case", golden("wmd")["cases"], ids=lambda case: case["candidate"])
def test_golden(case: Any) -> None:
    item = CaptionItem("1", case["candidate"], tuple(case["references"]))
    found = [reference.distance for reference in explain(item).references]
    assert_allclose(np.array(found, dtype=float), case["distances"], atol=1e-9, rtol=0)
    assert value(item.candidate, *item.references) == pytest.approx(math.exp(-min(case["distances"])), abs=1e-9)
    mean = float(np.mean(np.exp(-np.array(case["distances"]))))
    assert value(item.candidate, *item.references, combine="mean") == pytest.approx(mean, abs=1e-9)


@pytest.mark.parametrize("combine", ["min", "mean"])
def test_evidence_adds_up(combine: str) -> None:
    found = explain(ITEM, combine=combine)
    assert found.words == ("man", "plays", "guitar", "stage")
    assert found.weights == (0.25,) * 4
    assert [reference.unknown for reference in found.references] == [(), ("zzqxv",), ()]
    assert found.coverage == 10 / 11
    for reference in found.references:
        cost, flow = np.array(reference.cost), np.array(reference.flow)
        assert cost.shape == flow.shape == (4, len(reference.words))
        assert_allclose(flow.sum(axis=1), found.weights, atol=1e-12)
        assert_allclose(flow.sum(axis=0), reference.weights, atol=1e-12)
        assert reference.distance == pytest.approx((cost * flow).sum(), abs=1e-12)
        assert_allclose((flow * cost).sum(axis=1), reference.candidate_travel)
        assert sum(reference.reference_travel) == pytest.approx(reference.distance, abs=1e-12)
        assert reference.similarity == math.exp(-(reference.distance or 0.0))
    assert found.value == value(ITEM.candidate, *ITEM.references, combine=combine) == math.exp(-(found.distance or 0))
    assert found.note == ""


@pytest.mark.parametrize("text", ["dog", "A dog runs", "the dog and the dog and a cat", "one two three four five six"])
def test_identical_content_is_exactly_one(text: str) -> None:
    words = text.split()
    assert value(text, text) == value(text, f"The {text}.") == value(text, " ".join(words[::-1])) == 1.0
    assert value(text, f"{text} {text}") == 1.0


def test_shuffled_content_is_exactly_zero_apart() -> None:
    chosen = random.Random(5)
    words = [word for word in metric().vectors.index if word.isalpha() and word not in stopwords()][:3000]
    for _ in range(200):
        text = chosen.choices(words, k=chosen.randint(2, 30))
        assert explain(CaptionItem("1", " ".join(text), (" ".join(chosen.sample(text, len(text))),))).distance == 0.0


@pytest.mark.parametrize(
    ("candidate", "references", "note"),
    [
        ("", ("a dog",), "No word of the candidate"),
        ("the of and", ("a dog", ""), "No word of the candidate"),
        ("zzqxv", ("zzqxv",), "No word of the candidate"),
        ("a dog", ("", "zzqxv"), "No word of any reference"),
    ],
)
def test_nothing_to_compare_is_zero_and_says_why(candidate: str, references: tuple[str, ...], note: str) -> None:
    item = CaptionItem("1", candidate, references)
    result, found = metric().score([item]), explain(item)
    assert result.segments["wmd"].tolist() == [0.0]
    assert result.notes[0].startswith(note)
    assert (found.value, found.distance, found.note) == (0.0, None, result.notes[0])


@pytest.mark.parametrize("combine", ["min", "mean"])
def test_a_reference_without_words_is_left_out(combine: str) -> None:
    result = metric(combine=combine).score([CaptionItem("1", "a dog", ("a cat runs", ""))])
    assert result.segments["wmd"][0] == value("a dog", "a cat runs", combine=combine)
    assert "1 of 2 references" in result.notes[0]


def test_a_score_does_not_depend_on_its_company(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = golden("wmd")["cases"]
    items = [CaptionItem("1", case["candidate"], tuple(case["references"])) for case in cases] * 2
    together = metric().score(items).segments["wmd"].tolist()
    assert together == [value(item.candidate, *item.references) for item in items]
    monkeypatch.setattr(wmd, "ENTRIES_AT_ONCE", 20)
    monkeypatch.setattr(wmd, "ROWS_AT_ONCE", 3)
    assert metric().score(items).segments["wmd"].tolist() == together


def test_two_thousand_words() -> None:
    words = [word for word in metric().vectors.index if word.isalpha() and word not in stopwords()]
    item = CaptionItem("1", " ".join(words[:2000]), (" ".join(words[1500:2300]), "a dog"))
    assert 0 < explain(item).value < 1


def test_words_with_equal_vectors(tmp_path: Any) -> None:
    path = tmp_path / "v.txt"
    path.write_text("dog 1 2\ncat 1 2\nhat 1 2\nmat 1 2\nsun 4 6\n", encoding="utf-8")
    assert value("dog cat", "hat mat", vectors=str(path)) == 1.0  # gensim says inf
    assert value("dog", "sun", vectors=str(path)) == math.exp(-5)
    assert explain(CaptionItem("1", "dog", ("sun",)), vectors=str(path)).vectors == "v.txt"


def test_coverage_is_a_remark_and_no_part_of_the_signature() -> None:
    found = evaluate([ITEM, ITEM], ["wmd"])
    assert found.remarks == {"wmd": "glove-6b-50d knows 10 of 11 words, stop words aside"}
    assert "|vectors:glove-6b-50d|" in found.signatures["wmd"]


def test_captions_are_read_once_for_signature_and_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    monkeypatch.setattr(word_bags, "Bag", lambda *content: made.append(content) or Bag(*content))  # type: ignore[func-returns-value]
    found = evaluate([ITEM, ITEM], ["wmd"])
    assert found.skipped == {}
    assert len(made) == 4


@pytest.mark.parametrize("combine", ["min", "mean"])
def test_far_references_do_not_vanish(combine: str, tmp_path: Path) -> None:
    (tmp_path / "far.txt").write_text("dog 0 0\ncat 900 0\nsun 0 901\n", encoding="utf-8")
    found = explain(CaptionItem("1", "dog", ("cat", "sun")), combine=combine, vectors=str(tmp_path / "far.txt"))
    expected = 900.0 if combine == "min" else 900 - math.log((1 + math.exp(-1)) / 2)
    assert found.value == 0.0
    assert found.distance == pytest.approx(expected, abs=1e-12)


def test_other_packaged_vectors() -> None:
    found = explain(ITEM, vectors="spacy-md")
    assert found.vectors == "spacy-md"
    assert found.distance == found.references[1].distance  # the nearest
    assert 0 < found.value < value(ITEM.candidate, ITEM.candidate, vectors="spacy-md") == 1.0


def test_wrong_options() -> None:
    with pytest.raises(InvalidInput, match="min or mean"):
        Options(combine="max")
    with pytest.raises(InvalidInput, match="no such word vectors"):
        metric(vectors="word2vec")


def flickr8k() -> tuple[list[CaptionItem], list[float]]:
    """Every expert-judged caption with the image's references, itself left out, and its mean judgement."""
    folder = SHARED / "flickr8k"
    captions = dict(
        line.split("\t") for line in (folder / "Flickr8k.token.txt").read_text(encoding="utf-8").splitlines()
    )
    images: dict[str, list[str]] = defaultdict(list)
    for name in captions:
        images[name.split("#")[0]].append(name)
    items, judged = [], []
    for line in (folder / "ExpertAnnotations.txt").read_text(encoding="utf-8").splitlines():
        image, name, *grades = line.split()
        references = tuple(captions[other] for other in images[image] if other != name)
        items.append(CaptionItem(image, captions[name], references))
        judged.append(sum(map(int, grades)) / len(grades))
    return items, judged


@needs_shared
def test_agrees_with_experts_and_with_gensim() -> None:
    import pandas as pd

    items, judged = flickr8k()
    assert len(items) == 5822
    ours = metric()
    values = ours.score(items).segments["wmd"]
    assert pd.Series(values).corr(pd.Series(judged), method="spearman") >= 0.60
    means = Wmd(Options(combine="mean"), ours.shared).score(items).segments["wmd"]
    # The figure; the mean of the distances instead of the similarities would give 0.583.
    assert pd.Series(means).corr(pd.Series(judged), method="spearman") == pytest.approx(0.599, abs=5e-4)

    keyed = pytest.importorskip("gensim.models").KeyedVectors(50)
    keyed.add_vectors(list(ours.vectors.index), np.asarray(ours.vectors.matrix))
    for item in random.Random(1).sample(items, 300):
        texts = [
            [word for word in ours.shared.tokens(text).split() if word not in stopwords()]
            for text in (item.candidate, *item.references)
        ]
        found = [reference.distance for reference in ours.explain(item, "wmd").references]
        expected = [keyed.wmdistance(texts[0], text, norm=False) for text in texts[1:]]
        assert_allclose(np.array(found, dtype=float), expected, atol=1e-9, rtol=0)
