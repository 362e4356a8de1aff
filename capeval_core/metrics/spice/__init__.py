"""SPICE: F-score over the tuples of scene graphs built from dependency parses."""

from capeval_core.metrics.spice.spice import Options, Spice, SpiceExplanation

__all__ = ["Options", "Spice", "SpiceExplanation"]
