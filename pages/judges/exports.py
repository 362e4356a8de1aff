"""A judging to take away: CSV, the HTML report, a LaTeX table."""

from __future__ import annotations

from typing import Any

from capeval_core.analysis.coefficients import NAMES
from capeval_core.analysis.judging import Judging
from capeval_core.analysis.significance import headline_values, significance
from capeval_core.figures import judge_latex, judges_report
from capeval_core.figures.palette import LIGHT
from capeval_core.io.writers import csv_text
from pages.widgets import downloads


def show(found: Judging) -> None:
    downloads.show(
        {
            "Table (CSV)": ("judges.csv", lambda: to_csv(found)),
            "Report with every chart (HTML)": ("judges.html", lambda: to_html(found)),
            "Table (LaTeX)": ("judges.tex", lambda: to_latex(found)),
        }
    )


def order(found: Judging) -> list[str]:
    values = headline_values(found)
    return sorted(values, key=lambda key: -values[key] if values[key] == values[key] else 2.0)


def to_csv(found: Judging) -> str:
    """One row per metric, best first, with every digit; the last columns say how it was made."""
    letters = significance(found)[1]
    rows = [
        {"metric": key}
        | (_pairs(found, key) if found.pairs else _coefficients(found, key))
        | {"letters": letters.get(key), "signature": found.signatures.get(key, ""), "protocol": found.protocol}
        for key in order(found)
    ]
    return csv_text(list(rows[0]) if rows else ["metric"], rows)


def _coefficients(found: Judging, key: str) -> dict[str, Any]:
    quality = found.metrics[key]
    row: dict[str, Any] = {"captions": quality.count}
    for name in NAMES:
        one = quality.of(name)
        row |= {name: one.value, f"{name}_low": one.low, f"{name}_high": one.high}
    return row


def _pairs(found: Judging, key: str) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for group, accuracies in {**found.pairs, **({"mean": found.overall} if len(found.pairs) > 1 else {})}.items():
        one = accuracies[key]
        row |= {group: one.accuracy, f"{group}_low": one.low, f"{group}_high": one.high, f"{group}_pairs": one.count}
    return row


def to_html(found: Judging) -> str:
    corrected, letters = significance(found)
    return judges_report.build(found, letters, corrected, LIGHT)


def to_latex(found: Judging) -> str:
    return judge_latex.build(found, order(found), significance(found)[1])
