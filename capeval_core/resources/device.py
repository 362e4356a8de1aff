"""Which device runs the models: the GPU where there is one, the CPU where there is none."""

from __future__ import annotations

import importlib.util
import os

from capeval_core.errors import InvalidInput

DEVICES = ("auto", "cpu", "cuda", "mps")


_allowed: list[int] = []  # threads of this process, where its starter said so


def use_threads(count: int) -> None:
    """Called in a process that shares the cores with others."""
    _allowed[:] = [count]


def threads() -> int:
    """How many batches run side by side on the CPU: one per core, unless several processes share the cores."""
    return _allowed[0] if _allowed else os.cpu_count() or 1


def choose(wanted: str = "auto") -> str:
    """'cuda', 'mps' or 'cpu'. Loads torch, unless the answer is the CPU anyway."""
    if wanted not in DEVICES:
        raise InvalidInput("unknown device", expected=f"one of {', '.join(DEVICES)}", found=repr(wanted))
    if wanted == "cpu":
        return "cpu"
    available = _available()
    if wanted == "auto":
        return available[0]
    if wanted not in available:
        raise InvalidInput(
            f"device {wanted!r} is not available here", expected=f"auto or one of {', '.join(available)}"
        )
    return wanted


def _available() -> list[str]:
    if importlib.util.find_spec("torch") is None:
        return ["cpu"]
    import torch

    cuda = ["cuda"] if torch.cuda.is_available() else []
    return [*cuda, *(["mps"] if torch.backends.mps.is_available() else []), "cpu"]
