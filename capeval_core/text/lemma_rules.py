"""Lemmas of words from their Penn tag, by suffix, for words the caption parser's table does not list.

As in CoreNLP, only plurals and verb forms are undone: comparatives, singular nouns, proper nouns and others keep their
form, and a verb's tag does not matter ("sitting" tagged VBN is still "sit").
"""

from __future__ import annotations

import re

_STEM_S = re.compile(r"(?:ss|x|zz|ch|sh|o)es$")  # the e is not the stem's: dishes, foxes, tomatoes
_INFLECTED = re.compile(r"(.*[aeiouy].*)(?:ing|(?<!e)ed)")  # a stem has a vowel: not bring, sled, feed
_NO_E = re.compile(r"(?:[aeiou]{2}|qu[aeiou])[^aeiousvz]$")  # eat, sail, peel; but rais-, leav-, squeez-
_LOST_E = re.compile(
    r"(?:^[^aeiou]*(?:qu|[aeiouy])[^aeiouwxy]"  # one short syllable: hik-, rid-, lov-
    r"|[bcdfgkptz]l|[^eo]at|[aeiou][cgvz]|[lr]v|[rnpl][sc]|[aiou]s|[dr]g|[clr]ang|oung"
    r"|[^aeiou][ou]r|[^aeiou][aiou]d|[^aeiou]in|[^aeiou][ai]p|[^aeiou][aeiou]k|[^aeiou]u|th)$"
)


def word_class(tag: str) -> str:
    """Tags that share their lemmas: all verb forms are one class."""
    return "VB" if tag.startswith("VB") else tag


def lemma(word: str, tag: str) -> str:
    """The dictionary form, lower-case unless the word is a proper noun."""
    if tag in ("NNP", "NNPS"):
        return word
    word = word.lower()
    if tag == "NNS":
        return word[:-2] + "an" if word.endswith("men") else _without_s(word)
    return _verb(word) if tag.startswith("VB") else word


def _verb(word: str) -> str:
    if word.endswith("ied"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    found = _INFLECTED.fullmatch(word)
    return _stem(found[1]) if found else _without_s(word)


def _without_s(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if _STEM_S.search(word) and len(word) > 4:
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us")) and len(word) > 2 else word


def _stem(stem: str) -> str:
    """What is left of -ing and -ed: runn- -> run, hik- -> hike, ty- -> tie, walk- -> walk."""
    if len(stem) == 2 and stem.endswith("y"):
        return stem[0] + "ie"
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeiou":
        keeps = stem[-1] in "sfz" or (stem[-1] == "l" and not re.search(r"[^aeiou][aeiou][^aeiou]+ell$", stem))
        return stem if keeps else stem[:-1]
    return stem + "e" if _LOST_E.search(stem) and not _NO_E.search(stem) else stem
