"""METEOR; start reading at meteor.py."""

from capeval_core.metrics.meteor.meteor import Meteor, MeteorExplanation, MeteorLink, MeteorReference
from capeval_core.metrics.meteor.scoring import Options

__all__ = ["Meteor", "MeteorExplanation", "MeteorLink", "MeteorReference", "Options"]
