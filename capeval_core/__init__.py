"""CapEval's scoring package: caption metrics equal to the originals, each with its evidence."""

from capeval_core.errors import CapEvalError, InvalidInput, MetricFailed, MissingResource
from capeval_core.service import evaluate, explain
from capeval_core.types import CaptionItem, Evaluation, Explanation, MetricResult
from capeval_core.version import VERSION as __version__

__all__ = [
    "CapEvalError",
    "CaptionItem",
    "Evaluation",
    "Explanation",
    "InvalidInput",
    "MetricFailed",
    "MetricResult",
    "MissingResource",
    "__version__",
    "evaluate",
    "explain",
]
