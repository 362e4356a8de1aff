"""explain: the evidence behind one score, as JSON."""

from __future__ import annotations

import argparse
import dataclasses
import json

from capeval_core import registry
from capeval_core.cli import settings
from capeval_core.errors import InvalidInput
from capeval_core.types import CaptionItem


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", nargs="?", metavar="INPUT", help="a file as for score; or use --candidate")
    parser.add_argument("--row", type=int, default=1, metavar="N", help="which row of INPUT, from 1")
    parser.add_argument("--candidate", metavar="TEXT")
    parser.add_argument("--reference", action="append", default=[], metavar="TEXT", help="repeat for several")
    parser.add_argument("--metric", required=True, metavar="KEY", help=", ".join(registry.keys()))
    settings.add(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    from capeval_core.io import readers
    from capeval_core.io.writers import plain
    from capeval_core.service import explain, resolve

    registry.get(given.metric)
    options, device = settings.options(given), settings.device(given)
    if (given.input is None) == (given.candidate is None):
        raise InvalidInput(
            "explain", expected="either INPUT or --candidate", found="both" if given.input else "neither"
        )
    if given.input is None:
        item, context = CaptionItem("1", given.candidate, tuple(given.reference)), {}
    else:
        items = readers.read_items([given.input], given.references)
        if not 1 <= given.row <= len(items):
            raise InvalidInput("--row", expected=f"1 to {len(items)}", found=str(given.row))
        item = items[given.row - 1]
        context = resolve(items, given.metric, options=options, device=device)
    evidence = explain(item, given.metric, options=options, device=device, context=context)
    print(json.dumps(plain(dataclasses.asdict(evidence)), ensure_ascii=False, indent=1))
    return 0
