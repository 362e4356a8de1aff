"""Errors: what Explore finds in one caption, told as on its cards: its errors, and how far people back each word."""

from __future__ import annotations

import streamlit as st

from capeval_core.explore.findings import CaptionFindings
from capeval_core.figures import explore, explore_caption
from capeval_core.figures.evidence import Evidence, used_kinds
from capeval_core.figures.html import legend_html, line_html
from capeval_core.figures.palette import Palette
from pages.widgets import evidence, progress
from pages.widgets.expander import expander
from pages.work import dataset, exploring, session
from pages.work.jobs import jobs
from pages.work.memory import recall
from pages.work.workspace import Candidate, Workspace

WITHIN = 1.5  # seconds: with models loaded one caption needs less
ALONE = "Whether a caption is generic can be told only among many: open it from Explore."


def show(ws: Workspace, chosen: Candidate, palette: Palette) -> None:
    owner = session.owner("errors")
    found, error = find(ws, chosen)
    if error:
        st.text(f"No errors can be told: {error}")
    elif found is None:
        st.text("Each word of the caption is compared with the references.")
        progress.show(owner)
    else:
        _draw(found, ws, palette)


def find(ws: Workspace, chosen: Candidate) -> tuple[CaptionFindings | None, str]:
    """From the open data set where that was explored; else the caption alone. None while it is not known."""
    item, data = ws.item(chosen), dataset.current()
    image = ws.image_id or ws.sample
    known = exploring.known(data, image, item)
    if known is not None:
        return known, ""
    job, owner = exploring.one(item), session.owner("errors")
    if jobs().want(owner, [job]):
        jobs().wait(lambda: jobs().find(job.address) is not None, WITHIN)
    outcome = jobs().find(job.address)
    return (outcome.result, outcome.error) if outcome else (None, "")


def drawn(found: CaptionFindings, references: tuple[str, ...]) -> Evidence:
    return recall(("errors", found, references), lambda: explore_caption.draw(found, references))


def _draw(found: CaptionFindings, ws: Workspace, palette: Palette) -> None:
    told = drawn(found, tuple(ws.references))
    st.html(line_html(told.sentence, palette, large=True))
    if found.note:
        st.html(line_html(found.note, palette))
    st.html(line_html(explore.NOTE, palette, quiet=True))
    legend = legend_html(palette, used_kinds(told.parts))
    if legend:
        st.html(legend)
    evidence.parts(told.parts, palette, "errors")
    if told.details:
        with expander("Details", "errors details"):
            evidence.parts(told.details, palette, "errors details")
    if ws.origin != "explore":
        st.html(line_html(ALONE, palette, quiet=True))
