"""The caption parser's files: what ships, and how one model's weights start another."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor

from capeval_core.resources.caption_lexicon import UNKNOWN, Lexicon
from capeval_core.resources.caption_network import CaptionNetwork


def export(network: CaptionNetwork, lexicon: Lexicon, out: Path, facts: Mapping[str, object]) -> None:
    """The shipped file: weights in half precision, everything else as JSON in the file's metadata."""
    halves = {name: value.half() for name, value in network.state_dict().items()}
    metadata = {
        "config": json.dumps(asdict(network.config)),
        "lexicon": lexicon.to_json(),
        "facts": json.dumps(facts),
    }
    write(out, halves, metadata)


def write(path: Path, tensors: Mapping[str, Tensor], metadata: dict[str, str]) -> None:
    """All or nothing: a broken run leaves the old file."""
    partial = path.with_suffix(".partial")
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file({name: value.contiguous() for name, value in tensors.items()}, partial, metadata)
    os.replace(partial, path)


def carry_over(model: Path, network: CaptionNetwork, lexicon: Lexicon) -> dict[str, Tensor]:
    """An earlier model's weights, its word table re-ordered for `lexicon`; a class starts as the mean of its words."""
    weights = {name: value.float() for name, value in load_file(model).items()}
    with safe_open(model, "pt") as file:
        known = Lexicon.from_json(file.metadata()["lexicon"])
    members: dict[str, list[str]] = defaultdict(list)
    for word, name in lexicon.classes.items():
        members[name].append(word)
    rows = {word: row for row, word in enumerate(known.words, UNKNOWN + 1)}
    old, new = weights["word.weight"], network.word.weight.detach().clone()
    new[UNKNOWN] = old[UNKNOWN]
    for row, word in enumerate(lexicon.words, UNKNOWN + 1):
        alike = [rows[w] for w in ([word] if word in rows else members[word]) if w in rows]
        if alike:
            new[row] = old[alike].mean(0)
    return {**weights, "word.weight": new}
