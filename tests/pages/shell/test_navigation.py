"""Every page opens; no script lies in pages/ itself, where Streamlit's old router would run it without app.py."""

from __future__ import annotations

import subprocess
import sys

import pytest
from streamlit.testing.v1 import AppTest

from pages.shell.navigation import PAGES, ROOT


@pytest.mark.parametrize("file", [row[0] for row in PAGES])
def test_every_page_opens(file: str) -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run().switch_page(file).run()
    assert not app.exception
    assert app.main.children


def test_the_old_router_finds_no_page() -> None:
    assert [path.name for path in (ROOT / "pages").glob("*.py")] == ["__init__.py"]


def test_pandas_is_whole_before_any_job_begins() -> None:
    """A walk met plotly drawing while a background job was half way through importing pandas."""
    code = "import sys, pages.shell.navigation; sys.exit('pandas' not in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
