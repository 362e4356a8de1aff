"""BLEU, ROUGE-L, METEOR, CIDEr."""

from __future__ import annotations

import itertools
import math

import pytest

from capeval_core import CaptionItem, evaluate, explain
from capeval_core.metrics.meteor import Options as MeteorOptions
from tests.pages.guide.claims.facts import moved, people, toy, toy_why, value, why

HORSE = "a man is riding a brown horse on the beach"


def bleu_precisions() -> None:
    found = toy_why("bleu", "A", "bleu_4")
    assert found.precisions == ((9, 10), (8, 9), (7, 8), (6, 7))  # all but "street"


def bleu_brevity() -> None:
    assert value("bleu_1", "a man", HORSE) < 0.1 < value("bleu_1", HORSE, HORSE)
    assert why("bleu_1", "a man", HORSE).precisions[0] == (2, 2)


def bleu_formula() -> None:
    assert why("bleu_1", "the the the", "the dog and the cat").precisions[0] == (2, 3)  # at most as one reference has
    found = why("bleu_4", "a man is riding a brown horse on it", HORSE, "a man")
    product = math.prod(hits / count for hits, count in found.precisions) ** 0.25
    assert found.value == pytest.approx(min(1.0, math.exp(1 - 10 / 9)) * product, abs=1e-6)


def bleu_sees_order() -> None:
    assert moved("bleu_4", "Shuffled words") < -0.4 < moved("bleu_1", "Shuffled words")


def bleu_corpus_sums() -> None:
    items = [CaptionItem("1", HORSE, (HORSE,)), CaptionItem("2", "a cat", ("the dog sleeps",))]
    found = evaluate(items, ["bleu_1"])
    assert found.corpus["bleu_1"] != pytest.approx(found.scores["bleu_1"].mean(), abs=0.1)


def bleu_synonym_and_order() -> None:
    assert moved("bleu_4", "Synonyms") < -0.3
    assert moved("bleu_4", "Fronted phrase") < -0.2


def bleu_4_of_people() -> None:
    assert people("bleu_4") < 0.001


def bleu_wrong_object() -> None:
    right, wrong = (value("bleu_4", f"a man is riding a {one} horse on the beach", HORSE) for one in ("tan", "green"))
    assert right == wrong


def bleu_toy() -> None:
    one, two = toy("bleu", "bleu_4")
    assert one > 0.8 > 0.01 > two
    assert toy_why("bleu", "B", "bleu_4").precisions[1][0] == 0


def rouge_lcs() -> None:
    found = toy_why("rouge_l", "A")
    links = found.references[0].links
    assert all(one[0] < two[0] and one[1] < two[1] for one, two in itertools.pairwise(links))
    assert any(two[0] - one[0] > 1 for one, two in itertools.pairwise(links))  # a gap


def rouge_parts() -> None:
    found = toy_why("rouge_l", "A")
    count = len(found.references[0].links)
    assert found.precision == pytest.approx(count / len(found.tokens))
    assert found.recall == pytest.approx(count / len(found.references[0].tokens))


def rouge_split() -> None:
    found = why("rouge_l", "a dog runs", "a dog runs on the wide green grass", "dog")
    best = [(one.precision, one.recall) for one in found.references]
    assert (found.precision, found.recall) == (best[0][0], best[1][1])


def rouge_order() -> None:
    assert moved("rouge_l", "Shuffled words") < -0.05
    assert moved("bleu_1", "Shuffled words") == pytest.approx(0, abs=0.01)


def rouge_gaps() -> None:
    gapped = "a man slowly is riding quite a brown old horse right on the beach"
    assert value("rouge_l", gapped, HORSE) > 0.7 > 0.3 > value("bleu_4", gapped, HORSE)


def rouge_function_words() -> None:
    assert len(why("rouge_l", "a cat on a roof of a house", "a cup on a plate of a set").references[0].links) == 5


def rouge_synonyms_and_fronting() -> None:
    assert value("rouge_l", "a sofa", "a couch") == pytest.approx(0.5)
    assert moved("rouge_l", "Fronted phrase") < -0.1


def rouge_toy() -> None:
    one, two = toy("rouge_l")
    assert one > two


def _pairs(candidate: str, reference: str) -> set[tuple[str, str, str]]:
    found = why("meteor", candidate, reference)
    other = found.references[found.winner]
    return {
        (
            link.module,
            " ".join(found.tokens[link.candidate_start : link.candidate_start + link.candidate_length]),
            " ".join(other.tokens[link.reference_start : link.reference_start + link.reference_length]),
        )
        for link in other.links
    }


def meteor_modules() -> None:
    found = _pairs("a big dog played near a picture of a car", "a large dog playing near a photo of a car")
    assert {module for module, _, _ in found} == {"exact", "synonym", "stem", "paraphrase"}


def meteor_chunks() -> None:
    order, broken = (why("meteor", text, HORSE) for text in (HORSE, "on the beach a man is riding a brown horse"))
    assert broken.references[0].precision == order.references[0].precision == 1
    assert broken.references[0].chunks > order.references[0].chunks
    assert broken.value < order.value
    assert why("meteor", "a man is riding", HORSE).references[0].recall < 1


def meteor_options() -> None:
    found = MeteorOptions()
    assert (found.exact, found.stem, found.synonym, found.paraphrase) == (1, 0.6, 0.8, 0.6)
    assert (found.alpha, found.beta, found.gamma) == (0.85, 0.2, 0.6)
    assert found.delta > 0.5  # content words' share


def meteor_best_reference() -> None:
    found = why("meteor", HORSE, "a cat sleeps", HORSE)
    assert found.winner == 1
    assert found.value == found.references[1].score > found.references[0].score


def meteor_synonyms() -> None:
    assert ("synonym", "sofa", "couch") in _pairs("a sofa", "a couch")
    assert ("synonym", "big", "large") in _pairs("a big dog", "a large dog")
    assert not any("jacket" in pair for pair in _pairs("a man in a jacket", "a man in a vest"))


def meteor_of_people() -> None:
    assert people("meteor", "p10") > 0.1


def meteor_cat_and_dog() -> None:
    assert ("paraphrase", "a cat", "the dog") in _pairs("a cat", "the dog")


def meteor_recall() -> None:
    assert abs(moved("meteor", "Extra phrase")) < abs(moved("bleu_4", "Extra phrase")) / 3


def meteor_toy() -> None:
    one, two = toy_why("meteor", "A"), toy_why("meteor", "B")
    assert one.references[0].chunks == 1
    assert [link.module for link in one.references[0].links].count("synonym") == 2
    assert two.references[0].precision == two.references[0].recall == 1
    assert two.references[0].chunks > 1
    assert one.value > two.value


def _weight(words: str) -> float:
    found = why("cider", words, words).references[0].ngrams
    idf: float = next(one.idf for one in found if one.words == tuple(words.split()))
    return idf


def cider_consensus() -> None:
    everybody = value("cider", "a giraffe", "a giraffe eats", "the giraffe stands", "one giraffe")
    assert everybody > value("cider", "a giraffe", "a giraffe eats", "an animal stands", "it is tall")


def cider_weights() -> None:
    assert _weight("giraffe") == pytest.approx(3.9, abs=0.05)
    assert _weight("a") < 0.01


def cider_range() -> None:
    assert value("cider", HORSE, HORSE) == pytest.approx(10)


def cider_toy_giraffe() -> None:
    best = max(
        (one for ref in toy_why("cider", "B").references for one in ref.ngrams), key=lambda one: one.contribution
    )
    assert {"giraffe", "leaves"} & set(best.words)


def cider_mean() -> None:
    alone = value("cider", "a giraffe eats leaves", "a giraffe eats leaves")
    shared = value("cider", "a giraffe eats leaves", "a giraffe eats leaves", "two men talk", "a red bus")
    assert shared == pytest.approx(alone / 3)


def cider_synonyms() -> None:
    assert moved("cider", "Synonyms") < -0.2


def cider_corpus() -> None:
    items = [CaptionItem("1", HORSE, (HORSE, "a man on a horse")), CaptionItem("2", "a red bus", ("a bus stops",))]
    found = [evaluate(items, ["cider"], options={"cider": {"idf": idf}}).scores["cider"] for idf in ("coco", "corpus")]
    assert found[0][1] != pytest.approx(found[1][1], abs=0.1)


def cider_one_image() -> None:
    assert value("cider", HORSE, HORSE, idf="corpus") == 0
    assert explain(CaptionItem("x", HORSE, (HORSE,)), "cider").signature.startswith("cider|idf:coco")


def cider_toy() -> None:
    one, two = toy("cider")
    assert two > one
