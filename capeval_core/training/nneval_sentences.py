"""Sentence vectors of captions by MiniLM, and the captions of other images that are nearest to one.

A sentence vector is the normalised mean of the last layer's token vectors, as all-MiniLM-L6-v2 was trained to give it.
Vectors are made in parts, each kept in the working folder: a run that was stopped goes on where it was.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from capeval_core import pace
from capeval_core.resources.transformer import PACKAGED, Transformer, open_transformer

Vectors = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
PART = 10_000  # captions in one file
COMPARED_AT_ONCE = 100  # captions whose neighbours are sought in one product
Log = Callable[[str], None]


def sentence_vectors(captions: Sequence[str], folder: Path, log: Log, device: str = "cpu") -> Vectors:
    """(captions, 384), each of length 1."""
    model = open_transformer(PACKAGED, device)
    parts = [captions[start : start + PART] for start in range(0, len(captions), PART)]
    found = []
    for number, part in enumerate(pace.each(parts), 1):
        path = folder / f"vectors-{digest(part)}.npy"
        if not path.is_file():
            write_array(path, encode(part, model).astype(np.float16))
            log(f"sentence vectors: {number} of {len(parts)} parts")
        found.append(np.load(path, allow_pickle=False).astype(np.float32))
    return np.concatenate(found) if found else np.empty((0, 0), dtype=np.float32)


def encode(captions: Sequence[str], model: Transformer) -> Vectors:
    def run(ids: torch.Tensor) -> list[Vectors]:
        with half_precision():
            *_, last = model.encoder.steps(ids)
        return list(torch.nn.functional.normalize(last.hidden.float().mean(1), dim=-1).cpu().numpy())

    return np.stack(model.in_batches([model.encode(caption).ids for caption in captions], run))


def half_precision() -> torch.autocast:
    """Products in 16 bits where the processor has them: three times as fast, and as near as neighbours need."""
    fast = bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled=fast)


def near_ranks(wanted: Vectors, library: Vectors, images: Ints, own: Ints, ranks: Sequence[int]) -> Ints:
    """(wanted, ranks): rows of the library at these ranks (from 1) of nearness, each image counted once by its nearest
    caption. `images`: whose caption each row of the library is; `own`: the image that is left out, -1 for none."""
    found = np.empty((len(wanted), len(ranks)), dtype=np.int64)
    for start in range(0, len(wanted), COMPARED_AT_ONCE):
        pace.look()
        block = wanted[start : start + COMPARED_AT_ONCE] @ library.T
        for row, likeness in enumerate(block, start):
            found[row] = _ranked(likeness, images, int(own[row]), ranks)
    return found


def _ranked(likeness: Vectors, images: Ints, own: int, ranks: Sequence[int]) -> list[int]:
    """Looks among ever more of the nearest captions until enough images are among them."""
    size = 16 * max(ranks)
    while True:
        size = min(size, len(likeness))
        near = np.argpartition(-likeness, size - 1)[:size]
        near = near[np.lexsort((near, -likeness[near]))]
        near = near[images[near] != own]
        _, first = np.unique(images[near], return_index=True)
        if len(first) >= max(ranks) or size == len(likeness):
            order = near[np.sort(first)]
            return [int(order[min(rank, len(order)) - 1]) for rank in ranks]
        size *= 4


def digest(captions: Sequence[str]) -> str:
    state = hashlib.sha256()
    for caption in captions:
        state.update(f"{len(caption)}:{caption}\n".encode("utf-8", errors="replace"))
    return state.hexdigest()[:16]


def write_array(path: Path, values: npt.NDArray[np.float16]) -> None:
    """Whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial.npy")
    np.save(partial, values, allow_pickle=False)
    partial.replace(path)
