"""SPURTS: how distinct a caption's content words are: how much they stir a language model's attention. Style.

Paper:     Feinglass and Yang 2021, "SMURF: SeMantic and linguistic UndeRstanding Fusion for Caption Evaluation via
           Typicality Analysis", Eq. 8; on distilroberta-base.
Reference: the SPURTS values the authors published. An independent computation of the plain method from the
           transformers library's attentions is in tests/golden/spurts.json.
Range:     0 to 1, higher is better. Corpus score: mean of the segments. No references needed.

The information flow of mima.py, without stop words. These are not taken out but replaced by the padding token, which
nothing attends to while its own attention still counts; punctuation is taken out. So did the authors' program.
Where the paper's transformer is not on the machine the value is an estimate of what it would say, and says so.
"""

from __future__ import annotations

from capeval_core.metrics.typicality import FlowExplanation, FlowMetric, Options

__all__ = ["FlowExplanation", "Options", "Spurts"]


class Spurts(FlowMetric):
    key = "spurts"
