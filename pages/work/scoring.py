"""Scores of a whole data set, metric by metric in the background: done once for all pages that ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from capeval_core import Evaluation, evaluate, registry
from capeval_core.io.dataset import DataSet
from capeval_core.types import Array, Progress, StandIn
from pages.work.jobs import Job, Outcome, jobs

TOGETHER = {"mima": "spurts"}  # both come of the same passes through the transformer


@dataclass(kw_only=True)
class Known:
    """What is known by now; `tasks` is what is still wanted."""

    scores: dict[str, Array] = field(default_factory=dict)
    evaluations: dict[str, Evaluation] = field(default_factory=dict)  # by metric name
    signatures: dict[str, str] = field(default_factory=dict)
    stand_ins: dict[str, StandIn] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)  # key -> why it has no scores
    pending: list[str] = field(default_factory=list)
    tasks: list[Job] = field(default_factory=list)

    def ask(self, task: Job) -> Outcome | None:
        """What came of it; where nothing has yet, it is wanted."""
        outcome = jobs().find(task.address)
        if outcome is None:
            self.tasks.append(task)
        return outcome


def fill(
    found: Known, data: DataSet, keys: Sequence[str], options: Mapping[str, Any], first: Sequence[str] = ()
) -> None:
    """What is known of these metrics; what is not yet becomes a task, those of `first` before the others."""
    for metric, chosen in _metrics(keys, first).items():
        given = [key for key in chosen if key in data.scores]
        found.scores |= {key: data.scores[key] for key in given}
        if len(given) == len(chosen):
            continue
        outcome = found.ask(_scoring(data, metric, options))
        if outcome is None:
            found.pending += [key for key in chosen if key not in given]
        elif outcome.error:
            found.failed |= dict.fromkeys(chosen, outcome.error)
        else:
            _take(found, chosen, outcome.result)
    found.scores = {key: found.scores[key] for key in keys if key in found.scores}


def _take(found: Known, keys: Sequence[str], evaluation: Evaluation) -> None:
    for key in keys:
        if key in evaluation.skipped:
            found.failed[key] = str(evaluation.skipped[key])
        elif key not in found.scores:
            found.scores[key] = evaluation.scores[key]
            found.signatures[key] = evaluation.signatures[key]
            found.stand_ins |= {key: evaluation.stand_ins[key]} if key in evaluation.stand_ins else {}
            found.evaluations[registry.get(key).metric] = evaluation


def _metrics(keys: Sequence[str], first: Sequence[str]) -> dict[str, list[str]]:
    """Metric name -> the chosen keys that are scored with it."""
    groups: dict[str, list[str]] = {}
    for key in sorted(keys, key=lambda key: first.index(key) if key in first else len(first)):
        groups.setdefault(together(key), []).append(key)
    return groups


def together(key: str) -> str:
    metric = registry.get(key).metric
    return TOGETHER.get(metric, metric)


def _scoring(data: DataSet, metric: str, chosen: Mapping[str, Any]) -> Job:
    """All keys that come of one pass at once: BLEU's four cost the same as one."""
    specs = [spec for spec in registry.select(None) if together(spec.key) == metric]
    keys = [spec.key for spec in specs]
    options = {spec.metric: chosen[spec.metric] for spec in specs if spec.metric in chosen}

    def work(report: Progress) -> Evaluation:
        return evaluate(data.items, keys, options=options, on_progress=report)

    names = dict.fromkeys(spec.label if spec.metric == spec.key else spec.metric.upper() for spec in specs)
    label = " and ".join(names)
    address = ("scores", data.digest, metric, tuple(sorted(options.items())))
    return Job(address, label, work, weight=len(data.items))
