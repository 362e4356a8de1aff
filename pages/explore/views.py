"""The views of Explore: errors and cards, slices, disagreement, wording, two captioners. Only the open one works."""

from __future__ import annotations

import streamlit as st

from capeval_core.explore.kinds import KINDS
from capeval_core.figures.html import line_html
from capeval_core.figures.words import plural, short
from pages.explore import bars, cards, comparing, filters, slices, toolbar, wording
from pages.explore.found import Found
from pages.explore.state import COMPARE, DISAGREE, ERRORS, SLICES, WORDING, shown_name
from pages.shell import theme

# On a narrow screen the cards go under the filters.
STYLE = """<style>
@media (max-width: 820px) {
  .st-key-explore-split > div > [data-testid=stHorizontalBlock] { flex-wrap: wrap; }
  .st-key-explore-split > div > [data-testid=stHorizontalBlock] > [data-testid=stColumn] { min-width: 100%; }
}
</style>"""
WAITING = "The captions are being read. What goes wrong appears here."


def show(found: Found) -> None:
    if found.explored is None:
        waiting(found)
        return
    parts = {
        ERRORS: errors,
        SLICES: slices.show,
        DISAGREE: disagreement,
        WORDING: wording.show,
        COMPARE: comparing.show,
    }
    parts[found.state.tab](found)


def waiting(found: Found) -> None:
    if found.error:
        st.warning("The captions could not be analysed.")
        st.text(found.error)
        return
    said = "Nothing was looked for yet: press Go on." if found.state.stopped else WAITING
    st.html(line_html(said, theme.palette(), large=True))


def sentence(text: str) -> None:
    st.html(line_html(text, theme.palette(), large=True))


def errors(found: Found) -> None:
    st.html(STYLE)
    sentence(summary(found))
    bars.show(found)
    toolbar.caution(found.state)
    with st.container(key="explore-split"):
        left, right = st.columns([1, 3.6], gap="large")
    with left:
        filters.show(found)
    with right:
        rows = found.rows()
        with st.container(horizontal=True, vertical_alignment="bottom"):
            filters.order(found)
        if rows:
            cards.show(found, rows)
        else:
            st.info("No caption passes all filters. Take one off on the left.")


def summary(found: Found) -> str:
    """How many captions have an error, the commonest one, and the same of people."""
    own, other = bars.profiles(found)
    name = shown_name(short(found.state.system, 40))
    said = f"{own.any.rate:.0f} of 100 captions by {name} have an error that the references can tell"
    if other is not None:
        said += f"; of {bars.against_name(found)} {other.any.rate:.0f}"
    kind, most = max(own.rates.items(), key=lambda one: one[1].rate)
    if most.captions:
        said += f". The most frequent: {KINDS[kind].label.lower()}, in {plural(most.captions, 'caption')}"
    return f"{said}."


def disagreement(found: Found) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        filters.between(found)
    first, second = found.state.between
    if not first or not second:
        st.info("Two metrics are needed: choose them under Metrics above.")
        return
    listed = found.disagreements()
    if listed is None:
        st.html(line_html(found.error or "The captions they disagree on are being looked for.", theme.palette()))
        return
    if not listed:
        st.info("No caption has a score by both metrics.")
        return
    sentence("The captions whose place among all differs most between the two.")
    notes, more = ({row: said[part] for row, said in listed.items()} for part in range(2))
    cards.show(found, list(listed), notes=notes, more=more, place=DISAGREE)
