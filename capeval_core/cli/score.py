"""score: rows to a file, corpus scores and signatures to the screen."""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

from capeval_core import registry
from capeval_core.cli import settings
from capeval_core.types import Evaluation


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "inputs",
        nargs="+",
        metavar="INPUT",
        help=".jsonl, .json, .csv, .tsv, .parquet (also .gz), .zip of these; name=path",
    )
    parser.add_argument("--metrics", default="all", metavar="all|a,b", help=", ".join(registry.keys()))
    parser.add_argument("--out", type=Path, metavar="FILE", help="rows, as .jsonl, .csv or .parquet")
    parser.add_argument("--corpus-out", type=Path, metavar="FILE.json", help="default: beside --out")
    settings.add(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    from capeval_core.io import readers, writers
    from capeval_core.service import evaluate

    specs = registry.select(None if given.metrics == "all" else [key.strip() for key in given.metrics.split(",")])
    options = settings.options(given)
    if given.out:
        writers.check_target(given.out, writers.KINDS)
        settings.check_apart(given.out, given.inputs)
        given.corpus_out = given.corpus_out or given.out.with_suffix(".corpus.json")
    if given.corpus_out:
        writers.check_target(given.corpus_out, (".json",))
    items = readers.read_items(given.inputs, given.references)
    bar = settings.Bar()
    keys = [spec.key for spec in specs]
    evaluation = evaluate(items, keys, options=options, device=settings.device(given), on_progress=bar)
    bar.close()
    if given.out:
        writers.write_scores(evaluation, given.out)
    if given.corpus_out:
        writers.write_summary(evaluation, given.corpus_out)
    _print_summary(evaluation)
    return 3 if evaluation.skipped else 0


def _print_summary(evaluation: Evaluation) -> None:
    from capeval_core.io import writers

    found = writers.summary(evaluation)["systems"]
    width = max([6, *(len(name) for name in found)])
    print("  ".join([f"{'corpus':<{width}}", f"{'items':>7}", *(f"{key:>8}" for key in evaluation.scores)]))
    for name, system in found.items():
        values = [f"{value:8.4f}" if value is not None else f"{'-':>8}" for value in system["corpus"].values()]
        print("  ".join([f"{name or '-':<{width}}", f"{system['items']:>7}", *values]))
        for key, count in system["undefined"].items():
            undefined = (row for row, value in enumerate(evaluation.scores[key].tolist()) if math.isnan(value))
            reason = next((evaluation.notes[key].get(row, "") for row in undefined), "")
            print(f"{key}: {count} of {system['items']} items undefined in {name or '-'}. {reason}", file=sys.stderr)
    for signature in evaluation.signatures.values():
        print(signature)
    for key, stand_in in evaluation.stand_ins.items():
        print(f"{key}: {stand_in.badge}. To use the original: {stand_in.fix}")
    for key, remark in evaluation.remarks.items():
        print(f"{key}: {remark}")
    for key, error in evaluation.skipped.items():
        print(f"capeval: {key} skipped: {error}", file=sys.stderr)
