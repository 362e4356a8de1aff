"""The page on a data set, as if its files had been opened."""

from __future__ import annotations

from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from capeval_core import CaptionItem
from capeval_core.io.dataset import DataSet
from pages.explore import state
from pages.explore.found import gather
from pages.explore.state import Explore
from pages.work import dataset
from tests.pages import app as running
from tests.pages.app import drawn


def use(app: AppTest, data: DataSet, **fields: Any) -> AppTest:
    """Another data set, as if its files had been opened, in a session that is new to the page."""
    app.switch_page("pages/explore/page.py")
    app.session_state[dataset.KEY] = dataset._Open(data)
    fresh = Explore(data)
    fresh.load(data)
    app.session_state[state.KEY] = fresh
    for name, value in fields.items():
        setattr(fresh, name, value)
    fresh.settle()
    return running.settle(app, "explore")


def held_state(app: AppTest) -> Explore:
    found: Explore = app.session_state[state.KEY]
    return found


def listed(app: AppTest) -> list[int]:
    return [row["id"] for row in drawn(app, "size")["rows"]]


def all_rows(app: AppTest) -> list[int]:
    return gather(held_state(app)).rows()


def large() -> DataSet:
    """Enough captions for slices, with scores, so that nothing has to be scored."""
    items, subjects = [], ("a dog", "two cats", "a man")
    for number in range(90):
        subject = subjects[number % 3]
        people = (
            f"{subject} on the grass in a park",
            f"{subject} outside on green grass",
            f"{subject} stands in a field",
        )
        for system in ("old", "new"):
            text = f"{subject} on the grass" if system == "new" or number % 3 else "a red bus near a wall a wall"
            items.append(CaptionItem(f"i{number}", text, people, system))
    chance = np.random.default_rng(0)
    scores = {key: chance.random(len(items)) for key in ("cider", "spice")}
    columns = {"place": tuple("ab"[number % 2] for number in range(len(items)))}
    return DataSet("large.jsonl", tuple(items), scores, columns=columns)
