"""Made-up scores and ratings for tests of the agreement with people: several captions per image, tied or not."""

from __future__ import annotations

import numpy as np

from capeval_core.analysis.bootstrap import Ints
from capeval_core.types import Array


def made(
    seed: int, images: int = 30, each: int = 4, *, levels: int = 0, decimals: int | None = None
) -> tuple[Array, Array, Ints]:
    """Scores, ratings and each row's image. Captions of an image are alike. `levels`: that many different ratings;
    `decimals`: the scores are rounded, so that many are equal."""
    generator = np.random.default_rng(seed)
    owners = np.repeat(np.arange(images), each)
    quality = generator.normal(size=images)[owners] + generator.normal(size=len(owners))
    scores = quality + generator.normal(size=(2, images))[0][owners] + generator.normal(size=len(owners))
    ratings = quality + generator.normal(size=len(owners))
    if levels:
        ratings = np.clip(np.round(ratings + levels / 2), 1, levels)
    return scores if decimals is None else np.round(scores, decimals), ratings, owners


def names(owners: Ints) -> list[str]:
    return [f"image {owner}" for owner in owners]
