"""METEOR against the Java program: goldens, the whole of karpathy_a, and the laws of its search."""

from __future__ import annotations

import json
import random
import time
from functools import cache
from itertools import groupby, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capeval_core.errors import InvalidInput
from capeval_core.metrics.meteor import Meteor, MeteorExplanation, Options
from capeval_core.metrics.meteor.matching import find_matches, only_choices
from capeval_core.metrics.meteor.meteor import as_sent, winning_counts
from capeval_core.metrics.meteor.normalise import tokenize
from capeval_core.metrics.meteor.scoring import evaluate
from capeval_core.metrics.meteor.search import search
from capeval_core.metrics.meteor.sentences import prepare
from capeval_core.metrics.meteor.wide_search import wide_search
from capeval_core.resources.paraphrases import open_index
from capeval_core.shared import Shared
from capeval_core.types import CaptionItem
from tests.cases import SHARED, golden, needs_shared, rows

TABLE = golden("meteor")
CASES = {case["name"]: case for case in TABLE["cases"]}


class Tokenized(Shared):
    """For captions that the COCO tokenizer has been over."""

    def tokens(self, caption: str) -> str:
        return caption


def meteor(options: Options | None = None) -> Meteor:
    return Meteor(options or Options(), Tokenized())


def item(candidate: str, *references: str) -> CaptionItem:
    return CaptionItem("1", candidate, references)


def score(candidate: str, *references: str) -> float:
    return float(meteor().score([item(candidate, *references)]).segments["meteor"][0])


def explain(candidate: str, *references: str) -> MeteorExplanation:
    return meteor().explain(item(candidate, *references), "meteor")


def case_items(names: list[str]) -> list[CaptionItem]:
    return [item(CASES[name]["candidate"], *CASES[name]["references"]) for name in names]


@cache
def golden_result() -> tuple[list[list[float]], list[float]]:
    result = meteor().score(case_items(list(CASES)))
    return result.statistics.tolist(), result.segments["meteor"].tolist()


@pytest.mark.parametrize("name", CASES)
def test_golden(name: str) -> None:
    place = list(CASES).index(name)
    assert golden_result()[0][place] == CASES[name]["statistics"]
    assert golden_result()[1][place] == pytest.approx(CASES[name]["score"], abs=1e-9)


@pytest.mark.parametrize("name", CASES)
def test_explanation_is_the_score_and_its_evidence(name: str) -> None:
    case = CASES[name]
    found = explain(case["candidate"], *case["references"])
    winner = found.references[found.winner]
    assert found.value == golden_result()[1][list(CASES).index(name)] == winner.score
    assert winner.score == max(reference.score for reference in found.references)
    counts = case["statistics"]
    assert (len(found.tokens), len(winner.tokens), sum(found.function_words)) == (counts[0], counts[1], counts[2])
    assert sum(link.candidate_length for link in winner.links) == counts[21]
    assert sum(link.reference_length for link in winner.links) == counts[22]
    assert winner.chunks == counts[20] == len({link.chunk for link in winner.links})
    assert winner.score == pytest.approx(winner.f_mean * (1 - winner.penalty))


def test_golden_corpus() -> None:
    everything = meteor().score(case_items(list(CASES))).statistics
    some = meteor().score(case_items(TABLE["corpus_of"]["cases"])).statistics
    assert meteor().corpus(everything)["meteor"] == pytest.approx(TABLE["corpus"], abs=1e-9)
    assert meteor().corpus(some)["meteor"] == pytest.approx(TABLE["corpus_of"]["score"], abs=1e-9)


def test_corpus_is_a_pure_function_of_its_rows() -> None:
    names = list(CASES)[:12]
    statistics = meteor().score(case_items(names)).statistics
    picked = np.random.default_rng(3).integers(0, len(names), 40)
    before = statistics.copy()
    resampled = meteor().corpus(statistics[picked])
    assert resampled == meteor().corpus(meteor().score(case_items([names[row] for row in picked])).statistics)
    assert np.array_equal(statistics, before)


@cache
def karpathy_result() -> tuple[list[dict[str, object]], np.ndarray, np.ndarray]:
    found = list(rows("karpathy/karpathy_a.jsonl.gz"))
    segments = [as_sent(row["tokens"], row["reference_tokens"]) for row in found]
    counts = winning_counts(segments, Options(), open_index())
    return found, counts, evaluate(counts, Options()).score


@needs_shared
def test_every_segment_of_karpathy_equals_the_java_program() -> None:
    found, _, scores = karpathy_result()
    expected = np.array([row["scores"]["METEOR"] for row in found])  # type: ignore[index]
    assert (np.abs(scores - expected) < 1e-9).sum() == 10_000


@needs_shared
def test_corpora_of_karpathy_equal_the_java_program() -> None:
    found, counts, _ = karpathy_result()
    expected = json.loads((SHARED / "karpathy" / "karpathy_a_corpus.json").read_text())["corpus"]
    systems = np.array([row["system"] for row in found])
    for system, scores in expected.items():
        assert meteor().corpus(counts[systems == system])["meteor"] == pytest.approx(scores["METEOR"], abs=1e-9)


def test_what_a_person_sees() -> None:
    found = explain("two kids play soccer", "two children playing football", "kids")
    links = found.references[0].links
    assert [link.module for link in links] == ["exact", "synonym", "stem", "paraphrase"]
    assert {link.chunk for link in links} == {0}
    assert found.function_words == (True, False, False, False)
    phrase = explain("a photo of a bus", "a bus picture").references[0].links[-1]
    assert (phrase.module, phrase.reference_start, phrase.reference_length) == ("paraphrase", 2, 1)
    assert (phrase.candidate_start, phrase.candidate_length) == (1, 2)


def test_a_reference_with_bars_is_two_references() -> None:
    assert len(explain("a dog", "a cat ||| a dog").references) == 2
    assert score("a dog", "a cat ||| a dog") == 1.0


def test_weights_of_modules_are_options() -> None:
    shy = Meteor(Options(stem=0.0, gamma=0.0), Tokenized())
    assert shy.explain(item("dogs", "dog"), "meteor").value == 0.0
    assert shy.explain(item("dog", "dog"), "meteor").value == 1.0


@pytest.mark.parametrize("options", [{"alpha": -0.1}, {"delta": 1.5}, {"beta": float("nan")}, {"exact": float("inf")}])
def test_options_out_of_range_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(InvalidInput):
        Options(**options)


@pytest.mark.parametrize("field", ["alpha", "beta", "gamma", "delta"])
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_extreme_options_give_numbers_in_range(field: str, value: float) -> None:
    scores = Meteor(Options(**{field: value}), Tokenized()).score(case_items(list(CASES))).segments["meteor"]
    assert ((scores >= 0) & (scores <= 1)).all()


def test_batches_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("capeval_core.metrics.meteor.meteor._PAIRS_AT_ONCE", 7)
    reports: list[tuple[str, int, int]] = []
    shared = Tokenized(on_progress=lambda *report: reports.append(report))
    result = Meteor(Options(), shared).score(case_items(list(CASES)))
    assert result.statistics.tolist() == golden_result()[0]
    assert [report[1] for report in reports if report[0] == "METEOR"] == list(range(len(CASES)))


def test_nothing_to_score() -> None:
    result = meteor().score([])
    assert result.statistics.shape == (0, 23)
    assert result.segments["meteor"].shape == (0,)


ODD_WORDS = [
    "dog",
    "dogs",
    "a",
    "the",
    "of",
    "in",
    "front",
    "next",
    "to",
    "men",
    "man",
    "people",
    "t-shirt",
    "'s",
    "u.s.",
]
words = st.lists(st.sampled_from(ODD_WORDS), max_size=18).map(" ".join)
texts = st.one_of(words, st.text(max_size=40))


@settings(max_examples=150, deadline=None)
@given(texts, st.lists(texts, min_size=1, max_size=3))
def test_any_text_has_a_score_that_the_order_of_references_does_not_change(
    candidate: str, references: list[str]
) -> None:
    value = score(candidate, *references)
    assert 0 <= value <= 1
    assert score(candidate, *references[::-1]) == value == explain(candidate, *references).value


@settings(max_examples=50, deadline=None)
@given(st.lists(st.from_regex("[a-z]{1,8}", fullmatch=True), min_size=1, max_size=30).map(" ".join))
def test_a_caption_equals_itself(caption: str) -> None:
    assert score(caption, caption) == 1.0


def test_both_searches_agree() -> None:
    pick = random.Random(11)
    captions = [" ".join(pick.choices(ODD_WORDS[: pick.randint(1, 15)], k=pick.randint(1, 24))) for _ in range(250)]
    batch = prepare(captions, open_index())
    for _ in range(700):
        candidate, reference = pick.choice(batch.sentences), pick.choice(batch.sentences)
        matches = find_matches(candidate, reference, batch)
        fixed = only_choices(matches)
        assert search(matches, fixed) == wide_search(matches, fixed, len(candidate.words))


@pytest.mark.parametrize(
    ("candidate", "reference"),
    [
        ("word " * 3000, "word " * 3000),
        ("word " * 1500, "word " * 1499),
        (
            "a man in front of the house next to some people " * 200,
            "people next to the houses in front of a man " * 200,
        ),
    ],
    ids=["3,000 equal words", "1,500 and 1,499 equal words", "2,000 words"],
)
def test_long_texts_take_seconds_only(candidate: str, reference: str) -> None:
    start = time.process_time()
    assert 0 < score(candidate, reference) <= 1
    assert time.process_time() - start < 10


@needs_shared
def test_chunks_are_what_the_paper_says() -> None:
    """Matches of one chunk are next to each other on both sides, those of two are not."""
    for row in karpathy_result()[0][:200]:
        for reference in explain(row["tokens"], *row["reference_tokens"]).references:  # type: ignore[arg-type,misc]
            for _, group in groupby(reference.links, key=lambda link: link.chunk):
                chunk = list(group)
                for one, next_one in pairwise(chunk):
                    assert one.reference_start + one.reference_length == next_one.reference_start
                    assert one.candidate_start + one.candidate_length == next_one.candidate_start


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("a man 's hat", "a man ' s hat"),
        ("do n't", "do n 't"),
        ("x-y-z close-up", "x y-z close up"),
        ("u.s. t.v. n. astor st.", "us tv n. astor st ."),
        ("wait ... b.. .", "wait ... b .. ."),
        ("1:00 his/her m&m", "1 : 00 his / her m & m"),
        ("1,000, a,b", "1,000 , a , b"),
        ("vs. 5 pp. 5 pp. A", "vs. 5 pp. 5 pp . a"),
        ("``x'' 90's", '" x " 90 \'s'),
        (" \x1f\u202f", ""),
    ],
)
def test_normaliser(text: str, tokens: str) -> None:
    assert tokenize(text) == tokens.split()
