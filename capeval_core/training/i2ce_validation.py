"""How good an I2CE model is on captions it has not learned from."""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from torch.nn import functional

from capeval_core import pace
from capeval_core.resources.sentence_model import LONGEST, SentenceModel
from capeval_core.resources.sentence_network import SentenceNetwork, targets
from capeval_core.training.i2ce_data import Captions, Corpus, tokenized

AT_ONCE = 256


@torch.inference_mode()
def validate(network: SentenceNetwork, corpus: Corpus, device: str = "cpu") -> dict[str, float]:
    """retrieval: share of captions whose nearest other caption is of the same image; ranked: mean reciprocal rank of
    the first such caption; nll: of a word of the reconstruction; words: share of words right, given those before.
    """
    network.eval()
    vectors, images = [], []
    nll, right, count = 0.0, 0, 0
    for batch in pace.each(corpus.in_order(AT_ONCE)):
        rows = batch.rows.to(device)
        read = network.read(rows, batch.lengths)
        wanted = targets(rows, batch.lengths)
        scores = network.scores(network.write(read, rows, batch.lengths))
        nll += float(functional.cross_entropy(scores, wanted, reduction="sum"))
        right += int((scores.argmax(1) == wanted).sum())
        count += len(wanted)
        vectors.append(functional.normalize(read, dim=1))
        images.append(batch.images)
    found, ranks = _retrieval(torch.cat(vectors).cpu(), torch.cat(images))
    return {"retrieval": found, "ranked": ranks, "nll": nll / count, "words": right / count}


def _retrieval(unit: torch.Tensor, images: torch.Tensor) -> tuple[float, float]:
    """Over captions whose image has another one."""
    right, reciprocal, count = 0, 0.0, 0
    for start in pace.each(range(0, len(unit), AT_ONCE)):
        cosines = unit[start : start + AT_ONCE] @ unit.T
        own = torch.arange(len(cosines))
        cosines[own, start + own] = -torch.inf
        same = images[start : start + AT_ONCE, None] == images[None, :]
        same[own, start + own] = False
        best = cosines.masked_fill(~same, -torch.inf).amax(1, keepdim=True)
        ranks = 1 + ((cosines > best) & ~same).sum(1)[same.any(1)]
        right += int((ranks == 1).sum())
        reciprocal += float((1 / ranks).sum())
        count += len(ranks)
    return right / max(count, 1), reciprocal / max(count, 1)


def validate_model(model: SentenceModel, captions: Captions) -> dict[str, float]:
    """The same of a finished model: to set the shipped one beside one that was just trained. Words it does not know
    count as one word, so its nll is of its own vocabulary."""
    return validate(model.network, Corpus(tokenized(captions), model.words, LONGEST), model.device)


def chosen_by(figures: Mapping[str, float]) -> float:
    """The epoch with the highest is kept: mean of retrieval and of a rebuilt word's (geometric mean) probability."""
    return (figures["retrieval"] + math.exp(-figures["nll"])) / 2
