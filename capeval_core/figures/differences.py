"""Which words two captions share. Case and punctuation at the edges of a word do not count."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache

COMPARED = 250_000  # pairs of words: two captions of more than 500 words each are equal, or share nothing
Span = tuple[int, int]  # first character, and the one after the last
Pieces = tuple[tuple[str, bool], ...]  # a text in parts, each marked as changed or not
Shared = tuple[tuple[bool, ...], tuple[bool, ...]]


def plain(word: str) -> str:
    return word.lower().strip(".,;:!?\"'()")


@lru_cache(maxsize=4_000)
def shared(left: str, right: str) -> Shared:
    """For each word of either caption: does the other have it too, in the same order?"""
    words = [list(map(plain, text.split())) for text in (left, right)]
    if len(words[0]) * len(words[1]) > COMPARED:
        equal = words[0] == words[1]
        return (equal,) * len(words[0]), (equal,) * len(words[1])
    found = [[False] * len(side) for side in words]
    for block in SequenceMatcher(None, words[0], words[1], autojunk=False).get_matching_blocks():
        for side, start in zip(found, (block.a, block.b), strict=True):
            side[start : start + block.size] = [True] * block.size
    return tuple(found[0]), tuple(found[1])


def changed(before: str, after: str) -> tuple[Span, ...]:
    """Where `after` has words that `before` has not."""
    places = [match.span() for match in re.finditer(r"\S+", after)]
    return tuple(place for place, same in zip(places, shared(before, after)[1], strict=True) if not same)


def cut(text: str, spans: Iterable[Span]) -> Pieces:
    """The text in parts: a browser counts characters otherwise than Python, so it gets no places."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and not text[joined[-1][1] : start].strip():  # neighbours are one change
            start, end = joined[-1][0], max(end, joined.pop()[1])
        joined.append((start, end))
    pieces, at = [], 0
    for start, end in joined:
        pieces += [(text[at:start], False), (text[start:end], True)]
        at = end
    return tuple((part, mark) for part, mark in [*pieces, (text[at:], False)] if part)
