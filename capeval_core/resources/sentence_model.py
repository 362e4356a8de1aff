"""I2CE's trained auto-encoder: captions to vectors, and vectors back to captions.

A caption's vector does not depend on what else is read: captions of one length are read together, in blocks of one
size, so that the same multiplications are done whatever the company.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from capeval_core import pace
from capeval_core.errors import CapEvalError, InvalidInput, MissingResource
from capeval_core.resources import trained
from capeval_core.resources.loading import load_once
from capeval_core.resources.sentence_network import PAD, SPECIAL, UNKNOWN, SentenceConfig, SentenceNetwork

FAMILY = "i2ce"
LONGEST = 60  # words of a caption that are read; nobody learned from longer ones
BLOCK = 64  # captions that are read at once
MOST_WORDS, MOST_SIZE = 1_000_000, 8_192  # of a file we are asked to load

Vectors = npt.NDArray[np.float64]


class SentenceModel:
    def __init__(self, network: SentenceNetwork, words: Sequence[str], facts: Mapping[str, Any], device: str) -> None:
        self.network = network.eval().to(device)
        self.facts = facts  # settings, history and counts of its training
        self.words = words
        self._row = {word: row for row, word in enumerate(words, SPECIAL)}
        self.device = device
        with torch.inference_mode():  # what each word gives to the gates, once for all captions
            self._gates = self.network.reader.input(self.network.word.weight)
        self._turned = self.network.reader.weight.detach().T.contiguous()

    @property
    def size(self) -> int:
        return self.network.config.hidden

    def knows(self, word: str) -> bool:
        return word in self._row

    def read(self, captions: Sequence[Sequence[str]]) -> Vectors:
        """One row per caption of COCO tokens; zeros for a caption without words."""
        found = np.zeros((len(captions), self.size))
        by_length: dict[int, list[int]] = defaultdict(list)
        for place, words in enumerate(captions):
            by_length[min(len(words), LONGEST)].append(place)
        by_length.pop(0, None)
        blocks = [
            (length, group[start : start + BLOCK])
            for length, group in sorted(by_length.items())
            for start in range(0, len(group), BLOCK)
        ]
        for length, block in pace.each(blocks):
            rows = np.full((BLOCK, length), PAD)
            for place, caption in enumerate(block):
                rows[place] = [self._row.get(word, UNKNOWN) for word in captions[caption][:length]]
            found[block] = self._read(torch.from_numpy(rows).to(self.device))[: len(block)].cpu().numpy()
        return found

    @torch.inference_mode()
    def _read(self, rows: Tensor) -> Tensor:
        """As SentenceNetwork.read, for captions of one length, from the table of gates."""
        size, bias = self.size, self.network.reader.bias
        state: Tensor = self._gates.new_zeros(len(rows), size)
        for column in rows.T:
            gates, own = self._gates[column], torch.addmm(bias, state, self._turned)
            opened = torch.sigmoid(gates[:, : 2 * size] + own[:, : 2 * size])
            fresh = torch.tanh(torch.addcmul(gates[:, 2 * size :], opened[:, :size], own[:, 2 * size :]))
            state = torch.lerp(fresh, state, opened[:, size:])
        return state

    def rebuild(self, vectors: Vectors, longest: int = LONGEST) -> list[tuple[str, ...]]:
        """What the writer makes of vectors, the likeliest word each time."""
        given = torch.from_numpy(vectors.astype(np.float32)).to(self.device)
        names = (*("",) * SPECIAL, *self.words)
        return [tuple(names[row] or "[unknown]" for row in rows) for rows in self.network.say(given, longest)]


def load(path: Path, device: str = "cpu") -> SentenceModel:
    """The model in a file that may come from anywhere: InvalidInput says what is wrong with it."""
    torch.set_num_threads(1)  # torch's own threads wait for one another without sleep: see caption_parser.py
    try:
        with safe_open(path, "pt") as file:
            metadata, names = file.metadata() or {}, set(file.keys())
            if metadata.get("family") != FAMILY:
                raise InvalidInput("it is of another metric", expected=FAMILY, found=str(metadata.get("family"))[:40])
            config, words = _config(metadata["config"]), _words(metadata["words"])
            facts = json.loads(metadata.get("facts", "{}"))
            if len(words) + SPECIAL != config.words:
                raise InvalidInput("its vocabulary", expected=f"{config.words - SPECIAL} words", found=str(len(words)))
            with torch.device("meta"):
                network = SentenceNetwork(config)
            wanted = {name: tuple(value.shape) for name, value in network.state_dict().items()}
            if names != set(wanted):
                raise InvalidInput(
                    "its tensors", expected=", ".join(sorted(wanted)), found=", ".join(sorted(names))[:200]
                )
            weights = {name: _tensor(file, name, shape) for name, shape in wanted.items()}
    except (InvalidInput, OSError, SafetensorError, ValueError, KeyError, TypeError, RecursionError) as error:
        said = str(error) if isinstance(error, CapEvalError) else f"{type(error).__name__}: {error}"
        fix = "give a file that `train i2ce` wrote"
        raise InvalidInput(f"{path.name} is not a model of I2CE: {said}", fix=fix) from error
    network.load_state_dict(weights, assign=True)
    return SentenceModel(network, words, facts if isinstance(facts, dict) else {}, device)


def _config(text: str) -> SentenceConfig:
    raw = json.loads(text)
    config = SentenceConfig(**raw)
    sizes = {"words": MOST_WORDS, "embedding": MOST_SIZE, "hidden": MOST_SIZE}
    for name, value in asdict(config).items():
        if type(value) is not int or not 0 < value <= sizes[name]:
            raise InvalidInput(f"its config's {name}", expected=f"1 to {sizes[name]:,}", found=repr(value)[:40])
    return config


def _words(text: str) -> tuple[str, ...]:
    found = json.loads(text)
    if not isinstance(found, list) or not all(isinstance(word, str) for word in found):
        raise InvalidInput("its vocabulary", expected="a list of words", found=type(found).__name__)
    if len(set(found)) != len(found):
        raise InvalidInput("its vocabulary", expected="each word once", found="a word twice")
    return tuple(found)


def _tensor(file: Any, name: str, shape: tuple[int, ...]) -> Tensor:
    """Its shape is looked at before its numbers are read."""
    found = tuple(file.get_slice(name).get_shape())
    if found != shape:
        raise InvalidInput(
            f"its tensor {name}", expected=" x ".join(map(str, shape)), found=" x ".join(map(str, found))
        )
    tensor: Tensor = file.get_tensor(name)
    if not tensor.is_floating_point():
        raise InvalidInput(f"its tensor {name}", expected="floating-point numbers", found=str(tensor.dtype))
    tensor = tensor.float()
    if not math.isfinite(float(tensor.abs().sum(dtype=torch.float64))):
        raise InvalidInput(f"its tensor {name}", expected="finite numbers", found="inf or nan")
    return tensor


def open_model(source: str, device: str = "cpu") -> SentenceModel:
    """`shipped`, a path, or `own:DIGEST`; loaded once for each state of the file."""
    path = trained.locate(FAMILY, source)
    try:
        return _loaded(path, path.stat().st_mtime_ns, device)
    except InvalidInput as error:
        if source != trained.SHIPPED:
            raise
        raise MissingResource(error.message, fix="the installation is incomplete; install CapEval again") from error


@load_once(keep=3)
def _loaded(path: Path, _stamp: int, device: str) -> SentenceModel:
    return load(path, device)
