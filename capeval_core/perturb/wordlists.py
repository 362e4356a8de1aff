"""Lists of words, written as text."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())
