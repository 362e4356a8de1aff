"""The filtered list to take away: as CSV, and as a report that needs no server."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from capeval_core.figures.explore_report import LISTED, Report, build
from capeval_core.figures.palette import LIGHT
from capeval_core.io.writers import csv_text, plain
from capeval_core.version import VERSION
from pages.explore import filters
from pages.explore.found import Found
from pages.explore.state import COMPARE
from pages.explore.thumbs import thumbnail
from pages.widgets import downloads


def show(found: Found) -> None:
    if found.explored is None:
        st.caption("There is nothing to take away before the captions are analysed.")
        return
    st.caption("The captions that pass the filters, in the order of the cards.")
    downloads.show(
        {
            "Filtered captions (CSV)": ("explore.csv", lambda: table_csv(found)),
            "Report (HTML)": ("explore.html", lambda: report(found)),
        }
    )


def table_csv(found: Found) -> str:
    rows = [table_row(found, row) for row in found.rows()]
    names = [
        "image_id",
        "system",
        "candidate",
        "strength",
        "noun_support",
        "errors",
        "words",
        "evidence",
        *found.scores,
    ]
    return csv_text(names, plain(rows))


def table_row(found: Found, row: int) -> dict[str, Any]:
    item, own = found.data.items[row], found.findings[row]
    return {
        "image_id": item.image_id,
        "system": item.system,
        "candidate": item.candidate,
        "strength": own.strength,
        "noun_support": own.noun_support,
        "errors": "; ".join(one.kind for one in own.errors),
        "words": "; ".join(one.words for one in own.errors),
        "evidence": " ".join(one.evidence for one in own.errors),
    } | {key: float(values[row]) for key, values in found.scores.items()}


def report(found: Found) -> str:
    """Profiles of all captioners, slices, wording, the filtered list with its pictures, the strongest of each error."""
    found = replace(found, at_once=True)
    assert found.explored
    rows, state = found.rows(), found.state
    pictured = {found.data.items[row].image_id for row in rows[:LISTED]}
    told, sliced = found.wording(), found.slices()
    return build(
        Report(
            title=f"What goes wrong in {found.data.title}",
            size=f"{found.data.size}.",
            profiles=list(found.explored.profiles.values()),
            people=found.explored.people,
            comparison=found.comparison() if state.tab == COMPARE and len(found.data.systems) > 1 else None,
            slices={state.system: sliced} if sliced else {},
            wordings=[told] if told else [],
            items=[found.data.items[row] for row in rows],
            findings=[found.findings[row] for row in rows],
            version=VERSION,
            filters=f"{filters.said(found)}: {filters.counted(found, len(rows))}.",
            pictures={image: thumbnail(found.data, image) for image in pictured},
        ),
        LIGHT,
    )
