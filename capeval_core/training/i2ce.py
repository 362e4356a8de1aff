"""Trains I2CE's auto-encoder on captions: `train(captions, out)` writes the model as safetensors.

Zeng et al. 2021: one branch (`single`: reconstruction), two (`dual`: captions of different images are pushed apart) or
three (`triple`: captions of one image are also pulled together). Overall loss: equation 8. Every variant reads as many
captions in as many steps. Adam with a short warm-up and a cosine fall to zero. Each epoch ends with figures on images
that were held back and a checkpoint in `<out>.checkpoint/`; `resume=True` goes on from there, to the same end as an
unbroken run. The epoch with the best figure is what `out` holds.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch

from capeval_core import pace
from capeval_core.errors import InvalidInput
from capeval_core.resources import device as devices
from capeval_core.resources.sentence_network import SPECIAL, SentenceConfig, SentenceNetwork
from capeval_core.training import i2ce_data as data
from capeval_core.training import i2ce_files as files
from capeval_core.training import i2ce_losses as losses
from capeval_core.training.i2ce_validation import chosen_by, validate

VARIANTS = {
    "single": "reconstruction only",
    "dual": "and captions of different images are pushed apart",
    "triple": "and captions of one image are pulled together",
}
REPORTS = 0.5  # seconds between two reports within an epoch


@dataclass(frozen=True, slots=True)
class Settings:
    variant: str = "triple"
    epochs: int = 2
    seed: int = 1
    batch: int = 128
    learning_rate: float = 2e-3
    warm_up: int = 100  # steps
    clip: float = 5.0
    embedding: int = 200
    hidden: int = 300
    margin: float = 0.2  # equation 7's alpha
    apart: float = 0.0  # equation 9's beta
    semantic: float = 10.0  # equation 8's lambda 1
    reconstruction: float = 1.0  # equation 8's lambda 2
    sampled: int = 400  # words scored beside the batch's own; 0: the whole vocabulary
    least: int = 0  # a word seen less often is unknown; 0: by how many captions there are
    longest: int = 40  # words of a caption
    start: str = "spacy-md"  # word vectors to begin with; none: random ones

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise InvalidInput(f"unknown variant {self.variant!r}", expected=f"one of {', '.join(VARIANTS)}")
        for name in ("epochs", "batch", "embedding", "hidden", "longest"):
            if getattr(self, name) < 1:
                raise InvalidInput(f"{name}: too small", expected="1 or more", found=str(getattr(self, name)))


@dataclass(frozen=True, slots=True)
class Report:
    """How far a run is. `validation` is empty within an epoch and filled at its end."""

    epoch: int  # from 1
    epochs: int
    step: int  # of the whole run
    steps: int
    losses: dict[str, float]  # means since the epoch began: reconstruction, semantic, overall
    validation: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0  # since this run began or was resumed


@dataclass(frozen=True, slots=True)
class Outcome:
    out: Path
    epoch: int  # the one that was kept, from 1
    history: tuple[dict[str, float], ...]  # losses and validation of each epoch
    learned_from: dict[str, int]  # images, captions, words of the vocabulary, images held back

    @property
    def figures(self) -> dict[str, float]:
        return self.history[self.epoch - 1]


def train(
    captions: data.Captions,
    out: Path,
    settings: Settings | None = None,
    *,
    validation: data.Captions | None = None,
    device: str = "cpu",
    resume: bool = False,
    on_report: Callable[[Report], None] | None = None,
) -> Outcome:
    """Learn from captions by image; `validation`: other images to choose the epoch on, else some are held back."""
    settings = settings or Settings()
    files.check(out, resume)
    texts = data.tokenized(captions)
    data.enough(texts)
    texts, judged = (texts, data.tokenized(validation)) if validation is not None else data.split(texts)
    data.enough_to_validate(judged)
    torch.set_num_threads(1)  # the same sums in the same order on any machine
    torch.manual_seed(settings.seed)
    words = data.vocabulary(texts, settings.least or data.least_count(texts))
    run = Run(settings, words, data.Corpus(texts, words, settings.longest), devices.choose(device))
    run.judged = data.Corpus(judged, words, settings.longest)
    counts = {"images": len(texts), "captions": len(run.corpus), "words": len(words), "held back": len(judged)}
    if resume:
        files.restore(run, out, counts)
    while run.epoch < settings.epochs:
        for report in run.one_epoch():
            if on_report:
                on_report(report)
        files.save(run, out, counts)
    files.finish(out)
    return Outcome(out, run.best, tuple(run.history), counts)


class Run:
    """A network in training, its optimizer, and how far it is."""

    judged: data.Corpus

    def __init__(self, settings: Settings, words: tuple[str, ...], corpus: data.Corpus, device: str) -> None:
        self.settings, self.words, self.corpus, self.device = settings, words, corpus, device
        config = SentenceConfig(len(words) + SPECIAL, settings.embedding, settings.hidden)
        self.network = SentenceNetwork(config)
        if settings.start:
            data.begin_with(self.network, words, settings.start)
        self.network.to(device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=settings.learning_rate, fused=True)
        self.epoch = self.step = 0
        self.history: list[dict[str, float]] = []
        self.steps = settings.epochs * max(1, -(-len(corpus) // settings.batch))
        self._began = time.monotonic()

    @property
    def best(self) -> int:
        """The epoch whose weights are kept, from 1; the earlier of two that are equal."""
        return 1 + max(range(len(self.history)), key=lambda place: (chosen_by(self.history[place]), -place))

    def one_epoch(self) -> Iterator[Report]:
        """Each epoch has random numbers of its own, so that a resumed run repeats them."""
        seed = self.settings.seed * 1_000 + self.epoch
        random = np.random.default_rng(seed)
        make = self.corpus.pairs if self.settings.variant == "triple" else self.corpus.shuffled
        self.network.train()
        totals: dict[str, float] = {}
        shown = time.monotonic()
        for number, batch in enumerate(pace.each(make(self.settings.batch, random)), 1):
            for name, value in self._train_on(batch, random).items():
                totals[name] = totals.get(name, 0.0) + value
            if time.monotonic() - shown > REPORTS:
                shown = time.monotonic()
                yield self._report({name: total / number for name, total in totals.items()}, {})
        means = {name: total / number for name, total in totals.items()}
        figures = validate(self.network, self.judged, self.device)
        self.history.append({**means, **figures})
        self.epoch += 1
        yield self._report(means, figures)

    def _report(self, means: dict[str, float], figures: dict[str, float]) -> Report:
        epoch = min(self.epoch + (not figures), self.settings.epochs)
        seconds = time.monotonic() - self._began
        return Report(epoch, self.settings.epochs, self.step, self.steps, means, figures, seconds)

    def _train_on(self, batch: data.Batch, random: np.random.Generator) -> dict[str, float]:
        for group in self.optimizer.param_groups:
            group["lr"] = self._rate()
        parts = self.losses(batch, random)
        wanted = self.settings.reconstruction * parts["reconstruction"]
        if "semantic" in parts:
            wanted = wanted + self.settings.semantic * parts["semantic"]
        self.optimizer.zero_grad(set_to_none=True)
        wanted.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.clip)
        self.optimizer.step()
        self.step += 1
        return {**{name: float(value.detach()) for name, value in parts.items()}, "overall": float(wanted.detach())}

    def losses(self, batch: data.Batch, random: np.random.Generator) -> dict[str, torch.Tensor]:
        rows, images = batch.rows.to(self.device), batch.images.to(self.device)
        sampled = None
        if self.settings.sampled:
            drawn = random.integers(self.network.config.words, size=self.settings.sampled)
            sampled = torch.from_numpy(drawn).to(self.device)
        vectors = self.network.read(rows, batch.lengths)
        found = {"reconstruction": losses.reconstruction(self.network, vectors, rows, batch.lengths, sampled)}
        if self.settings.variant == "dual":
            found["semantic"] = losses.margin(vectors, images, self.settings.apart)
        elif self.settings.variant == "triple":
            found["semantic"] = losses.triplet(vectors, images, self.settings.margin)
        return found

    def _rate(self) -> float:
        warm = min(1.0, (self.step + 1) / max(1.0, min(self.settings.warm_up, self.steps / 10)))
        return self.settings.learning_rate * warm * 0.5 * (1 + math.cos(math.pi * min(1.0, self.step / self.steps)))
