"""What every page stands in: page config, navigation, logo."""

from __future__ import annotations

from pathlib import Path

# Before any background job: plotly looks into pandas wherever it finds it loaded, even half loaded by another thread.
import pandas  # noqa: F401
import streamlit as st

from capeval_core.figures import markup
from pages.work.jobs import jobs

ROOT = Path(__file__).parents[2]
ASSETS = ROOT / "assets"
# file, title, icon, address; the first is the default page. One more page is one more row.
PAGES = (
    ("pages/inspect/page.py", "Inspect", ":material/search_insights:", "inspect"),
    ("pages/perturb/page.py", "Perturb", ":material/science:", "perturb"),
    ("pages/systems/page.py", "Systems", ":material/scatter_plot:", "systems"),
    ("pages/guide/page.py", "Guide", ":material/menu_book:", "guide"),
)
# Streamlit leaves much room above and around a page; a workbench wants it. Figures stand under each other.
STYLE = """<style>
.block-container { padding: 4.3rem 2.4rem 3rem; max-width: 1680px; }
.stApp { font-variant-numeric: tabular-nums; }
@media (max-width: 1100px) {
  .st-key-toolbar [data-testid=stHorizontalBlock] { display: grid; grid-template-columns: repeat(4, 1fr); }
  .st-key-toolbar [data-testid=stColumn] { width: auto; min-width: 0; }
  .st-key-toolbar [data-testid=stColumn]:nth-child(5) { display: none; }
  .st-key-inspect [data-testid=stHorizontalBlock] { flex-wrap: wrap; row-gap: 0.8rem; }
  .st-key-inspect [data-testid=stColumn] { min-width: 100%; }
  /* the image, and its references beside it, above the table */
  .st-key-about { display: grid !important; grid-template-columns: 2fr 3fr; column-gap: 1.5rem; align-items: start; }
  .st-key-about > :first-child { grid-area: 1 / 1; }
  .st-key-about > :last-child { grid-area: 1 / 2 / span 3; }
}
</style>"""


def nav() -> None:
    st.set_page_config(page_title="CapEval", page_icon=str(ASSETS / "favicon.png"), layout="wide")
    pages = [
        st.Page(str(ROOT / file), title=title, icon=icon, url_path=address, default=place == 0)
        for place, (file, title, icon, address) in enumerate(PAGES)
    ]
    st.logo(str(ASSETS / "logo.svg"), size="large")
    st.html(STYLE + f"<style>{markup.style()}</style>")
    page = st.navigation(pages, position="top")
    st.set_page_config(page_title=f"{page.title} · CapEval")
    with jobs().drawing():  # a visitor waits: data sets in the background pause
        page.run()
