"""CapEval's pages: one thin file each; what they share is in parts/."""
