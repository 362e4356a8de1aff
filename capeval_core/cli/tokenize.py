"""tokenize: the COCO toolkit's tokens, line by line."""

from __future__ import annotations

import argparse
from pathlib import Path


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "input",
        nargs="?",
        type=Path,
        default=Path("-"),
        metavar="FILE",
        help="one caption per line (standard input)",
    )
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    from capeval_core.io import sources
    from capeval_core.text import ptb

    for _, line in sources.lines(sources.at(given.input), sources.Meter()):
        print(ptb.tokenize(line))
    return 0
