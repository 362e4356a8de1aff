"""CapEval's browser app: page config and navigation, nothing else."""

from pages.shell.navigation import nav

nav()
