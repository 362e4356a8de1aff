"""WordNet synsets as METEOR 1.5 and SPICE use them: every sense of a word and of its base form, as numbers.

Source:    synonym/english.synsets and english.exceptions inside METEOR's jar (read as a zip archive).
Reference: the Java METEOR's synonym matches and the Java SPICE's synsets; both follow the rule of `synsets`.
"""

from __future__ import annotations

import zipfile
from functools import cache, lru_cache

from capeval_core.resources.files import locate

# Tried in this order; the first result that is a word of the table is the base form, and the only one.
_SUFFIX_RULES = (
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
    ("es", "e"),
    ("es", ""),
    ("ed", "e"),
    ("ed", ""),
    ("ing", "e"),
    ("ing", ""),
    ("er", ""),
    ("est", ""),
    ("er", "e"),
    ("est", "e"),
)


@lru_cache(maxsize=1 << 17)
def synsets(key: str) -> frozenset[int]:
    """Synset numbers of `key` (lower case, words joined by underscores) and of its base forms; empty when unknown."""
    found = {number for word in (key, *base_forms(key)) for number in _listed(word)}
    return frozenset(found)


def base_forms(key: str) -> tuple[str, ...]:
    """The bases of an irregular form, else the one base that the suffix rules find, else nothing."""
    irregular = _bases_of_irregular_forms().get(key)
    if irregular is not None:
        return irregular
    if len(key) <= 2 or key.endswith("ss"):
        return ()
    table = _synset_lines()
    for suffix, replacement in _SUFFIX_RULES:
        if key.endswith(suffix):
            base = key[: len(key) - len(suffix)] + replacement
            if base in table:
                return (base,)
    return ()


def _listed(word: str) -> list[int]:
    return [int(number) for number in _synset_lines().get(word, "").split()]


@cache
def _synset_lines() -> dict[str, str]:
    # Numbers stay text until asked for: parsing 147,306 lines would take longer than everything else at start-up.
    lines = _lines("synonym/english.synsets")
    return dict(zip(lines[::2], lines[1::2], strict=True))


@cache
def _bases_of_irregular_forms() -> dict[str, tuple[str, ...]]:
    lines = _lines("synonym/english.exceptions")
    bases: dict[str, tuple[str, ...]] = {}
    for base, forms in zip(lines[::2], lines[1::2], strict=True):
        for form in forms.split():
            bases[form] = (*bases.get(form, ()), base)
    return bases


def _lines(member: str) -> list[str]:
    with zipfile.ZipFile(locate("meteor-jar")) as jar:
        return jar.read(member).decode("ascii").splitlines()
