"""--engine, --workers, --chunk, --address: how a command's scoring is spread, in one place for all that score files.

What is small is scored here and now, with no process started, unless one of these flags was given.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from capeval_core.cli import settings
from capeval_core.errors import InvalidInput
from capeval_core.types import CaptionItem, Evaluation

if TYPE_CHECKING:
    from capeval_core.engines.pool import Pool
    from capeval_core.engines.tasks import Setup
    from capeval_core.explore.findings import CaptionFindings

DIRECT = 2_000  # captions that are scored before other processes have loaded what they need


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--engine", choices=("local", "ray"), help="this machine's cores (local), or a Ray cluster")
    parser.add_argument("--workers", default="auto", metavar="N|auto", help="processes (auto: one per core)")
    parser.add_argument("--chunk", type=int, metavar="ROWS", help="captions that a worker scores at a time (1000)")
    parser.add_argument("--address", metavar="ADDRESS", help="of a Ray cluster (auto: the one on this machine)")


def check(given: argparse.Namespace) -> None:
    """Said before any work."""
    if given.chunk is not None and given.chunk < 1:
        raise InvalidInput("--chunk", expected="1 or more", found=str(given.chunk))
    if given.address and given.engine != "ray":
        raise InvalidInput("--address", expected="--engine ray with it", found=given.engine or "none")
    workers(given)


def workers(given: argparse.Namespace) -> int:
    """0: as many as there are cores."""
    if given.workers == "auto":
        return 0
    if not given.workers.isdecimal() or not 0 < int(given.workers) <= 10_000:
        raise InvalidInput("--workers", expected="auto or a number from 1 up", found=repr(given.workers))
    return int(given.workers)


def is_asked_for(given: argparse.Namespace) -> bool:
    return bool(given.engine or given.chunk or given.workers != "auto")


def is_direct(given: argparse.Namespace, captions: int) -> bool:
    return captions <= DIRECT and not is_asked_for(given)


def start(given: argparse.Namespace) -> Any:
    """What starts the workers, given what they score by."""
    count = workers(given)

    def pool(setup: Setup) -> Pool:
        if given.engine == "ray":
            from capeval_core.engines.ray import RayPool

            return RayPool(setup, count, given.address)
        from capeval_core.engines.local import LocalPool

        return LocalPool(setup, count)

    return pool


def evaluate(
    given: argparse.Namespace, items: Sequence[CaptionItem], keys: Sequence[str], on_progress: settings.Bar
) -> Evaluation:
    """service.evaluate() with the options, device and workers of the command line."""
    from capeval_core import service

    options, device = settings.options(given), settings.device(given)
    if is_direct(given, len(items)):
        return service.evaluate(items, keys, options=options, device=device, on_progress=on_progress)
    from capeval_core.engines import batches
    from capeval_core.engines.runs import CHUNK
    from capeval_core.engines.tasks import Setup

    setup = Setup(tuple(keys), options, device)
    return batches.evaluate(items, setup, start(given), chunk=given.chunk or CHUNK, on_progress=on_progress)


def judge_words(
    given: argparse.Namespace, items: Sequence[CaptionItem], on_progress: settings.Bar
) -> list[CaptionFindings]:
    """What Explore finds of each caption, by the workers of the command line."""
    from capeval_core.engines import batches
    from capeval_core.engines.runs import CHUNK

    device, chunk = settings.device(given), given.chunk or CHUNK
    return batches.judge_words(items, start(given), device, chunk=chunk, on_progress=on_progress)
