"""Scores of all captions, metric by metric in the background, and what is asked of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from capeval_core import registry
from capeval_core.analysis import bootstrap, degradation, systems
from capeval_core.analysis.bootstrap import Comparison
from capeval_core.analysis.degradation import Step
from capeval_core.analysis.systems import Analysis, Scale
from capeval_core.io.dataset import DataSet
from capeval_core.types import Progress
from pages.systems.state import BASES, SCALES, Systems
from pages.work import costs, scoring
from pages.work.jobs import Job
from pages.work.memory import recall
from pages.work.scoring import Known

MOST_DECAYED = 200  # captions of a degradation study, each scored once a step


@dataclass(kw_only=True)
class Scored(Known):
    """What is known by now of the data set that the page looks at."""

    state: Systems

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
        outcome = self.ask(task) if axes else None
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
        outcome = self.ask(Job(address, f"significance of {registry.get(key).label}", work, soon=True))
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

        outcome = self.ask(Job(address, f"degradation by {registry.get(key).label}", work, soon=True))
        return (outcome.result, outcome.error, len(items)) if outcome else (None, "", len(items))

    def _paired(self, name: str, other: str) -> bool:
        items, rows = self.data.items, self.data.systems
        return not {items[row].image_id for row in rows[name]}.isdisjoint(items[row].image_id for row in rows[other])


def gather(state: Systems) -> Scored:
    """What is known of the chosen metrics; what is not yet becomes a task."""
    found = Scored(state=state)
    scoring.fill(found, state.data, state.keys, state.options, costs.cheapest_first(state.keys))
    return found


def scales(state: Systems) -> dict[str, Scale] | None:
    return dict(systems.PUBLISHED) if state.scale == SCALES[1] else None
