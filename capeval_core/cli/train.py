"""train: the models that CapEval ships, trained again."""

from __future__ import annotations

import argparse
from pathlib import Path


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
    flow_estimate.train(given.data, given.out, seed=given.seed)
    return 0
