"""English stop words: NLTK's list of 179, shipped because NLTK itself only downloads it.

The words were written out from the known list; each of the 111 that occur in karpathy_a is confirmed by SMURF's
published SPARCS values, which change without it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def stopwords() -> frozenset[str]:
    text = (Path(__file__).parents[1] / "data" / "stopwords.txt").read_text(encoding="utf-8")
    return frozenset(text.split())
