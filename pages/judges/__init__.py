"""Judges: metrics against people."""
