"""The checks behind the Guide: one function per claim, by the name that stands behind the sentence.

facts.py looks things up: live scores and evidence, the guides' examples, what was measured.
"""
