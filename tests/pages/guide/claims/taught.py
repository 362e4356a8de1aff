"""The lessons' answers. Their numbers are scored live; here is what is said about them."""

from __future__ import annotations

import math
from typing import Any

import pytest

from capeval_core import registry
from capeval_core.resources import files
from capeval_core.text import ptb
from pages.work import lessons
from tests.pages.guide.claims.facts import value, why


def _lesson(number: int) -> lessons.Lesson:
    return lessons.lessons()[number - 1]


def _value(number: int, key: str, letter: str, **options: Any) -> float:
    one = _lesson(number)
    return value(key, one.captions[letter], *one.references, **options)


def _why(number: int, key: str, letter: str) -> Any:
    one = _lesson(number)
    return why(key, one.captions[letter], *one.references)


def lesson_cider_weights() -> None:
    found = _why(1, "cider", "A")
    grams = {one.words: one.idf for ref in found.references for one in ref.ngrams}
    assert found.idf_images == 40_504
    assert max(grams.values()) <= math.log(40_504)
    assert grams["a",] < grams["giraffe",]


def lesson_cider_zero() -> None:
    assert _lesson(1).captions["A"] in _lesson(1).references
    assert _value(1, "cider", "A", idf="corpus") == 0


def lesson_cider_coco() -> None:
    assert _value(1, "cider", "A") > 1
    assert "coco-val2014(40504 images" in _why(1, "cider", "A").signature


def lesson_synonym_bleu() -> None:
    assert _value(2, "bleu_4", "A") == _value(2, "bleu_4", "B") < _value(2, "bleu_4", "C")


def lesson_synonym_wmd() -> None:
    assert _value(2, "wmd", "A") > 2 * _value(2, "wmd", "B")


def lesson_synonym_not_free() -> None:
    assert _value(2, "wmd", "A") < 0.9
    assert _value(2, "wmd", "A") == pytest.approx(math.exp(-_why(2, "wmd", "A").distance))


def lesson_meteor_table() -> None:
    assert "paraphrase table" in files.RESOURCES["meteor-paraphrases"].what


def lesson_meteor_pair() -> None:
    found = _why(3, "meteor", "A")
    (link,) = [one for one in found.references[0].links if one.module == "paraphrase"]
    assert found.tokens[link.candidate_start : link.candidate_start + link.candidate_length] == ("a", "cat")
    assert found.references[0].tokens[link.reference_start : link.reference_start + 2] == ("the", "dog")


def lesson_meteor_fox() -> None:
    assert {one.module for one in _why(3, "meteor", "B").references[0].links} == {"exact"}
    assert _value(3, "meteor", "A") > 2 * _value(3, "meteor", "B")


def lesson_meteor_bleu() -> None:
    assert _value(3, "bleu_1", "A") == _value(3, "bleu_1", "B")


def lesson_spice_facts() -> None:
    assert {one.kind for one in _why(4, "spice", "A").candidate_tuples} == {"Object", "Attribute", "Relation"}


def lesson_spice_colour() -> None:
    assert _value(4, "spice", "C") < _value(4, "spice", "A")
    assert ("ball", "blue") in [one.parts for one in _why(4, "spice", "C").candidate_tuples if not one.matched]


def lesson_spice_no() -> None:
    assert _value(4, "spice", "B") == _value(4, "spice", "A")


def lesson_spice_bertscore() -> None:
    assert _value(4, "bertscore", "B") < _value(4, "bertscore", "A") - 0.05


def lesson_style_spurts() -> None:
    assert _value(5, "spurts", "B") > _value(5, "spurts", "A")


def lesson_style_sparcs() -> None:
    assert _value(5, "sparcs", "B") == 0
    assert not _why(5, "sparcs", "B").matched


def lesson_style_smurf() -> None:
    found = _why(5, "smurf", "B")
    assert not found.terms[1].counted
    assert found.value < _value(5, "smurf", "A")


def lesson_style_both() -> None:
    found = _why(5, "smurf", "C")
    assert found.terms[1].counted
    assert found.terms[1].standardised > _why(5, "smurf", "A").terms[1].standardised


def lesson_token_one_word() -> None:
    one = _lesson(6)
    assert "black-and-white" in ptb.tokenize(one.captions["A"]).split()
    assert not any("black-and-white" in ptb.tokenize(text).split() for text in one.references)


def lesson_token_bleu() -> None:
    found = _why(6, "bleu_1", "A")
    assert len(_why(6, "bleu_1", "B").tokens) - len(found.tokens) == 2
    assert _why(6, "bleu_1", "B").precisions[0][0] - found.precisions[0][0] == 3
    assert found.brevity_penalty < 1
    assert found.value < _value(6, "bleu_1", "B")


def lesson_token_meteor() -> None:
    assert _value(6, "meteor", "A") == _value(6, "meteor", "B")
    assert "black" in _why(6, "meteor", "A").tokens


def lesson_token_signature() -> None:
    assert all("|tok:" in _why(6, key, "A").signature for key in ("bleu_1", "meteor", "bertscore"))
    assert all(registry.get(key).tokenizer for key in registry.keys())
