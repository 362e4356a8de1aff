"""All matches of a candidate and a reference, and which of them are beyond choice."""

from __future__ import annotations

from collections.abc import Sequence

from capeval_core.metrics.meteor.links import Link
from capeval_core.metrics.meteor.sentences import Batch, Place, Sentence

# A match that starts at some reference word, as a plain tuple because millions are made: order among the matches that
# start there, first candidate word, the one after the last, bit mask of the candidate's words, what choosing it adds to
# the search's sort number, number of reference words, module.
Match = tuple[int, int, int, int, int, int, int]


def find_matches(candidate: Sentence, reference: Sentence, batch: Batch) -> list[list[Match]]:
    """For each reference word the matches that start there, in the order in which the search tries them."""
    found: dict[tuple[int, ...], list[Match]] = {}  # equal places share one list: a word said 3,000 times has one
    matches = []
    linked, candidate_units = batch.linked, candidate.units
    for units in reference.starting:
        here = found.get(units)
        if here is None:
            here = found[units] = []
            for unit in units:
                for other in linked[unit] & candidate_units:
                    here += _matches_of(batch.links[unit][other], candidate.places[other])
            if len(here) > 1:
                here.sort()
        matches.append(here)
    return matches


def _matches_of(links: Sequence[Link], places: Sequence[Place]) -> list[Match]:
    return [
        (rank + (start << shift), start, end, (1 << end) - (1 << start), cost, length, module)
        for start, end in places
        for rank, shift, cost, length, module in links
    ]


def only_choices(matches: Sequence[list[Match]]) -> list[Match | None]:
    """For each reference word the match that starts there, if no other match touches its words on either side."""
    once = twice = 0  # bit masks of candidate words that matches touch
    reference_once = reference_twice = 0
    known: dict[int, tuple[int, int]] = {}
    for place, here in enumerate(matches):
        if not here:
            continue
        if id(here) in known:
            mask, longest = known[id(here)]
            twice |= mask
        else:
            mask, longest = 0, 1
            for match in here:
                twice |= mask & match[3]
                mask |= match[3]
                if match[5] > longest:
                    longest = match[5]
            known[id(here)] = mask, longest
            twice |= once & mask
            once |= mask
        span = _span(place, longest)
        reference_twice |= reference_once & span
        reference_once |= span
    return [
        here[0]
        if len(here) == 1 and not here[0][3] & twice and not _span(place, here[0][5]) & reference_twice
        else None
        for place, here in enumerate(matches)
    ]


def _span(place: int, length: int) -> int:
    return ((1 << length) - 1) << place
