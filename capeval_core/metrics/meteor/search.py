"""Beam search for the best alignment, from the first reference word to the last.

Reference: the aligner of METEOR 1.5. Its oddities decide scores and are kept: the order of states among equals, the
distance of a new match charged to the state it was added to and not to the new one, half weights cut to whole numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from capeval_core.metrics.meteor.links import CHUNK
from capeval_core.metrics.meteor.matching import Match

BEAM = 40
NOWHERE = -1

# Sort number, bit mask of the candidate words in use, candidate place where the last match ended, next free reference
# word; then the last choice (reference place and match, or None) and the state it was made in.
State = tuple[int, int, int, int, Any, Any]
# A run of reference words that leave no choice: candidate places where its first match starts and its last one ends
# (NOWHERE if the first or last word has none), and the next reference word.
Leap = tuple[int, int, int]

_sort_number = itemgetter(0)


def search(matches: Sequence[list[Match]], fixed: Sequence[Match | None]) -> list[tuple[int, Match]]:
    """The matches of the best alignment, each with its reference place, in order."""
    sure = [(place, match) for place, match in enumerate(fixed) if match]
    if len(sure) == sum(map(bool, matches)):
        return sure
    leaps = _leaps(matches, fixed)
    states: list[State] = [(0, sum([match[3] for _, match in sure]), NOWHERE, 0, None, None)]
    place = inside = 0  # some state may be inside a match up to `inside`
    while place < len(matches):
        if len(states) > 1:
            states.sort(key=_sort_number)
            del states[BEAM:]
        leap = leaps[place]
        if leap is None:
            inside = max(inside, place + max([match[5] for match in matches[place]]))
            states = _choose(states, matches[place], place)
            place += 1
        elif inside > place:
            states = _step(states, fixed[place], place)
            place += 1
        else:
            states = _leap(states, leap)
            place = leap[2]
    states.sort(key=_sort_number)
    return sorted(sure + _choices(min(states[:BEAM], key=_final_number)))


def _leaps(matches: Sequence[list[Match]], fixed: Sequence[Match | None]) -> list[Leap | None]:
    """For each word that leaves no choice the run that starts with it."""
    leaps: list[Leap | None] = [None] * (len(matches) + 1)
    for place in range(len(matches) - 1, -1, -1):
        match = fixed[place]
        if match or not matches[place]:
            start, end, after = (match[1], match[2], place + match[5]) if match else (NOWHERE, NOWHERE, place + 1)
            rest = leaps[after]
            leaps[place] = (start, rest[1], rest[2]) if rest else (start, end, after)
    return leaps


def _leap(states: Sequence[State], leap: Leap) -> list[State]:
    """States differ only in whether the first word ends a chunk; all else that a run adds cannot change their order."""
    start, end, after = leap
    return [
        (number if last in (start, NOWHERE) else number + CHUNK, used, end, after, choice, parent)
        for number, used, last, _, choice, parent in states
    ]


def _step(states: Sequence[State], match: Match | None, place: int) -> list[State]:
    """One word that leaves no choice, which some of the states may have gone past already."""
    start, end, added, after = NOWHERE, NOWHERE, 0, place + 1
    if match:
        _, start, end, _, cost, length, _ = match
        added, after = cost + abs(place - start), place + length
    return [
        state
        if state[3] > place
        else (state[0] + added + (0 if state[2] in (start, NOWHERE) else CHUNK), state[1], end, after, *state[4:])
        for state in states
    ]


def _choose(states: Sequence[State], here: Sequence[Match], place: int) -> list[State]:
    """Every state with each match that its free words allow, and without any."""
    options = [
        (start, end, mask, cost, place + length, abs(place - start), (place, match))
        for match in here
        for _, start, end, mask, cost, length, _ in (match,)
    ]
    following: list[State] = []
    for state in states:
        number, used, last, free, _, _ = state
        if free > place:
            following.append(state)
            continue
        broken = number if last == NOWHERE else number + CHUNK
        for start, end, mask, cost, after, distance, choice in options:
            if not mask & used:
                following.append(((number if start == last else broken) + cost, used | mask, end, after, choice, state))
                number += distance
                broken += distance
        following.append((broken, used, NOWHERE, place + 1, None, state))
    return following


def _final_number(state: State) -> int:
    """The end of the sentence ends an open chunk."""
    return state[0] if state[2] == NOWHERE else state[0] + CHUNK


def _choices(state: State | None) -> list[tuple[int, Match]]:
    chosen = []
    while state:
        if state[4]:
            chosen.append(state[4])
        state = state[5]
    return chosen
