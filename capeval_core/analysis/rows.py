"""The captioners as a flat table, one row each: what the command line prints and writes and the app exports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from capeval_core.analysis.systems import GRAMMAR, Analysis, SystemReport
from capeval_core.types import CaptionItem

Values = Mapping[str, Mapping[str, float]]  # captioner -> metric -> value


def system_rows(
    items: Sequence[CaptionItem], values: Values, p_values: Values, analysis: Analysis | None
) -> list[dict[str, Any]]:
    """A captioner's `values` (means, or corpus scores) and how sure their difference is; with an analysis also where
    its cloud lies. NaN or None where something is undefined or not known; every row has the same fields."""
    reports = {one.system: one for one in analysis.systems} if analysis else {}
    counts: dict[str, int] = {}
    for item in items:
        counts[item.system] = counts.get(item.system, 0) + 1
    found = []
    for name, count in counts.items():
        known = values.get(name, {})
        row: dict[str, Any] = {"system": name, "captions": count, **known}
        cloud = reports[name].cloud if name in reports else None
        if cloud:
            row |= {"overlap": cloud.overlap, "overlap_low": cloud.overlap_low, "overlap_high": cloud.overlap_high}
            row["shown"] = len(cloud.rows)
        if analysis and GRAMMAR in analysis.scales:
            row |= {"grammar_penalty": reports[name].penalty, "grammar_outliers": reports[name].outliers}
        row |= {f"p_{key}": p_values.get(name, {}).get(key) for key in known}
        if cloud:
            centre = None if cloud.centroid is None else items[cloud.centroid]
            row |= {"centroid": centre and centre.candidate, "centroid_image": centre and centre.image_id}
            row["note"] = cloud.note
        found.append(row)
    return found


def ellipse_fields(report: SystemReport) -> dict[str, Any] | None:
    """Its ellipse as plain data."""
    shape = report.cloud.ellipse if report.cloud else None
    return None if shape is None else {"centre": shape.centre, "axes": shape.axes, "angle": shape.angle}
