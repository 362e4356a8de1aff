"""English stems by Porter2 (Snowball), in the edition METEOR 1.5 carries: the one before Snowball's 2.x rule changes.

Definition: Porter, "The English (Porter2) stemming algorithm", snowballstem.org.
Reference:  the stemmer of meteor-1.5.jar. NLTK's differs on rare words (realization: here realiz, there realize).
"""

from __future__ import annotations

from functools import lru_cache

_VOWELS = frozenset("aeiouy")
_WHOLE_WORDS = {
    "skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl", "gently": "gentl",
    "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl", "sky": "sky", "news": "news", "howe": "howe",
    "atlas": "atlas", "cosmos": "cosmos", "bias": "bias", "andes": "andes",
}  # fmt: skip
_DONE_AFTER_1A = frozenset(("inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"))
_LONG_PREFIXES = ("gener", "commun", "arsen")
_DOUBLES = ("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt")
_BEFORE_LI = frozenset("cdeghkmnrt")

# Longest suffix first: the longest one that fits is chosen, and when its condition fails the step does nothing.
_STEP_2 = (
    ("ational", "ate"), ("ization", "ize"), ("fulness", "ful"), ("ousness", "ous"), ("iveness", "ive"),
    ("tional", "tion"), ("biliti", "ble"), ("lessli", "less"), ("entli", "ent"), ("ation", "ate"), ("alism", "al"),
    ("aliti", "al"), ("fulli", "ful"), ("ousli", "ous"), ("iviti", "ive"), ("enci", "ence"), ("anci", "ance"),
    ("abli", "able"), ("izer", "ize"), ("ator", "ate"), ("alli", "al"), ("bli", "ble"), ("ogi", "og"), ("li", ""),
)  # fmt: skip
_STEP_3 = (
    ("ational", "ate"), ("tional", "tion"), ("alize", "al"), ("icate", "ic"), ("iciti", "ic"), ("ative", ""),
    ("ical", "ic"), ("ness", ""), ("ful", ""),
)  # fmt: skip
_STEP_4 = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "ion",
    "al", "er", "ic",
)  # fmt: skip


@lru_cache(maxsize=1 << 17)
def stem(word: str) -> str:
    """The stem of a lower-case word."""
    if word in _WHOLE_WORDS:
        return _WHOLE_WORDS[word]
    if len(word) < 3:
        return word
    word = _mark_consonant_y(word.removeprefix("'"))
    start_1 = _region_1(word)
    start_2 = _after_vowel_consonant(word, start_1)
    word = _step_1a(_step_0(word))
    if word not in _DONE_AFTER_1A:
        word = _step_1c(_step_1b(word, start_1))
        word = _step_3(_step_2(word, start_1), start_1, start_2)
        word = _step_5(_step_4(word, start_2), start_1, start_2)
    return word.replace("Y", "y")


def _mark_consonant_y(word: str) -> str:
    """Write Y for a y that is a consonant: the first letter, or after a vowel."""
    if "y" not in word:
        return word
    marked = ""
    for letter in word:
        marked += "Y" if letter == "y" and (not marked or marked[-1] in _VOWELS) else letter
    return marked


def _region_1(word: str) -> int:
    for prefix in _LONG_PREFIXES:
        if word.startswith(prefix):
            return len(prefix)
    return _after_vowel_consonant(word, 0)


def _after_vowel_consonant(word: str, start: int) -> int:
    for i in range(start + 1, len(word)):
        if word[i] not in _VOWELS and word[i - 1] in _VOWELS:
            return i + 1
    return len(word)


def _has_vowel(part: str) -> bool:
    return not _VOWELS.isdisjoint(part)


def _ends_in_short_syllable(word: str) -> bool:
    if len(word) == 2:
        return word[0] in _VOWELS and word[1] not in _VOWELS
    return (
        len(word) > 2
        and word[-1] not in _VOWELS
        and word[-1] not in "wxY"
        and word[-2] in _VOWELS
        and word[-3] not in _VOWELS
    )


def _step_0(word: str) -> str:
    for suffix in ("'s'", "'s", "'"):
        if word.endswith(suffix):
            return word.removesuffix(suffix)
    return word


def _step_1a(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss")) and _has_vowel(word[:-2]):
        return word[:-1]
    return word


def _step_1b(word: str, start_1: int) -> str:
    for suffix in ("eedly", "eed"):
        if word.endswith(suffix):
            base = word.removesuffix(suffix)
            return base + "ee" if len(base) >= start_1 else word
    for suffix in ("ingly", "edly", "ing", "ed"):
        if word.endswith(suffix):
            base = word.removesuffix(suffix)
            return _mend(base, start_1) if _has_vowel(base) else word
    return word


def _mend(base: str, start_1: int) -> str:
    """Restore what -ed and -ing took away: hop(p)ing, hop(e)ing."""
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if base.endswith(_DOUBLES):
        return base[:-1]
    return base + "e" if len(base) == start_1 and _ends_in_short_syllable(base) else base


def _step_1c(word: str) -> str:
    if len(word) > 2 and word[-1] in "yY" and word[-2] not in _VOWELS:
        return word[:-1] + "i"
    return word


def _step_2(word: str, start_1: int) -> str:
    for suffix, replacement in _STEP_2:
        if word.endswith(suffix):
            base = word.removesuffix(suffix)
            allowed = len(base) >= start_1
            if suffix == "ogi":
                allowed = allowed and base.endswith("l")
            elif suffix == "li":
                allowed = allowed and base[-1:] in _BEFORE_LI
            return base + replacement if allowed else word
    return word


def _step_3(word: str, start_1: int, start_2: int) -> str:
    for suffix, replacement in _STEP_3:
        if word.endswith(suffix):
            base = word.removesuffix(suffix)
            return base + replacement if len(base) >= (start_2 if suffix == "ative" else start_1) else word
    return word


def _step_4(word: str, start_2: int) -> str:
    for suffix in _STEP_4:
        if word.endswith(suffix):
            base = word.removesuffix(suffix)
            allowed = len(base) >= start_2 and (suffix != "ion" or base.endswith(("s", "t")))
            return base if allowed else word
    return word


def _step_5(word: str, start_1: int, start_2: int) -> str:
    base = word[:-1]
    in_2 = len(base) >= start_2
    if word.endswith("e") and (in_2 or (len(base) >= start_1 and not _ends_in_short_syllable(base))):
        return base
    if word.endswith("ll") and in_2:
        return base
    return word
