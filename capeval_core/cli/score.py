"""score: rows to a file, corpus scores and signatures to the screen."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from capeval_core import registry
from capeval_core.cli import scaling, settings
from capeval_core.types import StandIn

if TYPE_CHECKING:
    from capeval_core.engines.runs import Done
    from capeval_core.io.outputs import Output
    from capeval_core.io.streams import Stream


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "inputs",
        nargs="+",
        metavar="INPUT",
        help=".jsonl, .json, .csv, .tsv, .parquet (also .gz), .zip of these, a folder of parts; name=path",
    )
    parser.add_argument("--metrics", default="all", metavar="all|a,b", help=", ".join(registry.keys()))
    parser.add_argument("--out", metavar="FILE", help="rows, as .jsonl, .csv or .parquet; DIR/ for a folder of parts")
    parser.add_argument("--corpus-out", type=Path, metavar="FILE.json", help="default: beside --out")
    parser.add_argument("--fresh", action="store_true", help="do not go on with what an earlier run has scored")
    settings.add(parser)
    scaling.add(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    from capeval_core.io import outputs, writers
    from capeval_core.io.streams import Stream

    keys = settings.metric_keys(given.metrics)
    settings.options(given)
    scaling.check(given)
    output = None
    if given.out:
        output = outputs.read(given.out, given.fresh)
        settings.check_apart(output.path, given.inputs)
        given.corpus_out = given.corpus_out or output.corpus
    if given.corpus_out:
        writers.check_target(given.corpus_out, (".json",))
    stream = Stream(given.inputs, given.references)
    begun = output is not None and (output.folder or output.parts.exists())
    if scaling.is_asked_for(given) or begun or stream.is_longer_than(scaling.DIRECT):
        done = _score_in_chunks(given, keys, stream, output)
    else:
        done = _score_at_once(given, keys, stream, output)
    _print_summary(done.summary, done.reasons)
    return 3 if done.summary["skipped"] else 0


def _score_at_once(given: argparse.Namespace, keys: list[str], stream: Stream, output: Output | None) -> Done:
    from capeval_core.engines.runs import Done
    from capeval_core.io import writers
    from capeval_core.service import evaluate

    bar = settings.Bar()
    options, device = settings.options(given), settings.device(given)
    evaluation = evaluate((item for _, item in stream), keys, options=options, device=device, on_progress=bar)
    bar.close()
    if output:
        writers.write_scores(evaluation, output.path)
    summary = writers.summary(evaluation)
    if given.corpus_out:
        writers.write_json(summary, given.corpus_out)
    reasons = {}
    for system, rows in evaluation.systems().items():
        for key in summary["systems"][system]["undefined"]:
            undefined = (row for row in rows if evaluation.scores[key][row] != evaluation.scores[key][row])
            reasons[system, key] = next((evaluation.notes[key].get(row, "") for row in undefined), "")
    return Done(summary, reasons)


def _score_in_chunks(given: argparse.Namespace, keys: list[str], stream: Stream, output: Output | None) -> Done:
    from capeval_core.engines import runs
    from capeval_core.engines.folder import RunFolder
    from capeval_core.engines.tasks import Setup

    setup = Setup(tuple(keys), settings.options(given), settings.device(given))
    with ExitStack() as stack:
        if output:
            folder = output.parts
        else:  # nothing to go on with later
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="capeval-"))) / "run"
        job = runs.Run(
            stream,
            setup,
            scaling.start(given),
            RunFolder(folder),
            output,
            given.corpus_out,
            given.chunk or 0,
            given.fresh,
        )
        bar = settings.Bar(unit="captions")
        try:
            return runs.score(job, bar)
        finally:
            bar.close()


def _print_summary(found: Mapping[str, Any], reasons: Mapping[tuple[str, str], str]) -> None:
    systems = found["systems"]
    width = max([6, *(len(name) for name in systems)])
    print("  ".join([f"{'corpus':<{width}}", f"{'items':>7}", *(f"{key:>8}" for key in found["signatures"])]))
    for name, system in systems.items():
        values = [f"{value:8.4f}" if value is not None else f"{'-':>8}" for value in system["corpus"].values()]
        print("  ".join([f"{name or '-':<{width}}", f"{system['items']:>7}", *values]))
        for key, count in system["undefined"].items():
            reason = reasons.get((name, key), "")
            print(f"{key}: {count} of {system['items']} items undefined in {name or '-'}. {reason}", file=sys.stderr)
    for signature in found["signatures"].values():
        print(signature)
    for key, stand_in in found["stand_ins"].items():
        used = StandIn(**stand_in)
        print(f"{key}: {used.badge}. To use the original: {used.fix}")
    for key, remark in found["remarks"].items():
        print(f"{key}: {remark}")
    for key, error in found["skipped"].items():
        print(f"capeval: {key} skipped: {error}", file=sys.stderr)
