"""A server that was started is going to be visited: what the first visitor needs is loaded before anybody comes.

First the modules that draw a page, then the scores of the sample that Inspect opens on: they need every model, and the
first visitor finds them; then the errors of all samples, which Explore opens on. CAPEVAL_PRELOAD=no leaves all that to
the first visit, where memory is short.
"""

from __future__ import annotations

import importlib
import os
import threading
from collections.abc import Sequence

VARIABLE = "CAPEVAL_PRELOAD"


def start(modules: Sequence[str]) -> None:
    """In the background; `modules` are those of the first page."""
    if os.environ.get(VARIABLE, "").lower() != "no":
        threading.Thread(target=load, args=(modules,), name="capeval-preload", daemon=True).start()


def load(modules: Sequence[str]) -> None:
    for name in modules:
        importlib.import_module(name)
    from pages.work import dataset, exploring, samples, session
    from pages.work.cells import cells
    from pages.work.jobs import THE_APP, jobs

    ws = session.from_sample(samples.samples()[0].id)
    cells().want(THE_APP, [*ws.items(), *ws.human_items()], ws.metrics, ws.options)
    jobs().want((THE_APP[0], "explore"), [exploring.job(dataset.from_samples())])
