"""The report: one HTML file with image, captions, scores and evidence. Opens anywhere, on a phone too; it asks no
server for anything and runs no script."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from capeval_core.figures import svg
from capeval_core.figures.evidence import Caption, Chart, Evidence, Part, used_kinds
from capeval_core.figures.html import arithmetic_html, caption_html, legend_html, table_html
from capeval_core.figures.markup import colours, fill, style
from capeval_core.figures.palette import Palette
from capeval_core.figures.tables import Grid, render

MOST = 1_500_000  # bytes of evidence


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
class View:
    """What is not about one metric: the profile, a comparison, the blame map, style and meaning."""

    title: str
    sentence: str
    parts: tuple[Part | Grid, ...] = ()
    note: str = ""  # below it


@dataclass(frozen=True, slots=True)
class Report:
    title: str
    made: str  # when, in words
    image: bytes | None
    credit: str
    references: tuple[str, ...]
    scores: Grid
    note: str  # below the scores
    views: tuple[View, ...]
    sections: tuple[Section, ...]
    left_out: int  # candidates without a section
    remarks: tuple[str, ...]  # what stands in for what; what could not score
    signatures: tuple[str, ...]
    version: str


def build(report: Report, palette: Palette) -> str:
    """Evidence goes in candidate by candidate until the report is as large as it may be; what is left out is said."""
    views = [(one, legend_html(palette, _kinds(one)), _parts(one.parts, palette)) for one in report.views]
    sections: list[tuple[str, Markup]] = []
    for number, one in enumerate(report.sections):
        findings = [_drawn(finding, palette, f"{number}-{place}-") for place, finding in enumerate(one.findings)]
        drawn = _bare(fill("findings.html", palette, findings=findings), palette)
        if sections and sum(len(text.encode()) for _, text in sections) + len(drawn.encode()) > MOST:
            break
        sections.append((one.candidate, drawn))
    page = fill(
        "report.html",
        palette,
        report=report,
        style=style(),
        image=_address(report.image) if report.image is not None else "",
        scores=render(report.scores, palette),
        views=views,
        sections=sections,
        left_out=report.left_out + len(report.sections) - len(sections),
    )
    return str(_bare(page, palette))


def _bare(drawn: Markup, palette: Palette) -> Markup:
    """Every piece of HTML brings its colours along; here they stand once, at the top."""
    return Markup(str(drawn).replace(f' style="{colours(palette)}"', ""))


def _address(image: bytes) -> str:
    kind = "png" if image.startswith(b"\x89PNG") else "jpeg" if image.startswith(b"\xff\xd8") else "webp"
    return f"data:image/{kind};base64,{base64.b64encode(image).decode()}"


def _drawn(finding: Finding, palette: Palette, prefix: str) -> dict[str, object]:
    """`prefix`: of the names that the numbers of the line of arithmetic link to."""
    evidence = finding.evidence or Evidence(finding.error, ())
    return {
        "title": f"{finding.label} {finding.value}".strip(),
        "sentence": evidence.sentence,
        "arithmetic": arithmetic_html(evidence.arithmetic, palette, prefix),
        "legend": legend_html(palette, used_kinds(evidence.parts)),
        "parts": _parts(evidence.parts, palette, prefix),
        "details": _parts(evidence.details, palette, prefix),
    }


def _kinds(view: View) -> list[str]:
    return used_kinds([part for part in view.parts if not isinstance(part, Grid)])


def _parts(parts: Sequence[Part | Grid], palette: Palette, prefix: str = "") -> list[tuple[str, Markup]]:
    """Each with its title, where it does not show that itself."""
    return [(part.title if isinstance(part, Chart) else "", _part(part, palette, prefix)) for part in parts]


def _part(part: Part | Grid, palette: Palette, prefix: str) -> Markup:
    if isinstance(part, Grid):
        return render(part, palette)
    anchor = f"{prefix}{part.name}" if prefix and part.name else ""
    if isinstance(part, Caption):
        return caption_html(part, palette, anchor)
    if isinstance(part, Chart):
        drawn = svg.draw(part.figure, part.title or "chart")
        return Markup('<div class="scroll" tabindex="0"{}>{}</div>').format(
            Markup(' id="{}"').format(anchor) if anchor else "", drawn
        )
    return table_html(part, palette, anchor)
