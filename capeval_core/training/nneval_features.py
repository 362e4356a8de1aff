"""Scores every candidate by every feature of NNEval, in parts that are kept: a run that was stopped goes on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from capeval_core import pace
from capeval_core.service import evaluate
from capeval_core.training.nneval_sentences import Log, digest
from capeval_core.types import Array, CaptionItem

PART = 5_000  # candidates scored at a time
OPTIONS = {"cider": {"idf": "coco"}}  # the same for any batch


def score(items: Sequence[CaptionItem], keys: Sequence[str], folder: Path, log: Log, device: str = "auto") -> Array:
    """(items, keys); each metric's part is a file of its own, so that a metric can be added later."""
    parts = [items[start : start + PART] for start in range(0, len(items), PART)]
    found = []
    for number, part in enumerate(pace.each(parts), 1):
        name = digest([f"{item.candidate}\n{item.references!r}" for item in part])
        paths = {key: folder / f"{key}-{name}.npy" for key in keys}
        missing = [key for key, path in paths.items() if not path.is_file()]
        if missing:
            _add(part, missing, paths, device)
            log(f"features: {number} of {len(parts)} parts ({', '.join(missing)})")
        found.append(np.column_stack([np.load(path, allow_pickle=False) for path in paths.values()]))
    return np.concatenate(found) if found else np.empty((0, len(keys)))


def _add(items: Sequence[CaptionItem], keys: Sequence[str], paths: dict[str, Path], device: str) -> None:
    made = evaluate(items, keys, options=OPTIONS if "cider" in keys else None, device=device)
    for error in made.skipped.values():
        raise error
    for key in keys:
        paths[key].parent.mkdir(parents=True, exist_ok=True)
        partial = paths[key].with_suffix(".partial.npy")
        np.save(partial, made.scores[key], allow_pickle=False)
        partial.replace(paths[key])
