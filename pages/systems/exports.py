"""The Systems table and every caption's scores to take away, each with its signatures."""

from __future__ import annotations

import io
import json
from typing import Any

import streamlit as st

from capeval_core.analysis.rows import ellipse_fields, system_rows
from capeval_core.analysis.systems import Analysis
from capeval_core.io.writers import csv_text, plain, write_dataset
from capeval_core.version import VERSION
from pages.systems.scores import Scored
from pages.systems.state import SCALES
from pages.widgets import downloads


def show(scored: Scored, analysis: Analysis | None) -> None:
    if scored.pending:
        st.caption("Still scoring: what is not there yet will be missing.")
    downloads.show(
        {
            "Table (CSV)": ("systems.csv", lambda: table_csv(scored, analysis)),
            "Table with ellipses (JSON)": ("systems.json", lambda: table_json(scored, analysis)),
            "Every caption's scores (JSONL)": ("scores.jsonl", lambda: captions(scored, ".jsonl")),
            "Every caption's scores (CSV)": ("scores.csv", lambda: captions(scored, ".csv")),
        }
    )


def table_rows(scored: Scored, analysis: Analysis | None) -> list[dict[str, Any]]:
    """One flat row per captioner; None where a value is undefined or not there yet."""
    tests = {key: scored.comparisons(key) or {} for key in scored.scores}
    values = {name: {key: scored.value(key, name) for key in scored.scores} for name in scored.data.systems}
    p_values = {
        name: {key: found[name].p_value for key, found in tests.items() if name in found}
        for name in scored.data.systems
    }
    rows: list[dict[str, Any]] = plain(system_rows(scored.data.items, values, p_values, analysis))
    return rows


def table_csv(scored: Scored, analysis: Analysis | None) -> str:
    """One row per captioner and nothing else; what holds for all of them stands in columns of its own."""
    rows, state = table_rows(scored, analysis), scored.state
    same = {
        "metrics_are": state.basis,
        "p_against": state.against,
        "overlap_with": state.reference,
        "signatures": json.dumps(scored.signatures),
    }
    return csv_text([*rows[0], *same], [row | same for row in rows])


def table_json(scored: Scored, analysis: Analysis | None) -> str:
    state = scored.state
    shapes = {one.system: ellipse_fields(one) for one in analysis.systems} if analysis else {}
    content = {
        "capeval": VERSION,
        "reference": state.reference,
        "against": state.against,
        "metrics_are": state.basis,
        "axes": analysis.axes if analysis else None,
        "ellipse_size": state.size,
        "standardised_by": state.reference if state.scale == SCALES[0] else "the constants of the SMURF paper",
        "systems": table_rows(scored, analysis),
        "ellipses": {name: shape for name, shape in shapes.items() if shape},
        "signatures": scored.signatures,
        "skipped": scored.failed,
    }
    return json.dumps(content, ensure_ascii=False, indent=1)


def captions(scored: Scored, kind: str) -> str:
    """The data set with its scores: it can be opened here again, or given to the command line."""
    target = io.StringIO()
    write_dataset(scored.data, target, scored.scores, kind)
    return target.getvalue()
