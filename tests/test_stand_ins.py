"""What stands in for a paper's resource: the metrics say it, on evaluations and explanations, with a fix."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest

from capeval_core import CaptionItem, Evaluation, evaluate, explain, registry
from capeval_core.metrics.typicality.source import PAPER
from capeval_core.resources import files, trained
from capeval_core.resources.fetch import SHORT_NAMES
from capeval_core.resources.vectors import GENSIM
from capeval_core.version import VERSION
from tests.resources.test_available import add_to_hub
from tests.resources.test_transformer import small_tokenizer, tiny

ITEM = CaptionItem("x", "a dog runs", ("the dog is running", "a dog"))
DEFAULTS = {
    "spice": ("stand-in", "CapEval's caption parser", "CoreNLP"),
    "spider": ("stand-in", "CapEval's caption parser", "CoreNLP"),
    "wmd": ("stand-in", "GloVe 50d", "word2vec"),
    "wembsim": ("stand-in", "MiniLM's lowest layer", "word2vec"),
    "bertscore": ("stand-in", "MiniLM-L6", "RoBERTa"),
    "mima": ("estimated", "a regression on MiniLM's attention", "DistilBERT"),
    "spurts": ("estimated", "a regression on MiniLM's attention", "DistilRoBERTa"),
    "smurf": ("estimated", "a regression on MiniLM's attention", "DistilBERT and DistilRoBERTa"),
}
SIGNATURES = {
    "bleu_1": "bleu_1|smoothing:none|tok:coco-ptb",
    "bleu_2": "bleu_2|smoothing:none|tok:coco-ptb",
    "bleu_3": "bleu_3|smoothing:none|tok:coco-ptb",
    "bleu_4": "bleu_4|smoothing:none|tok:coco-ptb",
    "rouge_l": "rouge_l|beta:1.2|tok:coco-ptb",
    "meteor": "meteor|alpha:0.85|beta:0.2|gamma:0.6|delta:0.75|exact:1.0|stem:0.6|synonym:0.8|paraphrase:0.6"
    "|tok:coco-ptb|res:meteor-jar+meteor-paraphrases",
    "cider": "cider|idf:coco-val2014(40504 images,e3c9162c)|variant:cider-d|sigma:6.0|tok:coco-ptb",
    "spice": "spice|tok:coco-ptb|res:caption-parser+meteor-jar",
    "spider": "spider|idf:coco-val2014(40504 images,e3c9162c)|variant:cider-d|sigma:6.0"
    "|tok:coco-ptb|res:caption-parser+meteor-jar",
    "wmd": "wmd|combine:min|vectors:glove-6b-50d|tok:coco-ptb",
    "wembsim": "wembsim|combine:mean|vectors:minilm|tok:coco-ptb",
    "bertscore": "bertscore|model:minilm|layer:6|idf:none|measure:f1|tok:model|res:minilm",
    "sparcs": "sparcs|tok:nltk-word-3.5",
    "spurts": "spurts|model:estimated from minilm|tok:wordpiece",
    "mima": "mima|model:estimated from minilm|tok:wordpiece",
    "smurf": "smurf|model:estimated from minilm|fusion:sum|tok:nltk-word-3.5+wordpiece",
    "i2ce": f"i2ce|model:i2ce({files.RESOURCES['i2ce'].sha256[:8]})|top_k:3|tok:coco-ptb",
}
for _key, _tokenizer in (("nneval", "coco-ptb"), ("nneval_plus", "coco-ptb+nltk-word-3.5+model")):
    SIGNATURES[_key] = (
        f"{_key}|variant:free|model:{trained.label(_key, trained.SHIPPED)}|tok:{_tokenizer}"
        "|idf:coco-val2014(40504 images,e3c9162c)"
    )
FLOW = ["mima", "spurts", "smurf"]


@pytest.fixture
def default(hub: Path) -> Evaluation:
    return evaluate([ITEM])


def test_signatures_of_the_defaults(default: Evaluation) -> None:
    assert default.signatures == {key: f"{signature}|v:{VERSION}" for key, signature in SIGNATURES.items()}


def test_every_default_that_stands_in_is_named_with_a_fix_that_exists(default: Evaluation) -> None:
    assert set(default.stand_ins) == set(DEFAULTS)
    for key, (word, name, original) in DEFAULTS.items():
        found = default.stand_ins[key]
        assert (found.word, found.name) == (word, name)
        assert original in found.original
        for metric, option in re.findall(r"--set (\w+)\.(\w+)=", found.fix):
            assert metric == key
            assert option in {field.name for field in dataclasses.fields(registry.of_metric(metric).module().Options)}
        for name in re.findall(r"resources fetch ([^\s;]+)", found.fix):
            assert name in SHORT_NAMES or name.startswith(GENSIM) or name.count("/") == 1
            assert name not in SHORT_NAMES or name in PAPER.values()


@pytest.mark.parametrize("key", registry.keys())
@pytest.mark.usefixtures("hub")
def test_an_explanation_says_the_same(key: str) -> None:
    found = explain(ITEM, key)
    assert (found.stand_in.word if found.stand_in else "") == DEFAULTS.get(key, ("",))[0]
    assert found.stand_in == evaluate([ITEM], [key]).stand_ins.get(key)


def test_the_papers_transformers_are_taken_where_they_are(hub: Path) -> None:
    add_to_hub(hub, "distilbert/distilbert-base-uncased", "distilbert")
    half = evaluate([ITEM], FLOW)
    assert set(half.stand_ins) == {"spurts", "smurf"}
    assert half.stand_ins["smurf"].word == "estimated"
    assert half.stand_ins["smurf"].original == "DistilRoBERTa"
    assert "distilbert-base-uncased" not in half.stand_ins["smurf"].fix
    assert "|model:estimated from minilm+distilbert-base-uncased|" in half.signatures["smurf"]
    add_to_hub(hub, "distilbert/distilroberta-base", "roberta")
    whole = evaluate([ITEM], FLOW)
    assert not whole.skipped
    assert whole.stand_ins == {}
    assert "|model:distilroberta-base+distilbert-base-uncased|" in whole.signatures["smurf"]
    assert explain(ITEM, "smurf").stand_in is None


@pytest.mark.parametrize(
    ("options", "word", "name"),
    [
        ({"mima": {"model": "minilm"}}, "stand-in", "MiniLM-L6"),
        ({"mima": {"model": "estimate"}}, "estimated", "a regression on MiniLM's attention"),
        ({"wmd": {"vectors": "spacy-md"}}, "stand-in", "spaCy's vectors"),
        ({"wembsim": {"vectors": "glove-6b-50d"}}, "stand-in", "GloVe 50d"),
        ({"bertscore": {"layer": 3}}, "stand-in", "MiniLM-L6"),
    ],
)
@pytest.mark.usefixtures("hub")
def test_the_stand_in_follows_the_options(options: dict[str, Any], word: str, name: str) -> None:
    (metric,) = options
    found = evaluate([ITEM], [metric], options=options).stand_ins[metric]
    assert (found.word, found.name) == (word, name)


def test_plain_minilm_says_how_to_get_back_to_the_paper(hub: Path) -> None:
    chosen = {"mima": {"model": "minilm"}, "spurts": {"model": "minilm"}}
    found = evaluate([ITEM], FLOW, options=chosen).stand_ins
    assert found["smurf"].word == found["spurts"].word == "stand-in"
    assert found["smurf"].fix.endswith("score ... --set mima.model=auto --set spurts.model=auto")


def test_what_somebody_chose_is_no_stand_in(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("dog 1 2\nruns 2 1\nrunning 2 2\n", encoding="utf-8")
    model = str(tiny("bert", tmp_path / "model"))
    (tmp_path / "model" / "tokenizer.json").write_text(small_tokenizer(), encoding="utf-8")
    vectors = {"vectors": str(tmp_path / "mine.txt")}
    options = {"wmd": vectors, "wembsim": vectors, "bertscore": {"model": model, "layer": 2}, "mima": {"model": model}}
    found = evaluate([ITEM], list(options), options=options)
    assert not found.skipped
    assert found.stand_ins == {}
