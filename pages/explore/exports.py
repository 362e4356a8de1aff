"""The filtered list to take away: as CSV, and as a report that needs no server."""

from __future__ import annotations

from typing import Any

import streamlit as st

from capeval_core import InvalidInput
from capeval_core.figures.palette import LIGHT
from capeval_core.io import images
from capeval_core.io.writers import csv_text, plain
from pages.explore import filters
from pages.explore.found import Found
from pages.widgets import downloads

MOST_CARDS = 200  # of a report, with their pictures


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
    from capeval_core.figures import explore_report

    assert found.explored
    rows = found.rows()
    shown = rows[:MOST_CARDS]
    pictures = {}
    for row in shown:
        name = found.data.items[row].image_id
        if name in found.data.images and name not in pictures:
            try:
                pictures[name] = images.thumbnail(found.data.original(name))
            except InvalidInput:  # a damaged one: its card has no picture
                continue
    return explore_report.build(
        f"What goes wrong in {found.data.title}",
        list(found.explored.profiles.values()),
        found.explored.people,
        [found.data.items[row] for row in shown],
        [found.findings[row] for row in shown],
        LIGHT,
        note=f"{filters.said(found)}: {filters.counted(found, len(rows))}"
        + (f", the first {MOST_CARDS} of them below" if len(rows) > MOST_CARDS else ""),
        images=pictures,
    )
