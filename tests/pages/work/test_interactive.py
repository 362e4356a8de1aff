"""Two sessions of the app in one process: one scores a data set, the other edits, and does not wait for the first."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from capeval_core import CaptionItem, registry
from capeval_core.io.dataset import DataSet
from pages.work import dataset
from pages.work import jobs as module
from pages.work.cells import cells
from pages.work.jobs import Job, jobs
from pages.work.samples import as_items
from tests.pages.app import drawn, owner, settle, start

CAPTIONS = 900
SOON = 60.0
EDITS = [f"a man paddles canoe number {n} on a quiet lake" for n in range(5)]


def data_set() -> DataSet:
    """Captions of our samples, each made another by a number."""
    rows = as_items()
    found = [rows[n % len(rows)] for n in range(CAPTIONS)]
    return DataSet(
        "many", tuple(CaptionItem(str(n), f"{one.candidate} {n}", one.references, "one") for n, one in enumerate(found))
    )


@dataclass
class Watch:
    """What jobs of data sets do while an edit is under way."""

    worked: list[str] = field(default_factory=list)
    looks: int = 0


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    found, give_way = Watch(), module.Jobs._give_way

    def noted(self: module.Jobs, job: Job) -> None:
        give_way(self, job)
        if job.level:
            found.looks += 1
            if any(one.short for one in (*self._running, *self._waiting)):
                found.worked.append(job.label)  # it goes on with its work though an edit waits

    monkeypatch.setattr(module.Jobs, "_give_way", noted)
    return found


def test_an_edit_of_five_candidates_while_another_session_scores_a_data_set(watch: Watch) -> None:
    editor = settle(start(), "inspect")
    scorer = start("systems", **{dataset.KEY: dataset._Open(data_set())})
    assert jobs().wait(lambda: any(job.level == 2 and job.done for job in jobs().of(owner(scorer, "systems"))), SOON)
    ws: Any = editor.session_state["ws"]
    ws.candidates.clear()
    ws.add(EDITS)
    ws.settle()
    before, watch.worked[:] = watch.looks, []
    editor.run()
    items = [*ws.items(), *ws.human_items()]
    assert cells().wait(items, ws.metrics, ws.options, SOON) == []
    assert watch.worked == []
    assert jobs().of(owner(scorer, "systems"))  # it is not done: the edit went before it
    table = drawn(editor.run(), "rows")
    assert [row["caption"] for row in table["rows"]] == EDITS
    assert {cell["state"] for row in table["rows"] for cell in row["cells"]} == {"ok"}
    assert len(table["columns"]) == len(registry.keys())
    assert jobs().wait(lambda: watch.looks > before, SOON)  # and then goes on
    jobs().want(owner(scorer, "systems"), [])
