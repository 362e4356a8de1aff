"""The phrases of a batch of captions that METEOR's table relates to other phrases of the batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from capeval_core import pace
from capeval_core.resources.paraphrase_table import LONGEST_PHRASE, Ids, Numbers, span_numbers, word_number
from capeval_core.resources.paraphrases import ParaphraseIndex


@dataclass(frozen=True, slots=True)
class Phrases:
    """Units are counted on from the words: in a batch of V words the phrases are V, V + 1, ..."""

    lengths: list[int]  # words in each phrase
    entries: list[tuple[int, int, int]]  # source unit, target unit, rank of the entry among its source's
    occurrences: list[list[tuple[int, int]]]  # for each caption (place, phrase), by place, then by length


def find_phrases(captions: Sequence[Sequence[int]], words: Sequence[str], index: ParaphraseIndex) -> Phrases:
    """Each caption is a list of places in `words`."""
    caption_ends = np.cumsum([len(caption) for caption in captions])
    flat = np.array(list(chain.from_iterable(captions)), dtype=np.int64)
    word_numbers = np.array([word_number(word) for word in words], dtype=np.uint64)
    places, lengths, numbers = _spans(word_numbers[flat], caption_ends)
    pace.look()
    ids = _look_up(np.concatenate([word_numbers, numbers]), index)
    of_words, of_spans = ids[: len(words)], ids[len(words) :]
    pace.look()
    sources, targets, ranks = _entries_within(ids[ids >= 0], index)
    pace.look()

    related = np.zeros(len(index.numbers) + 1, dtype=bool)  # one more: the place of unknown phrases, whose id is -1
    related[sources] = related[targets] = True
    spans = np.flatnonzero(related[of_spans])
    spans = spans[np.lexsort((lengths[spans], places[spans]))]
    phrase_ids, first, phrases = np.unique(of_spans[spans], return_index=True, return_inverse=True)
    units = np.empty(len(related), dtype=np.int64)
    units[phrase_ids] = len(words) + np.arange(len(phrase_ids))
    units[of_words] = np.arange(len(words))
    return Phrases(
        lengths=lengths[spans[first]].tolist(),
        entries=list(zip(units[sources].tolist(), units[targets].tolist(), ranks.tolist(), strict=True)),
        occurrences=_by_caption(places[spans], len(words) + phrases, caption_ends),
    )


def _spans(word_numbers: Numbers, caption_ends: Ids) -> tuple[Ids, Ids, Numbers]:
    """Place, length and number of all spans of two or more words that lie inside one caption."""
    room = np.repeat(caption_ends, np.diff(caption_ends, prepend=0)) - np.arange(len(word_numbers))
    places = [np.flatnonzero(room >= length) for length in range(2, LONGEST_PHRASE + 1)]
    numbers = [span_numbers(word_numbers, length)[where] for length, where in enumerate(places, 2)]
    lengths = np.repeat(np.arange(2, LONGEST_PHRASE + 1), [len(where) for where in places])
    return np.concatenate(places), lengths, np.concatenate(numbers)


def _look_up(numbers: Numbers, index: ParaphraseIndex) -> Ids:
    order = np.argsort(numbers)  # neighbours in the table are then read one after the other: several times faster
    ids = np.empty(len(numbers), dtype=np.int64)
    ids[order] = index.find(numbers[order])
    return ids


def _entries_within(ids: Ids, index: ParaphraseIndex) -> tuple[Ids, Ids, Ids]:
    """Source, target and rank of the table's entries with both sides among `ids`."""
    present = np.zeros(len(index.numbers), dtype=bool)
    present[ids] = True
    sources = np.flatnonzero(present)
    rows, targets, ranks = index.paraphrases(sources)
    within = np.flatnonzero(present[targets])
    return sources[rows[within]], targets[within], ranks[within]


def _by_caption(places: Ids, phrases: Ids, caption_ends: Ids) -> list[list[tuple[int, int]]]:
    """`places` in the whole batch, sorted, become places in their caption."""
    starts = np.append(0, caption_ends[:-1])
    captions = np.searchsorted(caption_ends, places, side="right")
    found = list(zip((places - starts[captions]).tolist(), phrases.tolist(), strict=True))
    bounds = np.searchsorted(places, caption_ends).tolist()
    return [found[low:high] for low, high in zip([0, *bounds], bounds, strict=False)]
