"""Explanations drawn: pure functions of finished results, one module per metric. `draw` finds the right one."""

from __future__ import annotations

import importlib

from capeval_core.figures.evidence import Evidence
from capeval_core.figures.palette import Palette
from capeval_core.types import Explanation

# The module of figures/ that draws each type of explanation.
DRAWN_BY = {
    "BleuExplanation": "bleu",
    "RougeLExplanation": "rouge_l",
    "MeteorExplanation": "meteor",
    "CiderExplanation": "cider",
    "SpiceExplanation": "spice",
    "SpiderExplanation": "spider",
    "WmdExplanation": "wmd",
    "WEmbSimExplanation": "wembsim",
    "BertScoreExplanation": "bertscore",
    "SparcsExplanation": "sparcs",
    "FlowExplanation": "flow",
    "SmurfExplanation": "smurf",
    "I2ceExplanation": "i2ce",
    "NNEvalExplanation": "nneval",
}


def draw(explanation: Explanation, palette: Palette) -> Evidence:
    module = importlib.import_module(f"capeval_core.figures.{DRAWN_BY[type(explanation).__name__]}")
    evidence: Evidence = module.draw(explanation, palette)
    return evidence
