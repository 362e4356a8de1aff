"""Attributes that exclude each other: a thing is not both wet and dry. Colours and counts have modules of their own."""

from __future__ import annotations

from capeval_core.perturb.wordlists import word_set

# Each row: a property; its values, words of one meaning together.
_OPPOSITES = (
    ("big large huge giant enormous massive gigantic", "small little tiny miniature mini"),
    ("old elderly aged older", "young younger teenage little"),
    ("tall high", "short low"),
    ("long", "short"),
    ("wet soaked", "dry"),
    ("open opened", "closed shut"),
    ("empty vacant", "full crowded packed busy"),
    ("clean tidy neat", "dirty messy muddy cluttered filthy"),
    ("indoor inside", "outdoor outside"),
    ("wooden wood", "metal steel iron", "plastic", "glass", "brick", "stone concrete marble", "leather"),
    ("sunny bright", "cloudy overcast rainy dark gloomy foggy"),
    ("striped", "plaid checkered", "polka-dot dotted spotted", "floral flowered"),
    ("bald", "long-haired", "short-haired", "curly-haired"),
    ("shirtless naked", "dressed clothed"),
    ("male", "female"),
    ("round circular", "square rectangular"),
    ("asian", "african african-american", "caucasian"),
    ("broken", "intact"),
    ("vintage antique old", "modern new"),
    ("cooked baked", "raw uncooked"),
    ("light", "dark"),
    ("sliced cut chopped", "whole"),
)
_PLACES: dict[str, tuple[tuple[int, int], ...]] = {}
for _row, _values in enumerate(_OPPOSITES):
    for _number, _words in enumerate(_values):
        for _word in word_set(_words):
            _PLACES[_word] = (*_PLACES.get(_word, ()), (_row, _number))


def group_of(word: str) -> tuple[tuple[int, int], ...]:
    """The properties the word gives a value to, and which value; empty for other words."""
    return _PLACES.get(word, ())


def opposed(one: str, other: str) -> bool:
    """Two values of one property, and of no property the same."""
    ours, theirs = dict(group_of(one)), dict(group_of(other))
    shared = ours.keys() & theirs.keys()
    return bool(shared) and all(ours[row] != theirs[row] for row in shared)
