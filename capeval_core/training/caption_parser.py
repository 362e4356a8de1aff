"""Trains the caption parser on parses of captions: `train(data, out)` writes the model and its card.

Tags, heads and relations are learned together (cross-entropy, summed). Adam, one warm-up and a cosine fall to zero, a
moving average of the weights (which is what ships), words hidden at random the more the rarer they are. Each epoch ends
with a checkpoint in `<out>.checkpoint/`; `resume=True` goes on from it, to the same end as an unbroken run.
"""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from safetensors import safe_open
from safetensors.torch import load_file
from torch import Tensor
from torch.nn import functional

from capeval_core.errors import InvalidInput
from capeval_core.resources.caption_lexicon import UNKNOWN, Lexicon
from capeval_core.resources.caption_network import CaptionNetwork, NetworkConfig
from capeval_core.text.parse import Parse
from capeval_core.training import caption_weights, model_card
from capeval_core.training.caption_data import Batch, Batches, build_lexicon, distinct, read_parses, read_vectors, split


@dataclass(frozen=True, slots=True)
class Settings:
    epochs: int = 14
    seed: int = 1
    held_out: int = 3_000
    batch_words: int = 900
    learning_rate: float = 2e-3
    warm_up: int = 300  # steps
    average: float = 0.999  # share of the old average kept at each step
    hide_words: float = 5.0  # a word seen n times is hidden with probability hide_words / (hide_words + n)
    clip: float = 5.0


def train(
    data: Path,
    out: Path,
    *,
    epochs: int = 14,
    seed: int = 1,
    resume: bool = False,
    start: Path | None = None,
    log: Callable[[str], None] = print,
    settings: Settings | None = None,
    network: Mapping[str, Any] | None = None,
) -> dict[str, float]:
    """Train on the parses in `data`; write `out` (.safetensors) and a model card beside it; return the last figures.

    `start`: a model trained on the same data, whose weights to begin with. `network`: other values for NetworkConfig.
    """
    settings = replace(settings or Settings(), epochs=epochs, seed=seed)
    training, development = split(read_parses(data), settings.held_out)
    vector_words, vectors = read_vectors()
    lexicon = build_lexicon(training, vector_words)
    torch.set_num_threads(1)  # the same sums in the same order on any machine
    torch.manual_seed(settings.seed)
    learned = distinct(training, lexicon)
    run = Run(settings, build_network(lexicon, vector_words, vectors, network or {}), lexicon, learned)
    if start:
        run.start_from(start)
    checkpoint = out.with_suffix(".checkpoint")
    if resume:
        run.restore(checkpoint)
    dev = Batches(development, lexicon, 4_000)
    log(f"{len(learned)} sentences to train on, {len(development)} held out, {run.size()} weights")
    figures: dict[str, float] = {}
    for epoch in range(run.epoch, settings.epochs):
        started = time.monotonic()
        loss = run.one_epoch(log)
        figures = {"loss": loss, **measure(run.averaged(), dev)}
        shown = " ".join(f"{name} {value:.4f}" for name, value in figures.items())
        log(f"epoch {epoch + 1}/{settings.epochs}: {shown} ({time.monotonic() - started:.0f} s)")
        run.save(checkpoint)
        caption_weights.export(run.averaged(), lexicon, out, {"settings": asdict(settings), "figures": figures})
    figures = figures or measure(run.averaged(), dev)  # a finished run, resumed
    counts = {"learned from": len(learned), "held out": len(development)}
    card = model_card.text(data.name, asdict(settings), asdict(run.network.config), counts, figures)
    out.with_suffix(".md").write_text(card, encoding="utf-8")
    return figures


def build_network(
    lexicon: Lexicon, vector_words: Sequence[str], vectors: npt.NDArray[np.float32], changes: Mapping[str, Any]
) -> CaptionNetwork:
    config = NetworkConfig(
        words=len(lexicon.words) + 1,
        vectors=len(lexicon.vectors) + 1,
        affixes=tuple(len(part) + 1 for part in lexicon.affixes),
        tags=len(lexicon.tags),
        relations=len(lexicon.relations),
        vector_size=vectors.shape[1],
        **changes,
    )
    network = CaptionNetwork(config)
    row_of = {word: row for row, word in enumerate(vector_words)}
    chosen = np.asarray(vectors)[[row_of[word] for word in lexicon.vectors]]
    network.vector.weight.data.zero_()
    network.vector.weight.data[UNKNOWN + 1 :] = torch.from_numpy(chosen.astype(np.float32))
    return network


class Run:
    """A network in training: its optimizer, its average, and how far it is."""

    def __init__(
        self, settings: Settings, network: CaptionNetwork, lexicon: Lexicon, training: Sequence[Parse]
    ) -> None:
        self.settings, self.network = settings, network
        self._lexicon = lexicon
        self.batches = Batches(training, lexicon, settings.batch_words)
        self.epoch = 0
        self._step = 0
        self._trained = {name: p for name, p in network.named_parameters() if p.requires_grad}
        self._average = {name: p.detach().clone() for name, p in self._trained.items()}
        weights = self._trained.values()
        self._optimizer = torch.optim.Adam(weights, lr=settings.learning_rate, betas=(0.9, 0.95), fused=True)
        counts = Counter(word.lower() for parse in training for word in parse.words)
        seen = torch.tensor([math.inf, *(float(counts.get(word, math.inf)) for word in lexicon.words)])
        self._hide = settings.hide_words / (settings.hide_words + seen)

    def size(self) -> int:
        return sum(p.numel() for p in self.network.parameters())

    def one_epoch(self, log: Callable[[str], None]) -> float:
        """Each epoch has its own random numbers, so that a resumed run repeats them."""
        torch.manual_seed(self.settings.seed * 1_000 + self.epoch)
        generator = torch.Generator().manual_seed(self.settings.seed * 1_000 + self.epoch)
        self.network.train()
        total, started = 0.0, time.monotonic()
        for number, batch in enumerate(self.batches.shuffled(generator), 1):
            total += self._train_on(batch)
            if number % 250 == 0:
                log(f"  step {number}/{len(self.batches)} loss {total / number:.4f} {time.monotonic() - started:.0f} s")
        self.epoch += 1
        return total / len(self.batches)

    def _train_on(self, batch: Batch) -> float:
        for group in self._optimizer.param_groups:
            group["lr"] = self._rate()
        hidden = torch.rand(batch.tags.shape) < self._hide[batch.features[..., 0]]
        features = batch.features.clone()
        features[..., 0].masked_fill_(hidden, UNKNOWN)
        loss = batch_loss(self.network, features, batch)
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self._trained.values(), self.settings.clip)
        self._optimizer.step()
        self._step += 1
        keep = min(self.settings.average, self._step / (self._step + 10))
        torch._foreach_lerp_(list(self._average.values()), [p.data for p in self._trained.values()], 1 - keep)
        return float(loss.detach())

    def _rate(self) -> float:
        total = max(1, self.settings.epochs * len(self.batches))
        warm = min(1.0, (self._step + 1) / min(self.settings.warm_up, total / 10))
        return self.settings.learning_rate * warm * 0.5 * (1 + math.cos(math.pi * min(1.0, self._step / total)))

    def averaged(self) -> CaptionNetwork:
        network = CaptionNetwork(self.network.config)
        network.load_state_dict({**self.network.state_dict(), **self._average})
        return network.eval()

    def start_from(self, model: Path) -> None:
        self.network.load_state_dict(caption_weights.carry_over(model, self.network, self._lexicon))
        self._average = {name: p.detach().clone() for name, p in self._trained.items()}

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        tensors = {f"weight {name}": value for name, value in self.network.state_dict().items()}
        tensors |= {f"average {name}": value for name, value in self._average.items()}
        for name, parameter in self._trained.items():
            moments = self._optimizer.state[parameter]
            tensors |= {f"{key} {name}": moments[key] for key in ("exp_avg", "exp_avg_sq", "step")}
        facts = {"epoch": self.epoch, "step": self._step, "settings": asdict(self.settings)}
        caption_weights.write(folder / "state.safetensors", tensors, {"run": json.dumps(facts)})

    def restore(self, folder: Path) -> None:
        path = folder / "state.safetensors"
        if not path.is_file():
            return
        with safe_open(path, "pt") as file:
            facts = json.loads(file.metadata()["run"])
        if facts["settings"] != asdict(self.settings):
            raise InvalidInput(f"{path} was trained with other settings", fix="keep the settings or do not resume")
        tensors = load_file(path)
        self.network.load_state_dict(
            {name.removeprefix("weight "): value for name, value in tensors.items() if name.startswith("weight ")}
        )
        self.epoch, self._step = facts["epoch"], facts["step"]
        for name, parameter in self._trained.items():
            self._average[name] = tensors[f"average {name}"]
            state = {key: tensors[f"{key} {name}"] for key in ("exp_avg", "exp_avg_sq", "step")}
            self._optimizer.state[parameter] = state


def batch_loss(network: CaptionNetwork, features: Tensor, batch: Batch) -> Tensor:
    tags, arcs, dependents, heads = network(features)
    relations = network.relations(dependents, heads, batch.heads)
    scores = ((tags, batch.tags), (arcs, batch.heads), (relations, batch.relations))
    return torch.stack([functional.cross_entropy(x.flatten(0, 1), gold.flatten()) for x, gold in scores]).sum()


@torch.inference_mode()
def measure(network: CaptionNetwork, batches: Batches) -> dict[str, float]:
    """Tag accuracy, unlabelled and labelled attachment, whole sentences right; heads taken greedily."""
    right = torch.zeros(4)
    words = sentences = 0
    for batch in batches:
        tags, arcs, dependents, heads = network(batch.features)
        chosen = arcs.argmax(-1)
        relations = network.relations(dependents, heads, chosen).argmax(-1)
        attached = chosen == batch.heads
        labelled = attached & (relations == batch.relations)
        tagged = tags.argmax(-1) == batch.tags
        whole = (labelled & tagged).all(-1)
        right += torch.stack([x.sum() for x in (tagged, attached, labelled, whole)])
        words, sentences = words + tagged.numel(), sentences + len(whole)
    totals = torch.tensor([words, words, words, sentences]).clamp(min=1)
    return dict(zip(("tags", "uas", "las", "whole"), (right / totals).tolist(), strict=True))
