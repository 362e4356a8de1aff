"""WMD, WEmbSim, BERTScore."""

from __future__ import annotations

import math

import numpy as np
import pytest

from capeval_core import options
from capeval_core.resources.vectors import open_vectors
from pages.work import costs
from tests.pages.guide.claims.facts import at_home, moved, note, strangers, toy, toy_why, value, why


def _way(one: str, two: str) -> float:
    rows = open_vectors("glove-6b-50d").rows([one, two])
    return float(np.linalg.norm(rows[0] - rows[1]))


def wmd_near_words() -> None:
    assert _way("bike", "bicycle") == pytest.approx(2.0, abs=0.05)
    assert _way("bike", "kitchen") > 5


def wmd_travel() -> None:
    found = toy_why("wmd", "A")
    assert found.value == pytest.approx(math.exp(-sum(found.references[0].candidate_travel)))


def wmd_flow() -> None:
    found = toy_why("wmd", "A")
    flow = np.array(found.references[0].flow)
    assert flow.sum(axis=1) == pytest.approx(np.array(found.weights))
    assert flow.sum(axis=0) == pytest.approx(np.array(found.references[0].weights))
    assert "in" not in found.words


def wmd_order() -> None:
    assert moved("wmd", "Shuffled words") == pytest.approx(0, abs=0.01)


def wmd_opposites() -> None:
    assert _way("hot", "cold") < _way("canoe", "boat")


def wmd_vectors() -> None:
    texts = ("a guy rows a boat", "a man paddles a canoe")
    assert value("wmd", *texts) != pytest.approx(value("wmd", *texts, vectors="spacy-md"), rel=0.1)


def wmd_toy() -> None:
    found = toy_why("wmd", "A")
    other = found.references[0]
    pairs = {
        (word, other.words[place]) for word, row in zip(found.words, other.flow, strict=True)
        for place, mass in enumerate(row) if mass > 1e-9
    }  # fmt: skip
    assert pairs == {("guy", "man"), ("life", "life"), ("vest", "jacket"), ("rows", "paddles"), ("boat", "canoe")}
    one, two = toy("wmd")
    assert one < 0.05
    assert two == 1


def wembsim_angle() -> None:
    vectors = open_vectors("glove-6b-50d")
    left, right = (vectors.rows(words).mean(axis=0) for words in (["dog", "runs"], ["cat", "sleeps"]))
    cosine = abs(left @ right) / np.linalg.norm(left) / np.linalg.norm(right)
    assert value("wembsim", "a dog runs", "a cat sleeps", vectors="glove-6b-50d") == pytest.approx(cosine, abs=1e-6)


def wembsim_stop_words() -> None:
    texts = "dog runs", "cat sleeps"
    assert value("wembsim", "the dog runs", *texts[1:], vectors="glove-6b-50d") == pytest.approx(
        value("wembsim", "dog zzzqqx runs", *texts[1:], vectors="glove-6b-50d")
    )


def wembsim_topic() -> None:
    assert all(own > other for own, other in at_home("wembsim"))


def wembsim_speed() -> None:
    assert costs.cost("wembsim") / costs.cost("bertscore") == pytest.approx(0.25, abs=0.08)


def wembsim_order() -> None:
    assert moved("wembsim", "Shuffled words") == pytest.approx(0, abs=0.01)


def wembsim_strangers() -> None:
    assert strangers("wembsim") == pytest.approx(0.5, abs=0.1)


def wembsim_toy() -> None:
    one, two = toy("wembsim")
    assert two > one


def bertscore_averages_best_pairs() -> None:
    found = toy_why("bertscore", "A")
    other = found.references[0]
    similar = np.maximum(np.array(other.similarity), 0)
    assert other.precision == pytest.approx(float(np.array(found.weights) @ similar.max(axis=1)))
    assert other.recall == pytest.approx(float(similar.max(axis=0) @ np.array(other.weights)))


def bertscore_equal_tokens_are_1() -> None:
    found = why("bertscore", "a dog runs", "a dog runs").references[0].similarity
    assert np.diag(np.array(found)) == pytest.approx(1)


def bertscore_idf_option() -> None:
    assert "references" in [offer.value for offer in options.offers("bertscore", "idf")]


def bertscore_best_reference() -> None:
    texts = "a dog runs", "two men talk", "a dog is running"
    assert value("bertscore", *texts) == pytest.approx(max(value("bertscore", texts[0], one) for one in texts[1:]))


def bertscore_bank() -> None:
    found = why("bertscore", "a man fishes from the bank of the river", "a man gets money from the bank")
    other = found.references[0]
    same = other.similarity[found.tokens.index("bank")][other.tokens.index("bank")]
    assert same < 0.9


def bertscore_synonyms_cost_less_than_cider() -> None:
    assert abs(moved("bertscore", "Synonyms")) < abs(moved("cider", "Synonyms")) / 3


def bertscore_strangers() -> None:
    assert strangers("bertscore") == pytest.approx(0.2, abs=0.1)


def bertscore_numbers() -> None:
    assert value("bertscore", "two dogs run on the beach", "three dogs run on the beach") > 0.8


def bertscore_unknown_tokens() -> None:
    texts = "一只狗在海滩上奔跑", "一只猫在桌子下睡觉"
    assert value("bertscore", *texts) == pytest.approx(0.7, abs=0.05)
    english = value("bertscore", "a dog runs on the beach", "a cat sleeps under the table")
    assert english == pytest.approx(0.2, abs=0.05)
    assert "unknown to minilm" in note("bertscore", *texts)


def bertscore_toy() -> None:
    one, two = toy("bertscore")
    assert two > one > 0.5
