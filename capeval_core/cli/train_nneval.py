"""train nneval: NNEval's network from caption files; candidates and features are made on the way."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from capeval_core.cli.train_i2ce import FILES
from capeval_core.errors import InvalidInput

if TYPE_CHECKING:
    from capeval_core.training.nneval import Judged, Plan

VARIANTS = ("free", "monotone")
NEAR = "captions of other images (COCO's): near ones are sought there, and the blind captioner learns from them"
PEOPLE = (
    "folder with Flickr8k's ExpertAnnotations.txt and Flickr8k.token.txt: the epoch is chosen by agreement with them"
)


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, nargs="+", required=True, metavar="FILE", help=FILES)
    parser.add_argument("--near", type=Path, nargs="+", metavar="FILE", help=NEAR)
    parser.add_argument("--judgements", type=Path, metavar="FOLDER", help=PEOPLE)
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.safetensors")
    parser.add_argument("--plus", action="store_true", help="NNEval+, with its additional features")
    parser.add_argument("--variant", choices=VARIANTS, default="free")
    parser.add_argument("--images", type=int, default=3_000, help="how many images to learn from")
    parser.add_argument("--pools", metavar="A,B", help="kinds of machine captions (default: all)")
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--seeds", type=int, default=3, help="networks that are trained; the best is kept")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--device", default="auto", help="auto (default), cpu, cuda or mps: where features are computed"
    )
    parser.add_argument("--resume", action="store_true", help="go on with a run that was stopped")
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    from capeval_core.io import caption_sets, writers
    from capeval_core.training import nneval

    writers.check_target(given.out, (".safetensors",))
    _check(given)
    found = nneval.train(
        caption_sets.read(given.data),
        given.out,
        library=caption_sets.read(given.near) if given.near else None,
        judged=_judged(given.judgements) if given.judgements else None,
        plan=_plan(given),
        device=given.device,
        log=lambda line: print(line, flush=True),
    )
    figures = ", ".join(f"{name} {value:.4f}" for name, value in found.facts["figures"].items())
    print(f"{given.out}: {figures}")
    return 0


def _check(given: argparse.Namespace) -> None:
    for name in ("images", "epochs", "seeds"):
        if getattr(given, name) < 1:
            raise InvalidInput(f"--{name}", expected="1 or more", found=str(getattr(given, name)))
    if given.out.exists():
        raise InvalidInput(f"{given.out} exists", fix="choose another --out, or delete it first")
    work = given.out.with_suffix(".work")
    if work.exists() and not given.resume:
        fix = "add --resume to go on with it, or delete the folder"
        raise InvalidInput(f"{work} is left from a run that was stopped", fix=fix)


def _plan(given: argparse.Namespace) -> Plan:
    from capeval_core.training import nneval, nneval_candidates, nneval_fit

    candidates = nneval_candidates.Settings(images=given.images, seed=given.seed)
    if given.pools:
        pools = tuple(given.pools.split(","))
        if unknown := sorted(set(pools) - set(nneval_candidates.POOLS)):
            expected = f"some of {', '.join(nneval_candidates.POOLS)}"
            raise InvalidInput(f"--pools: no such pool {unknown[0]!r}", expected=expected)
        candidates = replace(candidates, pools=pools)
    key = "nneval_plus" if given.plus else "nneval"
    # Pools of one's own weigh the same; otherwise as in the recipe of the shipped networks.
    shares = dict.fromkeys(candidates.pools, 1.0) if given.pools else None
    fit = replace(
        nneval_fit.recipe(key, given.variant, shares), epochs=given.epochs, seeds=given.seeds, seed=given.seed
    )
    return nneval.Plan(key, candidates=candidates, fit=fit)


def _judged(folder: Path) -> Judged:
    import numpy as np

    from capeval_core.io import presets
    from capeval_core.training.nneval import Judged

    found = presets.read("flickr8k-expert", folder).data
    pairs = [(row, value) for row, values in enumerate(found.ratings or ()) for value in values]
    return Judged(found.items, np.array([row for row, _ in pairs]), np.array([value for _, value in pairs]))
