"""WEmbSim against an independent computation, its evidence, its odd cases, and its agreement with experts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from capeval_core import CaptionItem, InvalidInput, evaluate
from capeval_core.metrics import wembsim
from capeval_core.metrics.wembsim import Options, WEmbSim, WEmbSimExplanation
from capeval_core.shared import Shared
from tests.cases import golden, needs_shared
from tests.metrics.test_wmd import flickr8k

WORDS = "dog 1 0 0\ncat 0 1 0\nrun 0 0 1\nbad -1 0 0\nzero 0 0 0\nhat 2 1 2\n"
GOLDEN = [(case, kind) for case in golden("wembsim")["cases"] for kind in case["cosines"]]


@pytest.fixture
def small(tmp_path: Path) -> str:
    path = tmp_path / "small.txt"
    path.write_text(WORDS, encoding="utf-8")
    return str(path)


def metric(**options: str) -> WEmbSim:
    return WEmbSim(Options(**options), Shared(device="cpu"))


def value(candidate: str, *references: str, **options: str) -> float:
    return float(metric(**options).score([CaptionItem("1", candidate, references)]).segments["wembsim"][0])


def explain(candidate: str, *references: str, **options: str) -> WEmbSimExplanation:
    return metric(**options).explain(CaptionItem("1", candidate, references), "wembsim")


@pytest.mark.parametrize(("case", "kind"), GOLDEN, ids=[f"{case['candidate']} {kind}" for case, kind in GOLDEN])
def test_golden(case: Any, kind: str) -> None:
    exact = 1e-6 if kind == "minilm" else 1e-12  # the transformer runs in float32
    expected, references = case["cosines"][kind], case["references"]
    found = explain(case["candidate"], *references, vectors=kind)
    assert_allclose([reference.cosine for reference in found.references], expected, atol=exact, rtol=0)  # type: ignore[arg-type]
    for how, combined in (("mean", np.mean(expected)), ("max", max(expected)), ("min", min(expected))):
        assert value(case["candidate"], *references, vectors=kind, combine=how) == pytest.approx(combined, abs=exact)
    assert found.value == value(case["candidate"], *references, vectors=kind)


def test_by_hand(small: str) -> None:
    assert value("a dog", "the cat", vectors=small) == 0.0
    assert value("dog cat", "dog", vectors=small) == pytest.approx(math.sqrt(0.5), abs=1e-15)
    assert value("dog dog cat", "dog", vectors=small) == pytest.approx(2 / math.sqrt(5), abs=1e-15)
    assert value("dog", "bad", vectors=small) == 1.0  # the absolute value
    assert value("hat dog", "dog", "cat", vectors=small) == pytest.approx((3 + 1) / 2 / math.sqrt(14), abs=1e-15)


def test_contributions_leave_one_word_out(small: str) -> None:
    found = explain("dog cat dog zzqxv the run", "dog", "cat cat run", vectors=small)
    assert (found.words, found.unknown, found.coverage) == (("dog", "cat", "run"), ("zzqxv",), 8 / 9)
    for word, contribution in zip(found.words, found.contributions, strict=True):
        without = " ".join(other for other in ["dog", "cat", "dog", "run"] if other != word)
        assert contribution == pytest.approx(found.value - value(without, "dog", "cat cat run", vectors=small))
    only = explain("dog", "dog cat", vectors=small)
    assert only.contributions == (only.value,)


def test_contributions_of_contextual_words_add_nothing_for_stop_words() -> None:
    found = explain("the dog and the dog on a beach", "a dog at the sea")
    assert found.words == ("dog", "beach")
    assert found.contributions[0] > 0


def test_the_plane_keeps_what_it_can_of_the_distances() -> None:
    references = ("a dog runs", "two cats sleep", "a dog runs")
    found = explain("the dog is running", *references)
    points = np.array([found.position, *(reference.position for reference in found.references)])
    assert (points[0] >= 0).all()
    assert_allclose(points.mean(axis=0), 0, atol=1e-6)
    assert_allclose(points[1], points[3], atol=1e-6)
    assert found.spread == pytest.approx(1.0, abs=1e-6)  # three distinct points lie in a plane
    for reference, point in zip(found.references, points[1:], strict=True):
        assert reference.cosine is not None
        assert math.dist(points[0], point) == pytest.approx(math.sqrt(2 - 2 * reference.cosine), abs=1e-5)
    again = explain("the dog is running", *references[::-1])
    assert_allclose(again.references[1].position, points[2], atol=1e-5)  # type: ignore[arg-type]


@pytest.mark.parametrize("points", [[[1.0, 2.0, 3.0]], [[1.0, 0, 0], [1.0, 0, 0]], [[0, 1.0], [0, -1.0], [0, 0.0]]])
def test_plane_of_few_or_equal_points(points: list[list[float]]) -> None:
    found, spread = wembsim.plane(np.array(points))
    assert np.isfinite(found).all()
    assert (found[0] >= 0).all()
    assert spread == pytest.approx(1.0)


@pytest.mark.parametrize("text", ["dog", "A dog runs", "the dog and the dog and a cat", "one two three four five six"])
@pytest.mark.parametrize("kind", ["minilm", "spacy-md"])
def test_identical_content_is_exactly_one(text: str, kind: str) -> None:
    assert value(text, text, vectors=kind) == 1.0


@pytest.mark.parametrize(
    ("candidate", "references", "note"),
    [
        ("", ("a dog",), "No word of the candidate"),
        ("the of and", ("a dog", ""), "No word of the candidate"),
        ("zzqxv", ("zzqxv",), "No word of the candidate"),
        ("zero", ("dog",), "The vectors of the candidate's words add up to zero"),
        ("dog bad", ("dog",), "The vectors of the candidate's words add up to zero"),
        ("a dog", ("", "zzqxv"), "No word of any reference"),
    ],
)
def test_nothing_to_compare_is_zero_and_says_why(
    candidate: str, references: tuple[str, ...], note: str, small: str
) -> None:
    result = metric(vectors=small).score([CaptionItem("1", candidate, references)])
    found = explain(candidate, *references, vectors=small)
    assert result.segments["wembsim"].tolist() == [0.0]
    assert result.notes[0].startswith(note)
    assert (found.value, found.note) == (0.0, result.notes[0])
    assert all(reference.cosine is None for reference in found.references)
    assert np.isfinite(found.contributions).all()


@pytest.mark.parametrize("combine", ["mean", "max", "min"])
def test_a_reference_without_words_is_left_out(combine: str) -> None:
    result = metric(combine=combine).score([CaptionItem("1", "a dog", ("a cat runs", ""))])
    assert result.segments["wembsim"][0] == pytest.approx(value("a dog", "a cat runs", combine=combine), abs=1e-6)
    assert "1 of 2 references" in result.notes[0]


@pytest.mark.parametrize("kind", ["minilm", "spacy-md"])
def test_two_thousand_words_and_emoji(kind: str) -> None:
    long = "dog beach " * 1000
    found = explain(long, "a dog on the beach", "\U0001f436 \U0001f3d6\ufe0f", vectors=kind)
    assert 0.5 < found.value <= 1.0
    assert (found.words, found.unknown) == (("dog", "beach"), ())
    assert (found.coverage < 0.5) == (kind == "minilm")  # which reads 510 pieces of words
    assert found.references[1].cosine is None
    assert value("\U0001f436", "a dog", vectors=kind) == 0.0


def test_a_score_does_not_depend_on_its_company(monkeypatch: pytest.MonkeyPatch) -> None:
    items = [CaptionItem("1", case["candidate"], tuple(case["references"])) for case in golden("wembsim")["cases"]] * 2
    together = metric(vectors="spacy-md").score(items).segments["wembsim"].tolist()
    assert together == [value(item.candidate, *item.references, vectors="spacy-md") for item in items]
    monkeypatch.setattr(wembsim, "ITEMS_AT_ONCE", 3)
    assert metric(vectors="spacy-md").score(items).segments["wembsim"].tolist() == together


def test_captions_are_read_once_for_signature_and_scores(monkeypatch: pytest.MonkeyPatch, small: str) -> None:
    measured: list[object] = []
    measure = WEmbSim._measure

    def watched(self: WEmbSim, items: Sequence[CaptionItem]) -> wembsim.Measured:
        measured.append(items)
        return measure(self, items)

    monkeypatch.setattr(WEmbSim, "_measure", watched)
    found = evaluate([CaptionItem("1", "a dog", ("zzqxv cat",))], ["wembsim"], options={"wembsim": {"vectors": small}})
    assert len(measured) == 1
    assert "|vectors:small.txt|" in found.signatures["wembsim"]
    assert found.remarks["wembsim"].startswith("small.txt knows 2 of 3 words")


def test_wrong_options() -> None:
    with pytest.raises(InvalidInput, match="mean, max or min"):
        Options(combine="median")
    with pytest.raises(InvalidInput, match="no such word vectors"):
        metric(vectors="word2vec")
    with pytest.raises(InvalidInput, match="no such word vectors"):
        metric(vectors="no/such/elmo_weights.hdf5")


@needs_shared
def test_default_vectors_agree_best_with_experts() -> None:
    import pandas as pd

    items, judged = flickr8k()
    items, judged = items[::3], judged[::3]  # all 5,822: 0.627, 0.541, 0.433; a third keeps the transformer short
    shared = Shared(device="cpu")
    agreement = [
        pd.Series(WEmbSim(Options(vectors=kind), shared).score(items).segments["wembsim"]).corr(
            pd.Series(judged), method="spearman"
        )
        for kind in (Options().vectors, "spacy-md", "glove-6b-50d")
    ]
    assert_allclose(agreement, [0.627, 0.541, 0.433], atol=0.03)
    assert all(better > worse for better, worse in pairwise(agreement))
