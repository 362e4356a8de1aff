"""What is known by now of the data set that Explore looks at; what is not becomes a job."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from capeval_core import pace, registry
from capeval_core.explore.compare import Comparison
from capeval_core.explore.findings import CaptionFindings
from capeval_core.explore.slices import Slice
from capeval_core.explore.wording import Wording
from capeval_core.io.dataset import DataSet
from capeval_core.types import Array, Progress
from pages.explore import rows, why
from pages.explore.rows import Query, Table
from pages.explore.state import Explore
from pages.work import costs, exploring, scoring
from pages.work.exploring import Explored
from pages.work.jobs import Job, jobs
from pages.work.memory import recall
from pages.work.scoring import Known

T = TypeVar("T")


@dataclass(kw_only=True)
class Found(Known):
    state: Explore
    explored: Explored | None = None
    error: str = ""  # why there are no findings
    at_once: bool = False  # what is not known yet is made now: for a report

    @property
    def data(self) -> DataSet:
        return self.state.data

    @property
    def findings(self) -> tuple[CaptionFindings, ...]:
        return self.explored.findings if self.explored else ()

    @property
    def table(self) -> Table:
        return recall(("explore table", self.data.digest), lambda: rows.table(self.data.items, self.findings))

    def query(self) -> Query:
        state = self.state
        part = next((one for one in self.slices() or () if one.name == state.slice), None) if state.slice else None
        chosen = None if part is None else np.array(part.rows, dtype=np.int64)
        return Query(state.system, state.kind, chosen, state.ranges, state.words, state.sort, state.between)

    def rows(self) -> list[int]:
        """Of the captions that pass the filters, in their order."""
        listed: list[int] = rows.find(self.table, self.query(), self.scores).tolist()
        return listed

    def places(self, key: str) -> Array:
        """Each caption's place among all by this metric."""
        address = ("explore places", self.data.digest, key, self.signatures.get(key, ""))
        return recall(address, lambda: rows.places(key, self.scores[key]))

    def slices(self) -> list[Slice] | None:
        """Of the chosen captioner's captions; None while they are looked for."""
        known = {} if self.pending else dict(self.scores)

        def make() -> list[Slice]:
            from capeval_core.explore.slices import slices

            own = self.data.systems[self.state.system]
            return slices(self.findings, scores=known, lower=lower(known), columns=self.data.columns, rows=own)

        return self._made(("slices", self.state.system, tuple(known), self._options), "slices", make)

    def disagreements(self) -> dict[int, tuple[str, str]] | None:
        """The chosen captioner's captions on which the two sides differ most: by row, how far and why. None while
        they are looked for."""
        first, second = (rows.members(side, list(self.scores)) for side in self.state.between)
        if not first or not second:
            return None

        def make() -> dict[int, tuple[str, str]]:
            from capeval_core.explore.disagreement import disagreements

            own = self.data.systems[self.state.system]
            listed = disagreements(self.scores, first, second, rows=own, lower=lower(self.scores))
            return {
                one.row: why.said(
                    one, self.data.items[one.row], self.findings[one.row], self.state.between, self.state.options
                )
                for one in pace.each(listed)
            }

        address = ("disagreement", self.state.system, self.state.between, tuple(first), tuple(second), self._options)
        return self._made(address, "where metrics disagree", make)

    def wording(self) -> Wording | None:
        def make() -> Wording:
            from capeval_core.explore.wording import wording

            return wording(self.data.items, self.state.system)

        return self._made(("wording", self.state.system), "wording", make)

    def comparison(self) -> Comparison | None:
        state = self.state

        def make() -> Comparison:
            from capeval_core.explore.compare import compare

            return compare(self.findings, state.newer, state.system)

        return self._made(("compare", state.system, state.newer), "comparison", make)

    @property
    def _options(self) -> tuple[Any, ...]:
        return tuple(sorted(self.state.options.items()))

    def _made(self, address: tuple[Any, ...], label: str, make: Callable[[], T]) -> T | None:
        if self.explored is None:
            return None

        def work(report: Progress) -> T:
            return make()

        job = Job(("explore", self.data.digest, *address), label, work, soon=True)
        if self.at_once and jobs().find(job.address) is None:
            return make()
        outcome = self.ask(job)
        if outcome is not None and outcome.error:
            self.error = outcome.error
        result: T | None = outcome.result if outcome else None
        return result


def lower(keys: Iterable[str]) -> list[str]:
    """The metrics of which less is better."""
    return [key for key in keys if registry.get(key).direction != "higher"]


def gather(state: Explore) -> Found:
    found = Found(state=state)
    outcome = found.ask(exploring.job(state.data))
    if outcome is not None:
        found.explored, found.error = outcome.result, outcome.error
    scoring.fill(found, state.data, state.keys, state.options, costs.cheapest_first(state.keys))
    return found
