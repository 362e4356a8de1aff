"""Scores of all captions, metric by metric in the background, and what is asked of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from capeval_core import Evaluation, evaluate, registry
from capeval_core.analysis import bootstrap, degradation, systems
from capeval_core.analysis.bootstrap import Comparison
from capeval_core.analysis.degradation import Step
from capeval_core.analysis.systems import Analysis, Scale
from capeval_core.io.dataset import DataSet
from capeval_core.types import Array, Progress, StandIn
from pages.systems.state import BASES, SCALES, Systems
from pages.work.jobs import Job, Outcome, jobs
from pages.work.memory import recall

FIRST = ("sparcs", "spurts", "mima")  # scored before the others: the page opens on them
TOGETHER = {"mima": "spurts"}  # both come of the same passes through the transformer
MOST_DECAYED = 200  # captions of a degradation study, each scored once a step


@dataclass
class Scored:
    """What is known by now; `tasks` is what is still wanted."""

    state: Systems
    scores: dict[str, Array] = field(default_factory=dict)
    evaluations: dict[str, Evaluation] = field(default_factory=dict)  # by metric name
    signatures: dict[str, str] = field(default_factory=dict)
    stand_ins: dict[str, StandIn] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)  # key -> why it has no scores
    pending: list[str] = field(default_factory=list)
    tasks: list[Job] = field(default_factory=list)

    @property
    def data(self) -> DataSet:
        return self.state.data

    def analysis(self, axes: tuple[str, str] | None) -> Analysis | None:
        """Clouds at once; their overlaps' intervals as soon as they are drawn. None while an axis has no scores."""
        if axes and (axes[0] == axes[1] or not all(key in self.scores for key in axes)):
            return None
        state, data = self.state, self.data
        keys = [key for key in dict.fromkeys((*(axes or ()), systems.GRAMMAR)) if key in self.scores]
        address = ("clouds", state.content, tuple(keys), axes, state.reference, state.scale, state.size)

        def make(samples: int) -> Analysis:
            scores = {key: self.scores[key] for key in keys}
            return systems.analyse(
                data.items, scores, state.reference, axes=axes, scales=scales(state), size=state.size, samples=samples
            )

        task = Job((*address, "drawn"), "intervals of the overlap", lambda _: make(bootstrap.SAMPLES), soon=True)
        outcome = self._ask(task) if axes else None
        if outcome and outcome.result:
            found: Analysis = outcome.result
            return found
        return recall(address, lambda: make(0))

    def comparisons(self, key: str) -> dict[str, Comparison] | None:
        """Each other captioner against the chosen one by one metric. None while it is not known."""
        state, data, metric = self.state, self.data, registry.get(key).metric
        corpus = state.basis == BASES[1]
        if key not in self.scores or (corpus and metric not in self.evaluations):
            return None
        names = [name for name in data.systems if name != state.against and self._paired(name, state.against)]

        def work(report: Progress) -> dict[str, Comparison]:
            found = {}
            for done, name in enumerate(names):
                report("significance", done, len(names))
                if corpus:
                    found[name] = bootstrap.compare_corpus(self.evaluations[metric], name, state.against, keys=[key])
                else:
                    found[name] = bootstrap.compare_means(data.items, {key: self.scores[key]}, name, state.against)
            return {name: tests[key] for name, tests in found.items()}

        address = ("compare", state.content, key, corpus, state.against)
        outcome = self._ask(Job(address, f"significance of {registry.get(key).label}", work, soon=True))
        return outcome.result if outcome and not outcome.error else None

    def value(self, key: str, system: str) -> float:
        """By the chosen basis; NaN where there is none."""
        rows = self.data.systems[system]
        if self.state.basis == BASES[1]:
            evaluation = self.evaluations.get(registry.get(key).metric)
            if evaluation is None:
                return float("nan")
            address = ("corpus", self.state.content, registry.get(key).metric, system)
            return recall(address, lambda: evaluation.corpus_of(rows)).get(key, float("nan"))
        values = self.scores[key][rows]
        defined = values[np.isfinite(values)]
        return float(defined.mean()) if len(defined) else float("nan")

    def decay(self) -> tuple[tuple[Step, ...] | None, str, int]:
        """The degradation study, or why there is none yet; and of how many captions it is."""
        state, key = self.state, self.state.decaying
        rows = self.data.systems[state.decayed]
        if len(rows) > MOST_DECAYED:
            rows = sorted(np.random.default_rng(0).choice(rows, MOST_DECAYED, replace=False).tolist())
        items = [self.data.items[row] for row in rows]
        address = ("decay", state.content, state.decayed, key)

        def work(report: Progress) -> tuple[Step, ...]:
            return degradation.study_metric(items, key, options=state.options, on_progress=report)

        outcome = self._ask(Job(address, f"degradation by {registry.get(key).label}", work, soon=True))
        return (outcome.result, outcome.error, len(items)) if outcome else (None, "", len(items))

    def _paired(self, name: str, other: str) -> bool:
        items, rows = self.data.items, self.data.systems
        return not {items[row].image_id for row in rows[name]}.isdisjoint(items[row].image_id for row in rows[other])

    def _ask(self, task: Job) -> Outcome | None:
        outcome = jobs().find(task.address)
        if outcome is None:
            self.tasks.append(task)
        return outcome


def gather(state: Systems) -> Scored:
    """What is known of the chosen metrics; what is not yet becomes a task."""
    found = Scored(state)
    data = state.data
    for metric, keys in _metrics(state.keys).items():
        given = [key for key in keys if key in data.scores]
        found.scores |= {key: data.scores[key] for key in given}
        if len(given) == len(keys):
            continue
        outcome = found._ask(_scoring(state, metric))
        if outcome is None:
            found.pending += [key for key in keys if key not in given]
        elif outcome.error:
            found.failed |= dict.fromkeys(keys, outcome.error)
        else:
            _take(found, keys, outcome.result)
    found.scores = {key: found.scores[key] for key in state.keys if key in found.scores}
    return found


def _take(found: Scored, keys: Sequence[str], evaluation: Evaluation) -> None:
    for key in keys:
        if key in evaluation.skipped:
            found.failed[key] = str(evaluation.skipped[key])
        elif key not in found.scores:
            found.scores[key] = evaluation.scores[key]
            found.signatures[key] = evaluation.signatures[key]
            found.stand_ins |= {key: evaluation.stand_ins[key]} if key in evaluation.stand_ins else {}
            found.evaluations[registry.get(key).metric] = evaluation


def _metrics(keys: Sequence[str]) -> dict[str, list[str]]:
    """Metric name -> the chosen keys that are scored with it; those the page opens on first."""
    groups: dict[str, list[str]] = {}
    for key in sorted(keys, key=lambda key: FIRST.index(key) if key in FIRST else len(FIRST)):
        groups.setdefault(_together(key), []).append(key)
    return groups


def _together(key: str) -> str:
    metric = registry.get(key).metric
    return TOGETHER.get(metric, metric)


def _scoring(state: Systems, metric: str) -> Job:
    """All keys that come of one pass at once: BLEU's four cost the same as one."""
    data = state.data
    specs = [spec for spec in registry.select(None) if _together(spec.key) == metric]
    keys = [spec.key for spec in specs]
    options = {spec.metric: state.options[spec.metric] for spec in specs if spec.metric in state.options}

    def work(report: Progress) -> Evaluation:
        return evaluate(data.items, keys, options=options, on_progress=report)

    names = dict.fromkeys(spec.label if spec.metric == spec.key else spec.metric.upper() for spec in specs)
    label = " and ".join(names)
    address = ("scores", data.digest, metric, tuple(sorted(options.items())))
    return Job(address, label, work, weight=len(data.items))


def scales(state: Systems) -> dict[str, Scale] | None:
    return dict(systems.PUBLISHED) if state.scale == SCALES[1] else None
