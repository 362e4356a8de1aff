"""Explore looks up often, and stops where whoever watches says so."""

from __future__ import annotations

import pytest

from capeval_core import CaptionItem, pace
from capeval_core.explore.analyse import explore
from capeval_core.shared import Shared

ITEMS = [CaptionItem(str(n), f"a dog number {n}", ("a dog runs", f"dog {n} is running")) for n in range(40)]


class Stop(BaseException):
    pass


def test_every_caption_is_a_place_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    shared, looks = Shared(), [0]
    explore(ITEMS, shared=shared)  # models are loaded: that never waits
    monkeypatch.setattr(pace, "EVERY", 0.0)

    def count() -> None:
        looks[0] += 1

    with pace.watched(count):
        explore(ITEMS, shared=shared)
    assert looks[0] >= 3 * len(ITEMS)

    def stop() -> None:
        raise Stop

    with pace.watched(stop), pytest.raises(Stop):
        explore(ITEMS, shared=shared)


def test_progress_is_reported() -> None:
    stages: list[str] = []
    explore(ITEMS, on_progress=lambda stage, done, total: stages.append(stage))
    assert {"Parsing", "Judging words"} <= set(stages)
