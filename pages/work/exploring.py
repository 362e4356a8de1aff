"""Explore's analysis as jobs: of a data set, and of one caption. Explore and Inspect ask for the same findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from capeval_core import CaptionItem
from capeval_core.explore.findings import CaptionFindings, Exploration
from capeval_core.explore.profile import SystemProfile
from capeval_core.io.dataset import DataSet
from capeval_core.types import Progress
from pages.work.jobs import Job, jobs

SMALL = 200  # captions that are analysed in a moment: before other visitors' data sets
WEIGHT = 20  # rows of scores that take as much memory as the findings of one caption
LABEL = "looking for errors"


@dataclass(frozen=True, slots=True)
class Explored:
    exploration: Exploration
    profiles: dict[str, SystemProfile]  # by captioner
    people: SystemProfile | None  # each reference against the others; None where no image has two

    @property
    def findings(self) -> tuple[CaptionFindings, ...]:
        return self.exploration.findings


def job(data: DataSet) -> Job:
    count = len(data.items)

    def work(report: Progress) -> Explored:
        from capeval_core.explore.analyse import explore
        from capeval_core.explore.profile import profile

        found = explore(data.items, spurts=data.scores.get("spurts"), on_progress=report)
        profiles = {one.system: one for one in profile(found.findings)}
        people = profile(found.people) if found.people else []
        return Explored(found, profiles, people[0] if people else None)

    return Job(("explore", data.digest), LABEL, work, weight=WEIGHT * count, soon=count <= SMALL)


def known(data: DataSet, image: str, item: CaptionItem) -> CaptionFindings | None:
    """What the analysis of the open data set says of this caption: it knows the other captions too."""
    outcome = jobs().find(job(data).address)
    if outcome is None or outcome.result is None:
        return None
    for row in data.images_rows.get(image, ()):
        if (data.items[row].candidate, data.items[row].references) == (item.candidate, item.references):
            found: CaptionFindings = outcome.result.findings[row]
            return found
    return None


def one(item: CaptionItem) -> Job:
    def work(report: Progress) -> Any:
        from capeval_core.explore.analyse import analyse

        return analyse([item], on_progress=report)[0]

    return Job(("explore one", item.candidate, item.references), LABEL, work, short=True)
