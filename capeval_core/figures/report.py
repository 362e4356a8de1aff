"""The report: one HTML file with image, captions, scores and evidence. Opens anywhere, asks no server for anything."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.io
import plotly.offline
from markupsafe import Markup

from capeval_core.figures.evidence import Caption, Chart, Evidence, Part, used_kinds
from capeval_core.figures.html import caption_html, legend_html, table_html
from capeval_core.figures.markup import fill, style
from capeval_core.figures.palette import Palette
from capeval_core.figures.tables import Grid, render


@dataclass(frozen=True, slots=True)
class Finding:
    """What one metric says of one candidate: its evidence, or why there is none."""

    label: str
    value: str = ""
    evidence: Evidence | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    candidate: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Report:
    title: str
    image: bytes | None
    credit: str
    references: tuple[str, ...]
    scores: Grid
    note: str  # below the scores
    sections: tuple[Section, ...]
    left_out: int  # candidates without a section
    remarks: tuple[str, ...]  # what stands in for what; what could not score
    signatures: tuple[str, ...]
    version: str


def build(report: Report, palette: Palette) -> str:
    return fill(
        "report.html",
        palette,
        report=report,
        script=Markup(plotly.offline.get_plotlyjs()),
        style=style(),
        image=_address(report.image) if report.image is not None else "",
        scores=render(report.scores, palette),
        sections=[(one.candidate, [_drawn(finding, palette) for finding in one.findings]) for one in report.sections],
    )


def _address(image: bytes) -> str:
    kind = "png" if image.startswith(b"\x89PNG") else "jpeg" if image.startswith(b"\xff\xd8") else "webp"
    return f"data:image/{kind};base64,{base64.b64encode(image).decode()}"


def _drawn(finding: Finding, palette: Palette) -> dict[str, object]:
    evidence = finding.evidence or Evidence(finding.error, ())
    return {
        "title": f"{finding.label} {finding.value}".strip(),
        "sentence": evidence.sentence,
        "legend": legend_html(palette, used_kinds(evidence.parts)),
        "parts": _parts(evidence.parts, palette),
        "details": _parts(evidence.details, palette),
    }


def _parts(parts: Sequence[Part], palette: Palette) -> list[tuple[str, Markup]]:
    """Each with its title, where it does not show that itself."""
    return [(part.title if isinstance(part, Chart) else "", _part(part, palette)) for part in parts]


def _part(part: Part, palette: Palette) -> Markup:
    if isinstance(part, Caption):
        return caption_html(part, palette)
    if isinstance(part, Chart):
        quiet = {"displayModeBar": False}
        # Ours: the texts in a figure are escaped where it is drawn.
        return Markup(plotly.io.to_html(part.figure, full_html=False, include_plotlyjs=False, config=quiet))
    return table_html(part, palette)
