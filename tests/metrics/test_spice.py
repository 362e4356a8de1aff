"""SPICE as a whole: our parser and the original's rules, against the original's scores and the papers' examples."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from capeval_core import CaptionItem, InvalidInput, evaluate, explain
from capeval_core.metrics.spice import SpiceExplanation
from capeval_core.metrics.spider import SpiderExplanation
from capeval_core.resources.caption_parser import CaptionParser
from tests.cases import SHARED, karpathy, karpathy_parses, needs_shared

BEAR = CaptionItem(
    "bear",
    "a polar bear is standing in the snow",
    (
        "A large white polar bear walking through the snow",
        "A polar bear is standing in some snow",
        "A polar bear in the snow near water licking his paw.",
        "A polar bear on snow near a body of water",
        "a polar bear standing in the snow with its reflection in the water",
    ),
)
CANOE = ("a man wearing a red life jacket is sitting in a canoe on a lake",)
TABLE_2 = {
    "a man wearing a life jacket is in a small boat on a lake": 0.5556,
    "a guy wearing a life vest is in a small boat on a lake": 0.1111,
    "a man wearing a life jacket is in a small boat on a lake at sunset": 0.5000,
    "in a small boat on a lake a man is wearing a life jacket": 0.5556,
}


def spice(item: CaptionItem) -> SpiceExplanation:
    found = explain(item, "spice")
    assert isinstance(found, SpiceExplanation)
    return found


def test_the_polar_bear_of_the_i2ce_paper() -> None:
    assert spice(BEAR).value == pytest.approx(0.32, abs=5e-4)


@pytest.mark.parametrize("candidate", TABLE_2)
def test_table_2_as_the_original_program_scores_it(candidate: str) -> None:
    assert spice(CaptionItem("canoe", candidate, CANOE)).value == pytest.approx(TABLE_2[candidate], abs=5e-5)


def test_evidence() -> None:
    found = spice(CaptionItem("1", "a small dog on a bike", ("a little dog rides a bicycle", "a red bicycle")))
    objects = {item.words: item for item in found.candidate_graph.objects}
    assert objects["dog",].matched
    assert objects["dog",].attributes == ((("small",), True),)
    assert objects["bike",].matched
    (relation,) = found.candidate_graph.relations
    assert (relation.words, relation.matched) == (("on",), False)
    links = {(link.candidate, link.reference, link.synset is None) for match in found.matches for link in match.links}
    assert links == {("dog", "dog", True), ("small", "little", False), ("bike", "bicycle", False)}
    missed = {tuple_.parts for tuple_ in found.reference_tuples if not tuple_.matched}
    assert ("bicycle", "red") in missed
    everything = found.categories[0]
    assert (everything.name, everything.matched, everything.candidate) == ("All", 3, 4)
    assert found.value == everything.f_score
    size = next(category for category in found.categories if category.name == "Size")
    assert (size.matched, size.precision) == (1, 1.0)
    assert math.isnan(next(category for category in found.categories if category.name == "Cardinality").f_score)
    assert found.candidate_parse[0].words == ("a", "small", "dog", "on", "a", "bike")


def test_a_caption_that_parses_to_nothing_scores_0_and_says_so() -> None:
    item = CaptionItem("1", "...", ("a dog",))
    assert spice(item).value == 0.0
    assert "no object" in spice(item).note
    assert "no object" in evaluate([item], ["spice"]).notes["spice"][0]


def test_spider_is_the_mean_of_the_two() -> None:
    evaluation = evaluate([BEAR], ["spice", "cider", "spider"])
    spice_value, cider_value, spider_value = (values[0] for values in evaluation.scores.values())
    assert spider_value == (spice_value + cider_value) / 2
    found = explain(BEAR, "spider")
    assert isinstance(found, SpiderExplanation)
    assert (found.value, found.spice.value, found.cider.value) == (spider_value, spice_value, cider_value)
    assert "idf:coco-val2014(40504 images" in evaluation.signatures["spider"]
    assert "res:caption-parser" in evaluation.signatures["spice"]


def test_spider_follows_the_options_of_cider() -> None:
    options = {"cider": {"idf": "corpus", "variant": "cider", "sigma": 3}}
    other = CaptionItem("2", "a cat on a mat", ("the cat sits on a mat", "a cat"))
    found = evaluate([BEAR, other], ["spice", "cider", "spider"], options=options)
    np.testing.assert_array_equal(found.scores["spider"], (found.scores["spice"] + found.scores["cider"]) / 2)
    assert "spider|idf:corpus(2 images" in found.signatures["spider"]
    assert "|variant:cider|sigma:3.0|" in found.signatures["spider"]
    again = explain(other, "spider", options=options, context=found.context)
    assert again.value == pytest.approx(found.scores["spider"][1])
    with pytest.raises(InvalidInput, match="expected none: it follows the options of CIDEr"):
        evaluate([BEAR], ["spider"], options={"spider": {"idf": "coco"}})


def odd_strings(count: int) -> list[str]:
    chance = np.random.default_rng(4)
    pieces = [
        "a",
        "dog",
        "7",
        "42",
        "🐶",
        "犬",
        "собака",
        "!!",
        "'s",
        "-",
        "ß",
        "é",
        ".",
        "of",
        "lots",
        "two",
        "in",
        "front",
    ]
    return [" ".join(chance.choice(pieces, size=chance.integers(1, 12))) for _ in range(count)]


def test_odd_and_long_captions_give_a_finite_score() -> None:
    texts = [*odd_strings(500), "a man in front of a lot of dogs " * 222, "x", "7", ""]
    items = [CaptionItem(str(n), text, ("two dogs in front of a house", text)) for n, text in enumerate(texts)]
    evaluation = evaluate(items, ["spice"])
    assert evaluation.skipped == {}
    assert np.isfinite(evaluation.scores["spice"]).all()


@needs_shared
def test_agreement_with_the_original_on_karpathy(monkeypatch: pytest.MonkeyPatch) -> None:
    known = karpathy_parses()
    monkeypatch.setattr(CaptionParser, "parse", lambda self, texts: [known[text] for text in texts])
    items, expected = karpathy()
    found, original = evaluate(items, ["spice"]).scores["spice"], expected["SPICE"]
    assert np.corrcoef(found, original)[0, 1] >= 0.97
    assert (np.abs(found - original) < 1e-9).sum() >= 5_000
    systems = np.array([item.system for item in items])
    means = {name: (found[systems == name].mean(), original[systems == name].mean()) for name in set(systems)}
    assert all(abs(ours / theirs - 1) < 0.02 for ours, theirs in means.values())
    assert sorted(means, key=lambda name: means[name][0]) == ["google", "xtransformer", "human", "m2"]


def tau_c(left: list[float], right: list[float]) -> float:
    """Kendall's tau-c (Stuart): concordant less discordant pairs, scaled for tables that are not square."""
    x, y = np.unique(left, return_inverse=True)[1], np.unique(right, return_inverse=True)[1]
    table = np.zeros((x.max() + 1, y.max() + 1))
    np.add.at(table, (x, y), 1)
    below = table[::-1, ::-1].cumsum(0).cumsum(1)[::-1, ::-1]  # at and below, at and right
    right_of = table[::-1].cumsum(0)[::-1].cumsum(1)  # at and below, at and left
    concordant = (table[:-1, :-1] * below[1:, 1:]).sum()
    discordant = (table[:-1, 1:] * right_of[1:, :-1]).sum()
    size, classes = table.sum(), min(table.shape)
    return float(2 * (concordant - discordant) / (size**2 * (classes - 1) / classes))


def test_tau_c_of_a_small_table() -> None:
    assert tau_c([1, 2, 3, 4], [1, 2, 3, 4]) == pytest.approx(1.0)
    assert tau_c([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1.0)
    # By hand: pairs (0,0) (0,1) (1,1) (2,1): 2 concordant ties aside, none discordant; 2 * 2 / (16 / 2).
    assert tau_c([0, 0, 1, 2], [0, 1, 1, 1]) == pytest.approx(0.5)


@needs_shared
def test_flickr8k_expert_judgements() -> None:
    captions: dict[str, list[str]] = {}
    for line in (SHARED / "flickr8k/Flickr8k.token.txt").read_text(encoding="utf-8").splitlines():
        name, _, text = line.partition("\t")
        captions.setdefault(name.split("#")[0], []).append(text)
    items, judgements = [], []
    for line in (SHARED / "flickr8k/ExpertAnnotations.txt").read_text().splitlines():
        image, caption, *scores = line.split("\t")
        source, number = caption.split("#")
        if source != image:
            items.append(CaptionItem(image, captions[source][int(number)], tuple(captions[image])))
            judgements.append([float(score) for score in scores])
    assert len(items) == 5_664
    assert Counter(map(len, judgements)) == {3: 5_664}
    values = evaluate(items, ["spice"]).scores["spice"]
    tau = tau_c(np.repeat(values, 3).tolist(), np.array(judgements).ravel().tolist())
    assert tau == pytest.approx(0.449, abs=0.006)
