"""The captioners in a table: overlap with the reference captioner, grammar, every metric with its significance."""

from __future__ import annotations

import math
from dataclasses import dataclass

from capeval_core import registry
from capeval_core.analysis import systems
from capeval_core.analysis.bootstrap import Comparison
from capeval_core.analysis.systems import Analysis
from capeval_core.figures.charts import tint
from capeval_core.figures.palette import Palette
from capeval_core.figures.systems import colours
from capeval_core.figures.words import clean, short
from capeval_core.registry import MetricSpec
from pages.systems.scores import Scored
from pages.systems.state import BASES
from pages.widgets import formats, stand_ins

SURE = 0.05
NO_CORPUS = "the file brought each caption's value only: choose the mean of captions"


@dataclass(frozen=True, slots=True)
class Cell:
    value: float
    text: str
    under: str = ""
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    label: str
    tip: str
    cells: tuple[Cell, ...]  # one a captioner
    badge: str = ""
    heading: str = ""  # stands above it


def rows(scored: Scored, analysis: Analysis | None) -> list[Row]:
    state = scored.state
    found = _clouds(scored, analysis) if analysis else []
    for place, key in enumerate(scored.scores):
        row = _metric(scored, registry.get(key))
        heading = f"{state.basis}, significance against {state.against}" if not place else ""
        found.append(Row(row.label, row.tip, row.cells, row.badge, heading))
    return found


def _clouds(scored: Scored, analysis: Analysis) -> list[Row]:
    found = []
    heading = f"against {analysis.reference}"
    if analysis.axes:
        x, y = (registry.get(key).label for key in analysis.axes)
        tip = f"share of the captioner's ellipse ({x} and {y}) that lies inside the reference captioner's; 1 is best"
        cells = []
        for one in analysis.systems:
            assert one.cloud is not None
            low, high = formats.score(one.cloud.overlap_low), formats.score(one.cloud.overlap_high)
            known = not math.isnan(one.cloud.overlap_low) and one.system != analysis.reference
            said = "95 % of 1,000 draws of the images lie between" if known else ""
            cells.append(
                Cell(one.cloud.overlap, formats.score(one.cloud.overlap), f"{low}–{high}" if known else "",
                     one.cloud.note or said)
            )  # fmt: skip
        found.append(Row("Ellipse overlap", tip, tuple(cells), badge(scored, *analysis.axes), heading))
    if systems.GRAMMAR in analysis.scales:
        tip = f"sum of how far below {systems.THRESHOLD} each odd caption's standardised MIMA lies; 0 is best"
        cells = [
            Cell(one.penalty, f"{one.penalty:.2f}", f"{one.outliers} of {one.count:,}", "captions it punishes, of all")
            for one in analysis.systems
        ]
        name = badge(scored, systems.GRAMMAR)
        found.append(Row("Grammar penalty", tip, tuple(cells), name, "" if analysis.axes else heading))
    return found


def _metric(scored: Scored, spec: MetricSpec) -> Row:
    tests = scored.comparisons(spec.key)
    cells = [_cell(scored, spec, name, tests) for name in scored.data.systems]
    return Row(spec.label, formats.tooltip(spec).replace(" Click to sort.", ""), tuple(cells), badge(scored, spec.key))


def _cell(scored: Scored, spec: MetricSpec, name: str, tests: dict[str, Comparison] | None) -> Cell:
    value, state = scored.value(spec.key, name), scored.state
    if math.isnan(value):
        given = state.basis == BASES[1] and spec.metric not in scored.evaluations
        return Cell(value, "–", tip=NO_CORPUS if given else "no caption of it has a value")
    text = formats.score(value)
    if name == state.against:
        return Cell(value, text, tip=f"the others are compared with {state.against}")
    if tests is None:
        return Cell(value, text, "…", "significance is being drawn")
    if name not in tests:
        return Cell(value, text, tip=f"no image in common with {state.against}")
    test = tests[name]
    if test.note:
        return Cell(value, text, tip=test.note)
    tip = (
        f"{formats.change(test.difference)} against {state.against}, 95 % between {formats.change(test.low)} and "
        f"{formats.change(test.high)}; p = {test.p_value:.4f}, paired bootstrap over {test.images:,} images"
    )
    return Cell(value, text, f"{mark(spec, test)}p {probability(test.p_value)}", tip)


def mark(spec: MetricSpec, test: Comparison) -> str:
    """▲ surely better than the chosen captioner, ▼ surely worse."""
    if not test.p_value < SURE:
        return ""
    return "▲ " if (test.difference > 0) == (spec.direction == "higher") else "▼ "


def probability(value: float) -> str:
    return "<.001" if value < 0.001 else f"{value:.3f}".removeprefix("0")


def badge(scored: Scored, *keys: str) -> str:
    """How close to the paper's number this one is: nothing, or one word."""
    signatures = [scored.signatures.get(key, "").lower() for key in keys]
    if any("estimate" in signature for signature in signatures):
        return "estimated"
    return "stand-in" if any(map(stand_ins.stand_in, signatures)) else ""


def html(scored: Scored, found: list[Row], palette: Palette) -> str:
    colour = colours(scored.data.systems, scored.state.reference, palette)
    rule = tint(palette.faint, 0.28)
    faint = f"color:{palette.faint};font-size:12px;font-weight:400"
    cell = f"padding:4px 10px 4px 0;border-bottom:1px solid {rule};text-align:right;white-space:nowrap"
    head = "".join(
        f'<th scope="col" style="{cell};border-bottom:2px {"dashed" if name == scored.state.reference else "solid"} '
        f'{colour[name]};font-weight:600" title="{formats.escape(clean(name))}">{formats.escape(short(name, 16))}'
        f'<br><span style="{faint}">{len(scored.data.systems[name]):,} captions</span></th>'
        for name in scored.data.systems
    )
    width = len(scored.data.systems) + 1
    body = []
    for row in found:
        if row.heading:
            text = formats.escape(clean(row.heading))
            body.append(f'<tr><td colspan="{width}" style="{faint};padding:12px 0 2px">{text}</td></tr>')
        mark = f' <span style="color:{palette.missed};font-size:11px">≈ {row.badge}</span>' if row.badge else ""
        cells = "".join(
            f'<td style="{cell}" title="{formats.escape(one.tip)}">{one.text}'
            f'<br><span style="{faint}">{one.under or "&nbsp;"}</span></td>'
            for one in row.cells
        )
        name = f'<th scope="row" title="{formats.escape(row.tip)}" style="{cell};text-align:left;font-weight:600">'
        body.append(f"<tr>{name}{row.label}<br>{mark or '&nbsp;'}</th>{cells}</tr>")
    return (
        '<div style="overflow-x:auto"><table style="border-collapse:collapse;width:100%;'
        f'font-size:14px;line-height:1.25;color:{palette.text};font-variant-numeric:tabular-nums"><thead><tr>'
        f'<th style="{cell};border-bottom-color:transparent"></th>{head}</tr></thead><tbody>{"".join(body)}</tbody>'
        "</table></div>"
    )
