"""Nothing beside a score is wrong: sentences hold clause by clause, and the line of arithmetic gives the score."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from capeval_core import CaptionItem, explain, registry
from capeval_core.figures import draw, why
from capeval_core.figures.arithmetic import text, worth
from capeval_core.figures.html import arithmetic_html
from capeval_core.figures.numbers import score
from capeval_core.figures.palette import LIGHT
from capeval_core.types import Explanation
from tests.figures.test_sentences import LAKE
from tests.figures.truth import captions, i2ce_claims, learned_claims, meaning_claims, ngram_claims, reasons
from tests.figures.truth.claims import Claim, read

CLAIMS: dict[str, tuple[Claim, ...]] = {
    "BleuExplanation": ngram_claims.BLEU,
    "RougeLExplanation": ngram_claims.ROUGE_L,
    "MeteorExplanation": ngram_claims.METEOR,
    "CiderExplanation": ngram_claims.CIDER,
    "SpiceExplanation": meaning_claims.SPICE,
    "SpiderExplanation": meaning_claims.SPIDER,
    "WmdExplanation": meaning_claims.WMD,
    "WEmbSimExplanation": meaning_claims.WEMBSIM,
    "BertScoreExplanation": meaning_claims.BERTSCORE,
    "SparcsExplanation": meaning_claims.SPARCS,
    "FlowExplanation": meaning_claims.FLOW,
    "SmurfExplanation": meaning_claims.SMURF,
    "I2ceExplanation": i2ce_claims.I2CE,
    "NNEvalExplanation": learned_claims.NNEVAL,
}
WHOLE = ("sparcs", "spice", "cider")  # checked as parts of SMURF and SPIDEr
KEYS = [key for key in registry.keys() if key not in WHOLE]
# Options that put other words into a sentence, or other numbers into the line.
OTHER: list[tuple[str, dict[str, Any]]] = [
    ("bleu_4", {"bleu": {"smoothing": "lin-och"}}),
    ("wmd", {"wmd": {"combine": "mean"}}),
    ("wembsim", {"wembsim": {"combine": "max", "vectors": "glove-6b-50d"}}),
    ("bertscore", {"bertscore": {"measure": "recall"}}),
    ("smurf", {"smurf": {"fusion": "average"}}),
    ("i2ce", {"i2ce": {"top_k": 1}}),
    ("mima", {"mima": {"model": "minilm"}}),
    ("nneval", {"nneval": {"variant": "monotone"}}),
    ("cider", {"cider": {"variant": "cider", "idf": "coco"}}),
]


def contradictions(explanation: Explanation) -> tuple[Counter[str], list[str]]:
    """Templates that held, and what does not hold, of one explanation's evidence."""
    evidence = draw(explanation, LIGHT)
    found, wrong = read(evidence.sentence, CLAIMS[type(explanation).__name__], explanation, evidence)
    said = text(evidence.arithmetic)
    faults = [f"{evidence.sentence}\n  {wrong}"] if wrong else []
    if m := re.fullmatch(r"[\w+-]+: (.+) = (\S+)", said):
        if m[2] != score(explanation.value) or score(worth(m[1])) != m[2]:
            faults.append(f"{said} gives {worth(m[1])}, the score is {explanation.value}")
    elif not re.fullmatch(r"[\w-]+: 0, as [\w ']+", said) or score(explanation.value) != "0.000":
        faults.append(f"no arithmetic: {said}")
    named = [part.name for part in evidence.parts]
    faults += [f"{term.text} leads nowhere" for term in evidence.arithmetic if term.part and term.part not in named]
    return found, faults


def every(explanation: Any) -> list[Explanation]:
    """It, and those it is made of."""
    parts = {"spider": ("spice", "cider"), "smurf": ("sparcs", "spurts", "mima")}.get(explanation.key, ())
    return [explanation, *(replace(getattr(explanation, name), key=name) for name in parts)]


def check(key: str, items: list[CaptionItem], options: dict[str, Any] | None = None) -> Counter[str]:
    held: Counter[str] = Counter()
    for item in items:
        for explanation in every(explain(item, key, options=options)):
            found, faults = contradictions(explanation)
            assert not faults, f"{item}\n{faults}"
            held += found
    return held


@pytest.mark.parametrize("key", KEYS)
def test_no_sentence_contradicts_its_evidence(key: str) -> None:
    slow = registry.get(key).group == "typicality"
    assert check(key, [*captions.odd()[:: 3 if slow else 1], *captions.random_items(6 if slow else 16)])


@pytest.mark.parametrize(("key", "options"), OTHER, ids=[key for key, _ in OTHER])
def test_nor_with_other_options(key: str, options: dict[str, Any]) -> None:
    assert check(key, captions.random_items(6, seed=2), options)


@pytest.mark.parametrize("key", KEYS)
def test_who_is_ahead_is_ahead_for_the_reason_given(key: str) -> None:
    """Of one image, pairs of candidates: each others' references, changed captions, nothing at all."""
    held = 0
    for item, other in captions.random_pairs(4 if registry.get(key).group == "typicality" else 12):
        sides = [every(explain(one, key)) for one in (item, other)]
        for left, right in zip(*sides, strict=True):
            said = why.reason(left, right)
            assert not (fault := reasons.wrong(said, left, right, registry.get(left.key).metric)), (
                f"{item}, {other}: {fault}"
            )
            held += "ahead" in said
    assert held


LINES = {
    "bleu_4": "BLEU-4: brevity 0.931 × (13/14 × 8/13 × 4/12 × 1/11)^(1/4) = 0.338",
    "rouge_l": "ROUGE-L: 2.44 × 12/14 × 12/15 / (12/15 + 1.44 × 12/14) = 0.822",
    "cider": "CIDEr: 10 × (0.3899 + 0.2325 + 0.1093 + 0.0156) / 4 = 1.868",
    "wmd": "WMD: exp(−1.68) = 0.186",
    "sparcs": "SPARCS: 2 × 3 / (3 + 1 + 6) = 0.600",
}


@pytest.mark.parametrize("key", LINES)
def test_the_line_of_arithmetic(key: str) -> None:
    assert text(draw(explain(LAKE, key), LIGHT).arithmetic) == LINES[key]


def test_each_number_links_to_the_part_that_shows_it() -> None:
    evidence = draw(explain(LAKE, "bleu_1"), LIGHT)
    html = arithmetic_html(evidence.arithmetic, LIGHT, "capeval-bleu-1-")
    assert html.count('<a href="#capeval-bleu-1-precisions">') == 3
    assert "BLEU-1: brevity <a" in html
    assert "<a" not in arithmetic_html(evidence.arithmetic, LIGHT)
    assert arithmetic_html((), LIGHT) == ""
