"""From an alignment to METEOR's 23 counts, and from counts, of one pair or summed over many, to the score."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from capeval_core.metrics.meteor.alignment import Alignment
from capeval_core.metrics.meteor.sentences import Sentence
from capeval_core.option_fields import Checked, number
from capeval_core.types import Array

COLUMNS = 23
_CANDIDATE_WORDS, _REFERENCE_WORDS = 0, 1
CHUNKS, _CANDIDATE_MATCHED, _REFERENCE_MATCHED = 20, 21, 22


def _share(label: str, help: str) -> dict[str, Any]:
    return number(label, help, 0, 1, 0.05)


@dataclass(frozen=True, slots=True)
class Options(Checked):
    """METEOR's parameters for English; the last four weigh a match by its module."""

    alpha: float = field(default=0.85, metadata=_share("Alpha", "0: only precision counts; 1: only recall."))
    beta: float = field(
        default=0.2,
        metadata=number(
            "Beta", "Exponent of the word-order penalty: the smaller, the more a first break costs.", 0, 100, 0.1
        ),
    )
    gamma: float = field(default=0.6, metadata=_share("Gamma", "The greatest word-order penalty."))
    delta: float = field(default=0.75, metadata=_share("Delta", "0: only function words count; 1: only content words."))
    exact: float = field(default=1.0, metadata=_share("Equal words", "What a match of equal words counts."))
    stem: float = field(default=0.6, metadata=_share("Stems", "What a match of words with the same stem counts."))
    synonym: float = field(default=0.8, metadata=_share("Synonyms", "What a match of synonyms counts."))
    paraphrase: float = field(default=0.6, metadata=_share("Paraphrases", "What a match of paraphrases counts."))

    @property
    def weights(self) -> tuple[float, float, float, float]:
        return self.exact, self.stem, self.synonym, self.paraphrase


def chunk_numbers(alignment: Alignment) -> list[int]:
    """For each match the chunk it is in: matches next to each other, in the same order, on both sides."""
    numbers: list[int] = []
    chunk = reference_end = candidate_end = -1
    for place, (_, start, end, _, _, length, _) in alignment:
        if place != reference_end or start != candidate_end:
            chunk += 1
        numbers.append(chunk)
        reference_end, candidate_end = place + length, end
    return numbers


def count(candidate: Sentence, reference: Sentence, alignment: Alignment) -> list[int]:
    """The 23 counts: words and function words of candidate and reference; for each module the content words matched in
    candidate and reference, then the function words; chunks; all matched words of candidate and reference.
    """
    masks = [(0, 0), (0, 0), (0, 0), (0, 0)]  # for each module the matched words of candidate and reference
    for place, (_, _, _, mask, _, length, module) in alignment:
        candidate_mask, reference_mask = masks[module]
        masks[module] = candidate_mask | mask, reference_mask | ((1 << length) - 1) << place
    chunks = chunk_numbers(alignment)[-1] + 1 if alignment else 0
    functions_1, functions_2 = candidate.function_words, reference.function_words
    counts = [len(candidate.words), len(reference.words), functions_1.bit_count(), functions_2.bit_count()]
    matched_1 = matched_2 = 0
    for mask_1, mask_2 in masks:
        all_1, all_2 = mask_1.bit_count(), mask_2.bit_count()
        function_1, function_2 = (mask_1 & functions_1).bit_count(), (mask_2 & functions_2).bit_count()
        counts += (all_1 - function_1, all_2 - function_2, function_1, function_2)
        matched_1 += all_1
        matched_2 += all_2
    return [*counts, chunks, matched_1, matched_2]


@dataclass(frozen=True, slots=True)
class Parts:
    """What a score is made of, one value per row of counts."""

    precision: Array
    recall: Array
    f_mean: Array
    fragmentation: Array
    penalty: Array
    score: Array

    def of_row(self, row: int) -> dict[str, float]:
        return {field.name: float(getattr(self, field.name)[row]) for field in fields(self)}


def evaluate(counts: Array, options: Options) -> Parts:
    """Rows of counts to scores; what is undefined (no match, an empty side) counts as 0."""
    precision, recall = _matched_share(counts, 0, options), _matched_share(counts, 1, options)
    with np.errstate(divide="ignore", invalid="ignore"):
        f_mean = np.nan_to_num(1.0 / ((1.0 - options.alpha) / precision + options.alpha / recall))
    matched = (counts[:, _CANDIDATE_MATCHED] + counts[:, _REFERENCE_MATCHED]) / 2
    fragmentation = np.where(_is_whole(counts), 0.0, _divide(counts[:, CHUNKS], matched))
    # Python's power, not NumPy's: they can differ in the last bit, and with it which of two references wins.
    penalty = options.gamma * np.array([value**options.beta for value in fragmentation.tolist()])
    return Parts(precision, recall, f_mean, fragmentation, penalty, np.maximum(f_mean * (1.0 - penalty), 0.0))


def total(counts: Array) -> Array:
    """The counts of a corpus as one row. The program leaves out the chunk of every pair matched from end to end."""
    summed: Array = counts.sum(axis=0, keepdims=True)
    summed[0, CHUNKS] -= _is_whole(counts).sum()
    return summed


def _is_whole(counts: Array) -> npt.NDArray[np.bool_]:
    """Every word of both sides matched, in one chunk."""
    candidate = counts[:, _CANDIDATE_MATCHED] == counts[:, _CANDIDATE_WORDS]
    reference = counts[:, _REFERENCE_MATCHED] == counts[:, _REFERENCE_WORDS]
    whole: npt.NDArray[np.bool_] = candidate & reference & (counts[:, CHUNKS] == 1)
    return whole


def _matched_share(counts: Array, side: int, options: Options) -> Array:
    """Weighted matched words over weighted words, of the candidate (side 0) or the reference (1)."""
    words, listed = counts[:, side], counts[:, 2 + side]
    all_words = options.delta * (words - listed) + (1.0 - options.delta) * listed
    matched = np.zeros(len(counts))
    for group, share in ((4, options.delta), (6, 1.0 - options.delta)):  # the sum is rounded in this order
        for module, weight in enumerate(options.weights):
            matched += counts[:, group + side + 4 * module] * weight * share
    return _divide(matched, all_words)


def _divide(above: Array, below: Array) -> Array:
    return np.divide(above, below, out=np.zeros(len(above)), where=below != 0)
