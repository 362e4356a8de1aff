"""SPARCS against hand-worked cases and the authors' published values, its evidence, and its word-by-word tokens."""

from __future__ import annotations

import subprocess
import sys
import time
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capeval_core import registry
from capeval_core.metrics.sparcs import (
    NO_CONCEPTS,
    NO_REFERENCE_CONCEPTS,
    Options,
    Sparcs,
    SparcsExplanation,
    nltk_tokenizer,
    split_words,
)
from capeval_core.shared import Shared
from capeval_core.text.stopwords import stopwords
from capeval_core.types import CaptionItem
from tests.cases import golden, karpathy, needs_shared

CASES = golden("sparcs")["cases"]
ITEMS = [CaptionItem(case["name"], case["candidate"], tuple(case["references"])) for case in CASES]
ODD = [
    "",
    " \t\n",
    "dog",
    "the",
    "?! ... --",
    "\U0001f436 \U0001f3d6\ufe0f",
    "собака 一只狗",
    "dog \ud83d",
    "\x00 <b>dog</b>",
]
ODD += ["y" * 10_000, "a brown dog's running, on the " * 400, "İstanbul ǅ ß ²"]
captions = st.one_of(
    st.text(max_size=40),
    st.lists(st.sampled_from(["a", "dogs", "dog", "t-shirt", "isn't", "cannot", "--", "u.s.", ",", "2"])).map(" ".join),
)


def sparcs() -> Sparcs:
    return Sparcs(Options(), Shared())


def explain(candidate: str, *references: str) -> SparcsExplanation:
    return sparcs().explain(CaptionItem("1", candidate, references), "sparcs")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_golden_evidence(case: dict[str, Any]) -> None:
    found = explain(case["candidate"], *case["references"])
    assert {concept.stem: concept.typicality for concept in found.matched} == case["matched"]
    assert {concept.stem: concept.typicality for concept in found.missed} == case["missed"]
    assert [(concept.stem, concept.typicality) for concept in found.extra] == [(stem, 0) for stem in case["extra"]]
    assert found.precision == pytest.approx(float(Fraction(case["precision"])), abs=1e-12)
    assert found.recall == pytest.approx(float(Fraction(case["recall"])), abs=1e-12)
    assert found.value == pytest.approx(case["score"], abs=1e-12)


def test_golden_batch() -> None:
    result = sparcs().score(ITEMS)
    expected = [case["score"] for case in CASES]
    np.testing.assert_allclose(result.segments["sparcs"], expected, rtol=0, atol=1e-12)
    assert sparcs().corpus(result.statistics)["sparcs"] == pytest.approx(np.mean(expected), abs=1e-12)


@needs_shared
def test_every_caption_of_karpathy_equals_the_published_value() -> None:
    items, expected = karpathy()
    nltk_tokenizer()("warm")
    start = time.process_time()
    result = sparcs().score(items)
    assert time.process_time() - start < 3
    assert (np.abs(result.segments["sparcs"] - expected["SPARCS"]) < 1e-9).sum() == 10_000


def test_concepts_keep_their_words_and_the_most_typical_comes_first() -> None:
    found = explain("A runner running, runs", "a man runs", "men running to the sea", "the sea, running")
    assert [(concept.stem, concept.words, concept.reference_words) for concept in found.matched] == [
        ("run", ("running", "runs"), ("running", "runs"))
    ]
    assert [concept.stem for concept in found.missed] == ["sea", "man", "men"]
    assert [(concept.stem, concept.words) for concept in found.extra] == [("runner", ("runner",))]


def test_nothing_to_compare_is_said() -> None:
    result = sparcs().score(
        [CaptionItem("1", "the", ("a dog",)), CaptionItem("2", "dog", ("a",)), CaptionItem("3", "dog", ("cat",))]
    )
    assert result.notes == {0: NO_CONCEPTS, 1: NO_REFERENCE_CONCEPTS}
    assert explain("the", "a dog").note == NO_CONCEPTS
    assert explain("dog", "cat").note == ""


@pytest.mark.parametrize("candidate", ODD, ids=range(len(ODD)))
@pytest.mark.parametrize("reference", ["a brown dog runs", "", "\U0001f436"])
def test_odd_text_is_finite(candidate: str, reference: str) -> None:
    item = CaptionItem("1", candidate, (reference, candidate))
    value = sparcs().score([item]).segments["sparcs"][0]
    assert 0 <= value <= 1
    assert sparcs().explain(item, "sparcs").value == value


@given(captions, st.lists(captions, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_reference_order_and_company_do_not_matter(candidate: str, references: list[str], random: Any) -> None:
    item = CaptionItem("1", candidate, tuple(references))
    random.shuffle(references)
    turned = CaptionItem("1", candidate, tuple(references))
    values = sparcs().score([ITEMS[0], item, turned]).segments["sparcs"]
    assert values[1] == values[2] == explain(candidate, *references).value
    assert 0 <= values[1] <= 1


@given(st.text("abcdgimnotw019 -", max_size=60) | captions.map(str.lower))
def test_word_by_word_equals_the_whole_text(text: str) -> None:
    assert split_words(text, nltk_tokenizer()) == nltk_tokenizer()(text)


@pytest.mark.parametrize("word", ["cannot", "gimme", "gonna", "gotta", "lemme", "wanna", "--", "a--b", "- -"])
def test_contractions_and_dashes_in_plain_text(word: str) -> None:
    for text in (word, f"{word} go", f"to {word}", f"we {word} {word} go"):
        assert split_words(text, nltk_tokenizer()) == nltk_tokenizer()(text)


def test_the_stop_list_is_nltks() -> None:
    assert len(stopwords()) == 179
    assert {"the", "don't", "wouldn", "s"} <= stopwords()
    assert not {"two", "one", "next", "near", "could", "would"} & stopwords()


def test_importing_the_metric_does_not_import_nltk() -> None:
    code = "import sys, capeval_core.metrics.sparcs; print('nltk' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("the word 'walk'", ["the", "word", "'walk", "'"]),
        ("'alameda street' is", ["'alameda", "street", "'", "is"]),
        ("labelled '2'.", ["labelled", "'", "2", "'", "."]),
        ("the 1970 's car", ["the", "1970", "'s", "car"]),
        ("a man's hat, isn't it", ["a", "man", "'s", "hat", ",", "is", "n't", "it"]),
        ("'T' and 'Q'", ["'T", "'", "and", "'", "Q", "'"]),
    ],
)
def test_single_quotes_are_split_as_in_the_authors_nltk(text: str, tokens: list[str]) -> None:
    assert nltk_tokenizer()(text) == tokens


def test_the_signature_names_the_tokenizer() -> None:
    for key in ("sparcs", "smurf"):
        assert "nltk-word-3.5" in registry.get(key).tokenizer
