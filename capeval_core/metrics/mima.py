"""MIMA: how ordinary a caption's wording is: how little it stirs a language model's attention. Grammar.

Paper:     Feinglass and Yang 2021, "SMURF: SeMantic and linguistic UndeRstanding Fusion for Caption Evaluation via
           Typicality Analysis", Eq. 6-7; on distilbert-base-uncased.
Reference: the MIMA values the authors published (f_MIMA: 1 - flow). An independent computation of the plain method
           from the transformers library's attentions is in tests/golden/mima.json.
Range:     0 to 1, higher is better. Corpus score: mean of the segments. No references needed.

Information flow of a head: its attention over all tokens, the transformer's own included, as a joint distribution;
mutual information of the two sides over the mean of their entropies. Eq. 6 as printed lacks brackets (the 2 belongs to
the whole numerator: without them it would pass 1). Strongest head per layer, median of the layers, 1 minus that.
Where the paper's transformer is not on the machine the value is an estimate of what it would say, and says so.
"""

from __future__ import annotations

from capeval_core.metrics.typicality import FlowExplanation, FlowMetric, Options

__all__ = ["FlowExplanation", "Mima", "Options"]


class Mima(FlowMetric):
    key = "mima"
