"""The command line: python -m capeval_core score | explain | tokenize | resources | train; `capeval` when installed.

Exit codes: 0 done; 2 bad input or usage, one line on stderr, no output file; 3 some metric could not score or some
resource is missing, the rest is done.
"""

from __future__ import annotations

import argparse
import dataclasses
import io
import json
import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from capeval_core import registry
from capeval_core.errors import CapEvalError, InvalidInput
from capeval_core.types import CaptionItem, Evaluation
from capeval_core.version import VERSION


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise InvalidInput(message, fix=f"see {self.prog} --help")


def main(arguments: Sequence[str] | None = None) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # whatever the locale says
    try:
        given = _parser().parse_args(arguments)
        code: int = given.run(given)
        sys.stdout.flush()
        return code
    except CapEvalError as error:
        print(f"capeval: {error}", file=sys.stderr)
        return 2 if isinstance(error, InvalidInput) else 3
    except BrokenPipeError:  # the reader of our output (head, less) left: no news for anybody
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print("capeval: interrupted", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="capeval", description="Caption metrics equal to the originals, each with its evidence.")
    parser.add_argument("--version", action="version", version=f"capeval {VERSION}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_score(commands.add_parser("score", help="score captions; rows to a file, corpus scores to the screen"))
    _add_explain(commands.add_parser("explain", help="the evidence behind one score, as JSON"))
    _add_tokenize(commands.add_parser("tokenize", help="the COCO toolkit's tokens, line by line"))
    _add_resources(commands.add_parser("resources", help="the doctor: each resource, its state and its fix"))
    _add_train(commands.add_parser("train", help="train a model that CapEval ships"))
    return parser


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--references", type=Path, metavar="FILE", help="COCO annotation file (for COCO results)")
    parser.add_argument("--idf", default="auto", metavar="coco|corpus|FILE", help="CIDEr's document frequencies")
    parser.add_argument("--smoothing", default="none", choices=("none", "lin-och"), help="BLEU's smoothing")
    parser.add_argument("--cider-variant", default="cider-d", choices=("cider-d", "cider"), help="cider: the plain one")
    parser.add_argument("--device", default="auto", choices=("auto", "cpu", "cuda", "mps"))


def _options(given: argparse.Namespace) -> dict[str, dict[str, Any]]:
    return {
        "bleu": {"smoothing": given.smoothing},
        "cider": {"idf": given.idf, "variant": given.cider_variant},
        "spider": {"idf": given.idf},
    }


def _add_score(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help=".jsonl, .json, .csv, .tsv (also .gz); name=path")
    parser.add_argument("--metrics", default="all", metavar="all|a,b", help=", ".join(registry.keys()))
    parser.add_argument("--out", type=Path, metavar="FILE", help="rows, as .jsonl, .csv or .parquet")
    parser.add_argument("--corpus-out", type=Path, metavar="FILE.json", help="default: beside --out")
    _add_options(parser)
    parser.set_defaults(run=_score)


def _score(given: argparse.Namespace) -> int:
    from capeval_core.io import readers, writers
    from capeval_core.service import evaluate

    specs = registry.select(None if given.metrics == "all" else [key.strip() for key in given.metrics.split(",")])
    if given.out:
        writers.check_target(given.out, writers.KINDS)
        if any(given.out.resolve() == Path(name.partition("=")[2] or name).resolve() for name in given.inputs):
            raise InvalidInput(f"{given.out} is the input itself", fix="choose another name for --out")
        given.corpus_out = given.corpus_out or given.out.with_suffix(".corpus.json")
    if given.corpus_out:
        writers.check_target(given.corpus_out, (".json",))
    items = readers.read_items(given.inputs, given.references)
    bar = _Bar(sys.stderr.isatty())
    keys = [spec.key for spec in specs]
    evaluation = evaluate(items, keys, options=_options(given), device=_device(given), on_progress=bar)
    bar.close()
    if given.out:
        writers.write_scores(evaluation, given.out)
    if given.corpus_out:
        writers.write_summary(evaluation, given.corpus_out)
    _print_summary(evaluation)
    return 3 if evaluation.skipped else 0


def _device(given: argparse.Namespace) -> str:
    """A device asked for by name is checked now, before any work; `auto` is left to the metrics that need one."""
    from capeval_core.resources import device

    return device.choose(given.device) if given.device not in ("auto", "cpu") else str(given.device)


def _print_summary(evaluation: Evaluation) -> None:
    from capeval_core.io import writers

    found = writers.summary(evaluation)["systems"]
    width = max([6, *(len(name) for name in found)])
    print("  ".join([f"{'corpus':<{width}}", f"{'items':>7}", *(f"{key:>8}" for key in evaluation.scores)]))
    for name, system in found.items():
        values = [f"{value:8.4f}" if value is not None else f"{'-':>8}" for value in system["corpus"].values()]
        print("  ".join([f"{name or '-':<{width}}", f"{system['items']:>7}", *values]))
        for key, count in system["undefined"].items():
            reason = next(iter(evaluation.notes[key].values()), "")
            print(f"{key}: {count} of {system['items']} items undefined in {name or '-'}. {reason}", file=sys.stderr)
    for signature in evaluation.signatures.values():
        print(signature)
    for key, error in evaluation.skipped.items():
        print(f"capeval: {key} skipped: {error}", file=sys.stderr)


class _Bar:
    """A progress bar on stderr, for people only."""

    def __init__(self, shown: bool) -> None:
        self.shown = shown

    def __call__(self, stage: str, done: int, total: int) -> None:
        if self.shown:
            share = done / total if total else 1.0
            print(f"\r{stage[:24]:<24} [{'#' * int(share * 30):<30}] {share:4.0%}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.shown:
            print(f"\r{'':<64}\r", end="", file=sys.stderr, flush=True)


def _add_explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", nargs="?", metavar="INPUT", help="a file as for score; or use --candidate")
    parser.add_argument("--row", type=int, default=1, metavar="N", help="which row of INPUT, from 1")
    parser.add_argument("--candidate", metavar="TEXT")
    parser.add_argument("--reference", action="append", default=[], metavar="TEXT", help="repeat for several")
    parser.add_argument("--metric", required=True, metavar="KEY", help=", ".join(registry.keys()))
    _add_options(parser)
    parser.set_defaults(run=_explain)


def _explain(given: argparse.Namespace) -> int:
    from capeval_core.io import readers
    from capeval_core.service import evaluate, explain

    registry.get(given.metric)
    options, device = _options(given), _device(given)
    if (given.input is None) == (given.candidate is None):
        raise InvalidInput(
            "explain", expected="either INPUT or --candidate", found="both" if given.input else "neither"
        )
    if given.input is None:
        item, context = CaptionItem("1", given.candidate, tuple(given.reference)), None
    else:
        items = readers.read_items([given.input], given.references)
        if not 1 <= given.row <= len(items):
            raise InvalidInput("--row", expected=f"1 to {len(items)}", found=str(given.row))
        item = items[given.row - 1]
        context = evaluate(items, [given.metric], options=options, device=device).context
    evidence = explain(item, given.metric, options=options, device=device, context=context)
    print(json.dumps(_plain(dataclasses.asdict(evidence)), ensure_ascii=False, indent=1))
    return 0


def _plain(found: Any) -> Any:
    """JSON has no NaN: undefined becomes null."""
    if isinstance(found, dict):
        return {name: _plain(value) for name, value in found.items()}
    if isinstance(found, list | tuple):
        return [_plain(value) for value in found]
    return None if isinstance(found, float) and math.isnan(found) else found


def _add_tokenize(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "input",
        nargs="?",
        type=Path,
        default=Path("-"),
        metavar="FILE",
        help="one caption a line (standard input)",
    )
    parser.set_defaults(run=_tokenize)


def _tokenize(given: argparse.Namespace) -> int:
    from capeval_core.io import rows
    from capeval_core.text import ptb

    for _, line in rows.lines(given.input):
        print(ptb.tokenize(line))
    return 0


def _add_resources(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(metavar="ACTION")
    rebuild = actions.add_parser("rebuild", help="build METEOR's paraphrase index anew")
    rebuild.set_defaults(run=_rebuild)
    build = actions.add_parser("build-idf", help="count a table for --idf from a COCO annotation file")
    build.add_argument("annotations", type=Path, metavar="ANNOTATIONS")
    build.add_argument("--out", type=Path, required=True, metavar="FILE.npz")
    build.set_defaults(run=_build_idf)
    parser.set_defaults(run=_resources)


def _resources(given: argparse.Namespace) -> int:
    from capeval_core.resources import doctor

    found = doctor.examine()
    for report in found:
        size = f"{report.size / 1e6:.1f} MB" if report.size else "-"
        print(f"{report.name:<20} {report.state:<20} {size:>9}  {report.licence}")
        print(f"{'':<20} {report.what}\n{'':<20} {report.where}")
        if report.fix:
            print(f"{'':<20} fix: {report.fix}")
    return 0 if all(report.sound for report in found) else 3


def _rebuild(given: argparse.Namespace) -> int:
    from capeval_core.resources import files, paraphrases

    bar = _Bar(sys.stderr.isatty())
    path = paraphrases.index_path()
    paraphrases.build(files.locate("meteor-paraphrases"), path, on_progress=bar)
    bar.close()
    print(path)
    return 0


def _build_idf(given: argparse.Namespace) -> int:
    from capeval_core.io import readers, writers
    from capeval_core.resources import idf
    from capeval_core.text import ptb

    writers.check_target(given.out, (".npz",))
    images = readers.read_annotations(given.annotations).values()
    table = idf.count([[ptb.tokenize(caption) for caption in captions] for captions in images], given.out.name)
    with writers.replacing(given.out) as temporary:
        idf.save(table, temporary)
    print(f"{given.out}: {len(table.counts)} n-grams of two images or more, {table.images} images, {table.digest}")
    return 0


def _add_train(parser: argparse.ArgumentParser) -> None:
    models = parser.add_subparsers(required=True, metavar="MODEL")
    spice = models.add_parser("caption-parser", help="SPICE's parser, from parses of captions (JSONL)")
    spice.add_argument("--data", type=Path, required=True, metavar="FILE", help="parses, one caption a line (.gz too)")
    spice.add_argument("--out", type=Path, required=True, metavar="FILE.safetensors")
    spice.add_argument("--epochs", type=int, default=12)
    spice.add_argument("--seed", type=int, default=1)
    spice.add_argument("--resume", action="store_true", help="go on from the last finished epoch")
    spice.set_defaults(run=_train_caption_parser)


def _train_caption_parser(given: argparse.Namespace) -> int:
    from capeval_core.io import writers
    from capeval_core.training import caption_parser

    writers.check_target(given.out, (".safetensors",))
    caption_parser.train(given.data, given.out, epochs=given.epochs, seed=given.seed, resume=given.resume)
    return 0
