"""train i2ce: I2CE's auto-encoder from caption files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from capeval_core.errors import InvalidInput

if TYPE_CHECKING:
    from capeval_core.training.i2ce import Report

VARIANTS = ("single", "dual", "triple")
FILES = "COCO annotation files, or JSONL, CSV, TSV, Parquet rows with image_id and captions or references (.gz too)"

OTHERS = "captions of other images to choose the epoch on (default: some images are held back)"
EVERY = 10.0  # seconds between two lines where they are not written over


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, nargs="+", required=True, metavar="FILE", help=FILES)
    parser.add_argument("--validation", type=Path, nargs="+", metavar="FILE", help=OTHERS)
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.safetensors")
    parser.add_argument("--variant", choices=VARIANTS, default="triple")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hidden", type=int, default=300, metavar="N", help="numbers of a caption's vector")
    parser.add_argument("--vectors", default="spacy-md", help="word vectors to begin with; none: random numbers")
    parser.add_argument("--device", default="cpu", help="cpu (default), cuda, mps or auto")
    parser.add_argument("--resume", action="store_true", help="go on from the last finished epoch")
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    from capeval_core.io import caption_sets, writers
    from capeval_core.training import i2ce

    writers.check_target(given.out, (".safetensors",))
    if given.epochs < 1:
        raise InvalidInput("--epochs", expected="1 or more", found=str(given.epochs))
    settings = i2ce.Settings(
        variant=given.variant,
        epochs=given.epochs,
        seed=given.seed,
        hidden=given.hidden,
        start="" if given.vectors == "none" else given.vectors,
    )
    made = i2ce.train(
        caption_sets.read(given.data),
        given.out,
        settings,
        validation=caption_sets.read(given.validation) if given.validation else None,
        device=given.device,
        resume=given.resume,
        on_report=Progress(),
    )
    counts = ", ".join(f"{name} {count:,}" for name, count in made.learned_from.items())
    print(f"{given.out}: the model of epoch {made.epoch} ({counts})")
    return 0


class Progress:
    """A line that is written over within an epoch (now and then a new one, where nobody watches a terminal) and one
    that stays at its end."""

    def __init__(self) -> None:
        self._shown = 0.0

    def __call__(self, report: Report) -> None:
        values = " ".join(f"{name} {value:.4f}" for name, value in {**report.losses, **report.validation}.items())
        where = f"epoch {report.epoch}/{report.epochs} step {report.step}/{report.steps}"
        line = f"{where} {values} ({report.seconds:.0f} s)"
        if report.validation:
            print(line, flush=True)
        elif sys.stderr.isatty():
            print(f"\r{line}", end="", file=sys.stderr, flush=True)
        elif report.seconds - self._shown >= EVERY:
            self._shown = report.seconds
            print(f"  {line}", file=sys.stderr, flush=True)
