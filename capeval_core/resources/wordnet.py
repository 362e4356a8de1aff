"""WordNet synsets as METEOR 1.5 and SPICE use them: every sense of a word and of its base form, as numbers.

Source:    synonym/english.synsets and english.exceptions inside METEOR's jar (read as a zip archive).
Reference: the Java METEOR's synonym matches and the Java SPICE's synsets; both follow the rule of `synsets`.
"""

from __future__ import annotations

import zipfile
from functools import cache, lru_cache

from capeval_core.resources.files import locate
from capeval_core.resources.loading import load_once

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

# Where WordNet 3.0's nouns stand: its files of nouns follow each other by subject, artefacts in the middle.
_ARTEFACTS, _ONLY_NOUNS, _AFTER_ARTEFACTS = 2_600_000, 3_160_000, 4_600_000


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


def listed(word: str) -> list[int]:
    """The synset numbers of exactly this word, in the file's order: nouns, verbs, adjectives, adverbs."""
    return _listed(word)


def _listed(word: str) -> list[int]:
    return _numbers(_synset_lines().get(word, ""))


def _numbers(line: str) -> list[int]:
    return [int(number) for number in line.split()]


def words(number: int) -> tuple[str, ...]:
    """The words of a synset, those of several words joined by underscores."""
    return _words_of_synsets().get(number, ())


def kind(number: int) -> str:
    """`noun`, `other` or, where the file does not tell, nothing.

    The file has no parts of speech, and numbers of different ones overlap below 3,160,000. But it lists each word's
    nouns first: what stands before a number that only nouns have is a noun; a small number after it is none.
    """
    return _kinds().get(number, "")


@cache
def related(number: int) -> tuple[int, ...]:
    """The synsets one step above and below, the wider ones first."""
    return tuple(map(int, _relation_lines().get(f"{number:08d}", "").split()))


@load_once()
def _words_of_synsets() -> dict[int, tuple[str, ...]]:
    found: dict[int, list[str]] = {}
    for word, line in _synset_lines().items():
        for number in _numbers(line):
            found.setdefault(number, []).append(word)
    return {number: tuple(names) for number, names in found.items()}


@load_once()
def _kinds() -> dict[int, str]:
    found: dict[int, str] = {}
    for line in _synset_lines().values():
        numbers = _numbers(line)
        last = max((place for place, number in enumerate(numbers) if number >= _ONLY_NOUNS), default=-1)
        found.update(dict.fromkeys(numbers[: last + 1], "noun"))
        bound = _ARTEFACTS if last >= 0 and numbers[last] < _AFTER_ARTEFACTS else _ONLY_NOUNS
        for number in numbers[last + 1 :] if last >= 0 else ():
            if number < bound:
                found.setdefault(number, "other")
    return found


@load_once()
def _relation_lines() -> dict[str, str]:
    lines = _lines("synonym/english.relations")
    return dict(zip(lines[::2], lines[1::2], strict=True))


@load_once()
def _synset_lines() -> dict[str, str]:
    # Numbers stay text until asked for: parsing 147,306 lines would take longer than everything else at start-up.
    lines = _lines("synonym/english.synsets")
    return dict(zip(lines[::2], lines[1::2], strict=True))


@load_once()
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
