"""What is loaded before the first visit: exactly what the first visit asks for."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Sequence

import pytest
from streamlit.web import cli

from pages.shell import serve
from pages.work import preload
from pages.work.cells import Cells
from pages.work.jobs import THE_APP, Job, Jobs, Owner
from tests.pages.app import start


def test_the_first_visitor_wants_what_the_server_has_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, set[Hashable]] = {}

    def want(self: Jobs, owner: Owner, jobs: Sequence[Job]) -> list[Job]:
        asked.setdefault(owner[1], set()).update(job.address for job in jobs)
        return []

    monkeypatch.setattr(Jobs, "want", want)
    monkeypatch.setattr(Cells, "get", lambda *given: None)  # nothing has been scored
    monkeypatch.setattr(Cells, "loaded", lambda *given: False)
    preload.load(())
    start()
    assert asked[THE_APP[1]]
    assert asked["inspect"] == asked[THE_APP[1]]


def test_it_can_be_left_to_the_first_visit(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    monkeypatch.setattr(threading.Thread, "start", lambda self: begun.append(self.name))
    monkeypatch.setenv(preload.VARIABLE, "No")
    preload.start(serve.FIRST)
    assert begun == []
    monkeypatch.delenv(preload.VARIABLE)
    preload.start(serve.FIRST)
    assert begun == ["capeval-preload"]


def test_the_first_page_is_loaded_by_its_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """And another script than the app gets nothing loaded."""
    begun: list[object] = []
    monkeypatch.setattr(preload, "start", begun.append)
    monkeypatch.setattr(cli, "main", lambda: None)
    serve.serve("tests/somewhere.py", [])
    assert begun == []
    serve.serve(str(serve.APP), [])
    assert begun == [serve.FIRST]
