"""The Systems table and every caption's scores to take away, each with its signatures."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import Any

import streamlit as st

from capeval_core import registry
from capeval_core.analysis.systems import Analysis
from capeval_core.version import VERSION
from pages.inspect.exports import RISKY
from pages.systems.scores import Scored
from pages.systems.state import SCALES


def show(scored: Scored, analysis: Analysis | None) -> None:
    if scored.pending:
        st.caption("Still scoring: what is not there yet will be missing.")
    buttons: list[tuple[str, Any, str, str]] = [
        ("Table (CSV)", lambda: table_csv(scored, analysis), "systems.csv", "text/csv"),
        ("Table with ellipses (JSON)", lambda: table_json(scored, analysis), "systems.json", "application/json"),
        ("Every caption's scores (JSONL)", lambda: captions_jsonl(scored), "scores.jsonl", "application/json"),
    ]
    for label, make, name, kind in buttons:
        st.download_button(
            label, make, f"capeval-{name}", kind, on_click="ignore", width="stretch", key=f"systems {name}"
        )


def table_rows(scored: Scored, analysis: Analysis | None) -> list[dict[str, Any]]:
    """A flat row a captioner; None where a value is undefined or not there yet."""
    reports = {one.system: one for one in analysis.systems} if analysis else {}
    tests = {key: scored.comparisons(key) or {} for key in scored.scores}
    found = []
    for name, rows in scored.data.systems.items():
        row: dict[str, Any] = {"system": name, "captions": len(rows)}
        if name in reports:
            cloud = reports[name].cloud
            if cloud:
                row |= {"overlap": cloud.overlap, "overlap_low": cloud.overlap_low, "overlap_high": cloud.overlap_high}
            row |= {"grammar_penalty": reports[name].penalty, "grammar_outliers": reports[name].outliers}
        for key in scored.scores:
            row[key] = scored.value(key, name)
            row[f"p_{key}"] = tests[key][name].p_value if name in tests[key] else None
        found.append({column: _plain(value) for column, value in row.items()})
    return found


def table_csv(scored: Scored, analysis: Analysis | None) -> str:
    rows = table_rows(scored, analysis)
    target = io.StringIO()
    writer = csv.DictWriter(target, list(rows[0]))
    writer.writeheader()
    for row in rows:
        writer.writerow(row | {"system": f"'{row['system']}" if row["system"].startswith(RISKY) else row["system"]})
    writer.writerow({"system": "signature"} | scored.signatures)
    state = scored.state
    writer.writerow({"system": f"metrics: {state.basis}; p: against {state.against}; overlap: {state.reference}"})
    return target.getvalue()


def table_json(scored: Scored, analysis: Analysis | None) -> str:
    state = scored.state
    shapes: dict[str, Any] = {}
    for one in analysis.systems if analysis else ():
        if one.cloud and one.cloud.ellipse:
            shape = one.cloud.ellipse
            shapes[one.system] = {"centre": shape.centre, "axes": shape.axes, "angle": shape.angle}
    content = {
        "capeval": VERSION,
        "reference": state.reference,
        "against": state.against,
        "metrics_are": state.basis,
        "axes": analysis.axes if analysis else None,
        "ellipse_size": state.size,
        "standardised_by": state.reference if state.scale == SCALES[0] else "the constants of the SMURF paper",
        "systems": table_rows(scored, analysis),
        "ellipses": shapes,
        "signatures": scored.signatures,
        "skipped": scored.failed,
    }
    return json.dumps(content, ensure_ascii=False, indent=1)


def captions_jsonl(scored: Scored) -> str:
    """As `score` writes them: the file can be loaded here again, or given to the command line."""
    columns = {key: values.tolist() for key, values in scored.scores.items() if key in registry.keys()}
    lines = []
    for place, item in enumerate(scored.data.items):
        row: dict[str, Any] = {"image_id": item.image_id, "system": item.system, "candidate": item.candidate}
        row |= {"references": list(item.references)} if item.references else {}
        row |= {key: _plain(values[place]) for key, values in columns.items()}
        lines.append(json.dumps(row, ensure_ascii=False))
    return "\n".join(lines) + "\n"


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value
