"""Files of any length into a file: read once to check and to count them, then scored chunk by chunk.

A run that was stopped, however, goes on where it stopped when it is started again: see folder.py.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from capeval_core import registry, service
from capeval_core.engines.counting import Corpus
from capeval_core.engines.folder import RunFolder, writing
from capeval_core.engines.pool import Pool
from capeval_core.engines.tasks import ScoreRows, Setup
from capeval_core.engines.totals import Totals
from capeval_core.errors import InvalidInput
from capeval_core.io import writers
from capeval_core.io.outputs import Output
from capeval_core.io.streams import Piece, Stream
from capeval_core.types import Progress

CHUNK = 1_000  # captions: half a second or half a minute of work, so that workers end at about the same time


@dataclass(frozen=True)
class Run:
    stream: Stream
    setup: Setup
    start: Callable[[Setup], Pool]
    folder: RunFolder
    output: Output | None = None  # none: only corpus scores are wanted
    corpus_out: Path | None = None
    chunk: int = 0  # 0: as an earlier run has it, else CHUNK
    fresh: bool = False


@dataclass(frozen=True)
class Done:
    summary: dict[str, Any]
    reasons: dict[tuple[str, str], str]  # captioner and key -> why its first undefined score is


class Stopped(KeyboardInterrupt):
    """Ctrl-C, with what is kept."""

    def __init__(self, done: int, total: int, folder: Path) -> None:
        super().__init__(f"{done:,} of {total:,} chunks are scored and kept in {folder}")


def score(run: Run, on_progress: Progress) -> Done:
    run.folder.open(run.fresh)
    try:
        chunk = run.chunk or (run.folder.known() or {}).get("chunk") or CHUNK
        with run.start(run.setup) as pool:
            digests, corpus = _read(run, chunk, on_progress)
            run.folder.agree(_manifest(run, chunk, digests))
            _score(run, chunk, digests, corpus, pool, on_progress)
        totals = _totals(run.folder, len(digests))
        totals.skipped |= corpus.skipped
        done = _finish(run, totals, len(digests), on_progress)
        run.folder.remove()
        return done
    finally:
        run.folder.close()


def _read(run: Run, chunk: int, on_progress: Progress) -> tuple[list[tuple[str, int]], Corpus]:
    """Each chunk's digest and size; everything is checked before anything is scored."""
    corpus = Corpus(run.setup, run.folder.work)
    found: list[tuple[str, int]] = []
    rows = 0
    for piece in run.stream.pieces(chunk):
        corpus.look(piece)
        found.append((piece.digest, len(piece.items)))
        rows += len(piece.items)
        on_progress("Reading", rows, 0)
    return found, corpus


def _manifest(run: Run, chunk: int, digests: list[tuple[str, int]]) -> dict[str, Any]:
    chosen = service.chosen_options(registry.select(run.setup.keys), run.setup.options)
    return {
        "input": hashlib.sha256(json.dumps(digests).encode()).hexdigest(),
        "rows": sum(size for _, size in digests),
        "metrics": list(run.setup.keys),
        "options": {name: dataclasses.asdict(one) for name, one in chosen.items()},
        "chunk": chunk,
        "device": run.setup.device,
    }


def _score(
    run: Run, chunk: int, digests: list[tuple[str, int]], corpus: Corpus, pool: Pool, on_progress: Progress
) -> None:
    missing = {number for number in range(len(digests)) if run.folder.done(number) is None}
    if not missing:
        return
    total = sum(size for _, size in digests)
    done = total - sum(digests[number][1] for number in missing)
    try:
        if corpus.counts:
            with writing(run.folder.work):
                corpus.count(pool, run.stream.pieces(chunk), lambda rows: on_progress("Counting", rows, total))
        pool.share(_context(corpus, run.folder))
        on_progress("Scoring", done, total)
        keys = tuple(key for key in run.setup.keys if key not in corpus.skipped)
        for task, found in pool.run(_chunks(run.stream.pieces(chunk), digests, missing, keys)):
            run.folder.put(task.piece.number, found.lines, found.totals)
            missing.discard(task.piece.number)
            done += len(task.piece.items)
            on_progress("Scoring", done, total)
    except KeyboardInterrupt as stop:
        raise Stopped(len(digests) - len(missing), len(digests), run.folder.path) from stop


def _context(corpus: Corpus, folder: RunFolder) -> dict[str, Any]:
    with writing(folder.work):
        return corpus.context()


def _chunks(
    pieces: Iterator[Piece], digests: list[tuple[str, int]], missing: set[int], keys: tuple[str, ...]
) -> Iterator[ScoreRows]:
    wanted = frozenset(missing)
    for piece in pieces:
        if piece.number >= len(digests) or piece.digest != digests[piece.number][0]:
            raise InvalidInput(f"{piece.place}: the input changed while it was read", fix="run it again with --fresh")
        if piece.number in wanted:
            yield ScoreRows(piece, keys)


def _totals(folder: RunFolder, count: int) -> Totals:
    """Added up in input order: the same sums to the last digit, however often the run was stopped."""
    found = Totals()
    for number in range(count):
        part = folder.done(number)
        if part is None:
            raise InvalidInput(f"{folder.part(number)}: gone or damaged", fix="run the same command again")
        found.add(part)
    return found


def _finish(run: Run, totals: Totals, count: int, on_progress: Progress) -> Done:
    chosen: Mapping[str, Any] = service.chosen_options(registry.select(run.setup.keys), run.setup.options)
    summary = totals.summary(run.setup.keys, chosen)
    if run.output:
        on_progress("Writing", 0, 0)
        keys = [key for key in run.setup.keys if key not in totals.skipped]
        parts = [run.folder.part(number) for number in range(count)]
        whole = not set(totals.skipped) - {key for key in totals.skipped if _nowhere(totals, key)}
        with writing(run.output.path):
            run.output.take(parts, run.folder.work, keys, every=whole)
    if run.corpus_out:
        writers.write_json(summary, run.corpus_out, run.folder.work)
    reasons = {(name, key): sums.reason for name, one in totals.systems.items() for key, sums in one.keys.items()}
    return Done(summary, reasons)


def _nowhere(totals: Totals, key: str) -> bool:
    """Skipped in every chunk: no row has it."""
    return all(key not in one.keys for one in totals.systems.values())
