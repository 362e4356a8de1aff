"""Starts the app: `python -m pages.shell.serve`, with Streamlit's own options behind it.

Streamlit takes a folder named pages/ for pages of its old kind until the app has told it better, which happens in the
first visit. If that visit is to /guide, it says "Page not found" over the page. So it is told before it starts.
While it starts, what the first visitor needs is loaded (pages/work/preload.py).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from streamlit.runtime.pages_manager import PagesManager
from streamlit.web import cli

from pages.work import preload

APP = Path(__file__).parents[2] / "app.py"
FIRST = ("pages.shell.navigation", "pages.inspect.scores", "pages.inspect.views")  # modules of the first page


def serve(script: str, options: Sequence[str]) -> None:
    PagesManager.uses_pages_directory = False
    if Path(script).resolve() == APP:
        preload.start(FIRST)
    sys.argv = ["streamlit", "run", script, *options]
    cli.main()


if __name__ == "__main__":
    serve(str(APP), sys.argv[1:])
