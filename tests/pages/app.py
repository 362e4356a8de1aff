"""The app run without a browser, and what it shows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from streamlit.testing.v1 import AppTest

from pages.work.jobs import Owner, jobs
from tests.pages.client import APP

SOON = 120.0


def start(page: str = "", **state: Any) -> AppTest:
    """The first run; `page` is a page's folder (Inspect where none is given)."""
    app = AppTest.from_file(APP, default_timeout=SOON)
    for name, value in state.items():
        app.session_state[name] = value
    app.run()
    return app.switch_page(f"pages/{page}/page.py").run() if page else app


def owner(app: AppTest, page: str) -> Owner:
    return app.session_state["owner"], page


def settle(app: AppTest, *pages: str, seconds: float = SOON) -> AppTest:
    """Run until the background has nothing left to do for these pages: what the browser's polls do.

    A job may be done before anybody looks, and the next run ask for another one: so also until a run shows nothing new
    and nothing that waits.
    """
    shown = None
    for _ in range(20):
        app.run()
        assert not app.exception
        left = waits(app) or any(jobs().of(owner(app, page)) for page in pages)
        if not left and shown == said(app):
            return app
        shown = None if left else said(app)
        for page in pages:
            assert jobs().finish(owner(app, page), seconds)
    raise AssertionError("the page wants more and more")


def waits(app: AppTest) -> bool:
    """Does something on the page say that more will come? Its job may be done by now."""
    return any(data.get("pending") for data in _components(app))


def drawn(app: AppTest, field: str) -> Any:
    """What one of our components is told to draw: the one whose data has this field."""
    for data in _components(app):
        if field in data:
            return data
    raise AssertionError(f"no component on the page has {field}")


def _components(app: AppTest) -> Iterator[Any]:
    for element in app.get("bidi_component"):
        yield json.loads(json.loads(element.proto.json).get("packed", "{}"))


def html(app: AppTest) -> str:
    return " ".join(str(one.proto.body) for one in app.get("html"))


def said(app: AppTest) -> str:
    """All plain and HTML text."""
    return "\n".join([html(app), *(one.value for one in app.text)])


def labelled(widgets: Iterable[Any], label: str) -> Any:
    return next(one for one in widgets if one.label == label)


def grid_of(app: AppTest) -> Any:
    return drawn(app, "missing")
