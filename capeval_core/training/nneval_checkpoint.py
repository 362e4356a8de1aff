"""Where a training of NNEval's network is: its state after the last epoch, and the best network so far. In memory, or
also in a file, from which a run that was stopped goes on."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from capeval_core.errors import InvalidInput
from capeval_core.training.nneval_fit import Settings, State, Weights

PARTS = ("weights", "first", "second")


@dataclass(frozen=True, slots=True)
class Epoch:
    """One epoch of one seed, both from 0."""

    seed: int
    epoch: int
    loss: float
    figure: float  # on validation
    best: bool  # the best network so far


class Checkpoint:
    def __init__(self, folder: Path | None, settings: Settings, features: tuple[str, ...], captions: int) -> None:
        self._settings = settings
        self._about = json.dumps([asdict(settings), features, captions], sort_keys=True)
        self._path = folder / f"network-{settings.variant}.safetensors" if folder else None
        self.history: list[Epoch] = []
        self.state: State | None = None  # None: the next epoch is a seed's first
        self.best: Weights = {}
        if self._path and self._path.is_file():
            self._restore(self._path)

    @property
    def seed(self) -> int:
        return len(self.history) // self._settings.epochs

    @property
    def epoch(self) -> int:
        return len(self.history) % self._settings.epochs

    @property
    def finished(self) -> bool:
        return self.seed >= self._settings.seeds

    @property
    def best_figure(self) -> float:
        return max(epoch.figure for epoch in self.history)

    @property
    def best_epoch(self) -> list[int]:
        """Seed and epoch, from 1."""
        return next([one.seed + 1, one.epoch + 1] for one in reversed(self.history) if one.best)

    def add(self, state: State, loss: float, figure: float) -> Epoch:
        best = not self.history or figure > self.best_figure
        done = Epoch(self.seed, self.epoch, loss, figure, best)
        if best:
            self.best = {name: value.copy() for name, value in state.weights.items()}
        self.history.append(done)
        self.state = state if self.epoch else None
        if self._path:
            self._save(self._path)
        return done

    def _save(self, path: Path) -> None:
        tensors = {f"best {name}": value for name, value in self.best.items()}
        for part in PARTS if self.state else ():
            tensors |= {f"{part} {name}": value for name, value in getattr(self.state, part).items()}
        run = {
            "about": self._about,
            "history": [asdict(epoch) for epoch in self.history],
            "step": self.state.step if self.state else 0,
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".partial")
        save_file(
            {name: np.ascontiguousarray(value) for name, value in tensors.items()}, partial, {"run": json.dumps(run)}
        )
        partial.replace(path)

    def _restore(self, path: Path) -> None:
        try:
            with safe_open(path, framework="numpy") as file:
                run = json.loads(file.metadata()["run"])
                tensors = {name: file.get_tensor(name) for name in file.keys()}
        except (OSError, SafetensorError, ValueError, KeyError, TypeError) as error:
            fix = f"delete {path.parent} and train again"
            raise InvalidInput(
                f"{path} cannot be read", found=f"{type(error).__name__}: {error}"[:200], fix=fix
            ) from error
        if run["about"] != self._about:
            fix = "keep the settings and the data, or choose another --out"
            raise InvalidInput(f"{path} was trained with other settings or data", fix=fix)
        self.history = [Epoch(**epoch) for epoch in run["history"]]
        self.best = _part(tensors, "best")
        if any(name.startswith("weights ") for name in tensors):
            weights, first, second = (_part(tensors, part) for part in PARTS)
            self.state = State(weights, first, second, run["step"])


def _part(tensors: Weights, part: str) -> Weights:
    return {name.removeprefix(f"{part} "): value for name, value in tensors.items() if name.startswith(f"{part} ")}
