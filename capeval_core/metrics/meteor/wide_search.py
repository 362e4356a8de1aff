"""The search of search.py for texts with very many matches: the same rules, all states and matches of a place at once.

A word said a thousand times in both texts has a million matches; one by one they would take minutes. Kept apart because
for captions, with two or three matches at a word, arrays are ten times slower than tuples. A test holds the two equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from capeval_core import pace
from capeval_core.metrics.meteor.links import GAIN
from capeval_core.metrics.meteor.matching import Match
from capeval_core.metrics.meteor.search import BEAM, NOWHERE

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(slots=True)
class _States:
    """The beam, best state first; one element, or row, for each state."""

    used: Flags  # (states, candidate words)
    gain: Ints
    chunks: Ints
    distance: Ints
    last: Ints  # candidate place where the last match ended
    free: Ints  # next free reference word

    def reorder(self, rows: Ints) -> None:
        self.used, self.gain, self.chunks = self.used[rows], self.gain[rows], self.chunks[rows]
        self.distance, self.last, self.free = self.distance[rows], self.last[rows], self.free[rows]


@dataclass(frozen=True, slots=True)
class _Options:
    """The matches that start at a reference word; as the last option none of them, which ends an open chunk."""

    start: Ints
    end: Ints
    gain: Ints
    length: Ints


def wide_search(
    matches: Sequence[list[Match]], fixed: Sequence[Match | None], candidate_words: int
) -> list[tuple[int, Match]]:
    """As search(), for a candidate of so many words."""
    states = _first_state(fixed, candidate_words)
    known: dict[int, _Options] = {}
    trail: list[tuple[Ints, Ints]] = []  # for each place: the state each state came from, and its choice
    for place, (here, only) in enumerate(zip(matches, fixed, strict=True)):
        if here and not only:
            if id(here) not in known:
                known[id(here)] = _options(here)
            pace.look()
            trail.append(_choose(states, known[id(here)], place))
        else:
            _step(states, only, place)
            rows = _best(states.gain, states.chunks, states.distance)
            states.reorder(rows)
            trail.append((rows, np.full(len(rows), -1)))
    states.chunks += states.last != NOWHERE
    row = _best(states.gain, states.chunks, states.distance)[0]
    chosen = [(place, match) for place, match in enumerate(fixed) if match]
    for place in range(len(matches) - 1, -1, -1):
        parents, choices = trail[place]
        if 0 <= choices[row] < len(matches[place]):
            chosen.append((place, matches[place][choices[row]]))
        row = parents[row]
    return sorted(chosen)


def _first_state(fixed: Sequence[Match | None], candidate_words: int) -> _States:
    used = np.zeros((1, candidate_words), dtype=bool)
    for match in filter(None, fixed):
        used[0, match[1] : match[2]] = True
    none = np.zeros(1, dtype=np.int64)
    return _States(used, none, none, none, none + NOWHERE, none)


def _options(matches: Sequence[Match]) -> _Options:
    start, end, gain, length = np.array([(m[1], m[2], -m[4] // GAIN, m[5]) for m in matches]).T
    return _Options(np.append(start, NOWHERE), np.append(end, NOWHERE), np.append(gain, 0), np.append(length, 1))


def _step(states: _States, match: Match | None, place: int) -> None:
    """A word that leaves no choice."""
    start, end, gain, distance, length = NOWHERE, NOWHERE, 0, 0, 1
    if match:
        _, start, end, _, cost, length, _ = match
        gain, distance = -cost // GAIN, abs(place - start)
    here = states.free <= place
    states.chunks = states.chunks + (here & (states.last != NOWHERE) & (states.last != start))
    states.gain = states.gain + np.where(here, gain, 0)
    states.distance = states.distance + np.where(here, distance, 0)
    states.last = np.where(here, end, states.last)
    states.free = np.where(here, place + length, states.free)


def _choose(states: _States, options: _Options, place: int) -> tuple[Ints, Ints]:
    """Every state with each match that its free words allow, and without any; the best of them are the new states."""
    before = np.zeros((len(states.gain), states.used.shape[1] + 1), dtype=np.int32)  # used words before each place
    np.cumsum(states.used, axis=1, out=before[:, 1:])
    here = (states.free <= place)[:, None]
    allowed = (before[:, options.end] == before[:, options.start]) & here
    allowed[:, -1] = True
    # A match's distance is charged to the state it was added to: the options after it inherit the sum.
    distances = np.abs(place - options.start)
    distances[-1] = 0
    charged = np.where(allowed, distances, 0)
    inherited = np.cumsum(charged, axis=1) - charged
    breaks = here & (states.last != NOWHERE)[:, None] & (states.last[:, None] != options.start)
    parents, choices = np.nonzero(allowed)
    gain = states.gain[parents] + options.gain[choices]
    chunks = states.chunks[parents] + breaks[allowed]
    distance = states.distance[parents] + inherited[allowed]
    best = _best(gain, chunks, distance)
    parents, choices = parents[best], choices[best]
    states.reorder(parents)
    states.gain, states.chunks, states.distance = gain[best], chunks[best], distance[best]
    moved = here[parents, 0]
    states.last = np.where(moved, options.end[choices], states.last)
    states.free = np.where(moved, place + options.length[choices], states.free)
    for row, choice in enumerate(choices.tolist()):
        if choice + 1 < len(options.start):
            states.used[row, options.start[choice] : options.end[choice]] = True
    return parents, choices


def _best(gain: Ints, chunks: Ints, distance: Ints) -> Ints:
    """The best BEAM places, best first, the earlier first among equals. Cut before sorting: there may be 100,000."""
    coarse = chunks - (gain << 32)
    among = np.arange(len(coarse))
    if len(coarse) > BEAM:
        limit = np.partition(coarse, BEAM - 1)[BEAM - 1]
        room = BEAM - int((coarse < limit).sum())
        furthest = np.partition(distance[coarse == limit], room - 1)[room - 1]
        among = np.flatnonzero((coarse < limit) | ((coarse == limit) & (distance <= furthest)))
    return among[np.lexsort((distance[among], coarse[among]))[:BEAM]]
