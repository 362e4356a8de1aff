"""Scores of the judged captions, kept between runs in the cache folder: a second `make judges` scores nothing again."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from capeval_core import CaptionItem, evaluate, registry
from capeval_core.resources import files
from capeval_core.types import Array, StandIn
from capeval_core.version import VERSION

FIRST = ("bleu", "rouge_l", "cider", "wmd", "wembsim", "bertscore", "sparcs")  # the cheap ones


@dataclass
class Scores:
    """By metric key: one value per caption, how it was made, and what stands in for the original."""

    values: dict[str, Array] = field(default_factory=dict)
    signatures: dict[str, str] = field(default_factory=dict)
    stand_ins: dict[str, StandIn] = field(default_factory=dict)


def score(name: str, items: Sequence[CaptionItem], metrics: Iterable[str] = (), **options: Any) -> Scores:
    """All metrics (or these), each from the cache where the same captions were scored by this version."""
    found = Scores()
    wanted = list(metrics) or sorted(registry.metrics(), key=lambda one: (one not in FIRST, one))
    for metric in wanted:
        _add(found, name, items, metric, options)
    order = [key for key in registry.keys() if key in found.values]
    found.values = {key: found.values[key] for key in order}
    return found


def _add(found: Scores, name: str, items: Sequence[CaptionItem], metric: str, options: dict[str, Any]) -> None:
    path = _path(name, items, metric, options)
    keys = [spec.key for spec in registry.select(None) if spec.metric == metric]
    if not path.is_file():
        began = time.perf_counter()
        made = evaluate(items, keys, options={metric: options} if options else None)
        if made.skipped:
            raise next(iter(made.skipped.values()))
        about = {"signatures": made.signatures, "stand_ins": {key: asdict(one) for key, one in made.stand_ins.items()}}
        temporary = path.with_suffix(".part.npz")
        np.savez_compressed(temporary, about=np.array(json.dumps(about)), **made.scores)  # type: ignore[arg-type]
        temporary.replace(path)
        print(f"{name}: {metric} of {len(items):,} captions in {time.perf_counter() - began:.0f} s", flush=True)
    with np.load(path, allow_pickle=False) as held:
        about = json.loads(str(held["about"]))
        found.values |= {key: held[key] for key in keys}
    found.signatures |= {key: about["signatures"][key] for key in keys}
    found.stand_ins |= {key: StandIn(**one) for key, one in about["stand_ins"].items() if key in keys}


def _path(name: str, items: Sequence[CaptionItem], metric: str, options: dict[str, Any]) -> Path:
    folder = files.cache_folder() / "judges"
    folder.mkdir(exist_ok=True)
    spec = registry.of_metric(metric)
    weights = [files.RESOURCES[name].sha256 for name in spec.resources] if spec.group == "learned" else []
    state = hashlib.sha256(json.dumps([VERSION, metric, options, *weights], sort_keys=True).encode())
    for item in items:
        state.update(repr((item.image_id, item.candidate, item.references)).encode())
    return folder / f"{name}-{metric}-{state.hexdigest()[:16]}.npz"
