"""What is in memory already, scored in chunks by several workers: evaluate() for commands that need every row."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from capeval_core import registry, service
from capeval_core.engines.counting import Corpus
from capeval_core.engines.pool import Pool
from capeval_core.engines.tasks import Evaluate, JudgeWords, Setup
from capeval_core.engines.totals import added
from capeval_core.explore.findings import CaptionFindings
from capeval_core.io.streams import Piece
from capeval_core.text.ngrams import Ints
from capeval_core.types import Array, CaptionItem, Evaluation, MetricResult, Progress


@dataclass(frozen=True)
class _Sum:
    """Corpus scores of a metric that has them from its total."""

    kind: Any
    options: Any

    def corpus(self, statistics: Array) -> dict[str, float]:
        found: dict[str, float] = self.kind.of_total(self.options, self.kind.total(statistics))
        return found


@dataclass(frozen=True)
class _Mean:
    """Corpus scores that are means of the segments, which here are the statistics."""

    keys: tuple[str, ...]

    def corpus(self, statistics: Array) -> dict[str, float]:
        return dict(zip(self.keys, statistics.mean(axis=0).tolist(), strict=True))


def evaluate(
    items: Sequence[CaptionItem],
    setup: Setup,
    start: Callable[[Setup], Pool],
    *,
    chunk: int,
    on_progress: Progress | None = None,
) -> Evaluation:
    """As service.evaluate() scores them."""
    rows = list(items)
    order = _together([item.references for item in rows])
    report = on_progress or (lambda stage, done, total: None)
    with tempfile.TemporaryDirectory(prefix="capeval-") as folder, start(setup) as pool:
        corpus = Corpus(setup, Path(folder))
        for piece in _pieces(rows, order, chunk):
            corpus.look(piece)
        if corpus.counts:
            corpus.count(pool, _pieces(rows, order, chunk), lambda done: report("Counting", done, len(rows)))
        pool.share(corpus.context())
        keys = tuple(key for key in setup.keys if key not in corpus.skipped)
        found: dict[int, dict[str, Any]] = {}
        done = 0
        for task, answer in pool.run(Evaluate(piece, keys) for piece in _pieces(rows, order, chunk)):
            found[task.piece.number] = answer
            done += len(task.piece.items)
            report("Scoring", done, len(rows))
        made = _joined(tuple(rows), order, [found[number] for number in sorted(found)], chunk, setup)
        made.skipped.update(corpus.skipped)
        return made


def judge_words(
    items: Sequence[CaptionItem], start: Callable[[Setup], Pool], device: str, *, chunk: int, on_progress: Progress
) -> list[CaptionFindings]:
    """As explore.analyse.findings() judges them."""
    found: dict[int, list[CaptionFindings]] = {}
    order = _together([item.image_id for item in items])
    done = 0
    with start(Setup((), {}, device)) as pool:
        for task, answer in pool.run(JudgeWords(piece) for piece in _pieces(items, order, chunk)):
            found[task.piece.number] = answer
            done += len(answer)
            on_progress("Judging words", done, len(items))
    judged = dict(zip(order.tolist(), chain.from_iterable(found[number] for number in sorted(found)), strict=True))
    return [judged[row] for row in range(len(items))]


def _together(keys: Sequence[Hashable]) -> Ints:
    """The places of equal keys one after the other: a worker reads an image's references once."""
    first = {key: place for place, key in reversed(list(enumerate(keys)))}
    return np.array(sorted(range(len(keys)), key=lambda place: first[keys[place]]), dtype=np.int64)


def _pieces(rows: Sequence[CaptionItem], order: Ints, chunk: int) -> Iterator[Piece]:
    for number, start in enumerate(range(0, len(order), chunk)):
        items = tuple(rows[row] for row in order[start : start + chunk].tolist())
        yield Piece(number, items, f"image {items[0].image_id}", f"image {items[-1].image_id}")


def _joined(
    items: tuple[CaptionItem, ...], order: Ints, found: Sequence[Mapping[str, Any]], chunk: int, setup: Setup
) -> Evaluation:
    made = Evaluation(items)
    for one in found:
        made.skipped.update(one["skipped"])
    for key in [key for key in setup.keys if key not in made.skipped]:
        values = np.full(len(items), np.nan)
        values[order] = np.concatenate([one["scores"][key] for one in found])
        made.scores[key] = values
        made.signatures[key] = found[0]["signatures"][key]
        made.notes[key] = {
            int(order[number * chunk + row]): note
            for number, one in enumerate(found)
            for row, note in one["notes"][key].items()
        }
        if key in found[0]["stand_ins"]:
            made.stand_ins[key] = found[0]["stand_ins"][key]
        for one in found:
            made.facts[key] = added(made.facts.get(key, ()), one["facts"][key])
        if remark := service.said(made.facts[key]):
            made.remarks[key] = remark
    _add_statistics(made, order, found, service.chosen_options(registry.select(setup.keys), setup.options))
    return made


def _add_statistics(
    made: Evaluation, order: Ints, found: Sequence[Mapping[str, Any]], options: Mapping[str, Any]
) -> None:
    for name in dict.fromkeys(registry.get(key).metric for key in made.scores):
        keys = tuple(key for key in made.scores if registry.get(key).metric == name)
        spec = registry.get(keys[0])
        scored = [row for row in order.tolist() if made.items[row].references or not spec.needs_references]
        rows = np.array(scored, dtype=np.int64)
        columns = np.stack([made.scores[key][rows] for key in keys], axis=1)
        result = MetricResult({}, columns)
        if name in found[0]["statistics"]:
            # A chunk without any references has none, of no width.
            parts = [one["statistics"][name] for one in found if len(one["statistics"][name])]
            result = replace(result, statistics=np.concatenate(parts) if parts else np.empty((0, 1)))
            made.add_statistics(name, keys, _Sum(spec.load(), options[name]), rows, result)
        else:
            made.add_statistics(name, keys, _Mean(keys), rows, result)
