"""A job that is done while the page is drawn is shown, without an act of the visitor's."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.web import component
from pages.work.jobs import jobs

OWNER = ("", "a test")


def page() -> None:
    import streamlit as st

    from pages.widgets import progress
    from pages.work.jobs import Job, jobs
    from tests.pages.widgets.test_progress import OWNER

    address = ("a test", st.session_state["case"])
    outcome = jobs().find(address)
    if outcome:
        st.text(f"found {outcome.result}")
        return
    jobs().want(OWNER, [Job(address, "counting", lambda report: 7, short=True)])
    if st.session_state["case"] == "before the bar":
        jobs().finish(OWNER, 10)
    progress.show(OWNER)


@pytest.mark.parametrize("case", ["before the bar", "within the bar"])
def test_done_while_the_page_is_drawn(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    live = component.live

    def slow(*given: object, **more: object) -> None:
        jobs().finish(OWNER, 10)
        live(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(component, "live", slow)
    app = AppTest.from_function(page)
    app.session_state["case"] = case
    app.run()
    assert not app.exception
    assert [one.value for one in app.text] == ["found 7"]
