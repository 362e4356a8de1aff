"""Typicality: how a language model's attention takes a caption. The folder behind MIMA, SPURTS and two parts of SMURF.

information_flow.py has the formulas (Eq. 6-8), passes.py runs captions through a transformer, estimate.py estimates the
paper's values from MiniLM, values.py gives the values of a batch; these load torch. source.py says which transformer is
used, metric.py has options, scores and evidence.
"""

from capeval_core.metrics.typicality.metric import (
    FlowExplanation,
    FlowMetric,
    Options,
    explain_flow,
    flow_values,
    unknown_to,
)
from capeval_core.metrics.typicality.source import ESTIMATED, FlowContext, choose, stand_in_for

__all__ = [
    "ESTIMATED",
    "FlowContext",
    "FlowExplanation",
    "FlowMetric",
    "Options",
    "choose",
    "explain_flow",
    "flow_values",
    "stand_in_for",
    "unknown_to",
]
