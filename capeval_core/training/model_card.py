"""The caption parser's model card."""

from __future__ import annotations

from collections.abc import Mapping

_CARD = """# Caption parser

Tags, lemmas and basic Universal Dependencies (v1) trees of image captions, imitating CoreNLP 3.6.0's PCFG parser, for
SPICE. Not a general parser of English: it repeats that program's habits, mistakes included.

**Data.** `{data}`: {counts}. Sentences with the same words, articles and order aside, are on one side.
karpathy_a's captions are for testing only. Words that (nearly) always have one tag, of NN, NNS, JJ and CD, are read as
that tag's class: the original's grammar has no words in it, and its trees do not change when such words are exchanged.

**Network.** Word table, GloVe 6B vectors (50 dimensions, kept as they are; Pennington et al. 2014, public domain) and
affix tables; three BiLSTM layers; tags decided after the second, biaffine heads and relations after the third (Dozat &
Manning 2017). Shipped in half precision, run in single. {config}

**Training.** Cross-entropy of tags, heads and relations; Adam with warm-up and a cosine fall to zero; dropout; rare
words hidden at random; the moving average of the weights ships. {settings}
Repeat: `python -m capeval_core train caption-parser --data {data} --out caption_parser.safetensors`.

**Figures on the held-out sentences** (heads taken greedily): {figures}.
"""

_NAMES = {
    "loss": "training loss",
    "tags": "tag accuracy",
    "uas": "unlabelled attachment",
    "las": "labelled attachment",
    "whole": "sentences without any mistake",
}


def text(
    data: str,
    settings: Mapping[str, object],
    config: Mapping[str, object],
    counts: Mapping[str, int],
    figures: Mapping[str, float],
) -> str:
    return _CARD.format(
        data=data,
        counts=", ".join(f"{count} sentences {name}" for name, count in counts.items()),
        config=", ".join(f"{name} {value}" for name, value in config.items()) + ".",
        settings=", ".join(f"{name} {value}" for name, value in settings.items()) + ".",
        figures=", ".join(f"{_NAMES.get(name, name)} {value:.4f}" for name, value in figures.items()),
    )
