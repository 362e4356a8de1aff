"""The page without a browser; few metrics are scored."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from pages.explore import state
from pages.work import dataset
from pages.work.jobs import jobs
from tests.pages import app as running
from tests.pages.explore.opened import use

QUICK = ["bleu_1", "rouge_l", "cider"]


@pytest.fixture(scope="module")
def held() -> Iterator[AppTest]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(state, "first_keys", lambda data: QUICK)
        app = running.start("explore")
        yield app
        jobs().want(running.owner(app, "explore"), [])


@pytest.fixture
def page(held: AppTest) -> AppTest:
    """On the samples, as a first visit finds it."""
    return use(held, dataset.from_samples())
