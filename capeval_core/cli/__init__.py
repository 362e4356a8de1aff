"""The command line: python -m capeval_core COMMAND, or `capeval COMMAND` when installed.

Exit codes: 0 done; 2 bad input or usage, one line on stderr, no output file; 3 some metric could not score or some
resource is missing, the rest is done; 1 processes died on the same captions twice, what is scored is kept.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from capeval_core.cli import explain, explore, judge, perturb, resources, score, systems, tokenize, train
from capeval_core.errors import CapEvalError, InvalidInput, WorkerLost
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
        return 2 if isinstance(error, InvalidInput) else 1 if isinstance(error, WorkerLost) else 3
    except BrokenPipeError:  # the reader of our output (head, less) left: no news for anybody
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt as stop:
        kept = f"; {stop}. The same command goes on from there; --fresh starts anew" if stop.args else ""
        print(f"capeval: interrupted{kept}", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="capeval", description="Caption metrics equal to the originals, each with its evidence.")
    parser.add_argument("--version", action="version", version=f"capeval {VERSION}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    score.add(commands.add_parser("score", help="score captions; rows to a file, corpus scores to the screen"))
    explain.add(commands.add_parser("explain", help="the evidence behind one score, as JSON"))
    systems.add(commands.add_parser("systems", help="captioners as clouds: overlap with one of them, grammar, means"))
    judge.add(commands.add_parser("judge", help="metrics against people: agreement with ratings, accuracy on pairs"))
    explore.add(commands.add_parser("explore", help="what captioners get wrong: errors, support, slices, wording"))
    perturb.add(commands.add_parser("perturb", help="change captions on purpose; how far each metric moves"))
    tokenize.add(commands.add_parser("tokenize", help="the COCO toolkit's tokens, line by line"))
    resources.add(commands.add_parser("resources", help="the doctor: each resource, its state and its fix"))
    train.add(commands.add_parser("train", help="train a model that CapEval ships"))
    return parser
