"""Every page opens as the first thing a visitor asks for: Streamlit then runs its file without app.py."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.shell import PAGES, ROOT


@pytest.mark.parametrize("file", [row[0] for row in PAGES])
def test_a_cold_deep_link_finds_the_whole_app(file: str) -> None:
    app = AppTest.from_file(str(ROOT / file), default_timeout=120).run()
    assert not app.exception
    assert app.session_state["shell"]
    assert app.main.children
