"""Transformers: a name or a folder in; tokens, hidden states and attentions out. Each is loaded once per process.

`minilm` (all-MiniLM-L6-v2) is packaged. By path: a folder with config.json, tokenizer.json, model.safetensors. By the
name of a model hub (`distilroberta-base`): what already lies in the local hub cache; nothing is fetched here
(`python -m capeval_core resources fetch distilroberta-base` does that).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from tokenizers import Tokenizer

from capeval_core import pace
from capeval_core.errors import InvalidInput, MissingResource
from capeval_core.resources import files
from capeval_core.resources.device import threads
from capeval_core.resources.encoder import FAMILIES, Encoder, LibraryEncoder
from capeval_core.resources.hub import NEEDED, find
from capeval_core.resources.loading import load_once

PACKAGED = "minilm"
KEPT = 4  # models in memory: the packaged one, the paper's two for MIMA and SPURTS, and one of a visitor's choice
BATCH_TOKENS = 2_000  # of one batch; more no longer pays on a CPU
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Encoding:
    ids: tuple[int, ...]  # special tokens included
    tokens: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]  # each token's characters in the text; (0, 0) for special tokens
    special: tuple[bool, ...]
    cut: bool  # the text was longer than the model's limit


class Transformer:
    """Results hardly depend on what else is in a batch (rounding only): a batch holds texts of one length."""

    def __init__(self, name: str, tokenizer: Tokenizer, encoder: Encoder | LibraryEncoder, device: str) -> None:
        self.name = name
        self.encoder = encoder
        self.device = device
        self._tokenizer = tokenizer
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    @property
    def layers(self) -> int:
        return len(self.encoder.layers)

    def encode(self, text: str) -> Encoding:
        # Half a surrogate pair, which a text can hold, has no UTF-8.
        found = self._tokenizer.encode(text.encode("utf-8", errors="replace").decode())
        special = [bool(flag) for flag in found.special_tokens_mask]
        parts: list[Sequence[Any]] = [found.ids, found.tokens, found.offsets, special]
        if cut := len(special) > self.encoder.limit:
            parts = [[*part[: self.encoder.limit - 1], part[-1]] for part in parts]
        ids, tokens, spans, specials = map(tuple, parts)
        return Encoding(ids, tokens, spans, specials, cut)

    def hidden(self, texts: Sequence[Encoding], layer: int) -> list[npt.NDArray[np.float32]]:
        """The hidden states (tokens, dims) that leave a layer; 0 is what enters the first."""
        if not 0 <= layer <= self.layers:
            raise InvalidInput(f"{self.name} has no layer {layer}", expected=f"0 to {self.layers}")

        def run(ids: torch.Tensor) -> list[npt.NDArray[np.float32]]:
            *_, last = self.encoder.steps(ids, layers=layer)
            return list(last.hidden.float().cpu().numpy())

        return self.in_batches([text.ids for text in texts], run)

    def first_layer(self, texts: Sequence[Encoding], wanted: Sequence[Sequence[bool]]) -> list[npt.NDArray[np.float32]]:
        """What leaves the first layer, of the wanted tokens of each text."""

        def run(rows: torch.Tensor) -> list[npt.NDArray[np.float32]]:
            ids, chosen = rows.chunk(2, dim=1)
            chosen = chosen.bool()
            found = self.encoder.first(ids, chosen).float().cpu().numpy()
            return np.split(found, np.cumsum(chosen.sum(1).cpu().numpy())[:-1])

        # Which tokens are wanted goes along as numbers behind the tokens: the same text may be asked for otherwise.
        return self.in_batches([(*text.ids, *map(int, row)) for text, row in zip(texts, wanted, strict=True)], run)

    def in_batches(self, rows: Sequence[Sequence[int]], run: Callable[[torch.Tensor], Sequence[T]]) -> list[T]:
        """`run` on batches of rows of one length, each distinct row once; its results in the order of `rows`."""
        wanted = [tuple(row) for row in rows]
        batches = list(_batches(wanted))

        @torch.inference_mode()
        def work(batch: list[tuple[int, ...]]) -> Sequence[T]:
            return run(torch.tensor(batch, device=self.device))

        results = pace.side_by_side(work, batches, 1 if self.device != "cpu" else threads())
        found = dict(zip(chain.from_iterable(batches), chain.from_iterable(results), strict=True))
        return [found[row] for row in wanted]


def _batches(rows: Sequence[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
    by_length: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for row in sorted(set(rows)):
        by_length[len(row)].append(row)
    for length, group in sorted(by_length.items(), reverse=True):  # the longest first: cores finish together
        size = max(1, BATCH_TOKENS // length)
        yield from (group[start : start + size] for start in range(0, len(group), size))


def open_transformer(source: str, device: str = "cpu") -> Transformer:
    """The transformer of a name (minilm, or one in the local hub cache) or of a folder."""
    if source == PACKAGED:
        config, tokenizer, weights = (files.locate(f"{PACKAGED}-{part}") for part in ("config", "tokenizer", "weights"))
        name = files.label(f"{PACKAGED}-weights").replace("-weights", "")
        return _load(name, (config, tokenizer, weights), device)
    folder = find(source)
    if folder is None:
        fix = f"python -m capeval_core resources fetch {source}, or give the folder of the model"
        raise MissingResource(f"the transformer {source} is not on this machine", fix=fix)
    missing = [name for name in NEEDED if not (folder / name).is_file()]
    if missing:
        raise MissingResource(
            f"{folder} is no transformer CapEval can read: {', '.join(missing)} missing",
            fix=f"a folder needs {', '.join(NEEDED)}; save the model again with safe_serialization=True",
        )
    config, tokenizer, weights = (folder / name for name in NEEDED)
    return _load(Path(source).name, (config, tokenizer, weights), device)


@load_once(keep=KEPT)
def _load(name: str, paths: tuple[Path, Path, Path], device: str) -> Transformer:
    torch.set_num_threads(1)  # batches run side by side instead; see CaptionParser.load
    config_path, tokenizer_path, weights_path = paths
    try:
        config: dict[str, Any] = json.loads(config_path.read_text(encoding="utf-8"))
        tokenizer = Tokenizer.from_file(str(tokenizer_path))
        encoder: Encoder | LibraryEncoder
        if config.get("model_type") in FAMILIES and config.get("hidden_act", config.get("activation")) == "gelu":
            encoder = Encoder(config, load_file(weights_path), device)
        else:
            encoder = LibraryEncoder(str(config_path.parent), config, device)
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        raise MissingResource(
            f"the transformer {name} cannot be read ({type(error).__name__}: {error})",
            fix=f"check {', '.join(NEEDED)} in {config_path.parent}",
        ) from error
    except Exception as error:  # tokenizers raises nothing narrower
        raise MissingResource(
            f"the transformer {name} cannot be read ({error})", fix=f"check {tokenizer_path}"
        ) from error
    return Transformer(name, tokenizer, encoder, device)
