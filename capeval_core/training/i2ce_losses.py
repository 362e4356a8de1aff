"""What I2CE learns from: the loss of reconstruction and two semantic losses (Zeng et al. 2021, equations 5 to 9)."""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn import functional

from capeval_core.resources.sentence_network import SentenceNetwork, targets


def reconstruction(
    network: SentenceNetwork, vectors: Tensor, rows: Tensor, lengths: Tensor, sampled: Tensor | None = None
) -> Tensor:
    """Mean negative log-likelihood of a word, END included (equation 5, over words instead of summed).

    `sampled`: words drawn evenly from the whole vocabulary. Then only they and the batch's own words are scored, the
    drawn ones counting for all that were not (each stands for as many as its share says): the sum in the softmax is
    right on average.
    """
    wanted = targets(rows, lengths)
    points = network.write(vectors, rows, lengths)
    if sampled is None:
        return functional.cross_entropy(network.scores(points), wanted)
    own, places = wanted.unique(return_inverse=True)  # type: ignore[no-untyped-call]
    others = sampled[~torch.isin(sampled, own)].unique()  # type: ignore[no-untyped-call]
    scores = network.scores(points, torch.cat([own, others]))
    unseen = network.config.words - len(own)
    if len(others):
        weight = torch.cat(
            [scores.new_zeros(len(own)), scores.new_full((len(others),), math.log(unseen / len(others)))]
        )
        scores = scores + weight
    return functional.cross_entropy(scores, places)


def margin(vectors: Tensor, images: Tensor, beta: float) -> Tensor:
    """Equation 9 with y = -1 over all pairs of captions of different images: how far their cosine is above `beta`."""
    cosines = _cosines(vectors)
    apart = images[:, None] != images[None, :]
    return _mean((cosines - beta).clamp(min=0)[apart])


def triplet(vectors: Tensor, images: Tensor, alpha: float) -> Tensor:
    """Equation 7 over all triples of the batch: anchor, another caption of its image, a caption of another image.

    Of each anchor's triples those count that are not yet apart by `alpha`, and their mean is taken: a mean over all
    would fade with the number of triples that are already right.
    """
    cosines = _cosines(vectors)
    same = images[:, None] == images[None, :]
    alike = same & ~torch.eye(len(images), dtype=torch.bool, device=images.device)
    anchors, similar = alike.nonzero(as_tuple=True)
    short = (alpha + cosines[anchors] - cosines[anchors, similar][:, None]).clamp(min=0)
    short = short.masked_fill(same[anchors], 0.0)
    return _mean(short.sum(1) / (short > 0).sum(1).clamp(min=1))


def _cosines(vectors: Tensor) -> Tensor:
    unit = functional.normalize(vectors, dim=1)
    return unit @ unit.T


def _mean(values: Tensor) -> Tensor:
    return values.mean() if values.numel() else values.sum()
