"""The formulas of MIMA and SPURTS (SMURF, Eq. 6-8): information flow through a transformer's attention heads.

The authors' program puts captions in lower case and drops full stops; their published values confirm it: captions that
differ in nothing else have the same ones. So the paper's transformers, and the estimate of their values, read
prepared text. Other transformers read the text as it is: a full stop is part of the grammar, and without it MiniLM's
f_MIMA does not fall when words are replaced by random words of a vocabulary (the paper's 4.1; with it, it does).
"""

from __future__ import annotations

import math
import re
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from capeval_core.resources.encoder import Encoder, LibraryEncoder
from capeval_core.resources.transformer import Transformer
from capeval_core.text.stopwords import stopwords

FULL_STOP = re.compile(r" ?\.")
PUNCTUATION = frozenset(string.punctuation)
WORD_START = "Ġ"  # RoBERTa's mark of a token that follows a space
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Reading:
    """What the transformer sees of a caption."""

    ids: tuple[int, ...]
    tokens: tuple[str, ...]  # as the text has them: one per id
    masked: tuple[bool, ...]  # stop words: the padding token stands in their place and is not attended to
    dropped: tuple[str, ...]  # punctuation tokens, taken out
    cut: bool  # the text was longer than the transformer's limit
    empty: bool  # there was no text at all
    special: int  # how many of the tokens are the transformer's own: [CLS], [SEP]


@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    heads: Floats  # (layers, heads): 0, what a token attends to says nothing of it, to 1
    means: Floats  # (layers, dims): mean over the unmasked tokens of what enters each layer


def prepare(caption: str) -> str:
    return FULL_STOP.sub("", caption.lower().rstrip())


def read(model: Transformer, caption: str, *, stop_words: bool, prepared: bool) -> Reading:
    """`stop_words`: keep them (and punctuation), for MIMA; without them the text is SPURTS's."""
    text = prepare(caption) if prepared else caption.rstrip()
    found = model.encode(text)
    own = sum(found.special)
    if stop_words:
        return Reading(found.ids, found.tokens, (False,) * len(found.ids), (), found.cut, not text, own)
    stops, padding = stopwords(), model.encoder.padding
    kept: list[tuple[int, str, bool]] = []
    dropped = []
    for number, token, special in zip(found.ids, found.tokens, found.special, strict=True):
        word = token.removeprefix(WORD_START)
        if word in PUNCTUATION and not special:
            dropped.append(word)
        else:
            masked = word.lower() in stops and not special
            kept.append((padding if masked else number, token, masked))
    ids, tokens, mask = zip(*kept, strict=True) if kept else ((), (), ())
    return Reading(ids, tokens, mask, tuple(dropped), found.cut, not text, own)


def head_flows(attention: Tensor) -> Tensor:
    """Eq. 6, (captions, heads, tokens, tokens) -> (captions, heads): mutual information over the mean of the entropies.

    Attention / tokens is the joint distribution. Its rows add up to 1 / tokens: their entropy is log2(tokens), the
    joint one is that plus the mean entropy of a row, and the mutual information is H(columns) - mean H(row).
    """
    count = attention.shape[-1]
    rows = torch.special.entr(attention).sum((-1, -2)) / (count * math.log(2))
    columns = torch.special.entr(attention.mean(-2)).sum(-1) / math.log(2)
    total = columns + math.log2(count)
    # A text of one token: nothing to tell apart, nothing flows. Rounding must not leave 0 to 1.
    return torch.where(total > 0, 2 * (columns - rows) / total, 0.0).clamp(0, 1)


def measure(model: Transformer, readings: Sequence[Reading]) -> list[Flow]:
    """The flow through every head for each reading; equal readings are run once."""
    encoder = model.encoder

    def run(ids: Tensor) -> list[Flow]:
        heads, means = _run(encoder, ids)
        return [Flow(*parts) for parts in zip(heads.cpu().numpy(), means.cpu().numpy(), strict=True)]

    return model.in_batches([reading.ids for reading in readings], run)


def _run(encoder: Encoder | LibraryEncoder, ids: Tensor) -> tuple[Tensor, Tensor]:
    real = ids != encoder.padding
    weights = (real / real.sum(1, keepdim=True).clamp(min=1))[:, None]
    heads, means = [], []
    for step in encoder.steps(ids, None if bool(real.all()) else real):
        assert step.attention is not None
        heads.append(head_flows(step.attention))
        means.append((weights @ step.hidden)[:, 0])
        if len(heads) == len(encoder.layers):  # what the last layer makes of its attention is not needed
            break
    return torch.stack(heads, 1), torch.stack(means, 1)


def strongest_flow(heads: Floats) -> float:
    """Eq. 7's middle: the strongest head of each layer, then the median of the layers."""
    return float(np.median(heads.max(axis=1).astype(np.float64)))


def mima(heads: Floats) -> float:
    """Eq. 7: 1 minus the flow, of the whole caption."""
    return 1 - strongest_flow(heads)


def spurts(heads: Floats) -> float:
    """Eq. 8: 1 minus Eq. 7, of a caption without its stop words; so the flow itself."""
    return strongest_flow(heads)


FORMULAS: dict[str, Callable[[Floats], float]] = {"mima": mima, "spurts": spurts}
