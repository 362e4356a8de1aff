"""What every page stands in: page config, navigation, logo."""

from __future__ import annotations

from pathlib import Path

# Before any background job: plotly looks into pandas wherever it finds it loaded, even half loaded by another thread.
import pandas  # noqa: F401
import streamlit as st

from capeval_core.figures import markup
from pages.shell import keeper, theme
from pages.work import session
from pages.work.jobs import jobs

ROOT = Path(__file__).parents[2]
ASSETS = ROOT / "assets"
# file, title, icon, address; the first is the default page. One more page is one more row.
PAGES = (
    ("pages/inspect/page.py", "Inspect", ":material/search_insights:", "inspect"),
    ("pages/perturb/page.py", "Perturb", ":material/science:", "perturb"),
    ("pages/systems/page.py", "Systems", ":material/scatter_plot:", "systems"),
    ("pages/explore/page.py", "Explore", ":material/travel_explore:", "explore"),
    ("pages/judges/page.py", "Judges", ":material/balance:", "judges"),
    ("pages/learn/page.py", "Learn", ":material/model_training:", "learn"),
    ("pages/guide/page.py", "Guide", ":material/menu_book:", "guide"),
)


def nav() -> None:
    st.set_page_config(page_title="CapEval", page_icon=str(ASSETS / "favicon.png"), layout="wide")
    pages = [
        st.Page(str(ROOT / file), title=title, icon=icon, url_path=address, default=place == 0)
        for place, (file, title, icon, address) in enumerate(PAGES)
    ]
    st.logo(str(ASSETS / "logo.svg"), size="large")
    st.html(f"<style>{theme.layout()}{markup.style()}</style>")
    page = st.navigation(pages, position="top")
    st.set_page_config(page_title=f"{page.title} · CapEval")
    session.save()  # what the visitor did is done by now; drawing the page may take a while
    keeper.show()
    try:
        with jobs().drawing():  # a visitor waits: data sets in the background pause
            page.run()
    finally:
        moved = session.save(last=True)  # a page may change what it shows
    if moved:
        st.rerun()
