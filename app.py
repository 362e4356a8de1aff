"""CapEval's browser app: page config and navigation, nothing else."""

from pages.parts.shell import nav

nav()
