"""What stands in for a paper's resource is named, and the fix is one that works here."""

from __future__ import annotations

import re
from dataclasses import fields

from capeval_core import CaptionItem, evaluate, registry
from capeval_core.resources.fetch import SHORT_NAMES
from capeval_core.resources.typicality import PAPER
from capeval_core.resources.vectors import GENSIM
from pages.widgets import stand_ins

DEFAULTS = {
    "spice": ("stand-in", "CoreNLP"),
    "spider": ("stand-in", "CoreNLP"),
    "wmd": ("stand-in", "word2vec"),
    "wembsim": ("stand-in", "word2vec"),
    "bertscore": ("stand-in", "RoBERTa"),
    "mima": ("estimated", "DistilBERT"),
    "spurts": ("estimated", "DistilRoBERTa"),
    "smurf": ("estimated", "DistilBERT and DistilRoBERTa"),
}


def test_every_default_that_stands_in_is_named_with_a_fix_that_exists() -> None:
    found = evaluate([CaptionItem("x", "a dog runs", ("the dog is running", "a dog"))]).signatures
    assert {key for key in found if stand_ins.stand_in(found[key])} == {key for key in DEFAULTS if key in found}
    for key, (word, original) in DEFAULTS.items():
        standing = stand_ins.stand_in(found[key])
        assert standing
        assert standing.word == word
        assert original in standing.badge
        for metric, name in re.findall(r"--set (\w+)\.(\w+)=", standing.fix):
            assert metric == key
            assert name in {field.name for field in fields(registry.get(key).module().Options)}
        for name in re.findall(r"resources fetch ([^\s;]+)", standing.fix):
            assert name in SHORT_NAMES or name.startswith(GENSIM) or name.count("/") == 1
            assert name not in SHORT_NAMES or name in PAPER.values()


def test_the_originals_are_no_stand_ins() -> None:
    for signature in (
        "wmd|vectors:word2vec-google-news-300.gz(knows 4 of 4 words)|tok:coco-ptb",
        "bertscore|model:roberta-large|layer:17",
        "smurf|model:distilroberta-base+distilbert-base-uncased",
        "spurts|model:distilroberta-base",
        "",
    ):
        assert stand_ins.stand_in(signature) is None
    half = stand_ins.stand_in("smurf|model:distilroberta-base+estimated from minilm|fusion:sum")
    assert half
    assert half.word == "estimated"
    labels = {"wmd": "WMD", "smurf": "SMURF"}
    said = stand_ins.summary({"wmd": "wmd|vectors:glove-6b-50d(knows 1 of 1 words)"}, labels)
    assert said == "≈ WMD uses stand-ins for the papers' resources."
    assert stand_ins.summary({"smurf": "smurf|model:estimated from minilm"}, labels) == "≈ SMURF is estimated."
    assert stand_ins.summary({}, labels) == ""
