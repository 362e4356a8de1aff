"""The work behind a measured data set: what was asked for, and the job that measures it or reads what was measured."""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import dataclass

from capeval_core import InvalidInput
from capeval_core import options as metric_options
from capeval_core.io.dataset import DataSet
from capeval_core.perturb.study import Study, study
from capeval_core.types import Progress
from pages.perturb import stored
from pages.work import keeping
from pages.work.jobs import Job

GONE = "the result for {title} is no longer kept: open its files again and press Measure"


@dataclass(frozen=True)
class Asked:
    """What a result depends on."""

    digest: str  # of the data set
    title: str
    count: int
    kinds: tuple[str, ...]
    keys: tuple[str, ...]
    strength: int
    options: dict[str, dict[str, str | float | bool | None]]  # by metric, as plain values

    @property
    def address(self) -> Hashable:
        options = json.dumps(self.options, sort_keys=True)
        return "study", self.digest, self.count, self.kinds, self.keys, self.strength, options


def job(asked: Asked, result: str, data: DataSet) -> Job:
    """Gives the study, and the bytes to keep of it."""

    def work(report: Progress) -> tuple[Study, bytes]:
        kept = keeping.file(result) if result else None
        found = stored.unpack(kept) if kept else None
        if found is not None and kept:
            return found, kept
        if data.digest != asked.digest:
            raise InvalidInput(GONE.format(title=asked.title))
        items, options = data.items, metric_options.from_plain(asked.options)
        made = study(
            items[: asked.count], asked.kinds, asked.keys, strength=asked.strength, corpus=items, options=options,
            on_progress=report,
        )  # fmt: skip
        return made, stored.pack(made)

    weight = asked.count * (len(asked.kinds) + 1) * len(asked.keys)
    return Job(asked.address, "Measuring", work, weight=weight)
