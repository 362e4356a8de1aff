"""The sentence of each metric on a small case, word for word."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from capeval_core import CaptionItem, explain
from capeval_core.figures import draw
from capeval_core.figures.evidence import Chart
from capeval_core.figures.palette import LIGHT
from capeval_core.metrics.nneval import NNEvalExplanation, NNEvalFeature
from capeval_core.metrics.smurf import SmurfExplanation, SmurfTerm, Standard
from capeval_core.metrics.sparcs import SparcsConcept, SparcsExplanation
from capeval_core.metrics.typicality import FlowExplanation

LAKE = CaptionItem(
    "1",
    "a man wearing a life jacket is in a small boat on a lake",
    (
        "A man wearing a lifevest is sitting in a canoe.",
        "a man wearing a red life jacket is sitting in a canoe on a lake",
        "A guy with a red jacket is standing on a boat.",
    ),
)
NEAR = CaptionItem(
    "2", "two guys wearing vests sit in the tiny canoe", ("two men with life vests seated in a small canoe",)
)
SAME = CaptionItem("3", "a dog runs", ("a dog runs",))
OTHER = CaptionItem("4", "red bus", ("two cats sleep",))
EMPTY = CaptionItem("5", "", ("two cats sleep",))
SPLIT = CaptionItem("6", "a dog on grass", ("a dog is standing on green grass today", "dog"))
UNKNOWN = CaptionItem("7", "a dog qqzzx", ("a puppy",))
# Settings that may change are named, so that the sentence is about these.
OPTIONS = {"wembsim": {"vectors": "glove-6b-50d"}, "bertscore": {"layer": 6}}
SENTENCES: list[tuple[str, CaptionItem, str]] = [
    ("bleu_1", OTHER, "BLEU-1 found 0 of 2 words in the references; without a shared word it is close to 0."),
    (
        "bleu_2",
        LAKE,
        "BLEU-2 found 13 of 14 words and 8 of 13 pairs in the references; being shorter than the "
        "reference nearest in length (14 words, not 15) lowers it to 93%.",
    ),
    (
        "bleu_4",
        LAKE,
        "BLEU-4 found 13 of 14 words, 8 of 13 pairs, 4 of 12 runs of three and 1 of 11 runs of four in the "
        "references; being shorter than the reference nearest in length (14 words, not 15) lowers it to 93%.",
    ),
    (
        "bleu_4",
        NEAR,
        "BLEU-4 found 4 of 9 words, 0 of 8 pairs, 0 of 7 runs of three and 0 of 6 runs of four in the "
        "references; without a shared pair it is close to 0.",
    ),
    (
        "bleu_3",
        SAME,
        "BLEU-3 found 3 of 3 words, 2 of 2 pairs and 1 of 1 run of three in the references; its length costs nothing.",
    ),
    ("bleu_4", EMPTY, "BLEU-4 found nothing: the candidate has no words."),
    (
        "rouge_l",
        LAKE,
        "ROUGE-L found 12 of the candidate's 14 words in the same order in reference 2: 86% of the candidate "
        "and 80% of the reference.",
    ),
    (
        "rouge_l",
        SPLIT,
        "ROUGE-L found 4 of the candidate's 4 words in the same order in reference 1 (100%), and 1 of the 1 "
        "word of reference 2 (100%): each share is the best of any reference.",
    ),
    ("rouge_l", OTHER, "ROUGE-L found no word that candidate and a reference share."),
    (
        "meteor",
        LAKE,
        "METEOR matched 12 of 14 words in 4 chunks; in one chunk the same matches would score 0.46, not 0.37.",
    ),
    (
        "meteor",
        NEAR,
        "METEOR matched 7 of 9 words (1 as a synonym and 2 in paraphrases) in 2 chunks; in one chunk the same "
        "matches would score 0.35, not 0.31.",
    ),
    ("meteor", SAME, "METEOR matched 3 of 3 words in one chunk; nothing is lost to breaks."),
    ("meteor", OTHER, "METEOR matched none of the candidate's 2 words with a reference."),
    ("meteor", EMPTY, "METEOR has nothing to match: the candidate has no words."),
    (
        "cider",
        LAKE,
        "CIDEr is 1.87; its largest parts come from “jacket” (0.31), “life” (0.25) and “jacket is” (0.23); of "
        "single words it misses “canoe” and “lifevest” most.",
    ),
    (
        "cider",
        OTHER,
        "CIDEr found no n-gram of weight that candidate and references share; of single words it misses “sleep” "
        "and “cats” most.",
    ),
    (
        "spice",
        LAKE,
        "SPICE found 6 of 15 things people mention; it missed “canoe”, “lifevest”, “guy” and 6 more; 3 of the "
        "candidate's 9 are in no reference: “small boat”, “man in boat” and “boat on lake”.",
    ),
    ("spice", SAME, "SPICE found 2 of 2 things people mention."),
    (
        "spice",
        EMPTY,
        "SPICE found nothing in the candidate to compare. The parser found no object in the candidate, so there "
        "is nothing to match: SPICE is 0.",
    ),
    (
        "spider",
        LAKE,
        "SPIDEr is the mean of SPICE (0.50) and CIDEr (1.87); CIDEr, on its scale up to 10, gives 79% of it.",
    ),
    ("spider", OTHER, "SPIDEr is the mean of SPICE (0.00) and CIDEr (0.00)."),
    (
        "wmd",
        LAKE,
        "WMD moves the words 1.68 on average to become those of reference 2; the costliest moves are “boat” "
        "to “canoe” (0.51) and “small” to “red” (0.42).",
    ),
    ("wmd", SAME, "WMD moves nothing: reference 1 has the same words with the same weights."),
    (
        "wmd",
        UNKNOWN,
        "WMD moves the words 3.15 on average to become those of reference 1; the costliest move is “dog” to "
        "“puppy” (3.15); “qqzzx” has no vector. 1 of 2 words of the candidate are unknown to glove-6b-50d: this "
        "score says little.",
    ),
    (
        "wmd",
        EMPTY,
        "WMD has nothing to compare. No word of the candidate has a vector in glove-6b-50d, stop words aside:"
        " similarity 0.",
    ),
    (
        "wembsim",
        LAKE,
        "WEmbSim: the candidate's mean word vector has a cosine of 0.94 to those of 3 references on average; "
        "“wearing” helps most; “small” lowers it most.",
    ),
    (
        "wembsim",
        SAME,
        "WEmbSim: the candidate's mean word vector has a cosine of 1.00 to the reference's; “runs” helps most.",
    ),
    (
        "wembsim",
        EMPTY,
        "WEmbSim has nothing to compare. No word of the candidate has a vector in glove-6b-50d, stop words "
        "aside: similarity 0.",
    ),
    (
        "bertscore",
        LAKE,
        "BERTScore: the mean similarity of the candidate's tokens to their best matches in reference 2 is 0.83, "
        "of the reference's tokens to theirs 0.79; the weakest of these matches is “wearing” with “red” (0.20).",
    ),
    (
        "bertscore",
        SAME,
        "BERTScore: the mean similarity of the candidate's tokens to their best matches in reference 1 is 1.00, "
        "of the reference's tokens to theirs 1.00.",
    ),
    ("bertscore", EMPTY, "BERTScore has nothing to compare. The candidate has no tokens: 0."),
    (
        "sparcs",
        LAKE,
        "SPARCS found 6 of 12 concepts people name, 50% of their weight; it misses “canoe”, “red”, “sitting” "
        "and 3 more; nobody else says “small”.",
    ),
    (
        "sparcs",
        NEAR,
        "SPARCS found 3 of 7 concepts people name, 43% of their weight; it misses “life”, “men”, “seated” and"
        " 1 more; nobody else says “guys”, “sit”, “tiny” or 1 more.",
    ),
    ("sparcs", SAME, "SPARCS found 2 of 2 concepts people name, 100% of their weight."),
    (
        "i2ce",
        OTHER,
        "I2CE: the candidate's vector has a cosine of 0.21 to the reference's; “bus” helps most; “red” lowers it most; "
        "from its vector the decoder writes 1 of 2 words again, with 3 others.",
    ),
    ("i2ce", EMPTY, "I2CE has nothing to compare. The candidate has no words: similarity 0."),
    (
        "sparcs",
        EMPTY,
        "SPARCS has nothing to compare. The candidate has no concepts: only stop words, punctuation or nothing.",
    ),
]


@pytest.mark.parametrize(
    ("key", "item", "sentence"), SENTENCES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_sentence(key: str, item: CaptionItem, sentence: str) -> None:
    assert draw(explain(item, key, options=OPTIONS), LIGHT).sentence == sentence


FLOW = FlowExplanation(
    value=0.535,
    tokens=("[CLS]", "a", "dog", "runs", "[SEP]"),
    masked=(False, True, False, False, False),
    dropped=(".",),
    flows=((0.30, 0.55), (0.40, 0.20), (0.10, 0.52), (0.60, 0.35)),
    chosen_heads=(1, 0, 1, 0),
    median_layers=(0, 2),
    flow=0.535,
    plain=0.535,
    estimate=None,
    method="strongest head of each layer, median of the layers",
    model="minilm",
    words=("A", "dog", "runs."),
    without=(0.525, 0.505, 0.5352),
)
CONCEPT = SparcsConcept("dog", 1.0, ("dog",), ("dog",))
SPARCS = SparcsExplanation(value=1.0, matched=(CONCEPT,), missed=(), extra=(), precision=1.0, recall=1.0)


def smurf(*contributions: float, counted: bool = True, fusion: str = "sum") -> SmurfExplanation:
    terms = tuple(
        SmurfTerm(name, 0.5, Standard(0.4, 0.1), part, part, counted or name != "spurts")
        for name, part in zip(("sparcs", "spurts", "mima"), contributions, strict=True)
    )
    divisor = 1 if fusion == "sum" else 3 if counted else 2
    value = sum(term.contribution for term in terms if term.counted) / divisor
    return SmurfExplanation(
        value=value,
        terms=terms,
        threshold=-1.96,
        branch="which line of Eq. 12",
        fusion=fusion,
        divisor=divisor,
        sparcs=SPARCS,
        spurts=FLOW,
        mima=FLOW,
    )


def test_spurts_sentence() -> None:
    assert draw(replace(FLOW, key="spurts"), LIGHT).sentence == (
        "In the middle layers (1 and 3) of minilm the strongest heads carry a flow of 0.54 out of 1; SPURTS, how "
        "distinct the content words are, is that flow with stop words hidden. Of its words “dog” raises it most "
        "(+0.030)."
    )


def test_mima_sentence_says_what_is_estimated() -> None:
    mima = replace(
        FLOW, key="mima", plain=0.465, estimate=0.48, value=0.48, median_layers=(2,), without=(0.475, 0.505, 0.48)
    )
    assert draw(mima, LIGHT).sentence == (
        "In the middle layer (3) of minilm the strongest heads carry a flow of 0.54 out of 1; MIMA, how ordinary "
        "the wording is, is 1 minus that: 0.47. The score, 0.48, estimates what the paper's transformer would give. "
        "Of its words “A” raises it most (+0.005) and “dog” lowers it most (-0.025)."
    )


def test_an_empty_caption_has_no_flow_to_speak_of() -> None:
    empty = replace(FLOW, key="spurts", value=0.0, note="the caption is empty: 0")
    assert draw(empty, LIGHT).sentence == "SPURTS has nothing to read. The caption is empty: 0."


def test_the_head_of_each_layer_is_framed() -> None:
    parts = draw(replace(FLOW, key="mima"), LIGHT).parts
    effects, chart = (part for part in parts if isinstance(part, Chart))
    assert list(effects.figure.data[0].text) == [" +0.010", " +0.030", " 0.000"]
    assert [(shape.x0 + shape.x1, shape.y0 + shape.y1) for shape in chart.figure.layout.shapes] == [
        (2, 0),
        (0, 2),
        (2, 4),
        (0, 6),
    ]
    assert chart.clicks["2,1"] == (
        "layer 3, head 2: flow 0.520, the strongest of its layer; this layer is in the middle and counts"
    )


@pytest.mark.parametrize(
    ("explanation", "sentence"),
    [
        (
            smurf(0.5, 2.25, 0.0),
            "SMURF 2.75: what the caption says is 0.50 standard deviations above people's mean; its style, 2.25 above "
            "people's mean, earns 2.25 where people's mean style earns 1.96; its grammar, at people's mean, costs "
            "nothing.",
        ),
        (
            smurf(-2.5, 2.25, -0.75, counted=False, fusion="average"),
            "SMURF -1.62: what the caption says is 2.50 standard deviations below people's mean, so little that its "
            "style earns nothing; its odd grammar, 0.75 below people's mean, costs 0.75. The score is the sum of these "
            "over 2.",
        ),
    ],
)
def test_smurf_sentence(explanation: SmurfExplanation, sentence: str) -> None:
    assert draw(explanation, LIGHT).sentence == sentence


def nneval(*pushes: float) -> NNEvalExplanation:
    keys = ("spice", "cider", "meteor", "bleu_4")
    features = tuple(NNEvalFeature(key, 0.3, 0.2, 0.1, push) for key, push in zip(keys, pushes, strict=True))
    odds = -0.25 + sum(pushes)
    return NNEvalExplanation(
        value=1 / (1 + math.exp(-odds)), key="nneval", features=features, start=-0.25, log_odds=odds, variant="free"
    )


@pytest.mark.parametrize(
    ("explanation", "sentence"),
    [
        (
            nneval(0.5, 1.25, 0.001, -0.5),
            "NNEval gives a person 73%: log-odds 1.00, where the mean caption of its training has -0.25. They are "
            "raised most by CIDEr (+1.25) and SPICE (+0.50) and lowered most by BLEU-4 (-0.50).",
        ),
        (
            nneval(0.0, 0.0, 0.0, 0.0),
            "NNEval gives a person 44%: log-odds -0.25, where the mean caption of its training has -0.25. No score "
            "moves them.",
        ),
    ],
)
def test_nneval_sentence(explanation: NNEvalExplanation, sentence: str) -> None:
    assert draw(explanation, LIGHT).sentence == sentence
