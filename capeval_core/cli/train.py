"""train: the models that CapEval ships, trained again."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from capeval_core.cli import train_i2ce, train_nneval
from capeval_core.types import CaptionItem


def add(parser: argparse.ArgumentParser) -> None:
    models = parser.add_subparsers(required=True, metavar="MODEL")
    spice = models.add_parser("caption-parser", help="SPICE's parser, from parses of captions (JSONL)")
    spice.add_argument("--data", type=Path, required=True, metavar="FILE", help="parses, one per line (.gz too)")
    spice.add_argument("--out", type=Path, required=True, metavar="FILE.safetensors")
    spice.add_argument("--epochs", type=int, default=14)
    spice.add_argument("--seed", type=int, default=1)
    spice.add_argument("--resume", action="store_true", help="go on from the last finished epoch")
    spice.set_defaults(run=_caption_parser)
    smurf = models.add_parser("typicality", help="the estimate of MIMA and SPURTS, from published values (JSONL)")
    smurf.add_argument("--data", type=Path, required=True, metavar="FILE", help="karpathy_a.jsonl.gz, or rows like its")
    smurf.add_argument("--out", type=Path, required=True, metavar="FILE.safetensors")
    smurf.add_argument("--seed", type=int, default=1)
    smurf.set_defaults(run=_typicality)
    train_nneval.add(models.add_parser("nneval", help="NNEval's network, from caption files"))
    train_i2ce.add(models.add_parser("i2ce", help="I2CE's auto-encoder, from caption files"))


def _caption_parser(given: argparse.Namespace) -> int:
    from capeval_core.io import writers
    from capeval_core.training import caption_parser

    writers.check_target(given.out, (".safetensors",))
    caption_parser.train(given.data, given.out, epochs=given.epochs, seed=given.seed, resume=given.resume)
    return 0


def _typicality(given: argparse.Namespace) -> int:
    from capeval_core.io import writers
    from capeval_core.training import flow_estimate

    writers.check_target(given.out, (".safetensors",))
    flow_estimate.train(given.data, given.out, seed=given.seed, change=_changed)
    return 0


def _changed(captions: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """By kind of change each caption that can be changed so, with the changed one."""
    from capeval_core.perturb import KINDS, perturb

    items = [CaptionItem(str(number), caption) for number, caption in enumerate(captions)]
    found: dict[str, list[tuple[str, str]]] = {kind: [] for kind in KINDS}
    for variant in perturb(items, corpus=items):
        found[variant.kind].append((captions[variant.item], variant.text))
    return found
