"""I2CE's files: the model that is kept, and the checkpoint a broken run goes on from."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file

from capeval_core.errors import InvalidInput
from capeval_core.resources.sentence_model import FAMILY
from capeval_core.resources.sentence_network import SentenceNetwork
from capeval_core.training.caption_weights import write

if TYPE_CHECKING:
    from capeval_core.training.i2ce import Run

MOMENTS = ("exp_avg", "exp_avg_sq", "step")  # what Adam remembers of a weight


def check(out: Path, resume: bool) -> None:
    """Said before any work: a model is never written over, and there must be something to resume."""
    if out.exists() and not resume:
        fix = "give another name, or --resume to go on with a run that was broken off"
        raise InvalidInput(f"{out}: there is such a file already", fix=fix)
    if resume and out.exists() and not _state(out).is_file():
        raise InvalidInput(f"{out}: this run is finished", fix="give another name")


def save(run: Run, out: Path, counts: Mapping[str, int]) -> None:
    """After an epoch: the checkpoint, and the model where it is the best so far."""
    if run.best == run.epoch:
        export(run.network, run.words, out, {**facts(run), "learned from": dict(counts)})
    tensors = {f"weight {name}": value for name, value in run.network.state_dict().items()}
    for name, parameter in run.network.named_parameters():
        moments = run.optimizer.state[parameter]
        tensors |= {f"{key} {name}": moments[key] for key in MOMENTS}
    write(_state(out), tensors, {"run": json.dumps({**facts(run), "counts": dict(counts)})})


def facts(run: Run) -> dict[str, object]:
    return {"settings": asdict(run.settings), "epoch": run.epoch, "step": run.step, "history": run.history}


def export(network: SentenceNetwork, words: tuple[str, ...], out: Path, about: Mapping[str, object]) -> None:
    """Weights in half precision; the vocabulary and what was done as JSON in the file's metadata."""
    metadata = {
        "family": FAMILY,
        "config": json.dumps(asdict(network.config)),
        "words": json.dumps(words, ensure_ascii=False),
        "facts": json.dumps(about),
    }
    write(out, {name: value.detach().cpu().half() for name, value in network.state_dict().items()}, metadata)


def restore(run: Run, out: Path, counts: Mapping[str, int]) -> None:
    """Nothing where no epoch was finished: the run begins anew."""
    path = _state(out)
    if not path.is_file():
        return
    try:
        with safe_open(path, "pt") as file:
            known = json.loads(file.metadata()["run"])
        tensors = load_file(path, device=run.device)
    except (OSError, SafetensorError, ValueError, KeyError, TypeError) as error:
        fix = f"remove {path.parent} and train anew"
        raise InvalidInput(f"{path}: cannot be read ({error})", fix=fix) from error
    if known["settings"] != asdict(run.settings) or known["counts"] != dict(counts):
        raise InvalidInput(f"{path} is of a run with other settings or data", fix="keep both, or give another --out")
    network = {name.removeprefix("weight "): value for name, value in tensors.items() if name.startswith("weight ")}
    run.network.load_state_dict(network)
    for name, parameter in run.network.named_parameters():
        run.optimizer.state[parameter] = {key: tensors[f"{key} {name}"] for key in MOMENTS}
    run.epoch, run.step, run.history = known["epoch"], known["step"], known["history"]


def finish(out: Path) -> None:
    shutil.rmtree(_state(out).parent, ignore_errors=True)


def _state(out: Path) -> Path:
    return out.with_suffix(".checkpoint") / "state.safetensors"
