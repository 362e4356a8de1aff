"""A small training run that people watch: I2CE or NNEval on a few thousand captions, in about a minute.

The same training as the command line's, within limits: so many captions and no more. It tells how far it is, measures
the shipped model on the same held-back captions first, and gives the new model as bytes.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from capeval_core.errors import InvalidInput
from capeval_core.types import Progress

Captions = Mapping[str, Sequence[str]]  # by image
VARIANTS = {
    "i2ce": {
        "triple": "rebuild captions, push other images apart, pull captions of one image together",
        "dual": "rebuild captions and push captions of other images apart",
        "single": "only rebuild captions",
    },
    "nneval": {
        "free": "any weights: a better score by one metric may also count against a caption",
        "monotone": "no negative weights: a better score never counts against a caption",
    },
}
SIZES = {"small": "quick to train", "medium": "learns more, takes longer"}
EPOCHS = {"i2ce": (2, 15, 30), "nneval": (5, 30, 60)}  # least, usual, most
READ = 60_000  # captions that a run of I2CE reads in all its epochs
IMAGES = {"small": 60, "medium": 150}  # of a run of NNEval: each gives some 15 captions to score


@dataclass(frozen=True, slots=True)
class Plan:
    """What is trained. Equal plans on equal captions give equal models."""

    metric: str = "i2ce"
    variant: str = "triple"
    size: str = "small"
    epochs: int = 15
    seed: int = 1

    def __post_init__(self) -> None:
        least, _, most = EPOCHS.get(self.metric, (0, 0, 0))
        if self.variant not in VARIANTS.get(self.metric, ()) or self.size not in SIZES:
            raise InvalidInput("unknown kind of training", found=f"{self.metric} {self.variant} {self.size}"[:80])
        if not least <= self.epochs <= most:
            raise InvalidInput("epochs", expected=f"{least} to {most}", found=str(self.epochs))


@dataclass(frozen=True, slots=True)
class Point:
    """What is known at one moment."""

    at: float  # epochs done
    losses: dict[str, float]
    figures: dict[str, float]  # on the held-back captions; empty within an epoch


@dataclass
class Watched:
    """How far a run is, for whoever looks."""

    counts: dict[str, int] = field(default_factory=dict)  # captions, images and images held back
    shipped: dict[str, float] = field(default_factory=dict)  # the shipped model's figures; empty: there is none here
    chance: dict[str, float] = field(default_factory=dict)  # what blind guessing reaches
    points: list[Point] = field(default_factory=list)

    def clear(self) -> None:
        for part in (self.counts, self.shipped, self.chance, self.points):
            part.clear()


@dataclass(frozen=True, slots=True)
class Learned:
    plan: Plan
    counts: dict[str, int]
    points: tuple[Point, ...]
    epoch: int  # the one that was kept, from 1
    figures: dict[str, float]  # of the file as it was written
    shipped: dict[str, float]
    chance: dict[str, float]
    heads: tuple[str, ...]  # of the examples
    examples: tuple[tuple[str, ...], ...]
    seconds: float
    content: bytes = b""  # the model: a safetensors file


def learn(plan: Plan, captions: Captions, watched: Watched, progress: Progress) -> Learned:
    """InvalidInput: there is too little to learn from."""
    watched.clear()
    with tempfile.TemporaryDirectory(prefix="capeval-learn-") as folder:
        if plan.metric == "i2ce":
            from capeval_core.training import watched_i2ce

            return watched_i2ce.learn(plan, captions, watched, progress, Path(folder))
        from capeval_core.training import watched_nneval

        return watched_nneval.learn(plan, captions, watched, progress, Path(folder))


def within(captions: Captions, most: int, seed: int) -> dict[str, Sequence[str]]:
    """Images drawn at random until there are so many captions; all of them where there are not more."""
    if sum(map(len, captions.values())) <= most:
        return dict(captions)
    images, found, count = list(captions), {}, 0
    for image in random.Random(seed).sample(images, len(images)):
        if count + len(captions[image]) <= most:
            found[image] = captions[image]
            count += len(captions[image])
    return found
