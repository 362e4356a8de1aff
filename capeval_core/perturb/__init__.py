"""Changed captions: synonyms, redundancy, word order, faults and distractors, and what they do to the scores."""

from capeval_core.perturb.kinds import FAMILIES, KINDS, Kind
from capeval_core.perturb.lab import perturb
from capeval_core.perturb.variant import Variant, Variants

__all__ = ["FAMILIES", "KINDS", "Kind", "Variant", "Variants", "perturb"]
