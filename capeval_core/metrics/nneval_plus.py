"""NNEval+: NNEval with five more scores to read: BERTScore, WEmbSim, SPARCS, ROUGE-L and I2CE.

Paper:     Sharif et al. 2018, "NNEval: Neural Network Based Evaluation Metric for Image Captioning"; the paper invites
           further features as metrics grow better.
Reference: none; the network was trained here, as capeval_core/data/nneval_plus.md says. tests/golden/nneval_plus.json
           holds a plain computation of it.
Range:     0 to 1, the probability of a person; higher is better. Corpus score: mean of the segments.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from capeval_core.metrics import nneval
from capeval_core.metrics.nneval import NNEvalExplanation
from capeval_core.option_fields import one_of, trained
from capeval_core.resources import trained as networks

__all__ = ["NNEvalExplanation", "NNEvalPlus", "Options"]


@dataclass(frozen=True, slots=True)
class Options(nneval.Options):
    variant: str = field(default="free", metadata=one_of("Variant", "How the network was trained.", nneval.VARIANTS))
    model: str = field(
        default=networks.SHIPPED, metadata=trained("Network", "Which trained network reads the scores.", "nneval_plus")
    )


class NNEvalPlus(nneval.NNEval):
    family = "nneval_plus"
